"""Reading predictions and test sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duologue.errors import FormatError, NewerFormat, UnreadableFile
from duologue.metrics import read_predictions, read_test_set

CONVAI2 = """1 your persona: i like tea.
2 partner's persona: i like rain.
3 hi there\thello !\t\tno|hello !
4 do you like tea ?\ti do .\t\tno|i do .
1 your persona: i ski.
2 __SILENCE__\tgood morning
3 and you ?\tfine .
"""


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_replies_of_a_convai2_file_are_examples(tmp_path: Path) -> None:
    path = tmp_path / "valid.txt"
    path.write_text(CONVAI2, encoding="utf-8")
    first, second, third, fourth = read_test_set(path)
    assert (first.id, first.dialogue, first.persona) == ("1.1", "1", ("i like tea.",))
    assert (second.context, second.references) == (("hi there", "hello !", "do you like tea ?"), ("i do .",))
    assert second.candidates == ("no", "i do .")
    assert (third.dialogue, third.context, third.references) == ("2", (), ("good morning",))
    assert fourth.context == ("good morning", "and you ?")


def test_predictions_are_matched_with_a_test_set_by_id_or_in_order(tmp_path: Path) -> None:
    test = tmp_path / "valid.txt"
    test.write_text(CONVAI2, encoding="utf-8")
    by_id = written(
        tmp_path / "mint.jsonl", {"id": "2.1", "prediction": "hi"}, {"id": "1.1", "prediction": "yes"}
    )
    given = read_predictions(by_id, test_set=test)
    assert (given.bot, given.failed) == ("mint", 2)
    assert [answer.text for answer in given.answers] == ["yes", None, "hi", None]
    in_order = written(tmp_path / "sage.jsonl", *[{"prediction": str(n)} for n in range(4)])
    again = read_predictions(in_order, test_set=test)
    assert [answer.text for answer in again.answers] == ["0", "1", "2", "3"]
    assert again.facts.sha256 == given.facts.sha256


def test_the_hash_of_candidates_does_not_depend_on_their_order_or_on_a_parrot(tmp_path: Path) -> None:
    line = {"references": ["x"], "candidates": ["x", "y"], "dialogue": "1"}
    one = read_predictions(written(tmp_path / "one.jsonl", line))
    other = read_predictions(
        written(tmp_path / "two.jsonl", line | {"candidates": ["p", "y", "x"], "parrot": 0})
    )
    assert one.facts.candidates_sha256 == other.facts.candidates_sha256 is not None


def test_lines_without_dialogues_are_told_of(tmp_path: Path) -> None:
    given = read_predictions(written(tmp_path / "m.jsonl", {"reference": "x", "prediction": "y"}))
    assert "too narrow" in given.warnings[0]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"prediction": "x"}, "references"),
        ({"references": ["x"], "prediction": 3}, "prediction"),
        ({"references": ["x"], "candidates": ["x"], "scores": [1, 2]}, "scores"),
        ({"references": ["x"], "candidates": ["x"], "scores": [float("nan")]}, "scores"),
        ({"references": ["x"], "candidates": ["x"], "parrot": 1}, "parrot"),
        ({"references": ["x"], "token_logprobs": [0.5]}, "token_logprobs"),
        ({"references": ["x"], "word_probabilities": [0.0]}, "word_probabilities"),
        ({"references": [1], "prediction": "x"}, "references"),
        ({"references": ["x"], "failure": 1}, "failure"),
        ({"references": ["x"], "reply": "x"}, "reply"),
        ({"references": ["x"]}, None),
    ],
)
def test_a_bad_line_is_told_by_line_and_field(tmp_path: Path, line: object, field: str | None) -> None:
    good = {"references": ["x"], "prediction": "y"}
    with pytest.raises(FormatError, match="line 2") as caught:
        read_predictions(written(tmp_path / "m.jsonl", good, line))
    assert caught.value.field == field


def test_a_file_that_does_not_fit_is_told_of(tmp_path: Path) -> None:
    test = tmp_path / "valid.txt"
    test.write_text(CONVAI2, encoding="utf-8")
    for lines, told in (
        ([{"prediction": "x"}], "4 predictions"),
        ([{"id": "9.9", "prediction": "x"}], "an id of the test set"),
        ([{"id": "1.1", "prediction": "x"}] * 2, "each id once"),
        ([], "at least one prediction"),
    ):
        with pytest.raises(FormatError, match=told):
            read_predictions(written(tmp_path / "m.jsonl", *lines), test_set=test)
    with pytest.raises(NewerFormat):
        read_predictions(written(tmp_path / "m.jsonl", {"format": "duologue.predictions/2"}))
    with pytest.raises(FormatError, match="format"):
        read_predictions(written(tmp_path / "m.jsonl", {"format": "other/1"}))
    with pytest.raises(UnreadableFile):
        read_predictions(tmp_path / "none.jsonl")
    (tmp_path / "m.jsonl").write_text("[1]\n", encoding="utf-8")
    with pytest.raises(FormatError, match="a JSON object"):
        read_predictions(tmp_path / "m.jsonl")
