"""Verdicts on matchups, each in one sentence: every claim with its p-value, interval and n."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from duologue import stats  # planning is loaded where judgments are missing
from duologue.acute.analysis.matchups import FEWEST_CLUSTERS, MatchupEvidence
from duologue.acute.analysis.results import SequentialDecision, Sides, TestName, Verdict
from duologue.protocols import (
    TOPPING_UP,
    say_claim,
    say_count,
    say_level,
    say_list,
    say_p,
    say_percent,
    say_span,
)
from duologue.stats import (
    ClusteredRate,
    Decision,
    Evidence,
    Interval,
    OrderEffect,
    decide_together,
    equivalent_estimate,
    equivalent_rate,
    holm,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """How a verdict is reached: decided before the judgments are looked at."""

    alpha: float
    gap: float
    """The gap between two bots that the study is planned to show (0.20 is 60 % against 40 %)."""
    power: float
    added: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Matchups that an addendum to the plan has added, with its number: families of their own."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A matchup after the rule was applied to it, before it is put in words."""

    weighed: MatchupEvidence
    decision: Decision | None
    """None where the judgments can say nothing about the bots."""
    sides: Sides | None
    decided_by: TestName | None
    family: int
    equivalence_p: float | None
    """That the gap is smaller than the planned one, Holm-adjusted."""

    @property
    def first(self) -> str:
        """The bot whose win rate is given."""
        return self.weighed.tally.first

    @property
    def second(self) -> str:
        """The other bot."""
        return self.weighed.tally.second

    @property
    def n(self) -> int:
        """Judgments for one or the other."""
        return self.weighed.tally.wins_first + self.weighed.tally.wins_second

    @property
    def ties(self) -> int:
        """Judgments for neither."""
        return self.weighed.tally.ties

    @property
    def win_rate(self) -> float:
        """Of the first bot, ties left out."""
        return self.weighed.tally.wins_first / self.n

    @property
    def better(self) -> str | None:
        """The better bot; None when no difference is detected."""
        if self.decision is None or not self.decision.is_different:
            return None
        return self.first if self.decision.interval.low > 0.5 else self.second


@dataclass(frozen=True, slots=True)
class SectionEvidence:
    """The matchups of one section with all evidence on them."""

    weighed: tuple[MatchupEvidence, ...]
    sides: tuple[Sides | None, ...]
    freed: tuple[tuple[Evidence, ...], ...]
    """Evidence without the effect of the side, where sides are not balanced."""
    side: OrderEffect | None = None
    """The effect of the side, where they are not and it can be told."""

    @property
    def has_even_sides(self) -> bool:
        """Whether sides are balanced in every matchup, as far as they are known."""
        return not any(one is not None and one.is_uneven for one in self.sides)


def compare_matchups(
    sections: Sequence[SectionEvidence], rule: Rule, *, unjudged: int = 0
) -> tuple[tuple[Comparison, ...], ...]:
    """Decide the matchups of all sections of one family by one rule.

    The p-value of a matchup is that of the exact binomial test; the larger of it and the clustered one as
    soon as an annotator or a dialogue occurs twice. Holm over all matchups of the family, those without
    judgments included: they were planned. Where sides are not balanced the tests are freed of the effect of
    the side. Matchups that cannot be decided are one annotator's, or about one dialogue of a bot, or have a
    bot always on the same side while no other matchup identifies the effect of the side.
    """
    evidence = [
        _evidence(weighed, sides, freed)
        for section in sections
        for weighed, sides, freed in zip(section.weighed, section.sides, section.freed, strict=True)
    ]
    family = len(evidence) + unjudged
    decisions = iter(decide_together([tests for tests, _ in evidence], alpha=rule.alpha, family=family))
    names = iter(names for _, names in evidence)
    equivalences = iter(_equivalences([one for section in sections for one in section.weighed], rule))
    found = []
    for section in sections:
        compared = []
        for weighed, sides in zip(section.weighed, section.sides, strict=True):
            decision, tests, p = next(decisions), next(names), next(equivalences)
            compared.append(
                Comparison(
                    weighed=weighed,
                    decision=decision,
                    sides=sides,
                    decided_by=tests[decision.deciding] if decision is not None else None,
                    family=family,
                    equivalence_p=p if decision is not None and "without order" not in tests else None,
                )
            )
        found.append(tuple(compared))
    return tuple(found)


