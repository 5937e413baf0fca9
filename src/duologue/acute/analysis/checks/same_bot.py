"""A/A matchups: a bot compared with itself, where only chance and the side decide. They give no verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.results import SameBotResult
from duologue.judgments import Votes
from duologue.protocols import say_list, say_p, say_percent, say_span
from duologue.stats import ExactRate, clustered_rate, holm, wilson_interval


def same_bot_results(votes: Votes, *, level: float) -> tuple[SameBotResult, ...]:
    """Every bot that was compared with itself: the sides should come out even."""
    same = votes.winner == votes.loser
    found = [
        _same_bot(votes, votes.bots[code], np.flatnonzero(same & (votes.winner == code)), level=level)
        for code in sorted(np.unique(votes.winner[same]).tolist(), key=lambda code: votes.bots[code])
    ]
    adjusted = holm([1.0 if one.p_value is None else one.p_value for one in found])
    return tuple(
        _judged_even(one, is_even=bool(p > 1 - level)) for one, p in zip(found, adjusted, strict=True)
    )


def _same_bot(votes: Votes, bot: str, rows: NDArray[np.intp], *, level: float) -> SameBotResult:
    decided = rows[~votes.is_tie[rows]]
    n, ties = len(decided), len(rows) - len(decided)
    if n == 0 or (votes.winner_side[decided] == 0).any():
        why = "all judgments are ties" if n == 0 else "the sides are not known"
        return SameBotResult(bot, n, ties, None, None, None, f"{bot} against itself: {why}.")
    on_1 = votes.winner_side[decided] == 1
    wins = int(on_1.sum())
    interval = wilson_interval(wins, n, level=level)
    p_value = ExactRate(wins, n - wins).p_value
    annotators = votes.annotator.own_codes[decided]
    if 1 < len(np.unique(annotators)) < n:
        p_value = max(p_value, clustered_rate(on_1.astype(np.float64), [annotators], level=level).p_value)
    return SameBotResult(bot, n, ties, wins, interval, p_value, "")


def _judged_even(found: SameBotResult, *, is_even: bool) -> SameBotResult:
    """The same with its sentence, where there is something to test."""
    if found.side_1 is None or found.interval is None or found.p_value is None:
        return found
    share = say_percent(found.side_1 / found.n)
    said = "no difference detected, as it should be." if is_even else "there should be no difference."
    sentence = (
        f"{found.bot} against itself: side 1 won {found.side_1:,} of {found.n:,}, {share} "
        f"{say_span(found.interval.low, found.interval.high)}, {say_p(found.p_value)}: {said}"
    )
    return replace(found, sentence=sentence, is_even=is_even)


def same_bot_warnings(found: Sequence[SameBotResult]) -> Iterator[str]:
    """A warning where a bot against itself did not come out even."""
    uneven = [one for one in found if not one.is_even]
    if uneven:
        yield (
            f"The A/A check failed: {say_list(one.bot for one in uneven)} compared with "
            f"{'itself' if len(uneven) == 1 else 'themselves'} should come out near 50–50 and did not "
            f"({say_list(f'side 1 won {one.side_1:,} of {one.n:,}' for one in uneven)}). Something else than "
            "the bots decides: look at how dialogues are shown, and at annotators who choose by side."
        )
