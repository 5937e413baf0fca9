"""Which exclusions a person made by hand, and for which reasons the plan lets them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import and_, case, func, or_, select

from duologue.judgments import Exclusion
from duologue.protocols import rule_asked_again
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import exclusions, is_second, items, judgments, rules_in_force, slots
from duologue.store.researcher.exclusions import ANALYSIS, BLOCKED, REPLACED, THE_RULES, WITHDRAWN
from duologue.store.researcher.judged import Tally, never_counted, tally_alike
from duologue.store.researcher.plans import StoredLook
from duologue.studies import FrozenPlan, Study

NOT_BY_HAND = (WITHDRAWN, REPLACED)
"""What happens in a person's name without the person having judged the judgment."""


def is_by_hand(exclusion: Exclusion) -> bool:
    """Whether a person decided it, and not a rule of the study.

    What a blocked annotator judges afterwards is excluded in the study's name, and by hand all the same.
    """
    if exclusion.rule == BLOCKED:
        return True
    by_rule = (THE_RULES, ANALYSIS)
    return exclusion.by not in by_rule and exclusion.rule not in NOT_BY_HAND


def researcher_rules(study: Study, plan: FrozenPlan | None) -> frozenset[str]:
    """The reasons for which a researcher may exclude before the verdicts: those of the frozen plan.

    Before anything is frozen they are those of the study file.
    """
    if plan is None:
        return frozenset(study.file.screening.researcher_rules)
    settings = plan.content.get("settings")
    screening = settings.get("screening", {}) if isinstance(settings, dict) else {}
    return frozenset(map(str, screening.get("researcher_rules", ())))


def looks_before(looks: Sequence[StoredLook], at: str) -> int:
    """How many looks had been taken by a time."""
    return sum(1 for look in looks if look.at <= at)


def undeclared_by_hand(in_force: Iterable[Exclusion], declared: Collection[str]) -> dict[str, str]:
    """Judgments that a person excluded by a rule that was not declared, with the rule that excludes them too.

    The rule is empty where there is no other: such judgments count in the verdicts.

    Args:
        in_force: Every exclusion in force of these judgments.
        declared: The rules by which the plan lets a researcher exclude.
    """
    rules: defaultdict[str, list[Exclusion]] = defaultdict(list)
    for one in in_force:
        rules[one.judgment].append(one)
    return {
        key: next((one.rule for one in found if not is_by_hand(one) or one.rule in declared), "")
        for key, found in rules.items()
        if any(is_by_hand(one) and one.rule not in declared for one in found)
    }


@reads
def tally_undeclared(reading: Reading, declared: Collection[str]) -> tuple[Tally, ...]:
    """Judgments that nothing excludes but a person, by rules that were not declared: verdicts count them.

    As `undeclared_by_hand` tells them, all that are alike as one example and how many they are.

    Args:
        reading: The database.
        declared: The rules by which the plan lets a researcher exclude.
    """
    of_person = and_(exclusions.c.by.not_in((THE_RULES, ANALYSIS)), exclusions.c.rule.not_in(NOT_BY_HAND))
    is_undeclared = and_(
        or_(exclusions.c.rule == BLOCKED, of_person), exclusions.c.rule.not_in(sorted(declared))
    )
    numbers = (
        select(rules_in_force.c.judgment)
        .join(exclusions, exclusions.c.n == rules_in_force.c.exclusion)
        .group_by(rules_in_force.c.judgment)
        .having(func.min(case((is_undeclared, 1), else_=0)) == 1)
    )
    return tally_alike(reading, numbers)


@reads
def find_never_counted(reading: Reading) -> frozenset[str]:
    """Judgments with an exclusion in force that would count in no verdict without it, by design."""
    query = (
        select(judgments.c.id, judgments.c.role, judgments.c.occasion, is_second, items.c.group_name)
        .select_from(
            judgments.join(items, items.c.n == judgments.c.item).outerjoin(
                slots, slots.c.n == judgments.c.slot
            )
        )
        .where(judgments.c.n.in_(select(rules_in_force.c.judgment)))
    )
    return frozenset(
        key
        for key, role, occasion, second, group in reading.connection.execute(query)
        if role != "judged" or never_counted(role, occasion, is_second=second) or rule_asked_again(group)
    )
