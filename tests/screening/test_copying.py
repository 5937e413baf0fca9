"""Reasons that say the same have the same print; copying means all of it, and enough of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.screening import fingerprint, may_be_shared, stands_in

LONG = "It asks me back and remembers what I said"


@pytest.mark.parametrize(
    "other",
    [LONG.upper(), f"  {LONG}!!", LONG.replace(" ", "\n"), "It asks me back, and remembers: what I said."],
)
def test_case_marks_and_blanks_make_no_other_reason(other: str) -> None:
    assert fingerprint(other) == fingerprint(LONG) != ""


def test_other_words_are_another_reason() -> None:
    assert fingerprint(LONG) != fingerprint(f"{LONG} before")


@pytest.mark.parametrize(
    ("reason", "is_compared", "is_long"),
    [
        ("More interesting.", False, False),
        ("It asks more questions", True, False),
        ("It asks more questions than that", True, True),
        ("它问了更多的问题", True, False),
        ("它问了更多的问题而且记得我说的", True, True),
        ("", False, False),
    ],
)
def test_short_reasons_are_not_compared_in_any_script(reason: str, is_compared: bool, is_long: bool) -> None:
    assert (bool(fingerprint(reason)), may_be_shared(reason)) == (is_compared, is_long)


def test_a_reason_without_blanks_is_found_in_what_was_shown() -> None:
    assert stands_in("我昨天和朋友一起去爬山了", ["你好！我昨天和朋友一起去爬山了，很开心。"])


def test_a_reason_that_runs_over_two_turns_is_not_copied_from_one() -> None:
    assert not stands_in("I like bikes and so do you", ["I like bikes", "and so do you"])


@given(st.lists(st.text(alphabet="abcdé' ", min_size=1), min_size=1, max_size=12))
def test_whatever_is_long_enough_stands_in_itself(words: list[str]) -> None:
    reason = " ".join(words)
    assert stands_in(reason, [reason]) == may_be_shared(reason)
