"""Best–worst scores, and a sign test over annotators for every two bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from duologue.judgments import NameColumn, Row
from duologue.protocols import FORMAT, Conduct, Half, Provenance, SavedResults, say_p
from duologue.stats import Interval, holm, sign_test, wilson_interval


@dataclass(frozen=True, slots=True)
class BotScore:
    """How often a bot was shown, and how often it was the best and the worst one."""

    bot: str
    n: int
    best: int
    worst: int

    @property
    def score(self) -> float:
        """Best minus worst, as a share: from -1 to 1."""
        return (self.best - self.worst) / self.n


@dataclass(frozen=True, slots=True)
class PairOfBots:
    """Two bots: how many annotators placed the first above the second, and the other way round."""

    first: str
    second: str
    above: int
    below: int
    even: int
    p_value: float | None
    p_adjusted: float | None
    interval: Interval | None
    better: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class BestWorstResults(SavedResults):
    """All that an analysis found."""

    bots: tuple[BotScore, ...]
    pairs: tuple[PairOfBots, ...]
    n: int
    ties: int
    excluded: Mapping[str, int]
    alpha: float
    seed: int
    warnings: tuple[str, ...] = ()
    provenance: Provenance | None = None
    conduct: Conduct | None = None
    protocol: str = "best-worst"
    format: str = FORMAT


def analyse_rows(
    rows: Iterable[Row], *, alpha: float, seed: int, half: Half | None = None, least: int = 1
) -> tuple[BestWorstResults, tuple[str, str]]:
    """The results of these judgments, and when the first and the last of them came.

    One annotator is one unit of the test, however often they judged: the sign of how often they placed one
    bot above the other minus how often below it. Annotators are independent, judgments of one are not.
    """
    judged = [row for row in rows if not _is_true(row.get("is_onboarding"))]
    excluded = Counter(str(row["excluded"]) for row in judged if row.get("excluded"))
    counted = [row for row in judged if not row.get("excluded")]
    if half is not None:
        counted = _half_of(counted, half)
    given = Counter(str(row.get("annotator")) for row in counted)
    counted = [row for row in counted if given[str(row.get("annotator"))] >= least]
    shown, best, worst = Counter[str](), Counter[str](), Counter[str]()
    leads: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in counted:
        bots = sorted(str(row["bots"]).split("|"))
        shown.update(bots)
        places = {str(row["best"]): 1, str(row["worst"]): -1} if row["best"] else {}
        best.update(bot for bot in bots if places.get(bot) == 1)
        worst.update(bot for bot in bots if places.get(bot) == -1)
        for first, second in combinations(bots, 2):
            lead = np.sign(places.get(first, 0) - places.get(second, 0))
            leads[first, second][str(row.get("annotator"))] += int(lead)
    results = BestWorstResults(
        bots=tuple(BotScore(bot, shown[bot], best[bot], worst[bot]) for bot in sorted(shown)),
        pairs=_pairs(leads, alpha),
        n=len(counted),
        ties=sum(not row["best"] for row in counted),
        excluded=dict(excluded),
        alpha=alpha,
        seed=seed,
    )
    times = sorted(str(row["at"]) for row in counted if row.get("at"))
    return results, (times[0], times[-1]) if times else ("", "")


def _is_true(cell: object) -> bool:
    return str(cell).lower() == "true"


def _half_of(rows: Sequence[Row], half: Half) -> list[Row]:
    names = sorted({str(row.get("annotator")) for row in rows})
    codes = np.array([names.index(str(row.get("annotator"))) for row in rows], dtype=np.int32)
    return [
        row for row, is_in in zip(rows, half.rows_of(NameColumn(tuple(names), codes)), strict=True) if is_in
    ]


def _pairs(leads: Mapping[tuple[str, str], Counter[str]], alpha: float) -> tuple[PairOfBots, ...]:
    pairs = sorted(leads)
    signs = [Counter(int(np.sign(lead)) for lead in leads[pair].values()) for pair in pairs]
    p_values = [sign_test(sign[1], sign[-1]).p_value if sign[1] + sign[-1] else 1.0 for sign in signs]
    adjusted = holm(p_values).tolist() if p_values else []
    return tuple(
        _pair(pair, sign, p_value, p_adjusted, alpha)
        for pair, sign, p_value, p_adjusted in zip(pairs, signs, p_values, adjusted, strict=True)
    )


def _pair(
    pair: tuple[str, str], sign: Mapping[int, int], p_value: float, p_adjusted: float, alpha: float
) -> PairOfBots:
    above, below = sign[1], sign[-1]
    better = None
    if p_adjusted <= alpha:
        better = pair[0] if above > below else pair[1]
    counts = f"{pair[0]} above {pair[1]} by {above} annotators, below by {below}; {say_p(p_adjusted)} (Holm)"
    other = pair[1] if better == pair[0] else pair[0]
    verdict = f"{better} is better than {other}" if better else f"No difference between {' and '.join(pair)}"
    n = above + below
    return PairOfBots(
        first=pair[0],
        second=pair[1],
        above=above,
        below=below,
        even=sign[0],
        p_value=p_value if n else None,
        p_adjusted=p_adjusted if n else None,
        interval=wilson_interval(above, n, level=1 - alpha) if n else None,
        better=better,
        sentence=f"{verdict} ({counts}).",
    )
