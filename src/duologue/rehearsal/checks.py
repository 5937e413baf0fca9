"""Did the study hold to its rules while simulated annotators walked through it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from duologue.judgments import Judgment
from duologue.protocols import Item
from duologue.rehearsal.walk import Walk
from duologue.store import FilledForm
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """One rule, and the worst that was seen of it."""

    rule: str
    limit: int
    seen: int

    @property
    def has_held(self) -> bool:
        """Whether nothing went beyond the limit."""
        return self.seen <= self.limit


def check_rules(
    judgments: Sequence[Judgment],
    items: Mapping[str, Item],
    walks: Iterable[Walk],
    caps: StudyRules,
    *,
    noun: str = "item",
) -> tuple[RuleCheck, ...]:
    """Check the caps, that nothing was stored twice, and that nothing acknowledged was lost."""
    compared = [judgment for judgment in judgments if judgment.is_planned]
    counted = [judgment for judgment in compared if not judgment.excluded]
    first = [judgment for judgment in judgments if judgment.occasion == 1]
    stored = Counter(judgment.annotator for judgment in judgments)
    return (
        RuleCheck(
            "judgments per annotator",
            caps.arms_per_annotator * (caps.max_judgments or _whole_sitting(items.values(), caps)),
            _most(judgment.annotator for judgment in compared),
        ),
        RuleCheck(
            f"counted judgments per {noun}",
            caps.judgments_per_item,
            _most((judgment.arm, judgment.item) for judgment in counted),
        ),
        RuleCheck(
            f"times one annotator judged the same {noun}{_repeats_apart(caps)}",
            1,
            _most((judgment.annotator, judgment.item) for judgment in first),
        ),
        *_dialogues(first, items, caps),
        RuleCheck("judgments per assignment", 1, _most(judgment.assignment for judgment in judgments)),
        *_arms(judgments, caps),
        RuleCheck(
            "answers acknowledged and not stored, or stored and not acknowledged",
            0,
            sum(abs(walk.saved - stored[walk.id]) for walk in walks),
        ),
    )


def _dialogues(first: Iterable[Judgment], items: Mapping[str, Item], caps: StudyRules) -> Iterator[RuleCheck]:
    """The rule about dialogues, where items show any: questions and live chats do not."""
    if any(item.dialogues for item in items.values()):
        yield RuleCheck(
            f"times one annotator saw a dialogue{_repeats_apart(caps)}",
            caps.arms_per_annotator if caps.one_per_factor else 1,
            _most(
                (judgment.annotator, dialogue)
                for judgment in first
                for dialogue in set(items[judgment.item].dialogues)
            ),
        )


def _repeats_apart(caps: StudyRules) -> str:
    """What a rule about first answers adds where items come a second time."""
    return " (items that come a second time apart)" if caps.repeat else ""


def _whole_sitting(items: Iterable[Item], caps: StudyRules) -> int:
    """What an annotator judges where no number is set: a version of a questionnaire, or each group."""
    judged = [item for item in items if item.is_judged]
    versions = Counter(item.block for item in judged)
    everywhere = versions.pop("", 0)
    if versions:
        return everywhere + max(versions.values())
    return len({item.group for item in judged}) * (caps.max_per_group or 1)


def check_forms(stored: Iterable[FilledForm], walks: Iterable[Walk]) -> RuleCheck:
    """Check that every form that was filled in is there once."""
    found = Counter(one.annotator for one in stored)
    return RuleCheck(
        "forms acknowledged and not stored, or stored and not acknowledged",
        0,
        sum(abs(walk.forms - found[walk.id]) for walk in walks),
    )


def _most(things: Iterable[object]) -> int:
    """How often the most frequent of them occurs."""
    return max(Counter(things).values(), default=0)


def _arms(judgments: Iterable[Judgment], caps: StudyRules) -> Iterator[RuleCheck]:
    """The rule about arms, where there are several."""
    seen = {(judgment.annotator, judgment.arm) for judgment in judgments}
    if len({arm for _, arm in seen}) > 1:
        yield RuleCheck("arms per annotator", caps.arms_per_annotator, _most(who for who, _ in seen))
