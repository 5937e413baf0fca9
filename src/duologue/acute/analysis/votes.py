"""From pairwise judgments to verdicts: what `duologue analyse` computes.

Arms, questions and revisions are never pooled, and annotators who came by an open link are kept apart from
invited ones: each combination is a `Section` of the results. Their matchups share one error rate, unless the
study names a primary arm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.exclusions import Decide, exclusions_of
from duologue.acute.analysis.leaderboard import describe_pooled
from duologue.acute.analysis.matchups import Pair, tally_matchups, weigh_matchups, win_matrix
from duologue.acute.analysis.order import order_of_bots
from duologue.acute.analysis.pooled import (
    PooledSection,
    pool_sections,
    pooled_betters,
    say_pooled_family,
    with_pooled,
)
from duologue.acute.analysis.quality import (
    agreement_of,
    busiest_annotators,
    position_effect,
    progress_over_time,
    same_bot_results,
    say_unreliable,
    time_spent,
)
from duologue.acute.analysis.results import (
    AcuteResults,
    DeclaredStopping,
    MatchupResult,
    Section,
    SequentialDecision,
    VerdictKind,
)
from duologue.acute.analysis.sequential import has_known_order, sequential_decisions
from duologue.acute.analysis.sides import say_sides, sides_of, without_order
from duologue.acute.analysis.verdicts import (
    Comparison,
    Rule,
    SectionEvidence,
    compare_matchups,
    say_points,
    sequential_verdict_on,
    verdict_on,
)
from duologue.judgments import Coded, Votes
from duologue.protocols import (
    Family,
    families_of,
    say_families,
    say_interim,
    say_list,
    say_percent,
    say_shared_interim,
)
from duologue.stats import ExactRate, majority_order

DEFAULT_ALPHA = 0.05
DEFAULT_GAP = 0.20
DEFAULT_POWER = 0.80

OPEN_LINK = "open"
"""The kind of annotators who came by an open link: nobody knows who they are, so they are kept apart."""

BUSY_SHARE = 0.05
"""One annotator should not make up more of the judgments than this."""


@dataclass(frozen=True, slots=True)
class _VotePart:
    """The judgments of one section, onboarding and excluded ones included."""

    arm: str
    question: str
    revision: int
    annotators: str
    votes: Votes

    counted: Votes
    """Only those that count."""

    @property
    def without_onboarding(self) -> Votes:
        """Those that count and those that were excluded."""
        is_onboarding = self.votes.is_onboarding
        return self.votes.select(~is_onboarding) if is_onboarding.any() else self.votes

    @property
    def has_exclusions(self) -> bool:
        """Whether some judgment was excluded, onboarding apart."""
        return bool((~self.votes.is_onboarding & ~self.votes.counts).any())


@dataclass(frozen=True, slots=True)
class _Looking:
    """What sequential stopping has to say in an analysis."""

    rules: bool
    """Whether the verdicts rest on it."""
    is_wanted: bool
    matchups: int
    """How many matchups were planned, with or without judgments so far."""
    per_annotator: int | None
    """Judgments that one annotator was planned to give in a matchup."""


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
    verdicts: VerdictKind = "direct",
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
            over all matchups. Pooled ones decide only with enough annotators and where the model fits.

    Raises:
        BadNumber: ``alpha`` is not a share.
        DesignError: ``gap`` or ``power`` is not one.

    Example:
        >>> from duologue.judgments import votes_from_rows
        >>> rows = [{"winner": "A", "loser": "B"}] * 66 + [{"winner": "B", "loser": "A"}] * 44
        >>> analyse_votes(votes_from_rows(rows)).sections[0].matchups[0].verdict.sentence
        'A is better than B (p = 0.045, win rate 60.0 %, 95 % interval [50.2, 69.2], n = 110).'
    """
    rule = Rule(alpha=alpha, gap=gap, power=power)
    looking = _Looking(
        rules=stopping == "sequential",
        is_wanted=stopping == "sequential" or with_sequential,
        matchups=sum(1 for first, second in planned or {} if first != second),
        per_annotator=per_annotator,
    )
    parts = tuple(_parts(votes))
    plans = [_plan_of(part, parts, planned) for part in parts]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    judged = [_judged(part.counted, plan, rule, rng) for part, plan in zip(parts, plans, strict=True)]
    without = [
        _judged(part.without_onboarding, plan, rule, None) if part.has_exclusions else counted
        for part, plan, counted in zip(parts, plans, judged, strict=True)
    ]
    families = families_of(
        [part.arm for part in parts], planned_arms=arms, matchups=looking.matchups, primary=primary
    )
    with_exclusions = _by_family(judged, families, rule)
    without_exclusions = (
        _by_family(without, families, rule) if any(part.has_exclusions for part in parts) else with_exclusions
    )
    pooled = pool_sections(
        [part.counted for part in parts],
        judged,
        families,
        alpha=alpha,
        verdicts=verdicts,
        is_sequential=looking.rules,
    )
    return AcuteResults(
        sections=tuple(
            _section(
                part,
                compared,
                everything,
                own,
                rule=rule,
                planned=plan,
                looking=looking,
                is_secondary=primary not in (None, part.arm),
            )
            for part, compared, everything, own, plan in zip(
                parts, with_exclusions, without_exclusions, pooled, plans, strict=True
            )
        ),
        alpha=alpha,
        level=1 - alpha,
        gap=gap,
        power=power,
        seed=seed,
        warnings=(
            *_shared_interim(parts, judged, planned or {}, looking),
            *_overall_warnings(parts),
            *_stopping_warnings(stopping, looking),
        ),
        stopping=stopping,
        family=say_pooled_family(pooled, alpha=alpha)
        or say_families(
            [_size(judged, family) for family in families],
            [part.arm for part, own in zip(parts, judged, strict=True) if own.weighed],
            alpha=alpha,
            primary=primary,
        ),
        primary=primary,
        verdicts=verdicts,
    )


