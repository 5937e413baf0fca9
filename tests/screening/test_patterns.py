"""Choosing by position alone is found; choosing by reading is not."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.screening import FLAG_RULES, find_pattern, rule_of_flag


@given(position=st.integers(1, 4), times=st.integers(8, 40))
def test_same_position_every_time_is_found(position: int, times: int) -> None:
    flag = find_pattern([position] * times)
    assert flag is not None
    assert flag.rule == "same-position"


@given(pattern=st.lists(st.integers(1, 3), min_size=2, max_size=4), more=st.integers(0, 3))
def test_pattern_that_begins_again_and_again_is_found(pattern: list[int], more: int) -> None:
    positions = (pattern * 8)[: 12 + more]
    flag = find_pattern(positions)
    assert flag is not None
    assert flag.rule in ("same-position", "fixed-pattern")


@pytest.mark.parametrize("positions", [[], [1] * 7, [1, 2] * 3, [1, 2, 1] * 3, [1, 1, 2, 2, 1, 2, 1, 1]])
def test_few_choices_and_no_pattern_are_not_flagged(positions: list[int]) -> None:
    assert find_pattern(positions) is None


def test_of_those_who_choose_by_a_coin_at_most_two_in_a_hundred_are_flagged() -> None:
    for chosen in (8, 10, 12):
        everybody = list(product((1, 2), repeat=chosen))
        assert sum(find_pattern(one) is not None for one in everybody) <= 0.02 * len(everybody)


def test_flags_of_chats_exclude_under_a_name_of_their_own() -> None:
    assert {rule_of_flag(flag) for flag in FLAG_RULES} >= {"chat:all-caps", "too-fast", "same-position"}
