"""ROUGE-L against the textbook's table."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.metrics import rouge_l

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)


def plain_longest(one: list[str], other: list[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, word in enumerate(one):
        for j, second in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if word == second else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(WORDS, WORDS)
def test_rouge_l_agrees_with_the_textbook(one: list[str], other: list[str]) -> None:
    longest = plain_longest(one, other)
    wanted = float(Fraction(2 * longest, len(one) + len(other))) if longest else 0.0
    assert rouge_l(" ".join(one), [" ".join(other)]) == wanted


@pytest.mark.parametrize(
    ("prediction", "score"), [("police kill the gunman", 0.75), ("the gunman kill police", 0.5)]
)
def test_lins_own_example(prediction: str, score: float) -> None:
    """Lin 2004, section 3: "police killed the gunman" is the reference."""
    assert rouge_l(prediction, ["Police killed the gunman."]) == score


def test_the_best_reference_counts_and_nothing_shared_is_zero() -> None:
    assert rouge_l("tea", ["coffee", "Tea!"]) == 1.0
    assert rouge_l("tea", []) == 0.0
