"""What annotators are asked beside judgments, which is paid alike: onboarding, attention checks, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from duologue.errors import DuologueError
from duologue.studies.drawing import planned_items
from duologue.studies.model import Study
from duologue.studies.spreading import repeats_of


@dataclass(frozen=True, slots=True)
class Besides:
    """How many items of each kind all annotators together are asked beside what is judged."""

    onboarding: int = 0
    checks: int = 0
    repeats: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.onboarding + self.checks + self.repeats

    @property
    def included(self) -> str:
        """That they are included, to be added to a sentence; empty where there are none.

        Example:
            >>> Besides(checks=16, repeats=4).included
            ', attention checks and repeated items included'
        """
        counts = {
            "onboarding": self.onboarding,
            "attention checks": self.checks,
            "repeated items": self.repeats,
        }
        kinds = [kind for kind, count in counts.items() if count]
        *first, last = kinds or [""]
        return f", {', '.join(first)}{' and ' if first else ''}{last} included" if kinds else ""


def asked_besides(study: Study, *, judgments: int, annotators: int) -> Besides:
    """What is asked beside so many judgments by so many annotators; a live chat is never held twice."""
    there, caps = roles_of(study), study.caps
    each = judgments / annotators if annotators else 0.0
    checks = checks_of_one_annotator(study, each, there=there.get("attention", 0))
    repeats = repeats_of(caps.repeat, round(each)) if caps.max_per_group is None else 0
    return Besides(
        onboarding=annotators * min(caps.onboarding_comparisons, there.get("onboarding", 0)),
        checks=round(annotators * checks),
        repeats=annotators * repeats,
    )


def items_of_a_sitting(study: Study) -> int | None:
    """How many items whoever does all they may is given and paid for; None where sittings differ."""
    items, caps = planned_items(study), study.caps
    judged = [item for item in items if item.is_judged]
    if caps.one_per_factor or caps.items_of or not judged:
        return None
    if any(item.block for item in judged):
        sizes = set(Counter(item.block for item in judged).values())
    else:
        groups = len({item.group for item in judged})
        in_groups = groups * (caps.max_per_group or 1)
        most = in_groups if caps.max_judgments is None else caps.max_judgments
        most = most if caps.max_per_group is None else min(most, in_groups)
        sizes = {min(len(judged), most * caps.arms_per_annotator)}
    if len(sizes) > 1:
        return None
    (size,) = sizes
    besides = asked_besides(study, judgments=size, annotators=1)
    return size + besides.total


def onboarding_of_one_annotator(study: Study) -> int:
    """Onboarding items that one annotator is asked: no more than there are, once there are items."""
    roles, wanted = roles_of(study), study.caps.onboarding_comparisons
    return min(wanted, roles.get("onboarding", 0)) if roles else wanted


def checks_of_one_annotator(study: Study, judged: float, *, there: int) -> float:
    """Attention checks that one annotator meets who judges so many items, where so many checks are there."""
    attention = study.caps.attention
    wanted = judged / attention.every if attention.every is not None else attention.per_sitting or 0
    return min(wanted, there)


def has_blocks(study: Study) -> bool:
    """Whether annotators stay in a block of items; not where these cannot be drawn yet."""
    try:
        return any(item.block for item in planned_items(study))
    except DuologueError:
        return False


def roles_of(study: Study) -> Mapping[str, int]:
    """How many items of each role a study has; nothing where they cannot be drawn yet."""
    try:
        return Counter(item.role for item in planned_items(study))
    except DuologueError:
        return {}
