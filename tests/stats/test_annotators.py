"""Annotators one by one: plain loops as the twin, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber
from duologue.stats import AnnotatorAgreement, agree_with_nobody, agreement_with_others


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_agreement_with_others_is_that_of_plain_loops(seed: int, judgments: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(60)[:judgments]  # nobody judges an item twice
    who, what, answers = pairs // 10 + 100, pairs % 10, rng.integers(1, 4, judgments)
    for result in agreement_with_others(who, what, answers):
        shares = []
        for mine in np.flatnonzero(who == result.annotator):
            others = np.flatnonzero((what == what[mine]) & (who != result.annotator))
            if len(others):
                shares.append(float((answers[others] == answers[mine]).mean()))
        assert result.judgments == len(shares)
        assert result.rate == (pytest.approx(np.mean(shares)) if shares else None)


def test_annotators_come_in_the_order_of_their_codes() -> None:
    assert [a.annotator for a in agreement_with_others([9, -4, 9], [0, 0, 1], [1, 1, 1])] == [-4, 9]


def test_nothing_judged_is_nothing_to_say() -> None:
    none = np.array([], dtype=np.int64)
    assert agreement_with_others(none, none, []) == ()


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="items"):
        agreement_with_others([0, 1], [0], [1, 2])
    with pytest.raises(BadNumber, match="annotators"):
        agreement_with_others([0.5, 1], [0, 1], [1, 2])


def test_only_those_below_chance_and_crowd_with_enough_judgments_are_strangers() -> None:
    rates = [0.9, 0.49, 0.1, 0.3, None]
    some = [AnnotatorAgreement(n, rate, 9 if n == 3 else 60) for n, rate in enumerate(rates)]
    assert [one.annotator for one in agree_with_nobody(some, crowd=0.8, chance=0.5)] == [2, 1]
    assert [one.annotator for one in agree_with_nobody(some, crowd=0.8, chance=0.4)] == [2]
    assert agree_with_nobody(some, crowd=0.5, chance=0.5)[0].annotator == 2
    assert agree_with_nobody(some, crowd=1.0, chance=0.5) == ()
    assert agree_with_nobody([], crowd=0.8, chance=0.5) == ()
