"""The same study again, or its judgments split by annotators: do the verdicts agree?

Whole tables of verdicts hardly ever repeat, even at the same error rate: the chance that all 28 verdicts of
ACUTE-EVAL's Table 2 come out alike twice is below 1 %. So verdicts are compared with each other one by one,
and counted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import UNKNOWN, NameColumn
from duologue.protocols.provenance import Provenance
from duologue.protocols.saying import say_claim, say_count
from duologue.stats import Interval

FORMAT = "duologue.replication/1"

Accord = Literal["same conclusion", "one undecided", "contradict", "no verdict"]
"""Both found the same; only one found a difference; they found opposite ones; one of them can say nothing."""

Key = tuple[str, str, str]
"""Part, and the two bots."""

ACCORDS: tuple[Accord, ...] = ("same conclusion", "one undecided", "contradict", "no verdict")


@dataclass(frozen=True, slots=True)
class Half:
    """Half of the annotators of a study, drawn by a seed."""

    number: Literal[0, 1]
    seed: int

    def rows_of(self, annotator: NameColumn) -> NDArray[np.bool_]:
        """Which rows are of this half.

        A row that does not say who judged is one of an annotator of its own. Who is drawn depends on names
        and seed only, not on the order of the rows.

        Example:
            >>> who = NameColumn(("ann", "bob"), np.array([0, 1, 0, -1], dtype=np.int32))
            >>> (Half(0, seed=1).rows_of(who) ^ Half(1, seed=1).rows_of(who)).tolist()
            [True, True, True, True]
        """
        own = annotator.own_codes
        named = sorted(
            np.unique(annotator.codes[annotator.codes != UNKNOWN]).tolist(),
            key=lambda code: annotator.names[code],
        )
        units = np.array([*named, *own[annotator.codes == UNKNOWN].tolist()], dtype=np.int64)
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(7,)))
        drawn = rng.permutation(units)
        chosen: NDArray[np.bool_] = np.isin(own, drawn[self.number :: 2])
        return chosen


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one analysis says of two bots, the same for every protocol."""

    part: str
    """The section and question that it belongs to, empty where there is only one."""
    first: str
    """The names are in the order of the alphabet."""
    second: str
    n: int
    estimate: float | None
    """Of the first bot: its win rate, or how far it is rated above the second one."""
    interval: Interval | None
    better: str | None
    """None where no difference was detected."""
    has_verdict: bool
    """Whether anything can be said about the bots."""
    is_open: bool = False
    """Whether a sequential test decides, which says nothing where it has no verdict."""

    @property
    def said(self) -> str:
        """In a few words."""
        return say_claim(self.better, has_verdict=self.has_verdict, is_open=self.is_open)


@dataclass(frozen=True, slots=True)
class BotScore:
    """What one analysis gives one bot by itself, the same for every protocol that has such a number."""

    part: str
    """What the number is and which section it belongs to: ``engagingness, wild annotators``."""
    bot: str
    value: float
    interval: Interval | None
    n: int
    ranks: tuple[int, int] | None = None
    """The best and the worst rank that the bot may have, where the analysis has rank sets."""


@dataclass(frozen=True, slots=True)
class ReplicatedPair:
    """Two bots in both analyses; every pair of values has that of the first analysis first."""

    part: str
    first: str
    second: str
    n: tuple[int, int]
    estimates: tuple[float | None, float | None]
    intervals: tuple[Interval | None, Interval | None]
    better: tuple[str | None, str | None]
    accord: Accord


@dataclass(frozen=True, slots=True)
class Replication:
    """Two analyses compared with each other, pair by pair."""

    of: tuple[str, str]
    """What was analysed first and second."""
    protocol: str
    estimate: str
    """What the estimates are."""
    pairs: tuple[ReplicatedPair, ...]
    counts: dict[str, int]
    """How many pairs there are of each accord."""
    only_in_first: tuple[str, ...]
    """Pairs that the second analysis does not have."""
    only_in_second: tuple[str, ...]
    largest_gap: float | None
    """The largest difference between the two estimates of a pair."""
    provenance: tuple[Provenance | None, Provenance | None]
    sentence: str
    format: str = FORMAT

    def to_json(self) -> str:
        """All of it as the text of a JSON file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"


def replicate(
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    *,
    of: tuple[str, str],
    protocol: str,
    estimate: str,
    provenance: tuple[Provenance | None, Provenance | None] = (None, None),
) -> Replication:
    """Hold the verdicts of two analyses against each other.

    Parts are matched by their names, unless each analysis has only one.

    Args:
        first: What one of them says.
        second: What the other one says.
        of: What was analysed, in words.
        protocol: By which judgments were asked for.
        estimate: What the estimates are, in words.
        provenance: Where the numbers of each come from.

    Example:
        >>> ours = [Outcome("", "A", "B", 110, 0.61, None, "A", True)]
        >>> theirs = [Outcome("", "A", "B", 110, 0.56, None, None, True)]
        >>> replicate(ours, theirs, of=("x", "y"), protocol="acute", estimate="win rate").counts
        {'same conclusion': 0, 'one undecided': 1, 'contradict': 0, 'no verdict': 0}
    """
    is_plain = all(len({one.part for one in found}) == 1 for found in (first, second))
    ours, theirs = (
        {("" if is_plain else one.part, one.first, one.second): one for one in found}
        for found in (first, second)
    )
    pairs = tuple(_pair(key[0], ours[key], theirs[key]) for key in ours if key in theirs)
    counts: dict[str, int] = {accord: sum(pair.accord == accord for pair in pairs) for accord in ACCORDS}
    gaps = [abs(a - b) for a, b in (pair.estimates for pair in pairs) if a is not None and b is not None]
    return Replication(
        of=of,
        protocol=protocol,
        estimate=estimate,
        pairs=pairs,
        counts=counts,
        only_in_first=_names(ours, theirs),
        only_in_second=_names(theirs, ours),
        largest_gap=max(gaps, default=None),
        provenance=provenance,
        sentence=_sentence(pairs, counts),
    )


def _pair(part: str, one: Outcome, other: Outcome) -> ReplicatedPair:
    return ReplicatedPair(
        part=part,
        first=one.first,
        second=one.second,
        n=(one.n, other.n),
        estimates=(one.estimate, other.estimate),
        intervals=(one.interval, other.interval),
        better=(one.better, other.better),
        accord=_accord(one, other),
    )


def _accord(one: Outcome, other: Outcome) -> Accord:
    if not (one.has_verdict and other.has_verdict):
        return "no verdict"
    if one.better == other.better:
        return "same conclusion"
    return "contradict" if one.better and other.better else "one undecided"


def _names(found: Iterable[Key], others: Collection[Key]) -> tuple[str, ...]:
    return tuple(
        f"{part}: {first} and {second}" if part else f"{first} and {second}"
        for part, first, second in found
        if (part, first, second) not in others
    )


def _sentence(pairs: Sequence[ReplicatedPair], counts: dict[str, int]) -> str:
    if not pairs:
        return "No two bots were compared in both."
    decided = sum(pair.better[0] is not None and pair.better[0] == pair.better[1] for pair in pairs)
    parts = [
        f"{counts['same conclusion']:,} came to the same conclusion ({decided:,} of them to a difference)",
        f"{counts['one undecided']:,} found a difference in one of the two only",
        f"{counts['contradict']:,} contradict each other",
    ]
    if counts["no verdict"]:
        parts.append(f"{counts['no verdict']:,} have no verdict in one of them")
    return f"Of {say_count(len(pairs), 'pair')} of bots {', '.join(parts)}."
