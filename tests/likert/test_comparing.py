"""Means, intervals, pairs and calibration of one question."""

import numpy as np
import pytest
from scipy import stats

from duologue.likert import ENJOYMENT, QuestionResult, analyse_ratings
from duologue.likert.report.text import question_sentences
from tests.likert.rated import rated


def question(rows: list[dict[str, object]]) -> QuestionResult:
    return analyse_ratings(rows, questions=[ENJOYMENT]).sections[0].questions[0]


def points(rows: list[dict[str, object]], bot: str) -> list[int]:
    return [int(str(row["rating_enjoyment"])) for row in rows if row["bot"] == bot]


def test_means_spreads_and_tests_are_those_of_scipy() -> None:
    rows = rated({"ada": 3.0, "bea": 2.2}, people=25)
    found = question(rows)
    ada, bea = points(rows, "ada"), points(rows, "bea")
    test = stats.ttest_ind(ada, bea, equal_var=False)
    pair = found.pairs[0]
    assert pair.p_welch == pytest.approx(test.pvalue)
    assert found.bots[0].mean == pytest.approx(np.mean(ada))
    assert found.bots[0].sd == pytest.approx(np.std(ada, ddof=1))
    low, high = stats.t.interval(0.95, 24, np.mean(ada), stats.sem(ada))
    naive = found.bots[0].naive_interval
    assert naive is not None
    assert [naive.low, naive.high] == pytest.approx([low, high])
    assert naive.method == "t"
    assert found.bots[0].counts == tuple(ada.count(point) for point in (1, 2, 3, 4))


def test_who_rated_both_bots_makes_the_clustered_test_a_paired_one() -> None:
    rows = rated({"ada": 2.7, "bea": 2.4}, people=30, leniency=1.0, noise=0.2)
    pair = question(rows).pairs[0]
    assert pair.clustered is not None
    paired = stats.ttest_rel(points(rows, "ada"), points(rows, "bea"))
    assert pair.clustered.p_value == pytest.approx(paired.pvalue, rel=1e-6)
    assert pair.p_value == pytest.approx(paired.pvalue, rel=1e-6)
    assert pair.p_welch is not None
    assert paired.pvalue < 0.05 < pair.p_welch
    assert pair.verdict.better == "ada"


def test_many_ratings_of_few_annotators_widen_the_interval() -> None:
    rows = [{**row, "annotator": f"p{n % 4}"} for n, row in enumerate(rated({"ada": 2.5, "bea": 2.5}))]
    rows = [{**row, "rating_enjoyment": 4 if row["annotator"] in ("p0", "p1") else 1} for row in rows]
    found = question(rows)
    for one in found.bots:
        assert one.interval is not None
        assert one.naive_interval is not None
        assert one.interval.high - one.interval.low > one.naive_interval.high - one.naive_interval.low
    assert found.bots[0].icc == pytest.approx(1.0)


def test_lenient_annotators_are_evened_out() -> None:
    """Lenient people rated ada and harsh ones bea, who is better by those who rated both."""
    rows: list[dict[str, object]] = []
    for n in range(20):
        rows.append({"bot": "ada", "annotator": f"kind{n}", "rating_enjoyment": 4, "arm": ""})
        rows.append({"bot": "cy", "annotator": f"kind{n}", "rating_enjoyment": 3 + n % 2, "arm": ""})
        rows.append({"bot": "bea", "annotator": f"harsh{n}", "rating_enjoyment": 3 - n % 2, "arm": ""})
        rows.append({"bot": "cy", "annotator": f"harsh{n}", "rating_enjoyment": 1, "arm": ""})
    found = question(rows)
    assert found.calibration is not None
    assert found.calibration.order_before == ("ada", "bea", "cy")
    assert found.calibration.order_after == ("bea", "ada", "cy")
    assert not found.calibration.is_order_kept
    assert "changes the order of bea and ada" in found.calibration.sentence
    assert found.calibration.leniency[0].annotator.startswith("kind")
    assert found.calibration.leniency[-1].annotator.startswith("harsh")
    assert found.calibration.leniency[0].bias > 0 > found.calibration.leniency[-1].bias
    assert [one.bot for one in found.bots] == ["bea", "ada", "cy"]
    gap = next(pair for pair in found.pairs if {pair.first, pair.second} == {"ada", "bea"})
    assert gap.calibrated is not None
    assert (gap.first, gap.verdict.better) == ("bea", "bea")
    assert gap.means[0] < gap.means[1]
    assert gap.difference == gap.calibrated.difference > 0
    assert gap.calibrated.first_is_better > 0.5


