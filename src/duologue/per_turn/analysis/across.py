"""Sections beside each other: do settings and mechanisms agree, and who selects only to avoid writing?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from duologue.errors import NotEnoughJudgments
from duologue.per_turn.analysis.results import (
    SHORT,
    NoneSelectedRates,
    PairAcross,
    SettingOfPair,
    TurnSection,
)
from duologue.per_turn.analysis.sensitivity import turns_needed
from duologue.per_turn.analysis.tables import TurnTable
from duologue.protocols import say_list, say_p, say_percent
from duologue.stats import clustered_difference


def pairs_across(sections: Sequence[TurnSection], *, alpha: float, power: float) -> tuple[PairAcross, ...]:
    """Every two bots that several sections compare by the main question.

    Args:
        sections: All of them.
        alpha: Of one comparison, for the turns that each section needs.
        power: The power that was planned, for the same.
    """
    found: defaultdict[tuple[str, str], list[SettingOfPair]] = defaultdict(list)
    for section in sections:
        for pair in section.pairs if not section.question else ():
            if not pair.verdict.why_none:
                found[pair.first, pair.second].append(
                    SettingOfPair(
                        section.title,
                        section.design,
                        pair.turns,
                        pair.difference,
                        pair.verdict.better,
                        turns_needed(section, pair, alpha=alpha, power=power),
                    )
                )
    return tuple(_across(*two, settings) for two, settings in sorted(found.items()) if len(settings) > 1)


def _across(first: str, second: str, settings: Sequence[SettingOfPair]) -> PairAcross:
    verdicts = {one.better for one in settings}
    return PairAcross(
        first=first,
        second=second,
        settings=tuple(settings),
        same_direction=len({np.sign(one.difference) for one in settings} - {0.0}) <= 1,
        same_verdict=len(verdicts) == 1,
        contradict={first, second} <= verdicts,
    )


def none_rates(tables: Sequence[TurnTable], *, level: float) -> tuple[NoneSelectedRates, ...]:
    """Where the same bots were judged under SATA-Random and SATA-User: how often nothing was selected."""
    return tuple(_none_rates(tables, level))


def _none_rates(tables: Sequence[TurnTable], level: float) -> Iterator[NoneSelectedRates]:
    main = [table for table in tables if not table.key.question and len(table)]
    for user in main:
        for random in main:
            same = (
                user.key.mechanism == random.key.mechanism
                and user.key.bots == random.key.bots
                and user.key.revision == random.key.revision
            )
            if same and user.key.setting == "sata-user" and random.key.setting == "sata-random":
                yield _compared(user, random, level)


def _compared(user: TurnTable, random: TurnTable, level: float) -> NoneSelectedRates:
    nothing = [(~table.selected.any(axis=1)).astype(np.float64) for table in (user, random)]
    rates = [float(one.mean()) for one in nothing]
    try:
        found = clustered_difference(
            nothing[0],
            nothing[1],
            [user.dialogue, user.annotator],
            [random.dialogue, random.annotator],
            level=level,
        )
    except NotEnoughJudgments:
        found = None
    tested = "" if found is None else f" ({say_p(found.p_value)})"
    sentence = (
        f"{SHORT[user.key.mechanism]} of {say_list(user.key.bots)}: nothing was selected on "
        f"{say_percent(rates[0])} of turns where the annotator must then write a reply "
        f"(SATA-User), and on {say_percent(rates[1])} where a random one is taken (SATA-Random){tested}."
    )
    return NoneSelectedRates(
        mechanism=user.key.mechanism,
        bots=user.key.bots,
        random_rate=rates[1],
        user_rate=rates[0],
        difference=rates[0] - rates[1],
        interval=None if found is None else found.interval,
        p_value=None if found is None else found.p_value,
        sentence=sentence,
    )
