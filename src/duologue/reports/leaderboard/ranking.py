"""The order of a leaderboard: a team is as good as its best rank in any metric that it entered (ConvAI2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

RULE = (
    "A team's rank is its best rank over the metrics that it entered. Teams with the same best rank are "
    "ordered by their next best, and so on; a metric that was not entered comes last. In one metric, equal "
    "numbers have equal ranks."
)


@dataclass(frozen=True, slots=True)
class PlacedTeam:
    """Where a team stands: its place, its best rank, and its rank in every metric that it entered."""

    team: str
    place: int
    best: int
    ranks: Mapping[str, int]


def place_teams(
    entered: Mapping[str, Mapping[str, float]], *, lower_is_better: Collection[str] = ()
) -> tuple[PlacedTeam, ...]:
    """The teams in order, the best first; teams that the rule cannot tell apart share a place.

    Args:
        entered: For every team the value of each metric that it entered.
        lower_is_better: Metrics of which less is better, such as perplexity.

    Example:
        >>> teams = {"a": {"ppl": 20.0}, "b": {"ppl": 30.0, "f1": 0.2}, "c": {"f1": 0.1}}
        >>> [(one.place, one.team, one.best) for one in place_teams(teams, lower_is_better={"ppl"})]
        [(1, 'b', 1), (2, 'a', 1), (3, 'c', 2)]
    """
    metrics = dict.fromkeys(metric for values in entered.values() for metric in values)
    ranks: dict[str, dict[str, int]] = {team: {} for team, values in entered.items() if values}
    for metric in metrics:
        sign = 1 if metric in lower_is_better else -1
        values = {team: sign * entered[team][metric] for team in ranks if metric in entered[team]}
        for team, value in values.items():
            ranks[team][metric] = 1 + sum(other < value for other in values.values())
    vectors = {
        team: (*sorted(own.values()), *[math.inf] * (len(metrics) - len(own))) for team, own in ranks.items()
    }
    ordered = sorted(vectors, key=lambda team: (vectors[team], team))
    return tuple(
        PlacedTeam(
            team,
            1 + sum(other < vectors[team] for other in vectors.values()),
            min(ranks[team].values()),
            ranks[team],
        )
        for team in ordered
    )
