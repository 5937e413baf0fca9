"""What a researcher excluded by hand: verdicts rest on declared rules, the rest is a sensitivity analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from duologue.judgments import Exclusion
from duologue.protocols import JudgedBatch, ManualExclusion, rule_asked_again, say_count
from duologue.screening import NEVER_COUNTED
from duologue.store import (
    ANALYSIS,
    THE_RULES,
    Store,
    StoredLook,
    fetch_frozen_plan,
    fetch_rules_in_force,
    find_never_counted,
    is_by_hand,
    looks_before,
    researcher_rules,
    undeclared_by_hand,
)
from duologue.studies import Study


@dataclass(frozen=True, slots=True)
class HandExclusions:
    """Which exclusions in force were made by hand, and what the declared rules alone say."""

    made: tuple[Exclusion, ...]
    """By hand and in force, whether the plan declared the rule or not."""
    declared: frozenset[str]
    """The rules by which the plan lets a researcher exclude."""
    by_rules: Mapping[str, str]
    """Judgments that an undeclared exclusion concerns, with the declared rule that excludes them too; empty
    where there is none."""
    never_counted: frozenset[str] = frozenset()
    """Excluded judgments that were never meant to count: onboarding, attention checks, second answers."""

    @property
    def counted(self) -> frozenset[str]:
        """Judgments that count in the verdicts, although a researcher excluded them."""
        return frozenset(key for key, rule in self.by_rules.items() if not rule) - self.never_counted

    def rules_of(self, batch: JudgedBatch) -> Sequence[str]:
        """The declared rule that excludes each judgment; empty when it counts in the verdicts."""
        if not self.by_rules:
            return batch.excluded
        judged = zip(batch.ids, batch.excluded, batch.groups, strict=True)
        return [
            rule if rule in NEVER_COUNTED else self.by_rules.get(key, rule) or rule_asked_again(group)
            for key, rule, group in judged
        ]


def exclusions_by_hand(study: Study, store: Store) -> HandExclusions:
    """What a researcher excluded, apart from what the declared rules did.

    Rules that were declared after the plan was frozen do not count.
    """
    in_force = store.run(fetch_rules_in_force())
    declared = researcher_rules(study, store.run(fetch_frozen_plan()))
    made = tuple(one for one in in_force if is_by_hand(one))
    by_rules = undeclared_by_hand(in_force, declared)
    never_counted = store.run(find_never_counted()) if by_rules else frozenset()
    return HandExclusions(made, declared, by_rules, never_counted)


def listed_by_hand(found: HandExclusions, looks: Sequence[StoredLook]) -> tuple[ManualExclusion, ...]:
    """The exclusions by hand, those for one reason together, in the order they were made."""
    together: defaultdict[tuple[str, str, str, int], list[Exclusion]] = defaultdict(list)
    for one in found.made:
        together[one.rule, one.reason, one.by, looks_before(looks, one.at)].append(one)
    return tuple(
        ManualExclusion(
            rule=rule,
            reason=reason,
            by=by,
            at=min(one.at for one in made),
            judgments=len({one.judgment for one in made}),
            annotators=len({one.annotator for one in made}),
            after_looks=after,
            is_declared=rule in found.declared,
        )
        for (rule, reason, by, after), made in together.items()
    )


def say_by_hand(listed: Sequence[ManualExclusion], found: HandExclusions) -> str:
    """How many judgments were excluded by hand, why, when, and what that means for the verdicts."""
    if not listed:
        return "The researcher excluded no judgments by hand."
    reasons = "; ".join(
        f"{one.judgments:,} of {say_count(one.annotators, 'annotator')} on {one.at[:10]}, "
        f"{_when(one.after_looks)} ({one.rule}: {one.reason})"
        for one in listed
    )
    judgments = say_count(len({one.judgment for one in found.made}), "judgment")
    said = f"By hand the researcher excluded {judgments}: {reasons}."
    if not found.by_rules:
        return f"{said} The plan declares these rules."
    become = "; ".join(_say_undeclared(len(found.by_rules), len(found.counted)))
    excluded = len({one.judgment for one in found.made})
    of_them = "" if len(found.by_rules) == excluded else f" for {len(found.by_rules):,} of them"
    return f"{said} The plan declares no such rule{of_them}: {become}."


def _say_undeclared(excluded: int, counted: int) -> Iterator[str]:
    """What becomes of judgments that were excluded by rules that the plan does not declare."""

    def who(some: int) -> str:
        return f"{some:,}" if some < excluded else "it" if some == 1 else "they"

    if counted:
        count, them = ("counts", "it") if counted == 1 else ("count", "them")
        yield (
            f"{who(counted)} {count} in the verdicts, and the verdicts without {them} are a sensitivity "
            "analysis"
        )
    if rest := excluded - counted:
        do, were, them = ("does", "it was", "it") if rest == 1 else ("do", "they were", "them")
        yield (
            f"{who(rest)} {do} not count anyway, because another rule excludes {them} or {were} never meant "
            "to count"
        )


def taken_back_by_hand(written: Sequence[Exclusion], in_force: Sequence[Exclusion]) -> int:
    """Judgments that a rule of the study had excluded and a researcher took back, and that stay so."""
    still = {(one.judgment, one.rule) for one in in_force}
    by_rule = {(one.judgment, one.rule) for one in written if one.action == "exclude" and not is_by_hand(one)}
    taken = {
        one.judgment
        for one in written
        if one.action == "restore"
        and one.by not in (THE_RULES, ANALYSIS)
        and (one.judgment, one.rule) in by_rule - still
    }
    return len(taken)


def _when(looks: int) -> str:
    return "before any look at the results" if not looks else f"after look {looks}"
