"""A leaderboard: entries in order, human scores beside them, and how each metric goes along with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.errors import AnalysisError
from duologue.protocols import BotScore, say_count
from duologue.reports.leaderboard.entries import Entry, latest_of_each, within_limit
from duologue.reports.leaderboard.ranking import RULE, PlacedTeam, place_teams
from duologue.reports.leaderboard.rules import Rules
from duologue.stats import Correlations, correlations

OWN_TOKENS = "perplexity-token"
"""Counts only where the rules name it: bots whose tokens differ cannot be compared by it."""
FEWEST_TEAMS = 4
"""Fewer teams with both numbers have no correlation worth printing: of three, one in three is perfect."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One team: its place, its entry, its human scores by column, and whether it is in the human round."""

    place: PlacedTeam | None
    """None for who entered no metric that counts: people, or a bot that only people judged."""
    team: str
    entry: Entry | None
    human: Mapping[str, BotScore]
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class MetricAgainstHuman:
    """How one metric goes along with one human score over the teams that have both.

    The sign is turned for metrics of which less is better: a positive number always says that the metric
    and people agree.
    """

    metric: str
    human: str
    teams: int
    found: Correlations


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All of it, as page, JSON, CSV and LaTeX show it."""

    title: str
    metrics: tuple[str, ...]
    lower: frozenset[str]
    standings: tuple[Standing, ...]
    human: tuple[str, ...]
    against: tuple[MetricAgainstHuman, ...]
    test_set: str | None
    rule: str = RULE
    winner: str | None = None
    winner_rule: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seed: int = 0


def make_leaderboard(
    entries: Sequence[Entry],
    scores: Sequence[BotScore] = (),
    *,
    rules: Rules | None = None,
    notes: Sequence[str] = (),
    seed: int = 0,
) -> Leaderboard:
    """The leaderboard of entries and human scores.

    Args:
        entries: Submissions; the last of each team counts, of those that the rules allow.
        scores: What people gave bots; those called as a team stand beside its entry.
        rules: What was stated beforehand.
        notes: What was done with the files that the reader of the board must know.
        seed: Of the bootstrap intervals of correlations.

    Raises:
        AnalysisError: There is no entry and no score, entries were made on different test sets, a metric of
            the rules is in no entry or was not computed in the same way in all, or a human score is given
            twice.
    """
    rules = rules or Rules()
    if not entries and not scores:
        raise AnalysisError("Nothing to make a leaderboard of: no entry, and no human score.")
    test_set = _one_test_set(entries, rules)
    over: tuple[str, ...] = ()
    if rules.per_period is not None:
        entries, over = within_limit(entries, per_period=rules.per_period, days=rules.period_days)
    latest = {entry.team: entry for entry in latest_of_each(entries)}
    there = dict.fromkeys(metric for entry in latest.values() for metric in entry.values)
    metrics = tuple(rules.metrics or (metric for metric in there if metric != OWN_TOKENS))
    if missing := [metric for metric in metrics if metric not in there]:
        raise AnalysisError(
            f"No entry has the metric {missing[0]!r}. There are: {', '.join(there) or 'none'}."
        )
    _check_labels(metrics, latest)
    lower = frozenset(rules.lower).union(*(entry.lower for entry in latest.values()))
    values = {
        team: {metric: entry.values[metric].value for metric in metrics if metric in entry.values}
        for team, entry in latest.items()
    }
    places = place_teams(values, lower_is_better=lower)
    human = _by_column(scores)
    standings = _standings(places, latest, human, rules)
    winner, why = _winner(standings, human, rules)
    return Leaderboard(
        rules.title,
        metrics,
        lower & set(metrics),
        standings,
        tuple(human),
        _against(values, human, lower, seed=seed),
        test_set,
        winner=winner,
        winner_rule=why,
        notes=(*notes, *_notes(rules, entries, latest)),
        warnings=(*_warnings(rules, entries), *over, *_without_place(values)),
        seed=seed,
    )


def _one_test_set(entries: Sequence[Entry], rules: Rules) -> str | None:
    """The hash of all entries; the rules may state the first digits of it, as ``metrics run`` prints them."""
    seen: dict[str, str] = {}
    for entry in entries:
        if entry.test_set is not None:
            seen.setdefault(entry.test_set, entry.team)
    if rules.test_set and not (seen and all(one.startswith(rules.test_set) for one in seen)):
        seen = {rules.test_set: "the rules"} | seen
    if len(seen) > 1:
        (first, one), (second, other) = list(seen.items())[:2]
        raise AnalysisError(
            f"The test sets differ: {second[:16]}… of {other}, {first[:16]}… of {one}. "
            "Numbers on different test sets cannot be ranked: run `metrics run` again on one."
        )
    return next(iter(seen), None)


def _check_labels(metrics: Sequence[str], latest: Mapping[str, Entry]) -> None:
    """Refuse to rank numbers that only share a name: hits@1 of 5 candidates and of 20."""
    for metric in metrics:
        seen: dict[str, str] = {}
        for team, entry in latest.items():
            if metric in entry.values and (label := entry.values[metric].label) is not None:
                seen.setdefault(label, team)
        if len(seen) > 1:
            (first, one), (second, other) = list(seen.items())[:2]
            raise AnalysisError(
                f"{metric} is not the same for all: {first!r} of {one}, {second!r} of {other}. Run `metrics "
                "run` again in one way, or leave it out of `metrics` in the rules."
            )


def _without_place(values: Mapping[str, Mapping[str, float]]) -> list[str]:
    return [
        f"{team}: entered none of the metrics that count, and has no place."
        for team, own in values.items()
        if not own
    ]


def _by_column(scores: Sequence[BotScore]) -> dict[str, dict[str, BotScore]]:
    columns: dict[str, dict[str, BotScore]] = {}
    for score in scores:
        column = columns.setdefault(score.part, {})
        if score.bot in column:
            raise AnalysisError(
                f"{score.part} of {score.bot} is given twice. Give each study once, and call the columns of "
                "tables by names of their own."
            )
        column[score.bot] = score
    return columns


def _standings(
    places: Sequence[PlacedTeam],
    latest: Mapping[str, Entry],
    human: Mapping[str, Mapping[str, BotScore]],
    rules: Rules,
) -> tuple[Standing, ...]:
    def of(team: str) -> dict[str, BotScore]:
        return {column: scores[team] for column, scores in human.items() if team in scores}

    ranked = [
        Standing(
            place, place.team, latest[place.team], of(place.team), place.place <= (rules.human_round or 0)
        )
        for place in places
    ]
    placed = {place.team for place in places}
    judged = (bot for scores in human.values() for bot in scores)
    others = dict.fromkeys(team for team in (*latest, *judged) if team not in placed)
    return (*ranked, *(Standing(None, team, latest.get(team), of(team)) for team in others))


def _winner(
    standings: Sequence[Standing], human: Mapping[str, Mapping[str, BotScore]], rules: Rules
) -> tuple[str | None, str]:
    """Who won by the rule stated beforehand, and the rule in words; nobody while there is none to apply."""
    if rules.winner is None:
        return None, ""
    if rules.winner == "place":
        first = [one.team for one in standings if one.place is not None and one.place.place == 1]
        return (first[0] if len(first) == 1 else None), "The first place wins."
    said = f"The highest {rules.winner} wins among the teams of the human round."
    if rules.winner not in human:
        there = f" There are: {'; '.join(human)}." if human else ""
        return None, f"{said} It has not been measured yet.{there}"
    rated = {
        one.team: one.human[rules.winner].value
        for one in standings
        if one.place is not None and rules.winner in one.human and (one.goes_on or not rules.human_round)
    }
    best = [team for team, value in rated.items() if value == max(rated.values())]
    return (best[0] if len(best) == 1 else None), said


def _against(
    values: Mapping[str, Mapping[str, float]],
    human: Mapping[str, Mapping[str, BotScore]],
    lower: frozenset[str],
    *,
    seed: int,
) -> tuple[MetricAgainstHuman, ...]:
    metrics = dict.fromkeys(metric for own in values.values() for metric in own)
    found = []
    for metric in metrics:
        for column, scores in human.items():
            teams = [team for team, own in values.items() if metric in own and team in scores]
            sign = -1 if metric in lower else 1
            x = [sign * values[team][metric] for team in teams]
            y = [scores[team].value for team in teams]
            if len(teams) >= FEWEST_TEAMS and len(set(x)) > 1 and len(set(y)) > 1:
                rng = np.random.default_rng(seed)
                found.append(MetricAgainstHuman(metric, column, len(teams), correlations(x, y, rng=rng)))
    return tuple(found)


def _notes(rules: Rules, entries: Sequence[Entry], latest: Mapping[str, Entry]) -> list[str]:
    notes = []
    if replaced := len(entries) - len(latest):
        notes.append(f"{replaced:,} earlier entries are replaced by later ones of the same team.")
    if not rules.metrics and any(OWN_TOKENS in entry.values for entry in latest.values()):
        notes.append(
            f"{OWN_TOKENS} does not count: each bot has tokens of its own. If all have the same, name it in "
            "`metrics` of the rules."
        )
    if rules.human_round:
        notes.append(f"The first {rules.human_round} places go on to the human round.")
    if rules.per_period is not None:
        often = {1: "once", 2: "twice"}.get(rules.per_period, f"{rules.per_period} times")
        notes.append(f"A team may enter {often} in {say_count(rules.period_days, 'day')}.")
    return notes


def _warnings(rules: Rules, entries: Sequence[Entry]) -> list[str]:
    found = [f"{entry.team}: {warning}" for entry in entries for warning in entry.warnings]
    if rules.per_period is not None and (undated := sum(entry.submitted is None for entry in entries)):
        found.append(f"{undated:,} entries have no day of submission: the limit was not checked for them.")
    return found
