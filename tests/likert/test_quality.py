"""What stands beside the means: personas, agreement, first against third party, metrics, time."""

import numpy as np
import pytest
from hypothesis import given, strategies
from scipy import stats

from duologue.likert import ENJOYMENT, LikertResults, RatingSection, analyse_ratings
from duologue.likert.analysis.quality import correlation
from tests.likert.rated import rated

MEANS = {"ada": 3.3, "bea": 2.6, "cy": 2.0}


def analyse(rows: list[dict[str, object]], **options: object) -> LikertResults:
    return analyse_ratings(rows, questions=[ENJOYMENT], **options)  # type: ignore[arg-type]


def section(rows: list[dict[str, object]], **options: object) -> RatingSection:
    return analyse(rows, **options).sections[0]


def test_persona_detection_has_a_rate_and_two_intervals() -> None:
    rows = [{**row, "persona_right": n % 6 < 4 or row["bot"] == "cy"} for n, row in enumerate(rated(MEANS))]
    found = {one.bot: one for one in section(rows).personas}
    assert found["cy"].rate == 1
    assert found["cy"].interval.high == 1
    assert found["ada"].n == 40
    assert found["ada"].right == sum(bool(r["persona_right"]) for r in rows if r["bot"] == "ada")
    assert found["ada"].clustered_interval is not None
    assert found["ada"].p_value == pytest.approx(stats.binomtest(found["ada"].right, 40).pvalue)
    assert [row.persona_detection for row in section(rows).table] == [
        found[bot].rate for bot in section(rows).bots
    ]


def test_a_bot_of_which_only_the_persona_was_asked_is_in_the_table() -> None:
    rows: list[dict[str, object]] = [
        *rated(MEANS),
        {"bot": "dan", "annotator": "p1", "persona_right": True, "arm": "main"},
    ]
    last = section(rows).table[-1]
    assert (last.bot, last.ratings, last.persona_detection) == ("dan", (None,), 1.0)
    assert section(rows).personas[0].clustered_interval is None


def test_those_who_agree_have_an_alpha_of_one() -> None:
    rows: list[dict[str, object]] = [
        {"bot": "ab"[item % 2], "annotator": who, "dialogue": f"d{item}", "rating_enjoyment": 1 + item % 4}
        for item in range(12)
        for who in "xyz"
    ]
    agreement = section(rows).questions[0].agreement
    assert agreement is not None
    assert agreement.alpha == pytest.approx(1)
    assert (agreement.dialogues, agreement.ratings) == (12, 36)
    assert agreement.sentence.startswith("Annotators of the same dialogue agreed")
    assert section(rated(MEANS)).questions[0].agreement is None


def crowd(spread: float, *, twice: bool = False) -> list[dict[str, object]]:
    """Sixty dialogues of two bots, five ratings of each: dialogues differ by so much, people by one point."""
    rng = np.random.default_rng(1)
    said = rng.normal(3, spread, 60)
    return [
        {
            "bot": "ab"[item % 2],
            "annotator": f"w{item % 7}" if twice else f"w{(7 * item + place) % 40}",
            "dialogue": f"d{item}",
            "rating": int(np.clip(np.round(said[item] + rng.normal(0, 1)), 1, 5)),
        }
        for item in range(60)
        for place in range(5)
    ]


def test_annotators_who_hardly_agree_are_warned_of_with_an_alpha_for_each_bot() -> None:
    poor, good = section(crowd(0.0)), section(crowd(1.2))
    warning = "Annotators hardly agree beyond chance (Krippendorff's alpha"
    assert any(said.startswith(warning) for said in poor.warnings)
    assert not any("hardly agree" in said for said in good.warnings)
    agreement = good.questions[0].agreement
    assert agreement is not None
    assert agreement.alpha > 0.3
    assert [(one.bot, one.dialogues, one.ratings) for one in agreement.by_bot] == [
        ("a", 30, 150),
        ("b", 30, 150),
    ]
    alone = section([row for row in crowd(1.2) if row["bot"] == "a"]).questions[0].agreement
    assert alone is not None
    assert agreement.by_bot[0].alpha == pytest.approx(alone.alpha)
    first, second = (f"{one.alpha:.2f}" for one in agreement.by_bot)
    assert f"(a {first}, b {second})" in agreement.sentence
    assert "hardly agree" not in agreement.sentence
    none = poor.questions[0].agreement
    assert none is not None
    assert none.is_hardly_any
    assert "They hardly agree beyond chance" in none.sentence


def test_a_low_alpha_over_few_dialogues_says_nothing() -> None:
    few = [row for row in crowd(0.0) if str(row["dialogue"]) in {f"d{n}" for n in range(19)}]
    enough = [row for row in crowd(0.0) if str(row["dialogue"]) in {f"d{n}" for n in range(20)}]
    found = [section(rows).questions[0].agreement for rows in (few, enough)]
    assert [one.is_hardly_any for one in found if one] == [False, True]


def test_one_annotator_who_rates_a_dialogue_again_does_not_agree_with_anybody() -> None:
    assert section(crowd(1.2, twice=True)).questions[0].agreement is None