def _by_family(
    judged: Sequence[SectionEvidence], families: Sequence[Family], rule: Rule
) -> tuple[tuple[Comparison, ...], ...]:
    """The comparisons of every section, each family by itself."""
    found: dict[int, tuple[Comparison, ...]] = {}
    for family in families:
        own = [judged[number] for number in family.sections]
        compared = compare_matchups(own, rule, unjudged=family.unjudged)
        found |= dict(zip(family.sections, compared, strict=True))
    return tuple(found[number] for number in range(len(judged)))


def _size(judged: Sequence[SectionEvidence], family: Family) -> int:
    return family.unjudged + sum(len(judged[number].weighed) for number in family.sections)


def _judged(
    votes: Votes, planned: Mapping[Pair, int], rule: Rule, rng: np.random.Generator | None
) -> SectionEvidence:
    """The evidence on every matchup of a section."""
    weighed = weigh_matchups(votes, tally_matchups(votes, planned), level=1 - rule.alpha, rng=rng)
    sides = tuple(sides_of(votes, one.tally) for one in weighed)
    return SectionEvidence(weighed, sides, without_order(votes, weighed, sides))


def _parts(votes: Votes) -> Iterator[_VotePart]:
    """The judgments of each section: by arm, question, revision, and whether by an open link."""
    is_open = _is(votes.annotator_kind, OPEN_LINK)
    both = bool(is_open.any() and not is_open.all())
    columns = (votes.arm.codes, votes.question.codes, votes.revision, is_open)
    if len(votes) == 0 or all((column == column[0]).all() for column in columns):
        distinct = np.stack([column[:1] for column in columns], axis=1)
        which = np.zeros(len(votes), dtype=np.intp)
    else:
        distinct, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    for number, (arm, question, revision, by_open_link) in enumerate(distinct.tolist()):
        own = votes.select(which == number) if len(distinct) > 1 else votes
        counts = own.counts
        yield _VotePart(
            arm=votes.arm.name_of(arm),
            question=votes.question.name_of(question),
            revision=revision,
            annotators=("open-link" if by_open_link else "invited") if both else "all",
            votes=own,
            counted=own if counts.all() else own.select(counts),
        )


def _plan_of(
    part: _VotePart, parts: tuple[_VotePart, ...], planned: Mapping[Pair, int] | None
) -> Mapping[Pair, int]:
    """The plan of an arm, unless several sections share it."""
    shares = sum(1 for other in parts if other.arm == part.arm)
    return planned if planned is not None and shares == 1 else {}


def _is(column: Coded, name: str) -> NDArray[np.bool_]:
    if name not in column.names:
        return np.zeros(len(column.codes), dtype=np.bool_)
    return np.equal(column.codes, column.names.index(name))


def _section(
    part: _VotePart,
    compared: tuple[Comparison, ...],
    everything: tuple[Comparison, ...],
    pooled: PooledSection,
    *,
    rule: Rule,
    planned: Mapping[Pair, int],
    looking: _Looking,
    is_secondary: bool,
) -> Section:
    votes = part.counted
    tallies = tuple(one.weighed.tally for one in compared)
    # Matchups without judgments share the error rate too: it must not change while judgments come in.
    looked_at = max(1, looking.matchups, *(one.family for one in compared))
    decide = partial(
        sequential_decisions,
        rule=rule,
        family=looked_at,
        planned=planned,
        per_annotator=looking.per_annotator,
    )
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
        position=position_effect(votes, alpha=rule.alpha),
        sides=say_sides(matchups),
        agreement=agreement_of(votes),
        time=time_spent(part.votes),
        exclusions=exclusions_of(
            part.votes, matchups, everything, decide=_without_exclusions(looking, decide, pooled)
        ),
        busiest=busiest_annotators(votes, more_than=BUSY_SHARE),
        progress=progress_over_time(votes),
        warnings=(),
        stopping=_say_stopping(matchups, rule),
    )
    secondary = f"Arm {part.arm} is secondary: its verdicts are not those the study rests on."
    warnings = (*([secondary] if is_secondary else []), *_warnings(section, votes, looking))
    return replace(section, warnings=warnings)


