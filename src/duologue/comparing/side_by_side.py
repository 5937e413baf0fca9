"""Two measurements of the same bots: pair by pair, and in the order that they come to.

Pairs share bots, so how often the directions agree is counted and not tested.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from duologue.comparing.measurements import Measurement
from duologue.comparing.places import TwicePlacedBot, place_bots, rank_correlation, strengths_of
from duologue.errors import AnalysisError
from duologue.protocols import ReplicatedPair, replicate, say_correlation
from duologue.stats import Correlations, correlations

Finds = Literal["both", "first only", "second only", "neither", "not known"]
"""Which of the two measurements finds a difference between two bots."""
Scores = tuple[float, ...]
Pairs = Collection[tuple[str, str]]
FINDS: tuple[Finds, ...] = ("both", "first only", "second only", "neither", "not known")


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two bots in both measurements."""

    pair: ReplicatedPair
    is_same_way: bool | None
    """Whether both estimates lie on the same side of even; None where one is missing or exactly even."""
    finds: Finds
    is_known: tuple[bool, bool]
    """Whether each of the two says whether it finds a difference."""


@dataclass(frozen=True, slots=True)
class MeasurementPair:
    """Two measurements of the same bots; every pair of values has that of the first one first."""

    of: tuple[str, str]
    estimates: tuple[str, str]
    even: tuple[float, float]
    pairs: tuple[ComparedPair, ...]
    finds: dict[str, int]
    same_way: int
    """Pairs of which both estimates point the same way."""
    with_direction: int
    """Pairs of which both estimates point some way."""
    places: tuple[TwicePlacedBot, ...]
    """None where no chain of pairs connects all bots."""
    correlations: Correlations | None
    """Of the strengths; None without places, of fewer than three bots, or where one side has no order."""
    only_in: tuple[tuple[str, ...], tuple[str, ...]]
    """Pairs that the other measurement does not have."""
    warnings: tuple[str, ...]
    sentences: tuple[str, ...] = ()

    @property
    def moved(self) -> tuple[TwicePlacedBot, ...]:
        """The bots whose places differ."""
        return tuple(one for one in self.places if one.has_moved)


def compare_measurements(
    first: Measurement, second: Measurement, *, draws: int = 1000, seed: int = 0
) -> MeasurementPair:
    """Hold two measurements of the same bots against each other.

    Args:
        first: One of them.
        second: The other.
        draws: Samples of the bootstrap over bots, for the intervals of correlations.
        seed: Where their randomness comes from.

    Raises:
        AnalysisError: No two bots are compared in both.
    """
    held = replicate(
        first.outcomes, second.outcomes, of=(first.name, second.name), protocol="", estimate=first.estimate
    )
    if not held.pairs:
        raise AnalysisError(f"No two bots are compared in {first.name} and in {second.name}.")
    even = first.even, second.even
    known = _known(first), _known(second)
    pairs = tuple(_compared(pair, even, known) for pair in held.pairs)
    bots, scores = _scores(held.pairs, even)
    places = scores and place_bots(
        bots,
        scores,
        contradictions=_contradictions(held.pairs),
        repetition=(first.repetition, second.repetition),
    )
    found = MeasurementPair(
        of=held.of,
        estimates=(first.estimate, second.estimate),
        even=even,
        pairs=pairs,
        finds={kind: sum(one.finds == kind for one in pairs) for kind in FINDS},
        same_way=sum(one.is_same_way is True for one in pairs),
        with_direction=sum(one.is_same_way is not None for one in pairs),
        places=places or (),
        correlations=_correlations(scores, draws, seed) if scores else None,
        only_in=(held.only_in_first, held.only_in_second),
        warnings=tuple(_warnings(first, second)),
    )
    return replace(found, sentences=tuple(_sentences(found)))


def _known(measured: Measurement) -> set[tuple[str, str]]:
    return {(one.first, one.second) for one in measured.outcomes if one.has_verdict}


def _compared(pair: ReplicatedPair, even: tuple[float, float], known: tuple[Pairs, Pairs]) -> ComparedPair:
    bots = pair.first, pair.second
    return ComparedPair(pair, _is_same_way(pair, even), _finds(pair), (bots in known[0], bots in known[1]))


