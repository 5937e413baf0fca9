"""Did live chats hold to their rules while simulated annotators had them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from duologue.rehearsal.checks import RuleCheck
from duologue.rehearsal.kinds import SPAMMER
from duologue.rehearsal.walk import Walk
from duologue.store import Chat, ChatSummary
from duologue.studies import StudyRules

FindChat = Callable[[str, str], Chat]
"""The live chat of an annotator's link and an assignment's key, as it is stored."""


def check_chats(
    chats: Sequence[ChatSummary],
    walks: Sequence[Walk],
    caps: StudyRules,
    *,
    planned: Mapping[str, int],
    rated: Collection[str],
    counted: Collection[str],
    find_chat: FindChat,
) -> tuple[RuleCheck, ...]:
    """Check the quota of every group, that nobody met one too often, that no turn was lost, and the flags.

    Args:
        chats: Every live chat of the study, one of its annotators at a time.
        walks: What the annotators did.
        caps: What the study holds to.
        planned: How many items of each group there are.
        rated: The ids of the judgments of chats that did not come to nothing.
        counted: The ids of the judgments that count.
        find_chat: Looks up a chat.
    """
    judged = [chat for chat in chats if chat.judgment in counted]
    return (
        RuleCheck("counted chats of a group beyond those planned", 0, _beyond(judged, planned, caps)),
        RuleCheck(
            "chats of one annotator in one group",
            caps.chat.chats_per_annotator,
            _most((chat.annotator, chat.group) for chat in chats),
        ),
        RuleCheck(
            "turns in a chat beyond the most there may be",
            0,
            sum(max(0, chat.exchanges - caps.chat.max_exchanges) for chat in chats),
        ),
        RuleCheck(
            "rated chats with too few exchanges",
            0,
            sum(chat.exchanges < caps.chat.min_exchanges for chat in judged),
        ),
        RuleCheck(
            "chats in which a turn was lost, doubled or changed",
            0,
            sum(_is_amiss(walk, key, find_chat) for walk in walks for key in walk.said),
        ),
        RuleCheck("rated chats of spammers without a flag", 0, _unnoticed(chats, walks, rated)),
    )


def _beyond(chats: Iterable[ChatSummary], planned: Mapping[str, int], caps: StudyRules) -> int:
    counts = Counter((chat.arm, chat.group) for chat in chats)
    return sum(
        max(0, count - planned[group] * caps.judgments_per_item) for (_, group), count in counts.items()
    )


def _is_amiss(walk: Walk, key: str, find_chat: FindChat) -> bool:
    """Whether what the annotator said is not, turn by turn, what is stored."""
    turns = find_chat(walk.token, key).turns
    return [turn.text for turn in turns if turn.is_annotator] != list(walk.said[key])


def _unnoticed(chats: Iterable[ChatSummary], walks: Iterable[Walk], rated: Collection[str]) -> int:
    spammers = {walk.id for walk in walks if walk.annotator.kind == SPAMMER}
    return sum(chat.annotator in spammers and chat.judgment in rated and not chat.flags for chat in chats)


def _most(things: Iterable[object]) -> int:
    return max(Counter(things).values(), default=0)