def _without_exclusions(looking: _Looking, decide: Decide, pooled: PooledSection) -> Decide | None:
    """How verdicts are reached when nothing is excluded; None where the direct ones decide."""
    if looking.rules:
        return decide
    return partial(pooled_betters, alpha=pooled.alpha) if pooled.decides else None


def _bots_seen(votes: Votes) -> Iterator[str]:
    seen = np.bincount(votes.winner, minlength=len(votes.bots)) + np.bincount(
        votes.loser, minlength=len(votes.bots)
    )
    for code in np.flatnonzero(seen).tolist():
        yield votes.bots[code]


def _matchup(
    compared: Comparison, found: SequentialDecision | None, rule: Rule, planned: int | None, looking: _Looking
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
        f"{len(found):,} matchup{'' if len(found) == 1 else 's'} may stop."
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


def _warnings(section: Section, votes: Votes, looking: _Looking) -> Iterator[str]:
    judged = [matchup for matchup in section.matchups if matchup.n]
    is_dialogue_known = (votes.winner_dialogue >= 0).any() or votes.pairing.is_known
    if judged and not votes.annotator.is_known and not is_dialogue_known:
        yield (
            "Independence could not be checked: neither annotators nor dialogues are known. The exact test "
            "assumes that all judgments are independent."
        )
    if looking.is_wanted and not has_known_order(votes):
        yield (
            "It is not known when each judgment was given: sequential decisions take them in the order of "
            "the rows, and are valid only if they came in that order."
        )
    if not looking.rules:
        yield from say_interim([(m.n + m.ties, m.planned) for m in section.matchups], "matchups")
    if unreliable := say_unreliable(section.agreement):
        yield unreliable
    if section.busiest:
        named = say_list(f"{busy.annotator} ({say_percent(busy.share)})" for busy in section.busiest[:3])
        more = f", and {len(section.busiest) - 3} others" if len(section.busiest) > 3 else ""
        yield (
            f"{len(section.busiest)} of {section.annotator_count or '?'} annotators gave more than "
            f"{BUSY_SHARE:.0%} of the judgments each: {named}{more}."
        ).replace("5%", "5 %")
    if section.position is not None and section.position.p_value <= 0.05:
        yield f"{section.position.sentence} {section.sides}".rstrip()
    elif any(m.sides is not None and not m.sides.is_balanced for m in section.matchups):
        yield section.sides
    if any(effect.is_changed for effect in section.exclusions.effects):
        yield section.exclusions.sentence


def _shared_interim(
    parts: Sequence[_VotePart],
    judged: Sequence[SectionEvidence],
    planned: Mapping[Pair, int],
    looking: _Looking,
) -> Iterator[str]:
    progress = [
        (part.arm, {one.tally.pair: len(one.tally.rows) + one.tally.ties for one in own.weighed})
        for part, own in zip(parts, judged, strict=True)
    ]
    wanted = {pair: count for pair, count in planned.items() if pair[0] != pair[1]}
    yield from () if looking.rules else say_shared_interim(progress, wanted, "matchups")


def _overall_warnings(parts: tuple[_VotePart, ...]) -> tuple[str, ...]:
    found: list[str] = []
    if len({part.revision for part in parts}) > 1:
        found.append(
            "The study was changed after the first judgment: each revision is analysed by itself, and they "
            "are not pooled."
        )
    if any(part.annotators == "open-link" for part in parts):
        found.append(
            "Some annotators were recruited via an open link and are anonymous: they are reported separately."
        )
    if not parts or all(not part.votes.counts.any() for part in parts):
        found.append("No judgment counts: nothing can be said yet.")
    return tuple(found)


def _stopping_warnings(stopping: DeclaredStopping, looking: _Looking) -> Iterator[str]:
    if not looking.is_wanted or looking.rules:
        return
    declared = "No stopping rule was declared with these judgments"
    if stopping == "fixed":
        declared = "The study declared a fixed number of judgments, and its verdicts rest on that"
    yield (
        f"{declared}: the verdicts are those of the test for a fixed number. The sequential decisions are "
        "shown beside them, and are valid only if they were followed from the first judgment on."
    )
