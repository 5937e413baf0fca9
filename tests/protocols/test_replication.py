"""Verdicts of two analyses compared with each other, and annotators split in halves."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.judgments import NameColumn
from duologue.protocols import Half, Outcome, Replication, replicate


def outcome(better: str | None, *, part: str = "", second: str = "B", is_tested: bool = True) -> Outcome:
    return Outcome(part, "A", second, 100, 0.6 if better == "A" else 0.5, None, better, is_tested)


def held(first: list[Outcome], second: list[Outcome]) -> Replication:
    return replicate(first, second, of=("one", "two"), protocol="acute", estimate="win rate")


@pytest.mark.parametrize(
    ("one", "other", "accord"),
    [
        (outcome("A"), outcome("A"), "same conclusion"),
        (outcome(None), outcome(None), "same conclusion"),
        (outcome("A"), outcome(None), "one undecided"),
        (outcome(None), outcome("B"), "one undecided"),
        (outcome("A"), outcome("B"), "contradict"),
        (outcome("A"), outcome(None, is_tested=False), "no verdict"),
    ],
)
def test_conclusions_are_held_against_each_other(one: Outcome, other: Outcome, accord: str) -> None:
    found = held([one], [other])
    assert found.pairs[0].accord == accord
    assert found.counts[accord] == 1
    assert sum(found.counts.values()) == 1
    assert held([other], [one]).counts == found.counts


def test_all_pairs_are_counted_and_those_of_one_analysis_named() -> None:
    first = [outcome("A"), outcome("A", second="C"), outcome(None, second="D")]
    found = held(first, [outcome("A"), outcome("C", second="C"), outcome(None, second="E")])
    assert found.sentence == (
        "Of 2 pairs of bots 1 came to the same conclusion (1 of them to a difference), 0 found a difference "
        "in one of the two only, 1 contradict each other."
    )
    assert (found.only_in_first, found.only_in_second) == (("A and D",), ("A and E",))
    assert found.largest_gap == pytest.approx(0.1)
    assert json.loads(found.to_json())["counts"] == found.counts


def test_parts_are_matched_by_name_unless_there_is_only_one() -> None:
    alone = held([outcome("A", part="engaging")], [outcome("A", part="Who is more engaging?")])
    assert [pair.part for pair in alone.pairs] == [""]
    several = held(
        [outcome("A", part="fun"), outcome("A", part="sense")],
        [outcome("A", part="sense"), outcome("A", part="new")],
    )
    assert [pair.part for pair in several.pairs] == ["sense"]
    assert several.only_in_first == ("fun: A and B",)
    assert held([outcome("A")], []).sentence == "No two bots were compared in both."


@given(st.lists(st.integers(-1, 6), max_size=40), st.integers(0, 99))
def test_halves_split_annotators_and_no_annotator(codes: list[int], seed: int) -> None:
    annotator = NameColumn(tuple("abcdefg"), np.array(codes, dtype=np.int32))
    ours, theirs = (Half(number, seed).rows_of(annotator) for number in (0, 1))
    assert (ours ^ theirs).all()
    own = annotator.own_codes
    assert not set(own[ours].tolist()) & set(own[theirs].tolist())
    assert abs(len(set(own[ours].tolist())) - len(set(own[theirs].tolist()))) <= 1


def test_halves_depend_on_names_and_seed_and_not_on_the_order_of_rows() -> None:
    names = [f"p{n}" for n in range(20)]
    one = Half(0, 3).rows_of(NameColumn(tuple(names), np.arange(20, dtype=np.int32)))
    other = Half(0, 3).rows_of(NameColumn(tuple(names[::-1]), np.arange(20, dtype=np.int32)))
    assert one.tolist() == other[::-1].tolist()
    assert (
        one.tolist() != Half(0, 4).rows_of(NameColumn(tuple(names), np.arange(20, dtype=np.int32))).tolist()
    )
