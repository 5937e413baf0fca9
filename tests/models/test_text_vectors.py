"""Texts as vectors."""

from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError, UnreadableFile
from duologue.models import TfIdf, read_word_vectors


def test_rare_words_count_more_and_vectors_have_length_one() -> None:
    texts = ["a cat", "a dog", "a cow", "a"]
    found = TfIdf(texts).vectors(["a cat", "cat", "unknown", "a cat cat dog"]).toarray()
    plain = np.array([0.0, 2 * np.log(4), np.log(4), 0.0])
    assert found[0] == pytest.approx(found[1])
    assert not found[2].any()
    assert np.sort(found[3]) == pytest.approx(np.sort(plain / np.linalg.norm(plain)))


def test_word_vectors_are_read_with_and_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("2 2\ncat 3 4\ndog 0 2\n")
    vectors = read_word_vectors(path, words={"cat", "dog"})
    assert vectors.vectors(["Cat!", "none"]) == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))


@pytest.mark.parametrize(
    ("text", "says"), [("cat 1 2\ndog 1\n", "2 numbers"), ("cat x y\n", "numbers"), ("cow 1 2\n", "none")]
)
def test_vectors_that_cannot_be_used_are_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "v.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=says):
        read_word_vectors(path, words={"cat", "dog"})
    with pytest.raises(UnreadableFile):
        read_word_vectors(tmp_path / "none", words={"cat"})
