"""Dinan et al. (2019), ConvAI2, Table 5: engagingness and persona detection, 100 chats a bot.

The paper prints means and not the ratings they come from. Ratings of 100 annotators that have the printed
mean are made two ways: as alike as whole points allow, and as far apart as the scale allows (1 and 4 only).
"""

import csv
from functools import cache
from pathlib import Path

import pytest

from duologue.likert import ENJOYMENT, RatingSection, analyse_ratings

HERE = Path(__file__).parent
N = 100


@cache
def published() -> dict[str, tuple[float, float]]:
    """Engagingness and persona detection of each team, as printed."""
    with (HERE / "table_5.csv").open(newline="") as file:
        return {
            row["team"]: (float(row["engagingness_1_to_4"]), float(row["persona_detection"]))
            for row in csv.DictReader(file)
        }


def alike(total: int) -> list[int]:
    """Ratings of two neighbouring points with this total."""
    low, rest = divmod(total, N)
    return [low + 1] * rest + [low] * (N - rest)


def far_apart(total: int) -> list[int]:
    """Ratings of 1 and 4, and one between them where the total needs it, with this total."""
    fours, rest = divmod(total - N, 3)
    return [4] * fours + [1 + rest] + [1] * (N - fours - 1)


@cache
def analysed(*, is_alike: bool) -> RatingSection:
    """The table as ratings, analysed; every chat has its own annotator."""
    rows: list[dict[str, object]] = []
    for team, (mean, detected) in published().items():
        total = round(mean * N)
        points = alike(total) if is_alike else far_apart(total)
        assert sum(points) == total
        rows += [
            {
                "bot": team,
                "annotator": f"{team} {number}",
                "rating_enjoyment": point,
                "persona_right": number < round(detected * N),
            }
            for number, point in enumerate(points)
        ]
    return analyse_ratings(rows, questions=[ENJOYMENT]).sections[0]


@pytest.mark.parametrize("is_alike", [True, False])
def test_the_table_comes_back_as_printed(is_alike: bool) -> None:
    found = {
        row.bot: (round(row.ratings[0] or 0, 2), row.persona_detection)
        for row in analysed(is_alike=is_alike).table
    }
    assert found == published()


def test_the_bots_come_in_the_published_order() -> None:
    teams = sorted(published(), key=lambda team: (-published()[team][0], team))
    assert analysed(is_alike=True).bots == tuple(teams)


def test_calibration_without_a_second_rating_of_anybody_alters_nothing() -> None:
    """In the paper calibration did not alter the order; with nobody who rated twice there is none."""
    calibration = analysed(is_alike=False).questions[0].calibration
    assert calibration is not None
    assert calibration.is_order_kept
    assert calibration.annotator_sd == 0


def test_the_winner_is_ahead_however_far_the_ratings_spread() -> None:
    """The paper calls Lost in Conversation's win over Hugging Face significant: it is, at n = 100 each."""
    pairs = {(pair.first, pair.second): pair for pair in analysed(is_alike=False).questions[0].pairs}
    pair = pairs["Lost in Conversation", "Hugging Face"]
    assert pair.difference == pytest.approx(0.43)
    assert pair.p_value is not None
    assert pair.p_value == pytest.approx(0.035, abs=0.001)


def test_happy_minions_persona_cannot_be_told_from_chance() -> None:
    found = {one.bot: one for one in analysed(is_alike=True).personas}
    assert found["Happy Minions"].p_value > 0.05
    assert all(one.p_value < 0.001 for bot, one in found.items() if bot != "Happy Minions")
