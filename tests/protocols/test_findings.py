"""Times that nobody can have spent on one judgment."""

from __future__ import annotations

import numpy as np
import pytest

from duologue.protocols import CreditedGroup, TimeSpent
from duologue.protocols.findings import time_spent_on, time_with_credit

ALL = np.ones(4, dtype=np.bool_)


def test_times_of_more_than_an_hour_are_counted_and_left_out() -> None:
    found = time_spent_on(np.array([30.0, 50.0, 40.0, 90_000.0]), ALL)
    assert found is not None
    assert found.median_seconds == pytest.approx(40)
    assert found.person_hours == pytest.approx(120 / 3600)
    assert (found.timed, found.untimed, found.implausible) == (4, 0, 1)
    assert found.note == (
        "1 of 4 judgments took more than an hour (at most 25.0 hours) and is left out of the times."
    )


def test_plausible_times_need_no_note() -> None:
    found = time_spent_on(np.array([30.0, np.nan, 3600.0, 40.0]), ALL)
    assert found is not None
    assert (found.note, found.implausible, found.untimed) == ("", 0, 1)


def test_milliseconds_are_suspected() -> None:
    found = time_spent_on(np.array([30_000.0, 45_000.0, 60_000.0, 70_000.0]), ALL)
    assert found is not None
    assert found.note.endswith("are left out of the times. Are these milliseconds?")
    assert found.person_hours == 0


def test_without_times_nothing_is_said() -> None:
    assert time_spent_on(np.full(4, np.nan), ALL) is None


def test_times_of_what_does_not_count_are_the_last_resort_of_the_median() -> None:
    found = time_spent_on(np.array([30.0, 50.0, np.nan, np.nan]), np.array([False, False, True, True]))
    assert found is not None
    assert found.median_seconds == pytest.approx(40)


def test_little_work_is_told_in_minutes() -> None:
    short = time_spent_on(np.array([3.0, 4.0, 5.0, 60.0]), ALL)
    long = time_spent_on(np.array([300.0, 400.0, 500.0, 600.0]), ALL)
    assert short is not None
    assert long is not None
    assert (short.work, long.work) == ("1.2 person-minutes", "0.5 person-hours")


def test_a_median_that_nobody_can_have_read_in_is_said() -> None:
    seconds, counts = np.full(20, 0.01), np.full(20, True)
    found = time_spent_on(seconds, counts)
    assert found is not None
    assert found.note == ("Nobody can have read what was shown in 0.01 s, the median.")
    for too_little in (seconds[:19], np.full(20, 1.0)):
        quiet = time_spent_on(too_little, counts[: len(too_little)])
        assert quiet is not None
        assert quiet.note == ""


CREDITED = (
    CreditedGroup("main", "ada", "bot-failed", 2, 1, "", 300.0),
    CreditedGroup("main", "bea", "bot-failed", 1, 1, "", 60.0),
    CreditedGroup("other", "ada", "no-partner", 1, 1, "", 7200.0),
)


def test_chats_of_an_arm_that_ended_with_credit_are_added_to_its_time() -> None:
    judged = TimeSpent(30.0, 1.0, 120, 0, 120, 1, "Something is odd.")
    found = time_with_credit(judged, "main", arms=["main", "other"], credited=CREDITED)
    assert found is not None
    assert found.person_hours == pytest.approx(1.1)
    assert found.credited_hours == pytest.approx(0.1)
    assert found.work == judged.work
    assert found.median_seconds == judged.median_seconds
    assert found.note == (
        "Something is odd. Live chats that ended with credit took 0.1 person-hours more: "
        "1.1 person-hours in all."
    )


@pytest.mark.parametrize(
    ("arm", "arms"), [("third", ["main", "third"]), ("main", ["main", "main"])], ids=["none", "unclear"]
)
def test_time_without_chats_that_surely_belong_to_it_stays(arm: str, arms: list[str]) -> None:
    judged = TimeSpent(30.0, 1.0, 120, 0, 120)
    assert time_with_credit(judged, arm, arms=arms, credited=CREDITED) == judged


def test_where_no_judgment_has_a_time_there_is_none_to_add_to() -> None:
    assert time_with_credit(None, "main", arms=["main"], credited=CREDITED) is None