def _evidence(
    weighed: MatchupEvidence, sides: Sides | None, freed: tuple[Evidence, ...]
) -> tuple[Sequence[Evidence], tuple[TestName, ...]]:
    if freed or (sides is not None and sides.is_uneven):
        names: list[TestName] = ["without order"] * len(freed)
        return freed, tuple(names)
    if weighed.preference is not None:
        flips: list[TestName] = ["sign flips"] * (len(weighed.evidence) - 1)
        return weighed.evidence, ("clustered" if weighed.repeats else "t", *flips)
    return weighed.evidence, ("exact", "clustered") if weighed.clustered is not None else ("exact",)


def _equivalences(matchups: Sequence[MatchupEvidence], rule: Rule) -> list[float | None]:
    """That each gap is smaller than the planned one: the same tests and standard errors, Holm-adjusted."""
    alone = [_equivalence(one, rule) if one.evidence else None for one in matchups]
    adjusted = iter(holm([1.0 if p is None else p for p in alone]).tolist())
    return [None if p is None else q for p, q in zip(alone, adjusted, strict=True)]


def _equivalence(weighed: MatchupEvidence, rule: Rule) -> float:
    margin, found = rule.gap / 2, [0.0]
    if weighed.preference is None:
        if margin >= 0.5:
            return 1.0
        wins, losses = weighed.tally.wins_first, weighed.tally.wins_second
        found.append(equivalent_rate(wins, losses, margin=margin).p_value)
    rate = next((one for one in weighed.evidence if isinstance(one, ClusteredRate)), None)
    if rate is not None:
        if rate.standard_error == 0.0:
            return 1.0
        found.append(
            equivalent_estimate(
                rate.estimate, rate.standard_error, margin=margin, df=rate.df, null=0.5
            ).p_value
        )
    return max(found)


