"""Items with automatic and human scores, from tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import FormatError
from duologue.metrics import read_scored_rows


def _table(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_every_column_of_numbers_is_a_score(tmp_path: Path) -> None:
    path = _table(tmp_path, "t.csv", "bot,dialogue,id,f1,fun,note\na,1,1.1,0.5,3,well\na,1,1.2,,2,\n")
    found = read_scored_rows([path])
    assert found.names == ("f1", "fun")
    assert [(one.bot, one.dialogue, one.id) for one in found.items] == [("a", "1", "1.1"), ("a", "1", "1.2")]
    assert [dict(one.scores) for one in found.items] == [{"f1": 0.5, "fun": 3.0}, {"fun": 2.0}]


def test_ratings_are_joined_by_what_both_tables_say_and_averaged(tmp_path: Path) -> None:
    first = _table(
        tmp_path, "a.jsonl", '{"bot": "a", "id": "1", "f1": 0.1}\n{"bot": "a", "id": "2", "f1": 0.2}\n'
    )
    second = _table(tmp_path, "b.jsonl", '{"bot": "b", "id": "1", "f1": 0.3}\n')
    ratings = _table(tmp_path, "r.csv", "bot,id,fun\na,1,1\na,1,2\nb,1,4\nc,9,5\n")
    found = read_scored_rows([first, second], ratings=ratings)
    assert [(one.bot, one.id, one.scores["fun"]) for one in found.items] == [("a", "1", 1.5), ("b", "1", 4.0)]
    assert found.unmatched == 1


@pytest.mark.parametrize(
    ("scores", "ratings", "says"),
    [
        ("id,f1\n1,0.5\n2,good\n", None, "row 2, f1: expected a number"),
        ("id,f1\n1,0.5\n", "bot,fun\na,1\n", "a column that the scores have too"),
        ("id,f1\n1,0.5\n", "id,fun\n2,1\n", "none of them"),
        ("id,f1\n1,0.5\n", "id,f1\n1,1\n", "f1: expected a column that the scores do not have"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    tmp_path: Path, scores: str, ratings: str | None, says: str
) -> None:
    path = _table(tmp_path, "t.csv", scores)
    other = _table(tmp_path, "r.csv", ratings) if ratings else None
    with pytest.raises(FormatError, match=says):
        read_scored_rows([path], ratings=other)
