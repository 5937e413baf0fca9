"""What models say about candidates: read, written, and turned into recall."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import CandidateScores, read_scores, write_scores
from duologue.errors import FormatError, NewerFormat


def test_scores_come_back_as_they_were_written(tmp_path: Path) -> None:
    scores = [CandidateScores("i1", "m", (0.5, 1.0)), CandidateScores("i2", "m", (1.0, -2.0))]
    assert write_scores(scores, tmp_path / "s.jsonl") == 2
    assert list(read_scores(tmp_path / "s.jsonl")) == scores


@given(scores=st.lists(st.integers(0, 3), min_size=2, max_size=8))
def test_recall_over_all_truths_is_chance_and_grows_with_k(scores: list[int]) -> None:
    one = CandidateScores("i", "m", tuple(map(float, scores)))
    n = len(scores)
    for k in range(1, n + 1):
        assert sum(one.recall(truth, k) for truth in range(n)) == pytest.approx(k)
        assert all(one.recall(t, k) >= one.recall(t, k - 1) for t in range(n))


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"item": "i"},
        {"item": "i", "model": "m", "scores": []},
        {"item": "i", "model": "m", "scores": [True]},
    ],
)
def test_a_line_without_scores_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"format": "duologue.scores/1"}\n' + json.dumps(record) + "\n")
    with pytest.raises(FormatError, match="line 2"):
        list(read_scores(path))
    for header, error in (("duologue.scores/2", NewerFormat), ("other", FormatError)):
        path.write_text(json.dumps({"format": header}) + "\n")
        with pytest.raises(error):
            list(read_scores(path))
