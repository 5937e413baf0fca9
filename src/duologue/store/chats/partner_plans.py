"""What is planned for the second of two people who chat: the plan of the first, seen from the other side."""

from __future__ import annotations

from duologue.protocols import ChatPlan


def plan_of_partner(plan: ChatPlan, own: ChatPlan) -> ChatPlan:
    """The plan of the first annotator as the second one's: personas and turns change sides.

    Args:
        plan: Of the annotator who came first; the chat is held by it.
        own: What was planned for the second annotator's own item: what the protocol keeps there goes with it.

    Example:
        >>> first = ChatPlan(persona=("i swim.",), annotator_persona=("i ski.",))
        >>> theirs = plan_of_partner(first, ChatPlan(extras={"mood": "calm"}))
        >>> theirs.persona, theirs.annotator_persona, theirs.extras
        (('i ski.',), ('i swim.',), {'mood': 'calm'})
    """
    return ChatPlan(
        first="annotator" if plan.first == "partner" else "partner",
        persona=plan.annotator_persona,
        annotator_persona=plan.persona,
        topic=plan.topic,
        extras=own.extras,
    )
