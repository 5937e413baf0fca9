"""Parallel chats: an annotator talks to two bots at once, each with a history of its own, and compares them.

They are pairings whose dialogues do not exist yet: an item names the two bots and plans the chat. Onboarding
and attention checks stay pairings of finished dialogues, whose better one is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duologue.acute.pairing import Matchup, matchups_of, pairing_counts
from duologue.acute.settings import AcuteSettings, PairingSettings
from duologue.bots import Briefing
from duologue.errors import DesignError
from duologue.protocols import CHAT, HUMAN, ChatPlan, Item, Material


def parallel_matchups(bots: Sequence[str], settings: PairingSettings) -> tuple[Matchup, ...]:
    """The matchups that the settings ask for among bots that answer.

    Raises:
        DesignError: A bot is named that does not answer, or there is nothing to compare.
    """
    here = ", ".join(bots) or "none"
    if HUMAN in bots:
        raise DesignError(
            "parallel chats are with two bots: nobody can chat with a person and a bot at once. Set "
            "human_partner = false in [chat]."
        )
    named = () if settings.matchups == "all" else (name for pair in settings.matchups for name in pair)
    for name in (*named, *settings.against, *settings.same_bot):
        if name not in bots:
            raise DesignError(
                f"bot {name!r} cannot be chatted with (the bots that can: {here}). Give its [[bots]] table "
                "a kind that answers (docs/bots.md)."
            )
    compared = [bot for bot in bots if bot not in settings.leave_out]
    if len(compared) < 2 and settings.matchups == "all" and not settings.same_bot:
        raise DesignError(
            f"parallel chats need two bots that answer, and there are: {here}. Give [[bots]] tables a kind "
            "that answers (docs/bots.md)."
        )
    return matchups_of(bots, settings)


def plan_parallel_chats(
    settings: AcuteSettings, pairings: PairingSettings, material: Material
) -> Iterator[Item]:
    """The chats of every matchup: the k-th of every matchup with the same persona and topic.

    Adding a bot leaves the chats of the other matchups as they are.

    Args:
        settings: The ``[acute]`` table.
        pairings: Which bots are compared, and how often.
        material: The bots, personas and topics of the study.

    Raises:
        DesignError: There are no two bots to chat with.
    """
    briefings = material.shuffled_briefings() or (Briefing(),)
    counts = pairing_counts(parallel_matchups(material.bots, pairings), pairings)
    for matchup, count in counts.items():
        for number in range(count):
            briefing = briefings[number % len(briefings)]
            first = material.chat.first_in(number)
            plan = ChatPlan(
                first=first,
                persona=briefing.persona,
                annotator_persona=briefing.partner_persona,
                topic=briefing.topic,
                opener=briefing.opener if first == "partner" else "",
                histories="own",
                after_failure=settings.after_failure,
            )
            yield Item(
                id=f"{matchup.group}-{number + 1}",
                group=matchup.group,
                bots=(matchup.first, matchup.second),
                dialogues=(),
                judged=(),
                extras={CHAT: plan.record()},
            )
