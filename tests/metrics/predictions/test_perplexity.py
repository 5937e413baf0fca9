"""Word probabilities over a dictionary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.metrics import WordDictionary

WORDS = WordDictionary(frozenset("abcd"))


@given(st.dictionaries(st.sampled_from("abcdxy"), st.floats(0, 1)))
def test_probabilities_are_those_of_the_whole_distribution_with_a_floor(given: dict[str, float]) -> None:
    """Against the distribution written out word by word."""
    whole = {word: max(given.get(word, 0.0), 1e-7) for word in "abcd"}
    total = sum(whole.values())
    for word in "abcd":
        assert WORDS.probability(word, given) == pytest.approx(whole[word] / total, rel=1e-12)
    assert WORDS.probability("x", given) is None


def test_a_word_that_nobody_gave_mass_has_the_floor() -> None:
    assert WORDS.probability("a", {}) == pytest.approx(0.25)
    assert WORDS.probability("b", {"a": 1.0}) == pytest.approx(1e-7, rel=1e-5)
