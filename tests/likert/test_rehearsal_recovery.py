from __future__ import annotations

import pytest

from duologue.judgments import Row
from duologue.likert import ENJOYMENT, analyse_ratings
from duologue.likert.rehearsal.means import Means
from duologue.likert.rehearsal.recovery import RatingRecovery, rating_recoveries
from duologue.rehearsal import Finding


def rated(bot: str, *points: int) -> list[Row]:
    return [
        {"bot": bot, "annotator": f"{bot}-{number}", "rating_enjoyment": point, "arm": "main"}
        for number, point in enumerate(points)
    ]


HIGH, LOW = (4, 4, 3, 4) * 6, (1, 2, 1, 1) * 6


@pytest.mark.parametrize(
    ("first", "second", "true_means", "finding"),
    [
        (HIGH, LOW, (3.5, 1.5), "recovered"),
        (HIGH, LOW, (1.5, 3.5), "wrong"),
        (HIGH, LOW, (2.5, 2.5), "wrong"),
        (HIGH, HIGH[1:], (3.5, 1.5), "undecided"),
        (HIGH, HIGH[1:], (2.5, 2.5), "recovered"),
    ],
)
def test_a_verdict_is_held_against_the_true_means(
    first: tuple[int, ...], second: tuple[int, ...], true_means: tuple[float, float], finding: Finding
) -> None:
    results = analyse_ratings([*rated("a", *first), *rated("b", *second)], questions=[ENJOYMENT])
    truth = Means({}, dict(zip("ab", true_means, strict=True)))
    (recovery,) = rating_recoveries(results, truth)
    assert recovery.finding == finding
    assert recovery.question == "enjoyment"
    assert recovery.ratings == len(first) + len(second)
    assert recovery.sentence
    by_bot = dict(zip((recovery.first, recovery.second), recovery.true_means, strict=True))
    assert (by_bot["a"], by_bot["b"]) == true_means
    found = dict(zip((recovery.first, recovery.second), recovery.means, strict=True))
    assert found["a"] == pytest.approx(sum(first) / len(first))


def test_the_true_means_are_told_with_those_found_the_truly_better_bot_first() -> None:
    found = RatingRecovery("main", "fun", "a", "b", (2.0, 3.0), (2.25, 2.75), 40, "undecided", "Equal.")
    assert found.in_words().said == "fun of b over a, true means 3.00 and 2.00, estimated 2.75 and 2.25"
    assert found.in_words().record["true_means"] == [2.0, 3.0]
