"""Ratings that do not say who gave them, or what within a dialogue they are about."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from duologue.likert import RatingSection, analyse_ratings


def section_of(rows: Iterable[dict[str, object]]) -> RatingSection:
    (section,) = analyse_ratings(list(rows)).sections
    return section


def rows_of_dialogues(*, annotators: int = 0, blank: int = 0) -> list[dict[str, object]]:
    """Twelve dialogues of two bots, rated three times each; the first ``blank`` rows name no annotator."""
    rng = np.random.default_rng(5)
    rows: list[dict[str, object]] = []
    for number in range(12):
        level = int(rng.integers(1, 4))
        for rater in range(3):
            point = level + int(rng.integers(0, 2)) + number % 2
            row: dict[str, object] = {"bot": "AB"[number % 2], "dialogue": f"d{number}", "rating": point}
            rows.append(row | ({"annotator": f"a{rater}"} if annotators else {}))
    for row in rows[:blank]:
        row["annotator"] = ""
    return rows


def test_without_annotators_ratings_are_clustered_by_dialogue_and_agree() -> None:
    section = section_of(rows_of_dialogues())
    (question,) = section.questions
    assert all(bot.interval is not None for bot in question.bots)
    assert question.pairs[0].clustered is not None
    assert question.agreement is not None
    assert (question.agreement.dialogues, question.agreement.ratings) == (12, 36)
    assert section.annotator_count is None
    assert section.warnings[0].endswith("intervals and tests are clustered by dialogue.")


def test_a_blank_annotator_is_one_of_its_own_and_stops_nothing() -> None:
    section = section_of(rows_of_dialogues(annotators=3, blank=4))
    (question,) = section.questions
    assert section.annotator_count == 3 + 4
    assert question.calibration is not None
    assert {one.annotator for one in question.calibration.leniency} == {"a0", "a1", "a2"}
    assert "4 of 36 ratings do not say who gave them" in section.warnings[0]


def test_an_item_is_a_unit_within_its_dialogue() -> None:
    """Two annotators agree on every turn, and the turns of a dialogue differ: agreement is perfect."""
    rows: list[dict[str, object]] = [
        {
            "bot": "A",
            "dialogue": f"d{d}",
            "item": f"turn {turn}",
            "annotator": who,
            "rating": 1 + (d + turn) % 5,
        }
        for d in range(6)
        for turn in range(4)
        for who in ("ann", "bob")
    ]
    (question,) = section_of(rows).questions
    assert question.agreement is not None
    assert question.agreement.dialogues == 24
    assert question.agreement.alpha == pytest.approx(1)
    assert "24 items with several ratings" in question.agreement.sentence
    (coarse,) = section_of([{**row, "item": ""} for row in rows]).questions
    assert coarse.agreement is not None
    assert coarse.agreement.ratings == 12  # each by two people
    assert coarse.agreement.alpha == pytest.approx(1)
    assert "6 dialogues with several ratings" in coarse.agreement.sentence


def test_personas_are_clustered_though_some_annotators_are_blank() -> None:
    rows: list[dict[str, object]] = [
        {
            "bot": "A",
            "rating": 3,
            "persona_right": number % 3 > 0,
            "annotator": "" if number < 2 else f"a{number // 2}",
        }
        for number in range(12)
    ]
    (persona,) = section_of(rows).personas
    assert persona.clustered_interval is not None


def test_questions_may_have_different_scales_and_unknown_ones_are_one_warning() -> None:
    rows = [
        {
            "bot": bot,
            "annotator": f"a{n}",
            "rating_clear": n % 2,
            "rating_fun": 1 + n % 5,
            "scale_fun": "1 to 5",
        }
        for n in range(10)
        for bot in "AB"
    ]
    results = analyse_ratings([{**row, "rating_kind": 2 + n % 2} for n, row in enumerate(rows)])
    scales = {question.name: (question.low, question.high) for question in results.sections[0].questions}
    assert scales == {"clear": (0, 1), "fun": (1, 5), "kind": (2, 3)}
    assert results.warnings == (
        "Scales are not known; by the ratings taken to be 0 to 1 for clear and 2 to 3 for kind.",
    )