def _is_same_way(pair: ReplicatedPair, even: tuple[float, float]) -> bool | None:
    one, other = pair.estimates
    if one is None or other is None or one == even[0] or other == even[1]:
        return None
    return (one > even[0]) == (other > even[1])


def _finds(pair: ReplicatedPair) -> Finds:
    if pair.accord == "no verdict":
        return "not known"
    one, other = (better is not None for better in pair.better)
    if one and other:
        return "both"
    return "first only" if one else "second only" if other else "neither"


def _scores(
    pairs: Sequence[ReplicatedPair], even: tuple[float, float]
) -> tuple[list[str], tuple[Scores, Scores] | None]:
    """The bots of the pairs that both measurements estimate, and their strengths in each."""
    sides: tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]] = [], []
    for pair in pairs:
        one, other = pair.estimates
        if one is not None and other is not None:
            sides[0].append((pair.first, pair.second, one))
            sides[1].append((pair.first, pair.second, other))
    bots = sorted({bot for first, second, _ in sides[0] for bot in (first, second)})
    if not bots:
        return bots, None
    of_first, of_second = (strengths_of(side, bots, even[n]) for n, side in enumerate(sides))
    return bots, None if of_first is None or of_second is None else (of_first, of_second)


def _contradictions(pairs: Sequence[ReplicatedPair]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.accord == "contradict":
            found.setdefault(pair.first, []).append(pair.second)
            found.setdefault(pair.second, []).append(pair.first)
    return found


def _correlations(scores: tuple[Scores, Scores], draws: int, seed: int) -> Correlations | None:
    if rank_correlation(*scores) is None:
        return None
    import numpy as np

    return correlations(*scores, draws=draws, rng=np.random.default_rng(seed))


def _warnings(first: Measurement, second: Measurement) -> Iterator[str]:
    for one in (first, second):
        if one.is_rehearsal:
            yield f"{one.name} is a REHEARSAL: its annotators were simulated."


def _sentences(found: MeasurementPair) -> Iterator[str]:
    one, other = found.of
    pairs, finds = len(found.pairs), found.finds
    yield (
        f"{pairs:,} pair{'' if pairs == 1 else 's'} of bots {'is' if pairs == 1 else 'are'} in both; of "
        f"{found.with_direction:,} whose estimates point some way, both point the same way in "
        f"{found.same_way:,}."
    )
    known = pairs - finds["not known"]
    if known:
        yield (
            f"Of the {known:,} with a verdict in both, {one} finds a difference in "
            f"{finds['both'] + finds['first only']:,} and {other} in {finds['both'] + finds['second only']:,}"
            f" ({finds['both']:,} in both, {finds['neither']:,} in neither)."
        )
    contradicting = sum(pair.pair.accord == "contradict" for pair in found.pairs)
    if contradicting:
        yield f"{contradicting:,} of these verdicts contradict each other."
    if not found.places:
        yield "No chain of pairs that are in both connects all bots, so they have no common order."
    if found.correlations is not None:
        yield from _say_order(found, found.correlations)
    for bot in found.moved:
        yield from _say_repetition(found, bot)


def _say_order(found: MeasurementPair, order: Correlations) -> Iterator[str]:
    few = " Of so few bots it says little." if order.has_few_clusters else ""
    yield (
        f"By the pairs that are in both the {order.n} bots come in orders with rank correlation "
        f"{say_correlation(order.spearman)}; Kendall's tau is {order.kendall.value:.2f}.{few}"
    )
    if not found.moved:
        yield "No bot changes its place."
        return
    moves = "; ".join(f"{one.bot} from {one.places[0]} to {one.places[1]}" for one in found.moved)
    yield f"Places that differ: {moves}."
    best = max(found.moved, key=lambda one: (one.rank_correlation_without or -1.0, one.bot))
    if (best.rank_correlation_without or -1.0) > order.spearman.value:
        yield f"Without {best.bot} the rank correlation is {best.rank_correlation_without:.2f}."


def _say_repetition(found: MeasurementPair, bot: TwicePlacedBot) -> Iterator[str]:
    for name, one in zip(found.of, bot.repetition, strict=True):
        if one is not None and one.turns:
            again = one.repeated + one.nearly_repeated
            yield (
                f"{bot.bot} in the dialogues of {name}: {100 * again / one.turns:.0f} % of its turns "
                f"repeat an earlier one, {one.looping:,} of {one.dialogues:,} dialogues loop."
            )
