"""Comparisons of turns as results: numbers beside each verdict, and the verdict in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duologue.per_turn.analysis.deciding import DecidedComparison
from duologue.per_turn.analysis.results import AllBots, NullComparison, TurnPair, TurnVerdict
from duologue.per_turn.analysis.tables import TurnTable
from duologue.protocols import say_count, say_level, say_list, say_p, say_percent, say_span
from duologue.stats import Decision, Interval, mcnemar_test, normal_interval

NOTHING_SAID = ", so that nothing can be said about the bots."


def pair_of(table: TurnTable, decided: DecidedComparison) -> TurnPair:
    """Two bots of a section."""
    first, second = decided.weighed.bots
    ours, theirs = (table.selected[:, table.key.bots.index(bot)] for bot in (first, second))
    only_first, only_second = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    has_differed = only_first + only_second > 0
    test = mcnemar_test(only_first, only_second, method="chi-square") if has_differed else None
    decision = decided.decision
    rates = _shares(table, decided)
    return TurnPair(
        first=first,
        second=second,
        turns=len(table),
        only_first=only_first,
        only_second=only_second,
        tie_wins=int((ours & theirs).sum()),
        tie_losses=int((~ours & ~theirs).sum()),
        difference=rates[0] - rates[1],
        interval=decision.interval if decision else None,
        interval_unadjusted=decision.unadjusted if decision else None,
        chi_square=test.statistic if test else None,
        p_chi_square=test.p_value if test else None,
        tested=decided.tested(),
        verdict=_pair_verdict(table, decided, rates),
    )


def _shares(table: TurnTable, decided: DecidedComparison) -> tuple[float, ...]:
    """How often the bots of a comparison were selected; position-adjusted where those rates were tested."""
    places = [table.key.bots.index(bot) for bot in decided.weighed.bots]
    return decided.weighed.adjusted or tuple(float(table.selected[:, place].mean()) for place in places)


def _pair_verdict(table: TurnTable, decided: DecidedComparison, rates: Sequence[float]) -> TurnVerdict:
    first, second = decided.weighed.bots
    decision = decided.decision
    adjusted = "; rates are position-adjusted" if decided.weighed.adjusted else ""
    turns = f"of {say_count(len(table), 'turn')}"
    seen = f"{first} was selected on {say_percent(rates[0])} and {second} on {say_percent(rates[1])} {turns}"
    if decision is None:
        return _nothing(decided, f"No verdict on {first} and {second}", seen)
    is_turned = rates[1] > rates[0]
    better, other = (second, first) if is_turned else (first, second)
    low, high = decision.interval.limits
    limits = (-high, -low) if is_turned else (low, high)
    numbers = (
        f"{turns} ({better} minus {other}: {_points(abs(rates[0] - rates[1]))}, "
        f"{say_level(decision.interval.level)} interval {say_span(*limits)}, {_p(decision)}{adjusted})."
    )
    if not decision.is_different:
        whole_test = ""
        if decided.weighed.tests[decision.deciding] == "all bots":
            whole_test = " The test of all bots at once found no difference, so that no pair is told apart."
        shares = f"{say_percent(rates[0])} and {say_percent(rates[1])}"
        said = f"No difference detected between {first} and {second}: {shares} {numbers}{whole_test}"
        return TurnVerdict(said)
    shares = f"{say_percent(max(rates))} against {say_percent(min(rates))}"
    said = f"{better} is selected more often than {other}: {shares} {numbers}"
    return TurnVerdict(said, better=better, is_different=True)


def _p(decision: Decision) -> str:
    adjusted = f", Holm over {decision.family}" if decision.family > 1 else ""
    return f"{say_p(decision.p_adjusted)}{adjusted}"


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f} points"


def _nothing(decided: DecidedComparison, what: str, seen: str) -> TurnVerdict:
    why = decided.weighed.why_none
    return TurnVerdict(f"{what}: {why}{NOTHING_SAID} {seen}.", why_none=why)


def all_bots_of(table: TurnTable, decided: DecidedComparison) -> AllBots:
    """All bots of a section at once."""
    weighed = decided.weighed
    equality = weighed.equality
    return AllBots(
        statistic=weighed.q.statistic if weighed.q else None,
        df=len(table.key.bots) - 1,
        clustered_statistic=equality.statistic if equality else None,
        clustered_df=equality.df if equality else (),
        tested=decided.tested(),
        verdict=_all_verdict(table, decided),
    )


def _all_verdict(table: TurnTable, decided: DecidedComparison) -> TurnVerdict:
    shares = _shares(table, decided)
    order = np.argsort(-np.array(shares), kind="stable").tolist()
    rates = say_list([f"{table.key.bots[one]} on {say_percent(shares[one])}" for one in order])
    adjusted = " (position-adjusted)" if decided.weighed.adjusted else ""
    seen = f"Selected of {say_count(len(table), 'turn')}{adjusted}: {rates}"
    decision = decided.decision
    if decision is None:
        return _nothing(decided, "No verdict on all bots", seen)
    numbers = f"{seen} ({_p(decision)})."
    if decision.is_different:
        return TurnVerdict(f"The bots are not selected equally often. {numbers}", is_different=True)
    return TurnVerdict(f"No difference detected between the bots as a whole. {numbers}")


def against_of(table: TurnTable, decided: DecidedComparison, *, null: float, level: float) -> NullComparison:
    """The one bot of a section against its standard."""
    (bot,) = decided.weighed.bots
    wins = int(table.selected[:, 0].sum())
    decision = decided.decision
    interval = _moved(decision.interval, null) if decision else None
    return NullComparison(
        bot=bot,
        null=null,
        interval=interval,
        normal_interval=normal_interval(wins, len(table), level=level),
        tested=decided.tested(),
        verdict=_null_verdict(table, decided, interval, null),
    )


def _moved(interval: Interval, null: float) -> Interval:
    return replace(interval, low=interval.low + null, high=interval.high + null)


def _null_verdict(
    table: TurnTable, decided: DecidedComparison, interval: Interval | None, null: float
) -> TurnVerdict:
    (bot,) = decided.weighed.bots
    rate = float(table.selected[:, 0].mean())
    seen = f"{bot} was selected on {say_percent(rate)} of {say_count(len(table), 'turn')}"
    decision = decided.decision
    if interval is None or decision is None:
        return _nothing(decided, f"No verdict on {bot}", seen)
    numbers = f"{seen} ({say_level(interval.level)} interval {say_span(*interval.limits)}, {_p(decision)})."
    standard = f"the standard of {say_percent(null)}"
    if not decided.is_different:
        return TurnVerdict(f"No difference detected between {bot} and {standard}: {numbers}")
    place = "above" if rate > null else "below"
    better = bot if rate > null else None
    return TurnVerdict(f"{bot} is {place} {standard}: {numbers}", better=better, is_different=True)
