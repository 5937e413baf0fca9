"""From pairwise judgments to verdicts: what `duologue analyse` computes.

Arms, questions and revisions are never pooled, and annotators of an open link are kept apart from
invited ones: each combination is a `Section` of the results. Their matchups share one error rate, unless the
study names a primary arm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from duologue.acute.analysis.asked_together import questions_together
from duologue.acute.analysis.checks.exclusions import Decide, exclusions_of
from duologue.acute.analysis.checks.quality import (
    agreement_of,
    busiest_annotators,
    position_effect,
    progress_over_time,
    time_spent,
)
from duologue.acute.analysis.checks.same_bot import same_bot_results
from duologue.acute.analysis.checks.sensitivity import robustness_of
from duologue.acute.analysis.checks.warnings import (
    BUSY_SHARE,
    overall_warnings,
    shared_interim,
    stopping_warnings,
    warnings_of,
)
from duologue.acute.analysis.drift import drift_of, drift_warning
from duologue.acute.analysis.families import (
    Compared,
    added_matchups,
    compare_by_addendum,
    matchups_sharing,
    planned_size,
    say_added,
    say_added_to_pooled,
)
from duologue.acute.analysis.graded import as_forced, with_forced
from duologue.acute.analysis.leaderboard import describe_pooled
from duologue.acute.analysis.matchups import MatchupTally, Pair, tally_matchups, weigh_matchups, win_matrix
from duologue.acute.analysis.order import order_of_bots
from duologue.acute.analysis.parts import SequentialOptions, VotePart, parts_of, plan_of
from duologue.acute.analysis.pooled import (
    PooledSection,
    pool_sections,
    pooled_claims,
    say_pooled_family,
    say_which_decides,
    with_pooled,
)
from duologue.acute.analysis.results import (
    AcuteResults,
    DeclaredStopping,
    MatchupResult,
    Section,
    SequentialDecision,
    VerdictKind,
)
from duologue.acute.analysis.separating import rank_questions
from duologue.acute.analysis.sequential import sequential_decisions
from duologue.acute.analysis.sides import say_sides, side_effect, sides_of_matchups, without_order
from duologue.acute.analysis.verdicts import (
    Claim,
    Comparison,
    Rule,
    SectionEvidence,
    claim_of,
    say_points,
    sequential_claim_of,
    sequential_verdict_on,
    verdict_on,
)
from duologue.acute.ranking.analysis import with_rankings
from duologue.judgments import Votes
from duologue.protocols import (
    Addendum,
    Family,
    FamilyWords,
    families_of,
    say_count,
    say_families,
)
from duologue.stats import ExactRate, majority_order

DEFAULT_ALPHA = 0.05
DEFAULT_GAP = 0.20
DEFAULT_POWER = 0.80


def analyse_votes(
    votes: Votes,
    *,
    alpha: float = DEFAULT_ALPHA,
    gap: float = DEFAULT_GAP,
    power: float = DEFAULT_POWER,
    seed: int = 0,
    planned: Mapping[Pair, int] | None = None,
    stopping: DeclaredStopping = "undeclared",
    with_sequential: bool = False,
    arms: Sequence[str] = (),
    primary: str | None = None,
    per_annotator: int | None = None,
    verdicts: VerdictKind | None = "direct",
    addenda: Sequence[Addendum] = (),
) -> AcuteResults:
    """Analyse pairwise judgments: win rates, exact tests with Holm, order, quality, and verdicts in words.

    A verdict rests on the exact two-sided binomial test of the judgments that count, ties left out; as soon
    as an annotator or a dialogue occurs twice in a matchup, on the larger of its p-value and the clustered
    one. Graded answers are tested by their scores. Holm over all matchups of the family. Where sequential
    stopping was declared, verdicts rest on the mixture SPRT instead, which holds at any look.

    Args:
        votes: All judgments, excluded and onboarding ones too; only those that count enter the tests.
        alpha: The error rate that the matchups of a section share.
        gap: The gap between two bots that is worth finding: says how many judgments are missing.
        power: With what chance it should be found.
        seed: For random sign flips, where there are few but too many clusters to try all.
        planned: Judgments planned for each matchup (names sorted), in each arm.
        stopping: The rule that was declared before the first judgment.
        with_sequential: Give sequential decisions also where the rule is another one.
        arms: All arms of the study, with or without judgments.
        primary: The arm whose verdicts the study rests on; without one, all arms are one family.
        per_annotator: Judgments that one annotator was planned to give in a matchup: a sequential test bets
            on their mean.
        verdicts: Which verdicts decide: those of each matchup's own judgments, or those of strengths pooled
            over all matchups. Pooled ones decide only with enough annotators and where the model fits. None
            for a table of which nothing was declared: its design chooses (`say_sparse`).
        addenda: What was added to the plan: the matchups of each are a family of their own.

    Raises:
        BadNumber: ``alpha`` is not a share.
        DesignError: ``gap`` or ``power`` is not one.

    Example:
        >>> from duologue.judgments import votes_from_rows
        >>> rows = [{"winner": "A", "loser": "B"}] * 66 + [{"winner": "B", "loser": "A"}] * 44
        >>> analyse_votes(votes_from_rows(rows)).sections[0].matchups[0].verdict.sentence
        'A is better than B (p = 0.045, win rate 60.0 %, 95 % interval [50.2, 69.2], n = 110).'
    """
    rule = Rule(alpha=alpha, gap=gap, power=power, added=added_matchups(addenda))
    looking = SequentialOptions(
        rules=stopping == "sequential",
        is_wanted=stopping == "sequential" or with_sequential,
        matchups=sum(1 for first, second in planned or {} if first != second),
        per_annotator=per_annotator,
    )
    parts = tuple(parts_of(votes))
    families = families_of(
        [part.arm for part in parts], planned_arms=arms, matchups=looking.matchups, primary=primary
    )
    weighed = _WeighedSections.of(parts, planned, families, rule, seed=seed)
    pooled = pool_sections(
        [part.counted for part in parts],
        weighed.judged,
        families,
        alpha=alpha,
        verdicts=verdicts,
        is_sequential=looking.rules,
    )
    compared = weighed.compared()
    deciders = _deciders(weighed, looking)
    sections = _described(weighed, compared, pooled, looking, primary, deciders)
    checked = _checked(sections, weighed, compared, addenda, deciders if looking.rules else None)
    return AcuteResults(
        sections=with_rankings(checked, parts, alpha=alpha),
        alpha=alpha,
        level=1 - alpha,
        gap=gap,
        power=power,
        seed=seed,
        warnings=(
            *say_which_decides(pooled, verdicts, matchups=sum(map(len, compared))),
            *shared_interim(parts, weighed.judged, planned or {}, looking),
            *overall_warnings(parts),
            *stopping_warnings(stopping, looking),
        ),
        stopping=stopping,
        family=_say_families(weighed, compared, pooled, addenda, primary, looking),
        primary=primary,
        verdicts=verdicts or ("pooled" if any(one.decides for one in pooled) else "direct"),
        is_declared=verdicts is not None,
        together=questions_together(parts, seed=seed),
        questions=rank_questions(parts, level=1 - alpha),
    )


@dataclass(frozen=True, slots=True)
class _WeighedSections:
    """All sections with the evidence on their matchups, and the rule that decides on them."""

    parts: tuple[VotePart, ...]
    plans: tuple[Mapping[Pair, int], ...]
    """Judgments planned for each matchup of each section."""
    judged: tuple[SectionEvidence, ...]
    """What the judgments that count say."""
    everything: tuple[SectionEvidence, ...]
    """What they would say if nothing had been excluded; the same evidence where nothing was."""
    families: tuple[Family, ...]
    rule: Rule

    @classmethod
    def of(
        cls,
        parts: tuple[VotePart, ...],
        planned: Mapping[Pair, int] | None,
        families: tuple[Family, ...],
        rule: Rule,
        *,
        seed: int,
    ) -> _WeighedSections:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
        plans = tuple(plan_of(part, parts, planned) for part in parts)
        judged = tuple(
            _judged(part.counted, plan, rule, rng) for part, plan in zip(parts, plans, strict=True)
        )
        everything = tuple(
            _judged(part.without_onboarding, plan, rule, None) if part.has_exclusions else counted
            for part, plan, counted in zip(parts, plans, judged, strict=True)
        )
        return cls(parts, plans, judged, everything, families, rule)

    def compared(self) -> Compared:
        """The comparisons of every section, each family by itself."""
        return _by_family(self.judged, self.families, self.rule)

    def in_one_family(self) -> Compared:
        """The same as if no matchup had been added later."""
        return _by_family(self.judged, self.families, replace(self.rule, added={}))

    def without_exclusions(self) -> Compared:
        """The same as if nothing had been excluded."""
        return _by_family(self.everything, self.families, self.rule)

    def of_others(self, others: Sequence[Votes]) -> Compared:
        """The same on other judgments of each section."""
        own = [_judged(votes, plan, self.rule, None) for votes, plan in zip(others, self.plans, strict=True)]
        return _by_family(own, self.families, self.rule)

    def by_sides_alone(self) -> Compared:
        """The same where graded answers tell no more than the side."""
        own = [
            _judged(as_forced(part.counted), plan, self.rule, None) if part.counted.is_graded else found
            for part, plan, found in zip(self.parts, self.plans, self.judged, strict=True)
        ]
        return _by_family(own, self.families, self.rule)

    @property
    def has_exclusions(self) -> bool:
        return any(part.has_exclusions for part in self.parts)

    @property
    def has_graded(self) -> bool:
        return any(part.counted.is_graded for part in self.parts)


def _described(
    weighed: _WeighedSections,
    compared: Compared,
    pooled: Sequence[PooledSection],
    looking: SequentialOptions,
    primary: str | None,
    deciders: Sequence[SequentialDecider],
) -> Iterator[Section]:
    """Every section with its verdicts and what stands beside them."""
    everything = weighed.without_exclusions() if weighed.has_exclusions else compared
    forced = weighed.by_sides_alone() if weighed.has_graded else compared
    describe = partial(_section, rule=weighed.rule, looking=looking, primary=primary)
    sections = map(
        describe, weighed.parts, weighed.judged, compared, everything, pooled, weighed.plans, deciders
    )
    return map(with_forced, sections, [part.counted for part in weighed.parts], compared, forced)


SequentialDecider = Callable[[Votes, Sequence[MatchupTally]], Sequence[SequentialDecision]]
"""Decides the matchups of one section by the sequential test."""


def _deciders(weighed: _WeighedSections, looking: SequentialOptions) -> list[SequentialDecider]:
    """The sequential test of each section: its matchups have their part of the error rate."""
    shared = matchups_sharing(
        [[one.tally.pair for one in own.weighed] for own in weighed.judged],
        weighed.families,
        weighed.rule,
        planned=looking.matchups,
    )
    return [
        partial(
            sequential_decisions,
            rule=weighed.rule,
            family=family,
            planned=planned,
            per_annotator=looking.per_annotator,
        )
        for family, planned in zip(shared, weighed.plans, strict=True)
    ]


def _claims_at_look(
    votes: Votes, compared: Sequence[Comparison], *, decide: SequentialDecider, rule: Rule
) -> tuple[Claim, ...]:
    """What the sequential test says of matchups."""
    found = decide(votes, tuple(one.weighed.tally for one in compared))
    return tuple(sequential_claim_of(one, own, rule) for one, own in zip(compared, found, strict=True))


def _claim_at_look(votes: Votes, compared: Comparison, *, decide: SequentialDecider, rule: Rule) -> Claim:
    return _claims_at_look(votes, (compared,), decide=decide, rule=rule)[0]


def _checked(
    sections: Iterable[Section],
    weighed: _WeighedSections,
    compared: Compared,
    addenda: Sequence[Addendum],
    deciders: Sequence[SequentialDecider] | None,
) -> list[Section]:
    """Every section with what other choices would say, and whether judgments have drifted."""

    def claims_of(judged: Sequence[Votes], found: Compared) -> list[dict[Pair, Claim]]:
        claims: list[tuple[Claim, ...]] = [tuple(map(claim_of, own)) for own in found]
        if deciders is not None:
            claims = [
                _claims_at_look(votes, own, decide=decide, rule=weighed.rule)
                for votes, own, decide in zip(judged, found, deciders, strict=True)
            ]
        return [
            {one.weighed.tally.pair: claim for one, claim in zip(own, said, strict=True)}
            for own, said in zip(found, claims, strict=True)
        ]

    at_look = None
    if deciders is not None:
        at_look = [partial(_claim_at_look, decide=decide, rule=weighed.rule) for decide in deciders]
    robust = robustness_of(
        weighed.parts,
        compared,
        claims_of([part.counted for part in weighed.parts], compared),
        lambda others: claims_of(others, weighed.of_others(others)),
        at_look,
    )
    dates = {one.number: one.at for one in addenda}
    drift = drift_of(weighed.parts, alpha=weighed.rule.alpha, dates=dates)
    return [
        replace(one, robustness=own, drift=checks, warnings=(*one.warnings, *drift_warning(checks)))
        for one, own, checks in zip(sections, robust, drift, strict=True)
    ]


def _say_families(
    weighed: _WeighedSections,
    compared: Compared,
    pooled: Sequence[PooledSection],
    addenda: Sequence[Addendum],
    primary: str | None,
    looking: SequentialOptions,
) -> str:
    """Which matchups share the error rate; of pooled verdicts which pairs."""
    rule = weighed.rule
    if said := say_pooled_family(pooled, alpha=rule.alpha):
        return " ".join(filter(None, (said, say_added_to_pooled(addenda, alpha=rule.alpha))))
    together = weighed.in_one_family() if rule.added else compared
    sizes = {
        one.number: max(
            len(one.groups),
            *(planned_size(weighed.judged, family, rule, addendum=one.number) for family in weighed.families),
        )
        for one in addenda
    }
    planned = _say_family(weighed, looking, primary=primary)
    return say_added(planned, compared, together, addenda, rule, sizes=sizes)


def _say_family(weighed: _WeighedSections, looking: SequentialOptions, *, primary: str | None) -> str:
    """Which matchups share the error rate, where each is decided by its own judgments."""
    judged, rule = weighed.judged, weighed.rule
    arms = [part.arm for part, own in zip(weighed.parts, judged, strict=True) if own.weighed]
    sizes = [planned_size(judged, family, rule) for family in weighed.families]
    is_together = any(part.is_together for part in weighed.parts)
    is_each_once = len(set(arms)) == len(arms)  # of a study that was changed, each revision has sections
    words = FamilyWords(
        comparisons="matchups of the plan" if rule.added else "matchups",
        parts="questions" if is_together and is_each_once else "sections",
        part="question" if is_together else "arm",
        method="Bonferroni" if looking.rules else "Holm",  # matchups of a sequential study stop one by one
    )
    return say_families(sizes, arms, alpha=rule.alpha, primary=primary, words=words)


def _by_family(judged: Sequence[SectionEvidence], families: Sequence[Family], rule: Rule) -> Compared:
    """The comparisons of every section, each family by itself."""
    found: dict[int, tuple[Comparison, ...]] = {}
    for family in families:
        own = [judged[number] for number in family.sections]
        compared = compare_by_addendum(own, rule, family)
        found |= dict(zip(family.sections, compared, strict=True))
    return tuple(found[number] for number in range(len(judged)))


def _judged(
    votes: Votes, planned: Mapping[Pair, int], rule: Rule, rng: np.random.Generator | None
) -> SectionEvidence:
    """The evidence on every matchup of a section."""
    tallies = tally_matchups(votes, planned)
    weighed = weigh_matchups(votes, tallies, level=1 - rule.alpha, rng=rng)
    sides = sides_of_matchups(votes, tallies)
    effect = side_effect(votes, tallies, sides)
    return SectionEvidence(weighed, sides, without_order(votes, weighed, sides, effect), effect)


def _section(
    part: VotePart,
    judged: SectionEvidence,
    compared: tuple[Comparison, ...],
    everything: tuple[Comparison, ...],
    pooled: PooledSection,
    planned: Mapping[Pair, int],
    decide: SequentialDecider,
    *,
    rule: Rule,
    looking: SequentialOptions,
    primary: str | None,
) -> Section:
    votes = part.counted
    tallies = tuple(one.weighed.tally for one in compared)
    decisions = decide(votes, tallies) if looking.is_wanted else (None,) * len(tallies)
    matchups = tuple(
        _matchup(one, found, rule, planned.get(one.weighed.tally.pair), looking)
        for one, found in zip(compared, decisions, strict=True)
    )
    matchups = with_pooled(matchups, pooled, rule)
    names = sorted({bot for tally in tallies for bot in tally.pair} | {*_bots_seen(votes)})
    order = majority_order(win_matrix(tallies, names), names)
    bots = tuple(bot for tier in order.tiers for bot in tier)
    wins = win_matrix(tallies, bots)
    section = Section(
        arm=part.arm,
        question=part.question,
        revision=part.revision,
        annotators=part.annotators,
        n=len(votes),
        ties=int(votes.is_tie.sum()),
        annotator_count=int(np.count_nonzero(np.bincount(votes.annotator.codes)))
        if votes.annotator.is_known
        else None,
        bots=bots,
        wins=tuple(map(tuple, wins.tolist())),
        matchups=matchups,
        same_bot=same_bot_results(votes, level=1 - rule.alpha),
        order=order_of_bots(matchups, bots),
        pooled=describe_pooled(pooled, tallies, matchups),
        why_not_pooled=pooled.why_none,
        position=position_effect(votes, alpha=rule.alpha, is_even=judged.has_even_sides, effect=judged.side),
        sides=say_sides(
            matchups,
            is_freed=judged.side is not None or any(judged.freed),
            is_told=judged.side is not None,
        ),
        agreement=agreement_of(votes),
        time=time_spent(part.votes),
        exclusions=exclusions_of(
            part.votes, matchups, everything, decide=_without_exclusions(looking, decide, pooled, rule)
        ),
        busiest=busiest_annotators(votes, more_than=BUSY_SHARE),
        progress=progress_over_time(votes),
        warnings=(),
        stopping=_say_stopping(matchups, rule),
        is_together=part.is_together,
    )
    secondary = f"{section.part} {part.arm} is secondary: its verdicts are not those the study rests on."
    warnings = (
        *([secondary] if primary not in (None, part.arm) else []),
        *warnings_of(section, votes, looking),
    )
    return replace(section, warnings=warnings)


def _without_exclusions(
    looking: SequentialOptions, decide: SequentialDecider, pooled: PooledSection, rule: Rule
) -> Decide | None:
    """How verdicts are reached when nothing is excluded; None where the direct ones decide."""
    if looking.rules:
        return partial(_claims_at_look, decide=decide, rule=rule)
    return partial(pooled_claims, alpha=pooled.alpha) if pooled.decides else None


def _bots_seen(votes: Votes) -> Iterator[str]:
    seen = np.bincount(votes.winner, minlength=len(votes.bots)) + np.bincount(
        votes.loser, minlength=len(votes.bots)
    )
    for code in np.flatnonzero(seen).tolist():
        yield votes.bots[code]


def _matchup(
    compared: Comparison,
    found: SequentialDecision | None,
    rule: Rule,
    planned: int | None,
    looking: SequentialOptions,
) -> MatchupResult:
    result = _result(compared, rule, planned)
    if found is not None and looking.rules:
        result = replace(result, verdict=sequential_verdict_on(compared, found, rule))
    return replace(result, sequential=found)


def _say_stopping(matchups: tuple[MatchupResult, ...], rule: Rule) -> str:
    found = [matchup.sequential for matchup in matchups if matchup.sequential is not None]
    if not found:
        return ""
    family, over = found[0].family, sum(1 for one in found if one.is_over)
    shared = f", shared by Bonferroni among {family:,} matchups ({rule.alpha / family:.3g} each)"
    return (
        f"Sequential stopping (mixture SPRT for a gap of {say_points(rule.gap)}): its decisions hold however "
        f"often one looks, at alpha = {rule.alpha:g}{shared if family > 1 else ''}. {over:,} of "
        f"{say_count(len(found), 'matchup')} may stop."
    )


def _result(compared: Comparison, rule: Rule, planned: int | None) -> MatchupResult:
    tally, decision, n = compared.weighed.tally, compared.decision, compared.n
    return MatchupResult(
        first=compared.first,
        second=compared.second,
        n=n,
        wins_first=tally.wins_first,
        wins_second=tally.wins_second,
        ties=tally.ties,
        planned=planned,
        addendum=rule.added.get(tally.pair, 0),
        win_rate=compared.win_rate if n else None,
        win_rate_of_all=tally.wins_first / (n + tally.ties) if n + tally.ties else None,
        interval=decision.interval if decision else None,
        interval_unadjusted=decision.unadjusted if decision else None,
        p_value=decision.p_value if decision else None,
        p_adjusted=decision.p_adjusted if decision else None,
        p_exact=ExactRate(tally.wins_first, tally.wins_second).p_value if n else None,
        decided_by=compared.decided_by,
        family=compared.family,
        clustered=compared.weighed.clustered,
        why_not_clustered=_why_not_clustered(compared),
        verdict=verdict_on(compared, rule),
        preference=compared.weighed.preference,
        sides=compared.sides,
    )


def _why_not_clustered(compared: Comparison) -> str:
    if compared.weighed.clustered is not None:
        return ""
    if compared.n < 2:
        return "fewer than two judgments"
    if not compared.weighed.is_checked:
        return "neither annotators nor dialogues are known"
    if compared.weighed.only:
        return f"all judgments are of one {compared.weighed.only}"
    return "no annotator and no dialogue occurs twice"