def test_first_and_third_party_are_set_side_by_side() -> None:
    first = rated(MEANS, source="live")
    third = [
        {**row, "annotator": who, "source": "dialogues",
         "rating_enjoyment": max(1, int(str(row["rating_enjoyment"])) - 1)}
        for row in first
        for who in ("x", "y")
    ]  # fmt: skip
    found = section(third, first_party=first).questions[0].first_party
    assert found is not None
    mine = np.array([int(str(row["rating_enjoyment"])) for row in first], dtype=float)
    theirs = np.maximum(1, mine - 1)
    assert found.dialogues == 120
    assert found.pearson == pytest.approx(stats.pearsonr(mine, theirs).statistic)
    assert found.spearman == pytest.approx(stats.spearmanr(mine, theirs).statistic)
    assert found.difference == pytest.approx((mine - theirs).mean())
    assert found.p_value == pytest.approx(stats.ttest_rel(mine, theirs).pvalue)
    assert [one.bot for one in found.by_bot] == ["ada", "bea", "cy"]
    assert found.sentence.startswith("Those who had the chats rated higher by 0.")


def test_first_party_ratings_of_other_dialogues_say_nothing() -> None:
    first = [{**row, "dialogue": f"other {row['dialogue']}"} for row in rated(MEANS)]
    assert section(rated(MEANS), first_party=first).questions[0].first_party is None
    unknown = [{**row, "dialogue": ""} for row in rated(MEANS)]
    assert section(rated(MEANS), first_party=unknown).questions[0].first_party is None
    of_something_else = [{"bot": "ada", "dialogue": "ada-0", "rating_sense": 2}]
    assert section(rated(MEANS), first_party=of_something_else).questions[0].first_party is None


def test_the_same_ratings_by_both_parties_leave_nothing_to_test() -> None:
    rows: list[dict[str, object]] = [
        {"bot": "ada", "annotator": n, "dialogue": f"d{n}", "rating_enjoyment": 3} for n in range(4)
    ]
    found = section(rows, first_party=rows).questions[0].first_party
    assert found is not None
    assert (found.pearson, found.p_value) == (None, None)
    assert found.difference == pytest.approx(0)
    assert (
        found.sentence == "Those who had the chats rated the same than those who read them, over 4 dialogues."
    )


def test_harsher_first_parties_are_said_to_be() -> None:
    first = [{**row, "rating_enjoyment": 1} for row in rated(MEANS)]
    found = section(rated(MEANS), first_party=first).questions[0].first_party
    assert found is not None
    assert "rated lower by" in found.sentence


def test_metrics_are_correlated_over_the_bots_that_have_them() -> None:
    metrics = {
        "f1": {"ada": 0.1, "bea": 0.2, "cy": 0.3},
        "hits": {"ada": 0.1, "bea": 0.2},
        "flat": {"ada": 1.0, "bea": 1.0, "cy": 1.0, "dan": 2.0},
    }
    found = {one.metric: one for one in section(rated(MEANS), metrics=metrics).questions[0].metrics}
    assert set(found) == {"f1", "flat"}
    assert found["f1"].spearman == pytest.approx(-1)
    assert found["f1"].sentence.startswith("f1 is correlated with the ratings of 3 bots: r = -")
    assert found["flat"].pearson is None
    assert found["flat"].sentence == "flat or the ratings are the same for all 3 bots."


def test_metrics_meet_plain_means_where_there_are_no_calibrated_ones() -> None:
    rows = [{key: value for key, value in row.items() if key != "annotator"} for row in rated(MEANS)]
    metrics = {"f1": {"ada": 0.3, "bea": 0.2, "cy": 0.1}}
    assert section(rows, metrics=metrics).questions[0].metrics[0].spearman == pytest.approx(1)


@given(
    values=strategies.lists(strategies.floats(-5, 5), min_size=2, max_size=8), slope=strategies.floats(-3, 3)
)
def test_a_correlation_never_leaves_its_bounds(values: list[float], slope: float) -> None:
    """Rounding would take it past 1 for some values on a line, and which ones depends on the processor."""
    found = correlation(np.array(values), slope * np.array(values) + 1)
    assert found is None or -1 <= found <= 1


def test_values_on_a_line_are_correlated_fully() -> None:
    values = np.array([0.1, 0.2, 0.7])
    assert correlation(values, 3 * values + 1) == pytest.approx(1)
    assert correlation(values, -values) == pytest.approx(-1)


def test_time_and_progress_are_told_where_they_are_known() -> None:
    rows: list[dict[str, object]] = [
        {**row, "seconds": 30.0 + n % 3, "at": f"2026-01-01T00:{n % 60:02d}:00Z"}
        for n, row in enumerate(rated(MEANS, people=20))
    ]
    found = section(rows)
    assert found.time is not None
    assert (found.time.median_seconds, found.time.timed, found.time.untimed) == (31.0, 60, 0)
    assert found.progress[-1].judgments == 60
    assert section(rated(MEANS)).time is None
    assert section(rated(MEANS)).progress == ()
    excluded = [{**row, "excluded": "x"} for row in rows]
    assert section(excluded).time == found.time
