"""What is planned for the second of two people who chat: the plan of the first, seen from the other side."""

from __future__ import annotations

from duologue.protocols import ChatPlan


def plan_of_partner(plan: ChatPlan, own: ChatPlan) -> ChatPlan:
    """The plan of the first annotator as the second one's: personas and turns change sides.

    Args:
        plan: Of the annotator who came first; the chat is held by it.
        own: What was planned for the second annotator's own item: a persona for persona detection is taken
            from it that is not the true one.

    Example:
        >>> first = ChatPlan(persona=("i swim.",), annotator_persona=("i ski.",), other_persona=("i nap.",))
        >>> plan_of_partner(first, ChatPlan(other_persona=("i ski.",))).other_persona
        ('i nap.',)
    """
    truth = plan.annotator_persona
    others = (own.other_persona, plan.other_persona, own.persona, own.annotator_persona)
    return ChatPlan(
        first="annotator" if plan.first == "partner" else "partner",
        persona=truth,
        annotator_persona=plan.persona,
        other_persona=next((one for one in others if one and one not in (truth, plan.persona)), ()),
        topic=plan.topic,
    )
