from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.rehearsal.kinds import draw_annotators

MIX = {"careful": 0.7, "careless": 0.15, "leaves-half-way": 0.05, "double-clicker": 0.1}


@given(count=st.integers(1, 300), seed=st.integers(0, 2**32))
def test_each_kind_comes_in_its_share_to_within_one(count: int, seed: int) -> None:
    kinds = Counter(annotator.kind for annotator in draw_annotators(count, seed=seed, mix=MIX))
    assert kinds.total() == count
    for kind, share in MIX.items():
        assert abs(kinds[kind] - share * count) < 1


def test_the_same_seed_casts_the_same_annotators_and_another_does_not() -> None:
    assert draw_annotators(60, seed=7, mix=MIX) == draw_annotators(60, seed=7, mix=MIX)
    assert draw_annotators(60, seed=7, mix=MIX) != draw_annotators(60, seed=8, mix=MIX)


def test_some_browsers_run_script_and_some_do_not() -> None:
    assert {annotator.has_script for annotator in draw_annotators(20, seed=7, mix=MIX)} == {True, False}


def test_what_an_annotator_draws_depends_on_the_item_and_on_who_it_is() -> None:
    one, other, *_ = draw_annotators(5, seed=7, mix=MIX)
    assert one.rng("x").random() == one.rng("x").random()
    assert len({one.rng("x").random(), one.rng("y").random(), other.rng("x").random()}) == 3


def test_a_rehearsal_without_annotators_is_refused() -> None:
    with pytest.raises(DesignError, match="at least one"):
        draw_annotators(0, seed=7, mix=MIX)
