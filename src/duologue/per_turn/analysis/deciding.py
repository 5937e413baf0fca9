"""Every comparison of turns weighed and decided: naive and clustered tests, the larger p-value, Holm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from duologue.per_turn.analysis.positions import UnbalancedPositions, unbalanced_positions
from duologue.per_turn.analysis.results import ADJUSTED, TestedTurns, TurnTest
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
    clustered_log_odds,
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
    why_none: str = ""
    """Why there is no evidence, where there is none."""
    effective_turns: float | None = None
    q: CochranQ | None = None
    equality: ClusteredEquality | None = None
    adjusted: tuple[float, ...] = ()
    """The bots' position-adjusted rates, where the evidence is about those."""

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


@dataclass(frozen=True, slots=True)
class TurnRule:
    """What all comparisons are decided by."""

    alpha: float = 0.05
    """Chance of any false verdict in a family."""
    null: float = 0.8
    """The standard of a single bot."""
    seed: int = 0
    """Of the permutations of several bots."""
    is_randomised: bool = False
    """Whether positions are known to be random: their balance need then not be looked at."""


def decide_turns(
    tables: Sequence[TurnTable], families: Sequence[Family], rule: TurnRule
) -> tuple[tuple[DecidedComparison, ...], ...]:
    """Decide all comparisons of all sections.

    Two bots: the exact binomial test where one is selected on every turn, else McNemar's mid-p; beside it the
    clustered test of the difference. Several bots: Pearson's chi-square or Cochran's Q, and the clustered T²
    beside it; where all that apply are selected, every pair follows as two bots do, if all bots at once
    differ. One bot: the exact binomial test against the null, and the clustered one on the scale of log-odds.
    The larger p-value counts, and Holm's procedure over a family. The test of all bots before pairs is none
    of the family: it only opens the way to them.

    Clusters that are worth fewer than four of one size for each difference that is tested at once give no
    verdict. Where positions are not balanced over the bots, position-adjusted rates are tested; where turns
    do not tell what is the bot's and what the position's, there is no verdict.

    Args:
        tables: The sections.
        families: Which of them share alpha.
        rule: What they are decided by.
    """
    alpha = rule.alpha
    weighed = [
        tuple(_weigh(number, table, rule)) if len(table) else () for number, table in enumerate(tables)
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


def _weigh(number: int, table: TurnTable, rule: TurnRule) -> Iterator[WeighedComparison]:
    if table.key.mechanism == "single":
        yield _against(number, table, rule)
        return
    unbalanced = None if rule.is_randomised else unbalanced_positions(table)
    if table.key.mechanism == "pairwise":
        yield _pair(number, table, (0, 1), unbalanced, level=1 - rule.alpha)
        return
    whole = _whole(number, table, unbalanced, seed=rule.seed)
    yield whole
    if table.key.setting != "soba":
        for two in combinations(range(len(table.key.bots)), 2):
            pair = _pair(number, table, two, unbalanced, level=1 - rule.alpha)
            yield _after_all(pair, whole, alpha=rule.alpha)


def _after_all(pair: WeighedComparison, whole: WeighedComparison, *, alpha: float) -> WeighedComparison:
    """A pair of several bots, which are told apart only where all bots at once differ."""
    if not whole.evidence:
        return replace(pair, evidence=(), tests=(), why_none=whole.why_none)
    if not pair.evidence or whole.p_value <= alpha:
        return pair
    return replace(pair, evidence=(*pair.evidence, WholeTest(whole.p_value)), tests=(*pair.tests, "all bots"))


def _against(number: int, table: TurnTable, rule: TurnRule) -> WeighedComparison:
    chosen, null = table.selected[:, 0], rule.null
    wins = int(chosen.sum())
    naive = DifferenceFromNull(ExactRate(wins, len(table) - wins, null), null)
    rate = table.clustered_rate(chosen, level=1 - rule.alpha, null=null)
    evidence: list[Evidence] = [naive]
    if rate is not None and table.clusters:
        kinds = list(table.clusters.values())
        evidence.append(DifferenceFromNull(clustered_log_odds(chosen, kinds, null=null), null))
    return _weighed(
        number, table, "against", (0,), evidence, "exact binomial", rate, why_none=_too_few(table, 1)
    )


def _too_few(table: TurnTable, differences: int) -> str:
    """Why the turns can say nothing about the bots; empty where they can."""
    return f"all turns are of one {table.only}" if table.only else table.too_few(differences)


def _pair(
    number: int,
    table: TurnTable,
    two: tuple[int, int],
    unbalanced: UnbalancedPositions | None,
    *,
    level: float,
) -> WeighedComparison:
    first, second = (table.selected[:, one].astype(np.int64) for one in two)
    difference = first - second
    rate = table.clustered_difference(difference, level=level)
    why_none = _too_few(table, 1)
    if unbalanced is not None:
        evidence = unbalanced.of_two(*two)
        why_none = why_none or unbalanced.why_none
        found = _weighed(number, table, "pair", two, evidence, ADJUSTED, rate, why_none=why_none)
        return replace(found, adjusted=() if why_none else _rates_of(unbalanced, two))
    is_best = table.key.setting == "soba"
    naive = PairedSelections(
        int((difference > 0).sum()),
        int((difference < 0).sum()),
        len(table),
        "exact" if is_best else "mid-p",
    )
    evidence = (naive,) if rate is None else (naive, rate)
    name = "exact binomial" if is_best else "McNemar, mid-p"
    return _weighed(number, table, "pair", two, evidence, name, rate, why_none=why_none)


def _rates_of(unbalanced: UnbalancedPositions, bots: Sequence[int]) -> tuple[float, ...]:
    rates = unbalanced.naive
    return () if rates is None else tuple(float(rates.rates[one]) for one in bots)


def _weighed(
    number: int,
    table: TurnTable,
    kind: Kind,
    bots: Sequence[int],
    evidence: Sequence[Evidence],
    naive: str,
    rate: ClusteredRate | None,
    *,
    why_none: str,
) -> WeighedComparison:
    tests: tuple[TurnTest, ...] = ("naive", "clustered")
    counted = () if why_none else tuple(evidence)
    return WeighedComparison(
        section=number,
        kind=kind,
        bots=tuple(table.key.bots[one] for one in bots),
        evidence=counted,
        tests=tests[: len(counted)],
        naive=naive,
        clusters=table.sizes(),
        why_none=why_none,
        effective_turns=None if rate is None else rate.effective_n,
    )


def _whole(
    number: int, table: TurnTable, unbalanced: UnbalancedPositions | None, *, seed: int
) -> WeighedComparison:
    """All bots at once; no evidence where there are too few clusters, or one only."""
    kinds, bots = list(table.clusters.values()), len(table.key.bots)
    counts = table.selected.sum(axis=1)
    q = cochran_q(table.selected.astype(np.int64)) if ((counts > 0) & (counts < bots)).any() else None
    why_none = _too_few(table, bots - 1)
    equality = None
    if unbalanced is not None:
        naive, p_values = ADJUSTED, unbalanced.of_all()
        why_none = why_none or unbalanced.why_none
    else:
        naive = "Pearson's chi-square" if table.key.setting == "soba" else "Cochran's Q"
        p_values = (q.p_value if q else 1.0,)
        if kinds and not why_none:
            rng = np.random.default_rng([seed, number])
            equality = clustered_equality(table.selected, kinds, rng=rng)
            p_values = (*p_values, equality.p_value)
    evidence = [WholeTest(p_value) for p_value in p_values]
    found = _weighed(number, table, "all", range(bots), evidence, naive, None, why_none=why_none)
    adjusted = () if unbalanced is None or why_none else _rates_of(unbalanced, range(bots))
    return replace(found, q=q, equality=equality, adjusted=adjusted)