def verdict_on(compared: Comparison, rule: Rule) -> Verdict:
    """What a matchup says, in one sentence."""
    if compared.decision is None:
        why = _why_none(compared)
        return Verdict(why, None, why_none=why)
    better = compared.better
    if better is not None:
        other = compared.second if better == compared.first else compared.first
        return Verdict(
            f"{better} is better than {other} ({_evidence_for(compared, better)}).",
            better,
            equivalence_p=compared.equivalence_p,
        )
    who = f"{compared.first} and {compared.second}"
    evidence = _evidence_for(compared, compared.first, named=True)
    if compared.equivalence_p is not None and compared.equivalence_p <= rule.alpha:
        return Verdict(
            f"No difference worth finding between {who}: a gap of {say_points(rule.gap)} or more is excluded "
            f"(equivalence test, {say_p(compared.equivalence_p)}; {evidence}).",
            None,
            is_equivalent=True,
            equivalence_p=compared.equivalence_p,
        )
    more = judgments_missing(compared, rule)
    return Verdict(
        f"No difference detected between {who} ({evidence}){_what_more(compared, rule, more)}.",
        None,
        more_for_gap=more,
        equivalence_p=compared.equivalence_p,
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """What a verdict comes to, to be set beside another one."""

    better: str | None
    why_none: str = ""
    """Why nothing can be said about the bots, where that is so."""
    is_sequential: bool = False

    def differs_from(self, other: Claim) -> bool:
        """Whether both are verdicts, and different ones."""
        return not self.why_none and not other.why_none and self.better != other.better

    def can_be_compared_with(self, other: Claim) -> bool:
        """Whether there is a verdict both times, or neither time."""
        return bool(self.why_none) == bool(other.why_none)

    @property
    def said(self) -> str:
        """In a few words."""
        return say_claim(self.better, has_verdict=not self.why_none, is_open=self.is_sequential)


def claim_of(compared: Comparison) -> Claim:
    """What the test for a fixed number says of a matchup."""
    return Claim(compared.better, "" if compared.decision is not None else _why_none(compared))


def sequential_claim_of(compared: Comparison, found: SequentialDecision, rule: Rule) -> Claim:
    """What the sequential test says of a matchup."""
    verdict = sequential_verdict_on(compared, found, rule)
    return Claim(verdict.better, verdict.why_none, is_sequential=True)


ALWAYS = "was always on side 1"
"""What is said of a bot where it is the reason for no verdict."""


def _why_none(compared: Comparison) -> str:
    who, tally = f"{compared.first} and {compared.second}", compared.weighed.tally
    if compared.n == 0 and compared.ties and compared.weighed.preference is None:
        return f"All {compared.ties:,} judgments of {who} are ties: no difference can be tested."
    if compared.n + compared.ties == 0:
        return f"No judgments of {who} count yet: nothing can be said."
    counted = f"{compared.first} won {tally.wins_first:,}, {compared.second} {tally.wins_second:,}"
    if compared.weighed.only:
        is_person = compared.weighed.only == "annotator"
        by = "by one annotator" if is_person else f"about one {compared.weighed.only}"
        return (
            f"No verdict on {who}: all {compared.n:,} judgments are {by}, so that they hold for this "
            f"{'annotator' if is_person else 'dialogue'} only ({counted})."
        )
    if compared.weighed.too_few is not None:
        return _too_few(who, compared, *compared.weighed.too_few, counted=counted)
    if compared.sides is not None and compared.sides.is_confounded:
        on_1 = compared.first if compared.sides.first_on_1 else compared.second
        return (
            f"No verdict on {who}: {on_1} {ALWAYS}, so bot and side cannot be separated, and no "
            f"other matchup shows what the side does ({counted})."
        )
    if compared.sides is not None and compared.sides.is_uneven:
        share = say_percent(compared.sides.first_on_1 / compared.sides.known)
        return (
            f"No verdict on {who}: {compared.first} was on side 1 in {share}, and no matchup shows what the "
            f"side does ({counted})."
        )
    return f"No verdict on {who}: one judgment cannot be tested ({counted})."


def _too_few(who: str, compared: Comparison, kind: str, effective: float, *, counted: str) -> str:
    """That graded answers come from too few clusters to test their scores."""
    clustered = compared.weighed.clustered
    found = compared.n + compared.ties if clustered is None else clustered.clusters[kind]
    noun, of, bot = kind.partition(" of ")
    uneven = f", worth {effective:.1f} of equal size" if effective < found - 0.05 else ""
    return (
        f"No verdict on {who}: the scores come from {say_count(found, noun)}{of}{bot}{uneven}, and it takes "
        f"at least {FEWEST_CLUSTERS} to test them ({counted})."
    )


def sequential_verdict_on(compared: Comparison, found: SequentialDecision, rule: Rule) -> Verdict:
    """What a matchup says when sequential stopping was declared: it holds at this look and at any other.

    The p-value of the fixed-number test is told as what it is, and decides nothing.
    """
    if compared.n == 0 or compared.weighed.only or (compared.sides and compared.sides.is_confounded):
        why = _why_none(compared)
        return Verdict(why, None, why_none=why, is_sequential=True)
    who = f"{compared.first} and {compared.second}"
    if found.decision.startswith("no decision"):
        why = f"No verdict on {who}: their dialogues repeat, and the sequential test is not valid then."
        return Verdict(why, None, why_none=why, is_sequential=True)
    if found.better is not None:
        other = compared.second if found.better == compared.first else compared.first
        claim = f"{found.better} is better than {other}, at any look"
        if _estimate(compared, found.better == compared.first) <= 0.5:
            claim += f", though {other} has caught up since, so that something may have changed"
    elif not found.is_over:
        claim = f"No verdict on {who} yet: go on"
    elif found.decision == FUTILE:
        claim = f"No verdict on {who}, and one is unlikely within the plan: stop"
    else:
        claim = f"No verdict on {who} at the planned number: stop"
    return Verdict(
        f"{claim} ({_anytime_evidence(compared, found.better or compared.first, found)}).",
        found.better,
        is_sequential=True,
    )


FUTILE = "stop: unlikely to be decided within the plan"
"""What futility says: advice, and no claim about the bots."""


def _anytime_evidence(compared: Comparison, bot: str, found: SequentialDecision) -> str:
    is_first = bot == compared.first
    fixed = ""
    if compared.decision is not None:
        fixed = (
            f"; the test for a fixed number, not valid at interim looks: {say_p(compared.decision.p_value)}"
        )
    return (
        f"{_say_estimate(compared, is_first, f' of {bot}')}, anytime-valid interval "
        f"{_span(found.interval, is_first)}, n = {compared.n:,}{_ties(compared, is_first)}{fixed}"
    )


def _estimate(compared: Comparison, is_first: bool) -> float:
    """The win rate of a bot; of graded answers the mean preference for it."""
    preference = compared.weighed.preference
    found = compared.win_rate if preference is None else preference
    return found if is_first else 1 - found


def _say_estimate(compared: Comparison, is_first: bool, whose: str) -> str:
    found = say_percent(_estimate(compared, is_first))
    if compared.weighed.preference is None:
        return f"win rate{whose} {found}"
    return f"mean preference{whose} {found} (50 % is even)"


def judgments_missing(compared: Comparison, rule: Rule) -> int:
    """Judgments still to collect to show the planned gap, beyond those there are.

    Sized for the strictest step of Holm's procedure (alpha over the number of matchups), and multiplied by
    the design effect seen, so that the number is not too small.
    """
    needed = _needed(round(min(rule.gap, 1.0), 2), rule.alpha / compared.family, rule.power)
    return max(0, math.ceil(needed * design_effect(compared)) - compared.n)


def design_effect(compared: Comparison) -> float:
    """How many judgments as they came say as much as one independent judgment; at least 1."""
    clustered = compared.weighed.clustered
    return max(1.0, compared.n / clustered.effective_n) if clustered else 1.0


@lru_cache(maxsize=4096)
def _needed(gap: float, alpha: float, power: float) -> int:
    return stats.judgments_for_forced_choice(gap, alpha=alpha, power=power).judgments


MANY_MATCHUPS = 50
"""With more, sentences name neither levels of confidence nor what each matchup still needs: tables do."""


def _what_more(compared: Comparison, rule: Rule, more: int) -> str:
    if not more or compared.family > MANY_MATCHUPS:
        return ""
    effect = design_effect(compared)
    clustering = f", design effect {effect:.1f} included" if effect >= 1.1 else ""
    power = f"with {say_percent(rule.power, 0)} power"
    return (
        f"; about {more:,} more judgments are needed for a gap of {say_points(rule.gap)} {power}"
        f"{clustering}, and {TOPPING_UP}"
    )


def _evidence_for(compared: Comparison, bot: str, *, named: bool = False) -> str:
    decision = compared.decision
    assert decision is not None  # noqa: S101  the caller saw it
    is_first = bot == compared.first
    adjusted = f", Holm-adjusted {say_p(decision.p_adjusted)}" if compared.family > 1 else ""
    freed = " without the effect of the side" if compared.decided_by == "without order" else ""
    level = _say_interval(decision.interval, of=compared.family)
    interval = f"{level}{freed} {_span(decision.interval, is_first)}"
    whose = f" of {bot}" if named else ""
    what = _say_estimate(compared, is_first, whose)
    return (
        f"{say_p(decision.p_value)}{_by(compared)}{adjusted}, {what}, {interval}, "
        f"n = {compared.n:,}{_ties(compared, is_first)}"
    )


def _say_interval(interval: Interval, *, of: int) -> str:
    """What an interval is called that agrees with the verdict on one comparison of many.

    Example:
        >>> _say_interval(Interval(0.1, 0.2, 0.975, ""), of=2)
        '97.5 % interval'
        >>> _say_interval(Interval(0.1, 0.2, 1 - 0.05 / 927, ""), of=927)
        'interval adjusted for 927 matchups'
    """
    if of > MANY_MATCHUPS:
        return f"interval adjusted for {of:,} matchups"
    return f"{say_level(interval.level)} interval"


def _by(compared: Comparison) -> str:
    if compared.decided_by == "without order":
        assert compared.sides is not None  # noqa: S101  they are not balanced
        share = say_percent(compared.sides.first_on_1 / compared.sides.known)
        return f" without the effect of the side, as {compared.first} was on side 1 in {share}"
    if compared.decided_by == "clustered":
        kinds = say_list(compared.weighed.repeats)
        return f" clustered by {kinds}"
    if compared.decided_by == "t":
        return " by Student's t"
    if compared.decided_by == "sign flips":
        return f" by sign flips{' of whole clusters' if compared.weighed.repeats else ''}"
    return " by the exact test" if compared.weighed.repeats else ""


def _ties(compared: Comparison, is_first: bool) -> str:
    if not compared.ties:
        return ""
    tally, ties = compared.weighed.tally, "1 tie" if compared.ties == 1 else f"{compared.ties:,} ties"
    share = (tally.wins_first if is_first else tally.wins_second) / (compared.n + compared.ties)
    if compared.weighed.preference is not None:
        return f" and {ties}"
    return f"; {ties} left out, {say_percent(share)} of all judgments won"


def _span(interval: Interval, is_first: bool) -> str:
    low, high = interval.limits
    return say_span(low, high) if is_first else say_span(1 - high, 1 - low)


def say_evidence(e_value: float) -> str:
    """An e-value in words.

    Example:
        >>> say_evidence(0.0312), say_evidence(215.95), say_evidence(24500), say_evidence(1e9)
        ('0.0312', '216', '24,500', 'over a million')
    """
    if e_value >= 1e6:
        return "over a million"
    return f"{e_value:,.0f}" if e_value >= 100 else f"{e_value:.3g}"


def say_points(gap: float) -> str:
    """A gap between two win rates in percentage points.

    Example:
        >>> say_points(0.2), say_points(0.013)
        ('20 points', '1.3 points')
    """
    points = round(100 * gap, 1)
    return f"{points:g} point{'' if points == 1 else 's'}"
