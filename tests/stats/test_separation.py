"""How far a question separates bots: by hand, by a naive twin, and what must not change it."""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ncx2

from duologue.errors import BadNumber
from duologue.stats import RelativeCost, Separation, relative_cost, separation
from duologue.stats.agreement.separation import FEWEST_DIALOGUES
from duologue.stats.planning.chi_square_power import noncentrality_interval

JI = Path(__file__).parents[3] / "shared" / "data" / "ji2022_run1" / "ratings.csv"


def of(
    scores: list[float],
    matchups: list[int] | None = None,
    annotators: list[int] | None = None,
    dialogues: list[list[int]] | None = None,
) -> Separation:
    found = separation(
        scores,
        matchups or [0] * len(scores),
        annotators=annotators or list(range(len(scores))),
        dialogues=dialogues or [],
    )
    assert found is not None
    return found


def naive(scores: list[float], matchups: list[int], annotators: list[int], dialogues: list[int]) -> float:
    """The statistic by plain loops."""
    statistic = 0.0
    for matchup in set(matchups):
        own = [number for number, one in enumerate(matchups) if one == matchup]
        scatters = [sum(scores[number] ** 2 for number in own)]
        for kind, fewest in ((annotators, 0), (dialogues, FEWEST_DIALOGUES)):
            sums: dict[int, float] = defaultdict(float)
            for number in own:
                sums[kind[number]] += scores[number]
            if len(sums) >= fewest:
                scatters.append(sum(one**2 for one in sums.values()))
        if max(scatters) > 0:
            statistic += sum(scores[number] for number in own) ** 2 / max(scatters)
    return statistic


judgments = st.lists(
    st.tuples(
        st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), st.integers(0, 2), st.integers(0, 5), st.integers(0, 9)
    ),
    min_size=4,
    max_size=60,
)


def test_fifteen_of_twenty_by_hand() -> None:
    # (15 − 5)² / 20 = 5; less 1; over 20 − 1 judgments.
    found = of([1.0] * 15 + [-1.0] * 5)
    assert found.statistic == 5
    assert found.noncentrality == 4
    assert found.per_judgment == pytest.approx(4 / 19)
    assert (found.n, found.matchups) == (20, 1)


def test_ties_cost_judgments_but_say_nothing() -> None:
    # (8 − 2)² / 10 = 3.6; less 1; over 30 − 1.
    found = of([1.0] * 8 + [-1.0] * 2 + [0.0] * 20)
    assert found.statistic == pytest.approx(3.6)
    assert found.per_judgment == pytest.approx(2.6 / 29)
    assert of([0.0] * 9).statistic == 0


def test_slight_answers_weigh_half() -> None:
    # (6 + 4/2)² / (6 + 4/4) = 64/7.
    assert of([1.0] * 6 + [0.5] * 4).statistic == pytest.approx(64 / 7)


def test_several_judgments_of_one_annotator_count_together() -> None:
    # Sums 2, 2, 2, −2: (4)² / 16 = 1.
    assert of([1.0] * 6 + [-1.0] * 2, annotators=[0, 0, 1, 1, 2, 2, 3, 3]).statistic == 1
    # An annotator who contradicts himself is not worth more than two single judgments.
    assert of([1.0, -1.0, 1.0, 1.0], annotators=[0, 0, 1, 2]).statistic == 1


