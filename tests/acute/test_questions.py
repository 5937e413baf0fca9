"""The question library is the published one, word for word."""

import csv
from pathlib import Path

import pytest

from duologue.acute import AXES, PUBLISHED, Question, mirror, question_named, segments

TABLE_1 = Path(__file__).parent.parent / "golden" / "acute" / "table_1.csv"


def table_1() -> list[dict[str, str]]:
    with TABLE_1.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_docs_name_the_axes_as_the_command_takes_them() -> None:
    docs = Path(__file__).parent.parent.parent / "docs" / "questions.md"
    assert f"four axes\n({', '.join(AXES)})" in docs.read_text(encoding="utf-8")


def test_the_thirteen_phrasings_are_those_of_table_1() -> None:
    """Li, Weston and Roller 2019, Table 1: question, choice 1, agreement, and which one was used."""
    ours = [(q.axis, q.text, q.choices[0], q.agreement_percent, q.is_default) for q in PUBLISHED.values()]
    theirs = [
        (row["axis"], row["question"], row["choice_1"], float(row["agreement_percent"]), row["chosen"] == "1")
        for row in table_1()
    ]
    assert ours == theirs


def test_the_name_of_an_axis_is_its_winning_question() -> None:
    for axis in AXES:
        question = question_named(axis)
        assert question is not None
        assert question.axis == axis
        published = [float(row["agreement_percent"]) for row in table_1() if row["axis"] == axis]
        assert question.agreement_percent == max(published)


def test_an_unknown_name_is_no_question() -> None:
    assert question_named("charm") is None


@pytest.mark.parametrize("question", PUBLISHED.values(), ids=lambda question: question.id)
def test_choice_2_is_the_mirror_of_choice_1(question: Question) -> None:
    assert mirror(question.choices[1]) == question.choices[0]
    assert question.choices[0] != question.choices[1]


def test_only_boring_credits_the_other_side() -> None:
    assert [q.id for q in PUBLISHED.values() if q.credits == "other"] == ["boring-to-talk-to"]
    assert PUBLISHED["boring-to-talk-to"].credited_side(2) == 1
    assert PUBLISHED["fun"].credited_side(2) == 2


def test_speakers_in_choices_become_chips_and_nothing_else_changes() -> None:
    pieces = segments("<Speaker 1> beats Speaker 2, not Speaker 3 or Speaker 12")
    assert [(piece.text, piece.speaker) for piece in pieces] == [
        ("Speaker 1", 1),
        (" beats ", None),
        ("Speaker 2", 2),
        (", not Speaker 3 or Speaker 12", None),
    ]
    assert segments("plain") == (segments("plain")[0],)
