"""Strengths pooled over all matchups of a section, and their verdicts beside the direct ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from duologue import stats  # what pools is loaded when there is something to pool
from duologue.acute.analysis.covariates import covariates_of_judgments
from duologue.acute.analysis.matchups import (
    MatchupEvidence,
    MatchupTally,
    Pair,
    Rows,
    annotator_clusters,
    apart,
    known_dialogues,
    win_matrix,
)
from duologue.acute.analysis.results import (
    MatchupResult,
    OtherVerdict,
    Sides,
    Verdict,
    VerdictKind,
)
from duologue.acute.analysis.sides import side_effect
from duologue.acute.analysis.verdicts import (
    MANY_MATCHUPS,
    Claim,
    Comparison,
    Rule,
    SectionEvidence,
    say_points,
)
from duologue.errors import Disconnected, NotConverged, NotEnoughJudgments
from duologue.judgments import Votes
from duologue.protocols import TOPPING_UP, Family, say_count, say_level, say_p, say_percent, say_span

if TYPE_CHECKING:
    from duologue.stats import Contrast, Contrasts, FlippedTop, PooledStrengths

FEWEST_ANNOTATORS = 20
"""With fewer, pooled verdicts err too often: the direct ones decide."""

FEWEST_BOTS = 3
"""With two bots there is one matchup and nothing to pool."""

LACK_OF_FIT = 0.01
"""Below this p-value one strength for each bot is not enough, and the direct verdicts decide."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """The judgments of a section pooled, before anything is put in words."""

    fit: PooledStrengths
    contrasts: Contrasts
    flipped: FlippedTop | None
    are_annotators_known: bool
    covariates: tuple[str, ...] = ()
    """What strengths were to be freed of."""

    @property
    def of_pair(self) -> dict[Pair, Contrast]:
        """The contrast of each two bots, by their names in order."""
        return {(one.first, one.second): one for one in self.contrasts.pairs}

    @property
    def why_not(self) -> str:
        """Why these strengths cannot decide, if they cannot."""
        people, bots, fit = self.fit.annotators, len(self.fit.names), self.fit.lack_of_fit
        if not self.are_annotators_known:
            return "the annotators are not known"
        if people < FEWEST_ANNOTATORS:
            return f"pooled ones need at least {FEWEST_ANNOTATORS} annotators, and there are {people}"
        if people <= bots:
            return f"pooled ones need more annotators than bots, and there are {people} and {bots}"
        if fit is not None and fit.p_value < LACK_OF_FIT:
            return f"the ranking model does not fit ({say_p(fit.p_value)})"
        return ""


@dataclass(frozen=True, slots=True)
class PooledSection:
    """What pooling came to in a section, and whether its verdicts decide."""

    pooling: Pooling | None
    why_none: str
    """Why there are no pooled strengths."""
    decides: bool
    why: str
    """Why they should decide: that was declared, or the matchups are sparse; empty where they should not."""
    why_not: str
    """Why they do not, where they should."""
    alpha: float
    """Chance of any false pooled verdict in the section."""


def pool_sections(
    votes: Sequence[Votes],
    judged: Sequence[SectionEvidence],
    families: Sequence[Family],
    *,
    alpha: float,
    verdicts: VerdictKind | None,
    is_sequential: bool,
) -> tuple[PooledSection, ...]:
    """Pool the judgments of every section, and say which verdicts decide.

    Sections of one family share alpha equally. Pooled verdicts decide in all sections of a family or in none:
    where one of them has too few annotators or a bad fit, the direct verdicts decide in all.

    Args:
        votes: The judgments that count, of each section.
        judged: The same with the direct evidence.
        families: Which sections share alpha.
        alpha: Chance of any false verdict in a family.
        verdicts: Which verdicts were declared to decide; where nothing was, pooled ones do if most matchups
            are too sparse for a verdict of their own.
        is_sequential: Whether the verdicts rest on the sequential test.
    """
    found: dict[int, PooledSection] = {}
    for family in families:
        shared = len(family.sections) + family.missing_arms
        poolings = {
            number: pool_votes(
                votes[number],
                [one.tally for one in judged[number].weighed],
                judged[number].sides,
                alpha=alpha / shared,
            )
            for number in family.sections
        }
        why = DECLARED if verdicts == "pooled" else ""
        if verdicts is None:
            why = say_sparse([one for number in family.sections for one in judged[number].weighed], alpha)
        why_not = "the sequential test does" if is_sequential else ""
        for pooling in poolings.values():
            why_not = why_not or (pooling if isinstance(pooling, str) else pooling.why_not)
        decides = bool(why) and not why_not
        for number, pooling in poolings.items():
            found[number] = PooledSection(
                pooling=None if isinstance(pooling, str) else pooling,
                why_none=pooling if isinstance(pooling, str) else "",
                decides=decides,
                why=why,
                why_not=why_not if why else "",
                alpha=alpha / shared,
            )
    return tuple(found[number] for number in range(len(votes)))


def fewest_to_separate(matchups: int, *, alpha: float) -> int:
    """Judgments below which no two bots can be separated by their own, though one wins them all.

    The two-sided exact test gives 2^(1 − n) then, and Holm's method asks for alpha over the matchups.

    Example:
        >>> fewest_to_separate(1, alpha=0.05), fewest_to_separate(927, alpha=0.05)
        (6, 16)
    """
    return math.ceil(1 - math.log2(alpha / max(1, matchups)))


def say_sparse(matchups: Sequence[MatchupEvidence], alpha: float) -> str:
    """That most matchups of a family have too few judgments for any verdict of their own; else empty.

    It depends on how many were judged, ties included, and not on who won.
    """
    fewest = fewest_to_separate(len(matchups), alpha=alpha)
    sparse = sum(1 for one in matchups if len(one.tally.rows) + one.tally.ties < fewest)
    if 2 * sparse <= len(matchups):
        return ""
    return (
        f"{sparse:,} of {len(matchups):,} matchups have fewer than {fewest} judgments, too few to separate "
        "two bots by their own"
    )


DECLARED = "declared"
"""Why pooled verdicts should decide: because that was declared."""


def say_which_decides(
    pooled: Sequence[PooledSection], kind: VerdictKind | None, *, matchups: int
) -> Iterator[str]:
    """Why pooled verdicts decide a table of which nothing was declared, or why not, though it is sparse."""
    if kind is not None:
        return
    for why in dict.fromkeys(one.why for one in pooled if one.why):
        own = [one for one in pooled if one.why == why]
        if own[0].decides:
            yield (
                f"The verdicts rest on strengths pooled over all matchups, as {why}. The direct verdict is "
                "told where it differs; --verdicts direct lets it decide."
            )
        elif matchups > MANY_MATCHUPS:
            yield f"Direct verdicts decide, though {why}: pooled ones cannot, as {own[0].why_not}."


def pool_votes(
    votes: Votes,
    tallies: Sequence[MatchupTally],
    sides: Sequence[Sides | None],
    *,
    alpha: float,
    with_flipped: bool = True,
) -> Pooling | str:
    """Pool the judgments of a section.

    Args:
        votes: The judgments that count.
        tallies: Their matchups.
        sides: On which side bots were shown: where they are not balanced, strengths are freed of the effect.
        alpha: Chance of any false pooled verdict in this section.
        with_flipped: Look for the fewest judgments that decide who is first, too; no verdict needs them.

    Returns:
        The strengths and contrasts, or why there are none.
    """
    is_same = votes.winner == votes.loser
    rows: Rows = np.flatnonzero(~is_same) if is_same.any() else slice(None)
    winner, loser = votes.winner[rows], votes.loser[rows]
    seen = np.bincount(winner, minlength=len(votes.bots)) + np.bincount(loser, minlength=len(votes.bots))
    codes = sorted(np.flatnonzero(seen).tolist(), key=lambda code: votes.bots[code])
    if len(codes) < FEWEST_BOTS:
        about = (
            f"the judgments that count are of {len(codes)} bots" if codes else "no judgment of them counts"
        )
        return f"strengths are pooled over the matchups of three bots or more, and {about}"
    effect = side_effect(votes, tallies, sides)
    if effect is None and any(one is not None and one.is_uneven for one in sides):
        return "sides are not balanced, and no matchup shows what the side does"
    names = [votes.bots[code] for code in codes]
    place = np.zeros(len(votes.bots), dtype=np.intp)
    place[codes] = np.arange(len(codes))
    is_graded = votes.is_graded
    preference = 0.5 + 0.25 * votes.half_leads[rows] if is_graded else 1.0 - 0.5 * votes.is_tie[rows]
    try:
        fit = stats.pooled_strengths(
            place[winner],
            place[loser],
            preference,
            names,
            annotators=annotator_clusters(votes, rows),
            dialogues=_dialogues(votes, rows),
            screens=_screens(votes, rows),
            order=None
            if effect is None
            else stats.ShownOrder(_WINNER_SHOWN[votes.winner_side[rows]], effect),
            model="bradley-terry" if is_graded else "davidson",
            covariates=covariates_of_judgments(votes, rows, names),
        )
        flipped = None
        if with_flipped:
            flipped = _flipped(votes, rows, place[winner], place[loser], tallies, names, fit)
    except (Disconnected, NotConverged, NotEnoughJudgments) as error:
        return str(error)
    return Pooling(
        fit=fit,
        contrasts=stats.compare_strengths(fit, alpha=alpha),
        flipped=flipped,
        are_annotators_known=votes.annotator.is_known,
        covariates=() if votes.covariates is None else votes.covariates.names,
    )


_WINNER_SHOWN = np.array([0, 1, -1])
"""By its side: whether the winner was shown first."""


def _screens(votes: Votes, rows: Rows) -> NDArray[np.integer] | None:
    """What was judged together: the pairs of a ranking; None where there are none."""
    return None if votes.ranked is None else apart(votes.ranked.codes[rows])


def _dialogues(votes: Votes, rows: Rows) -> tuple[NDArray[np.integer], NDArray[np.integer]] | None:
    """The dialogues of winner and loser; None where nothing is known of any."""
    won, lost = known_dialogues(votes, rows)
    if not ((won >= 0).any() or (lost >= 0).any()):
        return None
    both = apart(np.concatenate([won, lost]))
    return both[: len(won)], both[len(won) :]


def _flipped(
    votes: Votes,
    rows: Rows,
    winner: NDArray[np.intp],
    loser: NDArray[np.intp],
    tallies: Sequence[MatchupTally],
    names: Sequence[str],
    fit: PooledStrengths,
) -> FlippedTop | None:
    ties = np.zeros((len(names), len(names)))
    place = {bot: number for number, bot in enumerate(names)}
    for tally in tallies:
        if tally.ties:
            i, j = place[tally.first], place[tally.second]
            ties[i, j] = ties[j, i] = tally.ties
    judged = [tally for tally in tallies if len(tally.rows)]
    wins = [win_matrix(judged, names).astype(np.float64)]
    if votes.is_graded:
        slight = votes.half_leads[rows] == 1
        cells = np.bincount(winner[slight] * len(names) + loser[slight], minlength=len(names) ** 2)
        wins.append(cells.reshape(len(names), len(names)).astype(np.float64))
        wins[0] -= wins[1]
    return stats.votes_to_flip_top(wins, ties, names, model=fit.model)


def pooled_claims(votes: Votes, compared: Sequence[Comparison], *, alpha: float) -> tuple[Claim, ...]:
    """What pooled strengths alone say of each matchup, whether or not they may decide."""
    tallies = tuple(one.weighed.tally for one in compared)
    sides = [one.sides for one in compared]
    pooling = pool_votes(votes, tallies, sides, alpha=alpha, with_flipped=False)
    if isinstance(pooling, str):
        return (Claim(None, pooling),) * len(tallies)
    found = pooling.of_pair
    return tuple(
        Claim(found[tally.pair].better if tally.pair in found and tally.rows.size + tally.ties else None)
        for tally in tallies
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PooledRule:
    """What a pooled verdict is compared with, and how much it rests on."""

    rule: Rule = field(kw_only=False)
    bots: int
    alpha: float
    """Chance of any false pooled verdict in the section."""
    judgments: int
    """Of all matchups together, ties included."""

    @property
    def pairs(self) -> int:
        """Of bots, which share alpha."""
        return self.bots * (self.bots - 1) // 2

    def share_missing(self, contrast: Contrast) -> float:
        """How many times what there is must be added to find the planned gap; 0 where there is enough."""
        if self.rule.gap >= 1:
            return 0.0
        factor = stats.times_as_many_judgments(
            contrast.standard_error,
            df=contrast.df,
            gap=self.rule.gap,
            bots=self.bots,
            alpha=self.alpha,
            power=self.rule.power,
        )
        return max(0.0, factor - 1)


def with_pooled(
    matchups: tuple[MatchupResult, ...], section: PooledSection, rule: Rule
) -> tuple[MatchupResult, ...]:
    """The matchups with the pooled verdicts beside the direct ones, or in their place.

    Args:
        matchups: The matchups with their direct verdicts.
        section: The pooled strengths, and whether they decide.
        rule: The gap that is worth finding.
    """
    if section.pooling is None:
        return matchups
    of_pair, decides = section.pooling.of_pair, section.decides
    equivalences = _equivalences(section.pooling, rule) if decides else {}
    pooled = _PooledRule(
        rule,
        bots=len(section.pooling.fit.names),
        alpha=section.alpha,
        judgments=sum(matchup.n + matchup.ties for matchup in matchups),
    )
    return tuple(
        _beside(matchup, of_pair[matchup.first, matchup.second], equivalences, pooled, decides=decides)
        if matchup.n + matchup.ties and (matchup.first, matchup.second) in of_pair
        else matchup
        for matchup in matchups
    )


def say_pooled_family(pooled: Sequence[PooledSection], *, alpha: float) -> str:
    """Which comparisons share the error rate where pooled verdicts decide; empty where they do not."""
    sizes = [len(one.pooling.contrasts.pairs) for one in pooled if one.decides and one.pooling is not None]
    if not sizes:
        return ""
    sections = f" of {len(sizes)} sections, which share it equally" if len(sizes) > 1 else ""
    return (
        f"All {sum(sizes):,} pairs of bots{sections} share one error rate (closed testing): the chance of "
        f"calling any two equal bots different is {say_percent(alpha)} or less."
    )


def _equivalences(pooling: Pooling, rule: Rule) -> dict[Pair, float]:
    """That each gap is smaller than the planned one, Holm-adjusted."""
    if rule.gap >= 1:
        return {}
    margin = float(np.log((1 + rule.gap) / (1 - rule.gap)))  # the gap as a difference of strengths
    pairs = pooling.contrasts.pairs
    test = stats.equivalent_estimate
    alone = [test(one.lead, one.standard_error, margin=margin, df=one.df).p_value for one in pairs]
    adjusted = stats.holm(alone).tolist()
    return {(one.first, one.second): p for one, p in zip(pairs, adjusted, strict=True)}


def _beside(
    matchup: MatchupResult,
    contrast: Contrast,
    equivalences: Mapping[Pair, float],
    pooled: _PooledRule,
    *,
    decides: bool,
) -> MatchupResult:
    if not decides:
        return replace(matchup, other=_other("pooled", contrast.rate, contrast))
    direct = OtherVerdict(
        kind="direct",
        rate=matchup.estimate,
        interval=matchup.interval,
        p_value=matchup.p_value,
        p_adjusted=matchup.p_adjusted,
        better=matchup.verdict.better,
    )
    return replace(
        matchup,
        interval=contrast.interval,
        interval_unadjusted=contrast.unadjusted,
        p_value=contrast.p_value,
        p_adjusted=contrast.p_adjusted,
        decided_by="pooled",
        verdict=_verdict(matchup, contrast, equivalences.get((matchup.first, matchup.second)), pooled),
        pooled_rate=contrast.rate,
        other=direct,
    )


def _other(kind: VerdictKind, rate: float, contrast: Contrast) -> OtherVerdict:
    return OtherVerdict(
        kind=kind,
        rate=rate,
        interval=contrast.interval,
        p_value=contrast.p_value,
        p_adjusted=contrast.p_adjusted,
        better=contrast.better,
    )


def _verdict(
    matchup: MatchupResult, contrast: Contrast, equivalence_p: float | None, pooled: _PooledRule
) -> Verdict:
    rule = pooled.rule
    who = f"{contrast.first} and {contrast.second}"
    if contrast.better is not None:
        other = contrast.second if contrast.better == contrast.first else contrast.first
        evidence = _evidence(matchup, contrast, pooled, contrast.better)
        return Verdict(
            f"{contrast.better} is better than {other} ({evidence}).",
            contrast.better,
            equivalence_p=equivalence_p,
        )
    evidence = _evidence(matchup, contrast, pooled, contrast.first, named=True)
    if equivalence_p is not None and equivalence_p <= rule.alpha:
        return Verdict(
            f"No difference worth finding between {who}: a gap of {say_points(rule.gap)} or more is excluded "
            f"(equivalence test, {say_p(equivalence_p)}; {evidence}).",
            None,
            is_equivalent=True,
            equivalence_p=equivalence_p,
        )
    missing = pooled.share_missing(contrast)
    return Verdict(
        f"No difference detected between {who} ({evidence}){_what_more(pooled, missing)}.",
        None,
        more_for_gap=math.ceil(missing * (matchup.n + matchup.ties)),
        equivalence_p=equivalence_p,
    )


def _what_more(pooled: _PooledRule, missing: float) -> str:
    if not missing or pooled.pairs > MANY_MATCHUPS:
        return ""
    power = f"with {say_percent(pooled.rule.power, 0)} power"
    return (
        f"; about {math.ceil(missing * pooled.judgments):,} more judgments over all matchups, spread as so "
        f"far, are needed for a gap of {say_points(pooled.rule.gap)} {power}, and {TOPPING_UP}"
    )


def _evidence(
    matchup: MatchupResult, contrast: Contrast, pooled: _PooledRule, bot: str, *, named: bool = False
) -> str:
    is_first = bot == contrast.first
    rate = contrast.rate if is_first else 1 - contrast.rate
    low, high = contrast.interval.limits
    span = say_span(low, high) if is_first else say_span(1 - high, 1 - low)
    whose = f" of {bot}" if named else ""
    own = f"{say_count(matchup.n, 'judgment')} of their own"
    ties = f" and {say_count(matchup.ties, 'tie')}" if matchup.ties else ""
    cut = ", cut at 50 %" if contrast.interval.is_cut else ""
    return (
        f"pooled: {say_p(contrast.p_value)}, adjusted {say_p(contrast.p_adjusted)}, win rate{whose} by "
        f"strengths {say_percent(rate)}, simultaneous {say_level(contrast.interval.level)} interval "
        f"{span}{cut}; {own}{ties}"
    )
