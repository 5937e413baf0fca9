from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import DesignError
from duologue.rehearsal.kinds import (
    KINDS,
    MIX,
    RATING_MIX,
    RATING_SUMMARIES,
    SUMMARIES,
    Kind,
    cast_annotators,
)


@given(count=st.integers(1, 300), seed=st.integers(0, 2**32))
def test_each_kind_comes_in_its_share_to_within_one(count: int, seed: int) -> None:
    kinds = Counter(annotator.kind for annotator in cast_annotators(count, seed=seed))
    assert kinds.total() == count
    for kind, share in MIX.items():
        assert abs(kinds[kind] - share * count) < 1


CASTS = [(MIX, SUMMARIES), (RATING_MIX, RATING_SUMMARIES)]


@pytest.mark.parametrize("mix", [MIX, RATING_MIX])
def test_every_kind_comes_to_a_rehearsal_of_twenty(mix: Mapping[Kind, float]) -> None:
    assert {annotator.kind for annotator in cast_annotators(20, seed=7, mix=mix)} == set(mix)


@pytest.mark.parametrize(("mix", "summaries"), CASTS)
def test_the_shares_of_all_kinds_add_up_and_all_are_described(
    mix: Mapping[Kind, float], summaries: Mapping[Kind, str]
) -> None:
    assert sum(mix.values()) == pytest.approx(1)
    assert set(mix) == set(summaries)


def test_there_is_no_kind_that_never_comes() -> None:
    assert set(MIX) | set(RATING_MIX) == set(KINDS)


@pytest.mark.parametrize(("mix", "summaries"), CASTS)
def test_every_kind_is_on_the_page_about_rehearsals_as_it_is(
    mix: Mapping[Kind, float], summaries: Mapping[Kind, str]
) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "rehearsal.md").read_text(encoding="utf-8")
    for kind, share in mix.items():
        assert f"| {kind} | {share:.0%} | {summaries[kind]} |".replace("%", " %") in page


def test_the_same_seed_casts_the_same_annotators_and_another_does_not() -> None:
    assert cast_annotators(60, seed=7) == cast_annotators(60, seed=7)
    assert cast_annotators(60, seed=7) != cast_annotators(60, seed=8)


def test_some_browsers_run_script_and_some_do_not() -> None:
    assert {annotator.has_script for annotator in cast_annotators(20, seed=7)} == {True, False}


def test_what_an_annotator_draws_depends_on_the_item_and_on_who_it_is() -> None:
    one, other, *_ = cast_annotators(5, seed=7)
    assert one.rng("x").random() == one.rng("x").random()
    assert len({one.rng("x").random(), one.rng("y").random(), other.rng("x").random()}) == 3


def test_a_rehearsal_without_annotators_is_refused() -> None:
    with pytest.raises(DesignError, match="at least one"):
        cast_annotators(0, seed=7)
