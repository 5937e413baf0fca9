"""What is said of rankings beside the verdicts on their pairs: positions, and strengths from both kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from duologue import stats  # what fits strengths is loaded where there are rankings and comparisons
from duologue.acute.analysis.matchups import annotator_clusters, known_dialogues
from duologue.acute.analysis.parts import VotePart
from duologue.acute.analysis.results import Section
from duologue.acute.ranking.answers import PLACES, SLOTS
from duologue.acute.ranking.results import KindAgreement, Rankings, ShownPosition, StrengthDifference
from duologue.errors import Disconnected, NotConverged, NotEnoughJudgments
from duologue.judgments import RankedPairs, Votes
from duologue.protocols import say_count, say_list, say_p, say_percent

if TYPE_CHECKING:
    from duologue.stats import AgreeingStrengths

LEVEL = 0.95

Codes = NDArray[np.intp]


def with_rankings(
    sections: Sequence[Section], parts: Sequence[VotePart], *, alpha: float
) -> tuple[Section, ...]:
    """The sections with what is said of their rankings; as they are where there are none.

    Strengths are compared with those of comparisons in the same section; where it has none, with those of
    another arm that asks the same question of the same people.

    Args:
        sections: What was found.
        parts: Their judgments.
        alpha: Below it an effect is called one.
    """
    return tuple(
        replace(section, rankings=_rankings(part, _beside(part, parts), alpha))
        if _has_rankings(part)
        else section
        for section, part in zip(sections, parts, strict=True)
    )


def _has_rankings(part: VotePart) -> bool:
    ranked = part.counted.ranked
    return ranked is not None and bool(ranked.is_ranked.any())


def _beside(part: VotePart, parts: Sequence[VotePart]) -> VotePart | None:
    """The section whose comparisons of two stand beside these rankings."""
    ranked = part.counted.ranked
    assert ranked is not None  # noqa: S101  the caller saw it
    if not ranked.is_ranked.all():
        return part
    same = (part.question, part.revision, part.annotators)
    return next(
        (
            other
            for other in parts
            if (other.question, other.revision, other.annotators) == same and not _has_rankings(other)
        ),
        None,
    )


def _rankings(part: VotePart, beside: VotePart | None, alpha: float) -> Rankings:
    votes, ranked = part.counted, part.counted.ranked
    assert ranked is not None  # noqa: S101  the caller saw it
    own = ranked.is_ranked
    count = len(np.unique(ranked.codes[own]))
    positions, p_value, said = positions_of(votes.select(own), alpha=alpha)
    agreement = None if beside is None else kinds_agree(part, beside, alpha=alpha)
    others = int((~own).sum())
    sentence = (
        f"{say_count(count, 'ranking')} of three {'gives' if count == 1 else 'give'} "
        f"{say_count(int(own.sum()), 'judgment')} of two"
        + (f", beside {say_count(others, 'comparison')} of two" if others else "")
        + ". Pairs of one ranking are correlated: all tests over several matchups are clustered by annotator."
    )
    return Rankings(
        count,
        others,
        positions,
        p_value,
        said,
        agreement,
        sentence,
        ranking_seconds=_median(votes.select(own).once_each.seconds),
        comparison_seconds=_median(votes.select(~own).seconds),
    )


def _median(seconds: NDArray[np.float64]) -> float | None:
    known = seconds[~np.isnan(seconds)]
    return float(np.median(known)) if len(known) else None


def positions_of(votes: Votes, *, alpha: float) -> tuple[tuple[ShownPosition, ...], float | None, str]:
    """How often what was shown at each position came first and last, the p-value of a difference, in words.

    The test is a clustered T² on how many of the two others each position was put before; the clusters are
    annotators, or rankings where too few of them are known.
    """
    ranked = votes.ranked
    assert ranked is not None  # noqa: S101  the caller saw it
    table, people = _places(votes, ranked)
    if not len(table):
        return (), None, ""
    found = tuple(
        ShownPosition(
            position=position,
            n=len(table),
            first=int((table[:, position - 1] == 1).sum()),
            last=int((table[:, position - 1] == SLOTS).sum()),
            mean_place=float(table[:, position - 1].mean()),
        )
        for position in PLACES
    )
    if len(np.unique(people)) < SLOTS:
        people = np.arange(len(table))
    p_value = None
    if len(table) >= SLOTS:
        p_value = stats.clustered_equality((SLOTS - table) / (SLOTS - 1), [people]).p_value
    claim = "No effect of the position was detected"
    if p_value is not None and p_value <= alpha:
        claim = "Positions on the page were not ranked alike"
    shares = [f"{say_percent(one.first / one.n)} at position {one.position}" for one in found]
    tested = "" if p_value is None else f" ({say_p(p_value)})"
    rankings = say_count(len(table), "ranking")
    said = f"{claim}: of {rankings}, what came first was shown {say_list(shares)}{tested}."
    return found, p_value, said


def _places(votes: Votes, ranked: RankedPairs) -> tuple[NDArray[np.int64], Codes]:
    """The places of what was shown at each position, a row for each ranking, and its annotator.

    Rankings of which a position is not known, or a pair is missing, are left out.
    """
    rows = np.flatnonzero((ranked.winner_position > 0) & (ranked.loser_position > 0))
    _, codes = np.unique(ranked.codes[rows], return_inverse=True)
    size = int(codes.max()) + 1 if len(codes) else 0
    wins = np.bincount(codes * SLOTS + ranked.winner_position[rows] - 1, minlength=size * SLOTS)
    whole = np.bincount(codes, minlength=size) == len(PLACES)
    people = np.zeros(size, dtype=np.intp)
    people[codes] = votes.annotator.own_codes[rows]
    return (SLOTS - wins.reshape(size, SLOTS))[whole], people[whole]


def kinds_agree(part: VotePart, beside: VotePart, *, alpha: float) -> KindAgreement | None:
    """Whether rankings give the strengths that comparisons of two give; None where that cannot be tested.

    Args:
        part: The section with the rankings.
        beside: The section with the comparisons, the same or another one.
        alpha: Below it they are said to differ.
    """
    own, ranked = part.counted, part.counted.ranked
    assert ranked is not None  # noqa: S101  the caller saw it
    of_two = own.select(~ranked.is_ranked) if beside is part else beside.counted
    kinds = [votes.select(votes.winner != votes.loser) for votes in (own.select(ranked.is_ranked), of_two)]
    names = sorted(set.intersection(*(_bots_in(votes) for votes in kinds)))
    if len(names) < 2:
        return None
    one, other = (_among(votes, names, kind) for kind, votes in enumerate(kinds))
    try:
        found = stats.agreeing_strengths(
            np.concatenate([one.first, other.first]),
            np.concatenate([one.second, other.second]),
            np.concatenate([one.preference, other.preference]),
            names,
            is_one_kind=np.repeat([True, False], [len(one.first), len(other.first)]),
            annotators=_shared_codes([one.annotators, other.annotators]),
            dialogues=_shared_dialogues([one, other]),
        )
    except (Disconnected, NotConverged, NotEnoughJudgments):
        return None
    spans = [found.interval(place, LEVEL) for place in range(len(names))]
    differences = tuple(
        StrengthDifference(bot, float(found.differences[place]), span.low, span.high)
        for place, (bot, span) in enumerate(zip(names, spans, strict=True))
    )
    rankings, arm = len(np.unique(ranked.codes[ranked.is_ranked])), "" if beside is part else beside.arm
    return KindAgreement(
        rankings=rankings,
        comparisons=found.n[1],
        compared_in=arm,
        statistic=found.statistic,
        df=found.df,
        p_value=found.p_value,
        differences=differences,
        level=LEVEL,
        sentence=(
            f"Strengths from {say_count(rankings, 'ranking')} and from {found.n[1]:,} comparisons of two"
            f"{f' (arm {arm})' if arm else ''} {'differ' if found.p_value <= alpha else _NO_DIFFERENCE} "
            f"({_tested(found)}); they are furthest apart for {_say(differences[found.largest])}."
        ),
    )


_NO_DIFFERENCE = "were not found to differ"


def _tested(found: AgreeingStrengths) -> str:
    first, second = found.df
    return (
        f"Wald test, clustered, F({first:.0f}, {second:.0f}) = {found.statistic:.2f}, {say_p(found.p_value)}"
    )


def _say(one: StrengthDifference) -> str:
    return (
        f"{one.bot}: {one.difference:+.2f} in log-odds, {100 * LEVEL:.0f} % interval [{one.low:.2f}, "
        f"{one.high:.2f}]"
    )


@dataclass(frozen=True, slots=True)
class _BotJudgments:
    """Judgments among some bots, by the places of their names."""

    first: Codes
    second: Codes
    preference: NDArray[np.float64]
    annotators: tuple[str, ...]
    """By name; one of their own for those without."""
    dialogues: tuple[tuple[str, ...], tuple[str, ...]] | None
    """Of the first and the second bot, by name; None where some are not known."""


def _bots_in(votes: Votes) -> set[str]:
    seen = np.unique(np.concatenate([votes.winner, votes.loser]))
    return {votes.bots[code] for code in seen.tolist()}


def _among(votes: Votes, names: Sequence[str], kind: int) -> _BotJudgments:
    """The judgments of one kind among some bots."""
    place = np.full(len(votes.bots), -1, dtype=np.intp)
    for number, name in enumerate(names):
        place[votes.bots.index(name)] = number
    own = votes.select((place[votes.winner] >= 0) & (place[votes.loser] >= 0))
    people, clusters = own.annotator, annotator_clusters(own, slice(None))
    annotators = tuple(
        people.names[code] if code >= 0 else f"\0{kind}/{alone}"
        for code, alone in zip(people.codes.tolist(), clusters.tolist(), strict=True)
    )
    won, lost = known_dialogues(own, slice(None))
    dialogues = None
    if len(own) and min(int(won.min()), int(lost.min())) >= 0:
        dialogues = _dialogue_names(own, won, kind), _dialogue_names(own, lost, kind)
    preference = (0.5 + 0.25 * own.half_leads).astype(np.float64)
    return _BotJudgments(place[own.winner], place[own.loser], preference, annotators, dialogues)


def _dialogue_names(votes: Votes, codes: NDArray[np.integer], kind: int) -> tuple[str, ...]:
    """Dialogues by name; one that only its pairing tells has a name within its kind."""
    known = len(votes.dialogues)
    return tuple(votes.dialogues[code] if code < known else f"\0{kind}/{code}" for code in codes.tolist())


def _shared_codes(names: Sequence[Sequence[str]]) -> Codes:
    found: dict[str, int] = {}
    return np.array([found.setdefault(name, len(found)) for some in names for name in some], dtype=np.intp)


def _shared_dialogues(judged: Sequence[_BotJudgments]) -> tuple[Codes, Codes] | None:
    """Codes over both kinds; None where some dialogues are not known."""
    if any(one.dialogues is None for one in judged):
        return None
    first = [name for one in judged for name in (one.dialogues or ((), ()))[0]]
    second = [name for one in judged for name in (one.dialogues or ((), ()))[1]]
    codes = _shared_codes([first, second])
    return codes[: len(first)], codes[len(first) :]