def test_the_published_variances_give_the_closed_form() -> None:
    """Kulikov's model with all variances 1 about 2.5: worked out by hand for nine ratings (see STATS)."""
    given = [
        (0, 0, 4),
        (0, 1, 3),
        (0, 2, 2),
        (1, 0, 3),
        (1, 1, 3),
        (1, 2, 1),
        (1, 3, 2),
        (2, 3, 2),
        (2, 1, 4),
    ]
    rows: list[dict[str, object]] = [
        {"bot": f"m{bot}", "annotator": f"a{who}", "rating_enjoyment": score} for bot, who, score in given
    ]
    found = question(rows)
    assert found.calibration is not None
    means = dict(zip((one.bot for one in found.bots), found.calibration.published_means, strict=True))
    assert means["m0"] == pytest.approx(2.730901, abs=1e-6)
    assert means["m1"] == pytest.approx(2.251995, abs=1e-6)
    assert means["m2"] == pytest.approx(2.757127, abs=1e-6)


def test_the_published_variances_belong_to_a_scale_from_1_to_4() -> None:
    rows = [
        {**row, "rating": row["rating_enjoyment"], "rating_enjoyment": ""} for row in rated({"a": 2, "b": 3})
    ]
    calibration = analyse_ratings(
        [*rows, {"bot": "a", "annotator": "x", "rating": 7, "arm": "main"}]
    ).sections[0]
    assert calibration.questions[0].calibration is not None
    assert calibration.questions[0].calibration.published_means == ()


def test_people_who_do_not_differ_in_leniency_are_said_so() -> None:
    rows: list[dict[str, object]] = [
        {"bot": bot, "annotator": n, "rating_enjoyment": 2 + (n + (bot == "b")) % 2, "arm": ""}
        for n in range(10)
        for bot in "ab"
    ]
    calibration = question(rows).calibration
    assert calibration is not None
    assert calibration.annotator_sd == 0
    assert calibration.sentence.startswith("No difference in leniency between annotators was found")


def test_nobody_who_rated_twice_is_said_so() -> None:
    rows: list[dict[str, object]] = [
        {"bot": bot, "annotator": f"{bot}{n}", "rating_enjoyment": 1 + n % 4}
        for n in range(8)
        for bot in "ab"
    ]
    calibration = question(rows).calibration
    assert calibration is not None
    assert calibration.sentence.startswith("Nobody rated twice")


def test_the_ordinal_check_agrees_where_points_could_be_numbers() -> None:
    found = question(rated({"ada": 3.2, "bea": 2.0}))
    assert found.ordinal is not None
    assert found.ordinal.agrees
    assert [one.bot for one in found.ordinal.bots] == ["ada", "bea"]
    assert "comes to the same conclusions" in found.ordinal.sentence


def test_the_ordinal_check_needs_points_and_two_bots() -> None:
    many = [{"bot": bot, "annotator": n, "rating": n + 0.5} for n in range(30) for bot in "ab"]
    found = analyse_ratings(many).sections[0].questions[0]
    assert found.why_no_ordinal == "The scale has more than 20 different points."
    assert found.bots[0].counts == ()
    alone = question(rated({"ada": 2.5}))
    assert alone.ordinal is None
    assert alone.why_no_ordinal
    assert alone.pairs == ()


