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


def test_a_line_without_an_id_is_called_by_its_place_among_the_examples(tmp_path: Path) -> None:
    """With a header or without, so that scores of two bots are joined example by example."""
    lines = [{"reference": "x", "prediction": "y", "dialogue": "1"}] * 2
    bare = read_predictions(written(tmp_path / "bare.jsonl", *lines))
    headed = written(tmp_path / "headed.jsonl", {"format": "duologue.predictions/1", "bot": "mint"}, *lines)
    assert [one.id for one in read_predictions(headed).examples] == ["1", "2"]
    assert [one.id for one in bare.examples] == ["1", "2"]
    assert [one.id for one in read_test_set(headed)] == ["1", "2"]


def test_an_id_stands_for_one_example(tmp_path: Path) -> None:
    line = {"id": "7", "reference": "x", "prediction": "y"}
    twice = written(tmp_path / "twice.jsonl", line, line)
    for read in (read_predictions, read_test_set):
        with pytest.raises(FormatError, match="line 2, id: expected each id once and found '7' again"):
            read(twice)


def test_probabilities_are_one_for_each_word_of_the_first_reference(tmp_path: Path) -> None:
    short = {"id": "1.1", "word_probabilities": [0.5]}
    said = r"line 1, word_probabilities: expected 2 probabilities, one for each word .* and found 1"
    with pytest.raises(FormatError, match=said):
        read_predictions(written(tmp_path / "alone.jsonl", short | {"reference": "hello !"}))
    test = tmp_path / "valid.txt"
    test.write_text(CONVAI2, encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        read_predictions(written(tmp_path / "by_id.jsonl", short), test_set=test)
    in_order = [{"word_probabilities": [0.5] * count} for count in (1, 3, 2, 2)]
    with pytest.raises(FormatError, match=said):
        read_predictions(written(tmp_path / "in_order.jsonl", *in_order), test_set=test)
    fitting = [{"word_probabilities": [0.5] * count} for count in (2, 3, 2, 2)]
    assert read_predictions(written(tmp_path / "fits.jsonl", *fitting), test_set=test).failed == 0
