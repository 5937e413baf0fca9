"""Correlations of automatic metrics with human scores: over items, over dialogues and over bots."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

import numpy as np

from duologue.errors import AnalysisError
from duologue.metrics.agreement.items import ScoredRow, ScoredRows
from duologue.stats import Correlations, correlations

Unit = Literal["item", "dialogue", "bot"]
UNITS: tuple[Unit, ...] = get_args(Unit)
CORRELATIONS_FORMAT = "duologue.metric_correlations/1"
FEWEST = 4
"""Of three pairs one order in three is perfect."""
_LOWER = ("perplexity", "ppl")


@dataclass(frozen=True, slots=True)
class ScoreCorrelation:
    """How one metric goes along with one human score, and over what.

    The sign is turned for metrics of which less is better: positive always says that metric and people agree.
    """

    metric: str
    human: str
    unit: Unit
    clusters: str
    """What is drawn together in the intervals: dialogues, bots, or items where no dialogue is known."""
    found: Correlations


@dataclass(frozen=True, slots=True)
class ScoreCorrelations:
    """All of them: what ``duologue metrics correlate --json`` prints."""

    found: tuple[ScoreCorrelation, ...]
    items: int
    dialogues: int
    bots: int
    level: float
    seed: int
    warnings: tuple[str, ...]
    format: str = CORRELATIONS_FORMAT

    def record(self) -> dict[str, object]:
        """For a JSON file."""
        return asdict(self)

    def rows(self) -> Iterator[Mapping[str, str | float | int | None]]:
        """A table with a row for each metric, human score and unit."""
        for one in self.found:
            row: dict[str, str | float | int | None] = {
                "metric": one.metric,
                "human": one.human,
                "over": one.unit,
                "n": one.found.n,
                "clusters": one.found.clusters,
                "clustered_by": one.clusters,
            }
            for name, coefficient in one.found.by_name.items():
                low, high = coefficient.interval.limits if coefficient.interval else (None, None)
                row |= {name: coefficient.value, f"{name}_low": low, f"{name}_high": high}
                row[f"{name}_p"] = coefficient.p_value
            yield row


def is_lower_better(metric: str) -> bool:
    """Whether less of a metric is better, by its name.

    Example:
        >>> is_lower_better("perplexity-word"), is_lower_better("f1")
        (True, False)
    """
    return metric.lower().startswith(_LOWER)


def correlate_metrics(
    given: ScoredRows,
    human: Sequence[str],
    *,
    metrics: Sequence[str] = (),
    lower: Collection[str] = (),
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> ScoreCorrelations:
    """Correlate every metric with every human score, over items, dialogues and bots, those that are known.

    Over items: intervals draw whole dialogues. Over dialogues: the means of the items of each bot in each
    dialogue, where there are several. Over bots: the means of all items of each. With fewer than ten
    dialogues or bots there is no interval, but an exact p-value where none of them has several values.

    Args:
        given: The items.
        human: The scores that people gave.
        metrics: The others; all that are not human when empty.
        lower: Metrics of which less is better, besides perplexities.
        level: Of the intervals.
        draws: Samples of the bootstrap.
        seed: Where their randomness comes from.

    Raises:
        AnalysisError: A score is not there, or no metric has enough items.
    """
    names = given.names
    if missing := [name for name in (*human, *metrics) if name not in names]:
        raise AnalysisError(f"No item has the score {missing[0]!r}. There are: {', '.join(names) or 'none'}.")
    wanted = [name for name in metrics or names if name not in human]
    found: list[ScoreCorrelation] = []
    left_out: list[str] = []
    for unit in UNITS:
        units = _units(given.items, unit)
        for metric in wanted if units else ():
            for score in human:
                one = _correlation(units, metric, score, unit, lower, level, draws, seed)
                if one is None:
                    left_out.append(f"{metric} and {score} over {unit}s")
                else:
                    found.append(one)
    if not found:
        raise AnalysisError(
            f"Nothing to correlate: no metric and human score differ over at least {FEWEST} items."
        )
    return ScoreCorrelations(
        tuple(found),
        len(given.items),
        len({one.dialogue for one in given.items if one.dialogue}),
        len({one.bot for one in given.items if one.bot}),
        level,
        seed,
        tuple(_warnings(given, found, left_out)),
    )


def _units(items: Sequence[ScoredRow], unit: Unit) -> list[tuple[str, Mapping[str, float]]]:
    """The cluster and the scores of each unit; nothing where the items do not tell units apart."""
    if unit == "item":
        return [(one.dialogue or f"\0{place}", one.scores) for place, one in enumerate(items)]
    gathered: dict[tuple[str, str], list[ScoredRow]] = {}
    for one in items:
        key = (one.bot, one.bot) if unit == "bot" else (one.dialogue, one.bot)
        if key[0]:
            gathered.setdefault(key, []).append(one)
    if len(gathered) in (0, 1) or (unit == "dialogue" and len(gathered) == len(items)):
        return []
    return [(cluster, _means(some)) for (cluster, _), some in gathered.items()]


def _means(items: Sequence[ScoredRow]) -> dict[str, float]:
    gathered: dict[str, list[float]] = {}
    for one in items:
        for name, value in one.scores.items():
            gathered.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in gathered.items()}


def _correlation(
    units: Sequence[tuple[str, Mapping[str, float]]],
    metric: str,
    human: str,
    unit: Unit,
    lower: Collection[str],
    level: float,
    draws: int,
    seed: int,
) -> ScoreCorrelation | None:
    both = [(cluster, scores) for cluster, scores in units if metric in scores and human in scores]
    sign = -1 if metric in lower or is_lower_better(metric) else 1
    x = [sign * scores[metric] for _, scores in both]
    y = [scores[human] for _, scores in both]
    if len(both) < FEWEST or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    clusters = [cluster for cluster, _ in both]
    rng = np.random.default_rng(seed)
    found = correlations(x, y, clusters, level=level, draws=draws, rng=rng)
    by = "bots" if unit == "bot" else "items" if clusters[0].startswith("\0") else "dialogues"
    return ScoreCorrelation(metric, human, unit, by, found)


def _warnings(given: ScoredRows, found: Sequence[ScoreCorrelation], left_out: Sequence[str]) -> list[str]:
    said = []
    if given.unmatched:
        whole = given.unmatched + len(given.items)
        said.append(f"{given.unmatched:,} of {whole:,} items have no human score and are left out.")
    if left_out:
        said.append(
            f"Left out, since too few items have both or one is the same everywhere: {'; '.join(left_out)}."
        )
    few = {(one.unit, one.found.clusters, one.clusters) for one in found if one.found.has_few_clusters}
    said += [
        f"Over {unit}s there are only {number} {what}: almost any correlation is within reach of almost any "
        "other, and there are no intervals."
        for unit, number, what in sorted(few)
    ]
    said += [
        f"{one.metric} and {one.human} over {one.unit}s: {name} has no interval ({of.why_no_interval})."
        for one in found
        if not one.found.has_few_clusters
        for name, of in one.found.by_name.items()
        if of.interval is None
    ]
    if any(one.clusters == "items" for one in found):
        said.append("No table says which dialogue an item is from: intervals may be too narrow.")
    return said