def test_one_rating_is_a_mean_without_an_interval() -> None:
    rows: list[dict[str, object]] = [
        *rated({"ada": 2.5}, people=6),
        {"bot": "bea", "annotator": "p1", "rating_enjoyment": 3, "arm": "main"},
    ]
    bots = {one.bot: one for one in question(rows).bots}
    assert (bots["bea"].n, bots["bea"].sd) == (1, None)
    assert bots["bea"].interval is None
    assert bots["bea"].naive_interval is None
    assert question(rows).pairs[0].verdict.sentence.endswith("bea has one rating only.")


def test_ratings_that_are_all_alike_have_an_exact_interval() -> None:
    rows: list[dict[str, object]] = [
        {"bot": bot, "annotator": n, "rating_enjoyment": 4 if bot == "a" else 1 + n % 3}
        for n in range(10)
        for bot in "ab"
    ]
    best = question(rows).bots[0]
    assert best.naive_interval is not None
    assert best.naive_interval.method.startswith("exact")


def test_several_ratings_of_a_dialogue_cluster_both_ways() -> None:
    rows = rated({"ada": 3.0, "bea": 2.2}, people=24)
    rows = [{**row, "dialogue": f"{row['bot']}-{n // 6}"} for n, row in enumerate(rows)]
    found = question(rows)
    assert found.pairs[0].clustered is not None
    assert len(found.pairs[0].clustered.clusters) == 2
    assert found.bots[0].interval is not None
    assert found.bots[0].interval.method == "CR3, 2-way"
    assert found.agreement is not None
    unnamed = [{**row, "dialogue": "", "item": row["dialogue"]} for row in rows]
    assert question(unnamed).agreement == found.agreement


def test_one_annotator_who_rated_everything_leaves_no_clustered_test() -> None:
    rows: list[dict[str, object]] = [
        {"bot": bot, "annotator": "p", "rating_enjoyment": 1 + n % 3 + (bot == "a")}
        for n in range(8)
        for bot in "ab"
    ]
    found = question(rows)
    assert found.pairs[0].p_welch is not None
    assert found.pairs[0].p_value is None
    assert found.pairs[0].clustered is None
    assert found.bots[0].interval is None


def test_calibrated_means_and_intervals_stay_on_the_scale() -> None:
    """A harsh annotator alone gave cy the top of the scale, so that the model puts cy above it."""
    rows: list[dict[str, object]] = []
    for n in range(6):
        for bot, kind, harsh in (("ada", 4, 2), ("bea", 3, 1)):
            rows.append({"bot": bot, "annotator": f"kind{n}", "rating_enjoyment": kind})
            rows.append({"bot": bot, "annotator": f"harsh{n}", "rating_enjoyment": harsh})
    rows += [{"bot": "cy", "annotator": f"harsh{n}", "rating_enjoyment": 4} for n in range(2)]
    found = {one.bot: one for one in question(rows).bots}
    assert found["cy"].calibrated == 4
    for one in found.values():
        assert one.calibrated_interval is not None
        assert 1 <= one.calibrated_interval.low <= one.calibrated_interval.high <= 4


def test_a_bot_that_one_annotator_alone_rated_comes_last() -> None:
    rows: list[dict[str, object]] = [
        {"bot": bot, "annotator": f"p{n}", "rating_enjoyment": points + n % 2}
        for n in range(8)
        for bot, points in (("ada", 3), ("bea", 1))
    ]
    rows.append({"bot": "cy", "annotator": "p0", "rating_enjoyment": 4})
    found = question(rows)
    assert [one.bot for one in found.bots] == ["ada", "bea", "cy"]
    assert found.calibration is not None
    assert found.calibration.order_before == ("ada", "bea", "cy")
    said = " ".join(question_sentences(found))
    assert "cy was rated by one annotator only and comes last, whatever the mean." in said
