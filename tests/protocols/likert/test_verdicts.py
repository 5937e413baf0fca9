"""A verdict is a sentence with its numbers, and says when another analysis disagrees."""

from duologue.protocols.likert.results import ClusteredGap
from duologue.protocols.likert.verdicts import Compared, verdict_on
from duologue.stats import Interval


def compared(p: float, *, clustered: float | None = None, gap: float = 0.4) -> Compared:
    interval = Interval(gap - 0.3, gap + 0.3, 0.95, "welch")
    found = ClusteredGap(gap, interval, clustered, clustered, (9,), "CR3") if clustered is not None else None
    return Compared("ada", "bea", (50, 40), (2.4 + gap, 2.4), 1.0, interval, p, p, gap, found)


def test_a_difference_is_told_with_all_its_numbers() -> None:
    verdict = verdict_on(compared(0.01), alpha=0.05, family=1)
    assert verdict.sentence == (
        "ada is rated higher than bea (2.80 against 2.40, difference 0.40 [0.10, 0.70], p = 0.010, "
        "n = 50 and 40)."
    )
    assert (verdict.better, verdict.clustered_agrees, verdict.more_per_bot) == ("ada", None, None)


def test_a_clustered_test_that_disagrees_is_told_in_the_same_sentence() -> None:
    verdict = verdict_on(compared(0.01, clustered=0.2), alpha=0.05, family=1)
    assert verdict.clustered_agrees is False
    assert "but this does not hold up when ratings by the same annotator" in verdict.sentence
    assert verdict_on(compared(0.01, clustered=0.02), alpha=0.05, family=1).clustered_agrees is True


def test_no_difference_says_how_many_more_ratings_would_show_one() -> None:
    verdict = verdict_on(compared(0.2), alpha=0.05, family=1)
    assert verdict.better is None
    assert verdict.more_per_bot == 60  # 100 for 0.4 standard deviations, and the smaller group has 40
    assert "about 60 more ratings of each bot" in verdict.sentence
    shared = verdict_on(compared(0.2), alpha=0.05, family=3)
    assert shared.more_per_bot is not None
    assert shared.more_per_bot > 60


def test_a_tiny_difference_is_not_planned_for() -> None:
    verdict = verdict_on(compared(0.9, gap=0.01), alpha=0.05, family=1)
    assert verdict.more_per_bot is None
    assert "too small to plan for" in verdict.sentence