def test_few_dialogues_are_no_sample_of_others() -> None:
    scores = [1.0] * 18 + [-1.0] * 6
    five, six = [number % 5 for number in range(24)], [number // 4 for number in range(24)]
    assert of(scores, dialogues=[five]).statistic == of(scores).statistic == 6
    # Sums of the dialogues: four of 4, 2 + −2 = 0 …: 4, 4, 4, 4, 0, −4.
    assert of(scores, dialogues=[six]).statistic == pytest.approx(12**2 / (5 * 16))


def test_unanimous_judgments_separate_all_that_can_be() -> None:
    found = of([1.0] * 20)
    assert found.per_judgment == 1
    assert found.interval.high == 1
    assert 0.3 < found.interval.low < 0.7


def test_few_judgments_that_are_even_do_not_show_that_nothing_is_separated() -> None:
    even = of([1.0, -1.0] * 10)
    assert even.per_judgment == 0
    assert even.interval.low == 0
    # As high as (1 + 1.96)² / 19, what one beyond even gives.
    assert even.interval.high == pytest.approx((1 + 1.959964) ** 2 / 19, rel=1e-3)
    assert of([1.0, -1.0] * 200).interval.high < 0.03


def test_one_judgment_of_each_matchup_says_nothing() -> None:
    assert separation([1.0, 1.0], [0, 1], annotators=[0, 1]) is None
    with pytest.raises(BadNumber):
        separation([2.0], [0], annotators=[0])


@given(judgments)
@settings(max_examples=60)
def test_the_statistic_is_that_of_the_naive_twin(rows: list[tuple[float, int, int, int]]) -> None:
    scores, matchups, annotators, dialogues = (list(column) for column in zip(*rows, strict=True))
    found = separation(scores, matchups, annotators=annotators, dialogues=[dialogues])
    if found is None:
        assert len(scores) == len(set(matchups))
        return
    expected = naive(scores, matchups, annotators, dialogues)
    assert found.statistic == pytest.approx(expected)
    assert found.per_judgment == pytest.approx(
        max(0.0, expected - found.matchups) / (len(scores) - found.matchups)
    )
    assert 0 <= found.interval.low <= found.per_judgment + 1e-9
    assert found.per_judgment <= found.interval.high + 1e-9 <= 1 + 1e-9


@given(judgments, st.permutations(range(6)), st.permutations(range(3)))
@settings(max_examples=40)
def test_names_and_order_and_which_bot_is_first_change_nothing(
    rows: list[tuple[float, int, int, int]], people: list[int], places: list[int]
) -> None:
    def found(rows: list[tuple[float, int, int, int]]) -> float | None:
        scores, matchups, annotators, dialogues = (list(column) for column in zip(*rows, strict=True))
        result = separation(scores, matchups, annotators=annotators, dialogues=[dialogues])
        return None if result is None else result.statistic

    turned = [(-s if m == 1 else s, places[m], people[a], 9 - d) for s, m, a, d in reversed(rows)]
    ours, theirs = found(rows), found(turned)
    assert (ours is None) == (theirs is None)
    if ours is not None:
        assert theirs == pytest.approx(ours)


@given(judgments)
@settings(max_examples=40)
def test_twice_the_people_who_judge_alike_double_the_statistic(
    rows: list[tuple[float, int, int, int]],
) -> None:
    scores, matchups, annotators, _ = (list(column) for column in zip(*rows, strict=True))
    once = separation(scores, matchups, annotators=annotators)
    twice = separation(scores * 2, matchups * 2, annotators=annotators + [one + 6 for one in annotators])
    assert twice is not None
    if once is not None:
        assert twice.statistic == pytest.approx(2 * once.statistic)


def test_equal_bots_are_separated_by_nothing_on_average() -> None:
    rng = np.random.default_rng(20)
    people, matchups = np.repeat(np.arange(30), 6), np.tile(np.arange(6), 30)
    raw = [
        (found.statistic - found.matchups) / (found.n - found.matchups)
        for drawn in rng.choice([-1, 1], (2_000, 30, 6))
        if (found := separation(drawn.ravel(), matchups, annotators=people))
    ]
    assert abs(np.mean(raw)) < 4 * np.std(raw) / np.sqrt(len(raw))


@pytest.mark.parametrize("rate", [0.6, 0.75, 0.9])
def test_separation_of_choices_is_unbiased_and_its_interval_covers(rate: float) -> None:
    rng = np.random.default_rng(int(rate * 100))
    truth, covered, found = (2 * rate - 1) ** 2, 0, []
    for _ in range(1_000):
        own = separation(np.where(rng.random(40) < rate, 1, -1), np.zeros(40, int), annotators=np.arange(40))
        assert own is not None
        covered += truth in own.interval
        found.append((own.statistic - 1) / 39)
    assert np.mean(found) == pytest.approx(truth, abs=4 * np.std(found) / np.sqrt(1_000))
    assert covered >= 940


def test_the_interval_of_a_noncentrality_is_where_the_distribution_says() -> None:
    low, high = noncentrality_interval(20.0, df=3)
    assert ncx2.sf(20, 3, low) == pytest.approx(0.025, abs=1e-6)
    assert ncx2.cdf(20, 3, high) == pytest.approx(0.025, abs=1e-6)
    assert noncentrality_interval(0.5, df=3)[0] == 0
    assert noncentrality_interval(0.01, df=3) == (0, 0)


def test_a_question_needs_judgments_in_inverse_proportion() -> None:
    best, weak = of([1.0] * 180 + [-1.0] * 20), of([1.0] * 140 + [-1.0] * 60)
    cost = relative_cost(weak, best)
    # (160² / 200 − 1) / (80² / 200 − 1) = 127 / 31
    assert cost.times == pytest.approx(127 / 31)
    assert cost.high is not None
    assert 1 < cost.low < 127 / 31 < cost.high
    back = relative_cost(best, weak)
    assert back.high is not None
    assert (back.low, back.high) == pytest.approx((1 / cost.high, 1 / cost.low))
    assert relative_cost(best, best) == RelativeCost(1.0, 1.0, 1.0, 0.95)


def test_where_a_question_may_separate_nothing_there_is_no_limit() -> None:
    best, weak, none = of([1.0] * 20), of([1.0] * 13 + [-1.0] * 7), of([1.0, -1.0] * 10)
    assert relative_cost(weak, best).high is None
    assert relative_cost(none, best) == RelativeCost(None, 0.0, None, 0.95)


def test_more_than_fifty_annotators_are_left_out_in_groups() -> None:
    rng = np.random.default_rng(3)
    drawn = np.where(rng.random(600) < 0.7, 1.0, -1.0)
    grouped = separation(drawn, np.arange(600) % 3, annotators=np.arange(600) // 3)
    assert grouped is not None
    assert grouped.interval.low < 0.16 < grouped.interval.high
    assert grouped.interval.high - grouped.interval.low < 0.2


@pytest.mark.skipif(not JI.exists(), reason="the ratings of Ji et al. (2022) are not here")
def test_questions_of_ji_2022_separate_bots_unequally() -> None:
    """Ratings by people whose control passed, read as comparisons of two bots in one assignment."""
    with JI.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["published_qc"] == "pass"]
    people = {name: number for number, name in enumerate(sorted({row["worker"] for row in rows}))}
    bots = {name: number for number, name in enumerate(sorted({row["model"] for row in rows}))}
    by_assignment: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        if row["model"] != "QualityControl":
            by_assignment[row["assignment"]].append(row)
    found = {}
    for question in ("robotic", "interesting", "fun", "consistent", "fluent", "repetitive", "topic"):
        scores, matchups, annotators = [], [], []
        for own in by_assignment.values():
            for one, other in itertools.combinations(sorted(own, key=lambda row: row["model"]), 2):
                scores.append(float(np.sign(float(one[question]) - float(other[question]))))
                matchups.append(bots[one["model"]] * 20 + bots[other["model"]])
                annotators.append(people[one["worker"]])
        separated = separation(scores, matchups, annotators=annotators)
        assert separated is not None
        assert (separated.n, separated.matchups) == (2_150, 40)
        found[question] = round(separated.noncentrality)
    assert found == {
        **{"robotic": 89, "interesting": 269, "fun": 248, "consistent": 190},
        **{"fluent": 161, "repetitive": 266, "topic": 380},
    }
