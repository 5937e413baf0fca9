"""Every comparison of turns weighed and decided: naive and clustered tests, the larger p-value, Holm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from duologue.per_turn.analysis.results import TestedTurns, TurnTest
from duologue.per_turn.analysis.tables import TurnTable
from duologue.protocols import Family
from duologue.stats import (
    ClusteredEquality,
    ClusteredRate,
    CochranQ,
    Decision,
    Evidence,
    ExactRate,
    Interval,
    PairedSelections,
    clustered_equality,
    cochran_q,
    decide_together,
)

Kind = Literal["pair", "all", "against"]


@dataclass(frozen=True, slots=True)
class DifferenceFromNull:
    """A test of a rate against a null, as one of their difference against zero."""

    test: Evidence
    null: float

    @property
    def p_value(self) -> float:
        """Of the test."""
        return self.test.p_value

    def interval_at(self, level: float) -> Interval:
        """Of the difference."""
        found = self.test.interval_at(level)
        return Interval(found.low - self.null, found.high - self.null, level, found.method)


@dataclass(frozen=True, slots=True)
class WholeTest:
    """A test of several bots at once. It has no interval: no difference is all that it can leave open.

    Beside the tests of a pair it keeps the pair's interval from excluding no difference while the bots as a
    whole do not differ.
    """

    p_value: float

    def interval_at(self, level: float) -> Interval:
        """No difference."""
        return Interval(0.0, 0.0, level, "all bots")


@dataclass(frozen=True, slots=True)
class WeighedComparison:
    """A comparison with the tests that its verdict must pass."""

    section: int
    kind: Kind
    bots: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    """The naive test, the clustered one where anything repeats, that of all bots where it did not reject."""
    tests: tuple[TurnTest, ...]
    naive: str
    clusters: dict[str, int]
    effective_turns: float | None = None
    q: CochranQ | None = None
    equality: ClusteredEquality | None = None

    @property
    def p_value(self) -> float:
        """The largest."""
        return max((one.p_value for one in self.evidence), default=1.0)


@dataclass(frozen=True, slots=True)
class DecidedComparison:
    """A comparison after the rule was applied."""

    weighed: WeighedComparison
    decision: Decision | None
    """None where the turns can say nothing about the bots."""

    def tested(self) -> TestedTurns:
        """The tests and the rule, as results keep them."""
        weighed, decision = self.weighed, self.decision
        p_values = dict(zip(weighed.tests, (one.p_value for one in weighed.evidence), strict=True))
        return TestedTurns(
            naive=weighed.naive,
            p_naive=p_values.get("naive"),
            p_clustered=p_values.get("clustered"),
            p_value=decision.p_value if decision else None,
            p_adjusted=decision.p_adjusted if decision else None,
            decided_by=weighed.tests[decision.deciding] if decision else None,
            family=decision.family if decision else 0,
            clusters=weighed.clusters,
            effective_turns=weighed.effective_turns,
        )

    @property
    def is_different(self) -> bool:
        """Whether a difference was found."""
        return self.decision is not None and self.decision.is_different

    @property
    def says(self) -> str:
        """The verdict in a few words."""
        if self.decision is None:
            return "no verdict"
        if not self.decision.is_different:
            return "no difference"
        is_above = self.decision.interval.low > 0
        match self.weighed.kind:
            case "pair":
                return f"{self.weighed.bots[0 if is_above else 1]} more often"
            case "against":
                return "above the standard" if is_above else "below the standard"
        return "the bots differ"


def decide_turns(
    tables: Sequence[TurnTable], families: Sequence[Family], *, alpha: float, null: float
) -> tuple[tuple[DecidedComparison, ...], ...]:
    """Decide all comparisons of all sections.

    Two bots: the exact binomial test where one is selected on every turn, else McNemar's mid-p; beside it the
    clustered test of the difference. Several bots: Pearson's chi-square or Cochran's Q, and the clustered T²
    beside it; where all that apply are selected, every pair follows as two bots do, if all bots at once
    differ. One bot: the exact binomial test against the null, and the clustered one. The larger p-value
    counts, and Holm's procedure over a family. The test of all bots before pairs is none of the family: it
    only opens the way to them.

    Args:
        tables: The sections.
        families: Which of them share alpha.
        alpha: Chance of any false verdict in a family.
        null: The standard of a single bot.
    """
    weighed = [
        tuple(_weigh(number, table, alpha=alpha, null=null)) if len(table) else ()
        for number, table in enumerate(tables)
    ]
    decided: list[tuple[DecidedComparison, ...]] = [()] * len(tables)
    for family in families:
        members = [one for number in family.sections for one in weighed[number] if _is_member(one, tables)]
        decisions = decide_together([one.evidence for one in members], alpha=alpha, null=0.0)
        found = dict(zip(map(id, members), decisions, strict=True))
        for number in family.sections:
            decided[number] = tuple(
                DecidedComparison(one, found[id(one)] if id(one) in found else _alone(one, alpha))
                for one in weighed[number]
            )
    return tuple(decided)


def _is_member(weighed: WeighedComparison, tables: Sequence[TurnTable]) -> bool:
    """Whether a comparison shares the error rate: the test before pairs does not."""
    return weighed.kind != "all" or tables[weighed.section].key.setting == "soba"


def _alone(weighed: WeighedComparison, alpha: float) -> Decision | None:
    return decide_together([weighed.evidence], alpha=alpha, null=0.0)[0]


def _weigh(number: int, table: TurnTable, *, alpha: float, null: float) -> Iterator[WeighedComparison]:
    level = 1 - alpha
    if table.key.mechanism == "single":
        yield _against(number, table, null=null, level=level)
        return
    if table.key.mechanism == "pairwise":
        yield _pair(number, table, (0, 1), level=level)
        return
    whole = _whole(number, table)
    yield whole
    if table.key.setting != "soba":
        whole_test = () if whole.p_value <= alpha else (WholeTest(whole.p_value),)
        for two in combinations(range(len(table.key.bots)), 2):
            yield _pair(number, table, two, level=level, whole_test=whole_test)


def _against(number: int, table: TurnTable, *, null: float, level: float) -> WeighedComparison:
    chosen = table.selected[:, 0]
    wins = int(chosen.sum())
    naive = DifferenceFromNull(ExactRate(wins, len(table) - wins, null), null)
    rate = table.clustered_rate(chosen, level=level, null=null)
    is_clustered = rate is not None and bool(table.clusters)
    evidence: list[Evidence] = [] if table.only else [naive]
    if rate is not None and is_clustered:
        evidence.append(DifferenceFromNull(rate, null))
    return _weighed(number, table, "against", (0,), evidence, "exact binomial", rate)


def _pair(
    number: int, table: TurnTable, two: tuple[int, int], *, level: float, whole_test: Sequence[WholeTest] = ()
) -> WeighedComparison:
    first, second = (table.selected[:, one].astype(np.int64) for one in two)
    difference = first - second
    is_best = table.key.setting == "soba"
    naive = PairedSelections(
        int((difference > 0).sum()),
        int((difference < 0).sum()),
        len(table),
        "exact" if is_best else "mid-p",
    )
    rate = table.clustered_difference(difference, level=level)
    evidence: list[Evidence] = [] if table.only else [naive]
    if rate is not None:
        evidence.append(rate)
    name = "exact binomial" if is_best else "McNemar, mid-p"
    return _weighed(number, table, "pair", two, evidence, name, rate, whole_test=whole_test)


def _weighed(
    number: int,
    table: TurnTable,
    kind: Kind,
    bots: Sequence[int],
    evidence: Sequence[Evidence],
    naive: str,
    rate: ClusteredRate | None,
    *,
    whole_test: Sequence[WholeTest] = (),
) -> WeighedComparison:
    tests: tuple[TurnTest, ...] = ("naive", "clustered")
    own: tuple[TurnTest, ...] = (*tests[: len(evidence)], *(("all bots",) if whole_test and evidence else ()))
    return WeighedComparison(
        section=number,
        kind=kind,
        bots=tuple(table.key.bots[one] for one in bots),
        evidence=(*evidence, *(whole_test if evidence else ())),
        tests=own,
        naive=naive,
        clusters=table.sizes(),
        effective_turns=None if rate is None else rate.effective_n,
    )


def _whole(number: int, table: TurnTable) -> WeighedComparison:
    """All bots at once; no evidence where there are fewer clusters than bots, or one cluster only."""
    kinds, bots = list(table.clusters.values()), len(table.key.bots)
    counts = table.selected.sum(axis=1)
    q = cochran_q(table.selected.astype(np.int64)) if ((counts > 0) & (counts < bots)).any() else None
    is_enough = not table.only and all(size >= bots for size in table.sizes().values())
    equality = clustered_equality(table.selected, kinds) if kinds and is_enough else None
    evidence: list[Evidence] = [WholeTest(q.p_value if q else 1.0)] if is_enough else []
    if equality is not None:
        evidence.append(WholeTest(equality.p_value))
    tests: tuple[TurnTest, ...] = ("naive", "clustered")
    return WeighedComparison(
        section=number,
        kind="all",
        bots=table.key.bots,
        evidence=tuple(evidence),
        tests=tests[: len(evidence)],
        naive="Pearson's chi-square" if table.key.setting == "soba" else "Cochran's Q",
        clusters=table.sizes(),
        q=q,
        equality=equality,
    )
