"""Ratings standardised within each annotator, and a composite over questions."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import AnalysisError
from duologue.judgments import composite_ratings, ratings_from_rows, read_ratings, standardise_ratings

SHARED = Path(__file__).parents[3] / "shared" / "data"


def rated(annotator: str, *points: float, question: str = "rating") -> list[dict[str, object]]:
    return [{"bot": "A", question: point, "annotator": annotator} for point in points]


def test_each_annotator_gets_mean_0_and_deviation_1() -> None:
    z = standardise_ratings(ratings_from_rows([*rated("ann", 1, 2, 3), *rated("bob", 40, 50, 90)]))
    of = z.points["rating"]
    for rows in (slice(0, 3), slice(3, 6)):
        assert of[rows].mean() == pytest.approx(0, abs=1e-12)
        assert of[rows].std(ddof=1) == pytest.approx(1)
    assert "standardised within each annotator (z), over all questions together" in z.notes[-1]


def test_annotators_without_spread_are_excluded_and_counted() -> None:
    rows = [*rated("ann", 1, 3), *rated("bob", 2, 2), *rated("cat", 5), *rated("", 4)]
    z = standardise_ratings(ratings_from_rows(rows))
    assert [z.excluded.name_of(code) for code in z.excluded.codes] == ["", "", *["no-spread"] * 4]
    assert z.counts.tolist() == [True, True, False, False, False, False]
    assert "4 judgments of annotators without any spread are excluded" in z.notes[-1]


def test_excluded_ratings_do_not_enter_the_mean() -> None:
    rows = [*rated("ann", 1, 3), {**rated("ann", 100)[0], "excluded": "late"}]
    z = standardise_ratings(ratings_from_rows(rows))
    assert z.points["rating"][:2] == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5)])


def test_ratings_of_excluded_annotators_stay_comparable() -> None:
    late = [*rated("bob", 2, 4), *rated("cat", 5, 5)]
    rows = [{**row, "excluded": "late"} for row in late] + rated("ann", 1, 3)
    z = standardise_ratings(ratings_from_rows(rows))
    assert z.points["rating"][:2] == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5)])
    assert z.is_rated.all()


def test_questions_on_different_scales_are_standardised_one_by_one() -> None:
    row = {"bot": "A", "annotator": "ann"}
    z = standardise_ratings(
        ratings_from_rows(
            [{**row, "rating_fun": 0, "rating_sense": 1}, {**row, "rating_fun": 1, "rating_sense": 5}]
        )
    )
    assert z.points["fun"] == pytest.approx(z.points["sense"])
    assert "each question, as their scales differ" in z.notes[-1]
    assert z.scales["fun"] == z.scales["sense"] == (-1, 1)


def test_without_annotators_nothing_is_standardised() -> None:
    with pytest.raises(AnalysisError, match="which annotator gave each rating"):
        standardise_ratings(ratings_from_rows([{"bot": "A", "rating": 1}]))


def test_a_composite_needs_all_answers_of_a_row() -> None:
    rows = [
        {"bot": "A", "rating_fun": 5, "rating_sense": 1},
        {"bot": "A", "rating_fun": 1, "rating_sense": 5},
    ]
    found = composite_ratings(ratings_from_rows([*rows, {"bot": "A", "rating_fun": 3}]))
    np.testing.assert_equal(found.points["composite"], [3, 3, math.nan])
    assert found.scales["composite"] == (1, 5)
    assert (
        found.notes[-1]
        == "The composite is the mean of fun, sense; 1 judgments that leave one out have none."
    )


def test_a_question_that_nobody_answered_has_no_scale_of_its_own() -> None:
    rows = [{"bot": "A", "annotator": "ann", "rating_fun": fun, "rating_sense": None} for fun in (0, 1)]
    z = standardise_ratings(ratings_from_rows(rows))
    assert np.isnan(z.points["sense"]).all()
    assert z.points["fun"] == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5)])


def test_a_composite_of_different_scales_brings_them_to_0_to_1() -> None:
    row = {"bot": "A", "rating_fun": 3, "scale_fun": "1 to 5", "rating_sense": 1, "scale_sense": "0 to 1"}
    found = composite_ratings(ratings_from_rows([row]))
    assert found.points["composite"] == pytest.approx([0.75])
    assert found.scales["composite"] == (0, 1)
    assert "each brought to 0 to 1 first" in found.notes[-1]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"bot": "A", "rating": 1}], "at least two questions"),
        ([{"bot": "A", "rating_a": 1, "rating_b": 3}, {"bot": "A", "rating_a": 5, "rating_b": 3}], "scale_a"),
        (
            [{"bot": "A", "rating_a": 1, "rating_b": None}, {"bot": "A", "rating_a": None, "rating_b": 1}],
            "one row a judgment, one column a question",
        ),
    ],
)
def test_a_composite_that_cannot_be_says_why(rows: list[dict[str, object]], message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        composite_ratings(ratings_from_rows(rows))


@pytest.mark.skipif(not (SHARED / "ji2022_run1").is_dir(), reason="the shared data are not here")
def test_the_published_scores_of_ji_2022_are_found_again(tmp_path: Path) -> None:
    """Per-model z over passing assignments, as the data's README prints them."""
    path = tmp_path / "ji.csv"
    with (SHARED / "ji2022_run1" / "ratings.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = [*rows[0]][7:]
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["bot", "annotator", "excluded", *(f"rating_{name}" for name in names)])
        for row in rows:
            failed = "published-qc" if row["published_qc"] == "fail" else ""
            writer.writerow([row["model"], row["worker"], failed, *(row[name] for name in names)])
    found = composite_ratings(standardise_ratings(read_ratings(path)))
    scores = defaultdict(list)
    counted = found.select(found.counts)
    for code, z in zip(counted.bot.codes.tolist(), counted.points["composite"].tolist(), strict=True):
        scores[counted.bot.names[code]].append(z)
    means = {bot: float(np.mean(z)) for bot, z in scores.items()}
    published = {"A": 0.534, "B": 0.419, "A_p": 0.318, "C": 0.262, "C_p": 0.189, "B_p": 0.173, "D": -0.087}
    published |= {"D_p": -0.201, "E_p": -0.217, "E": -0.243, "QualityControl": -0.586}
    assert means == pytest.approx(published, abs=0.0006)
