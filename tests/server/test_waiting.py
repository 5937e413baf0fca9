"""The waiting room's clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from duologue.server.annotator.waiting import ClockPart, waiting_parts
from duologue.store import Chat
from duologue.studies import WordingTable

SINCE = datetime(2026, 5, 1, 12, tzinfo=UTC)
CHAT = Chat("waiting", (), 0, 1, SINCE.isoformat())


@pytest.mark.parametrize(
    ("passed", "waited", "left"),
    [(0, "0:00", "5:00"), (75, "1:15", "3:45"), (900, "15:00", "0:00"), (-9, "0:00", "5:00")],
)
def test_time_that_has_passed_and_is_left_is_told(passed: int, waited: str, left: str) -> None:
    parts = waiting_parts(WordingTable(), CHAT, 300.0, SINCE + timedelta(seconds=passed))
    assert "".join(part.text for part in parts).startswith(
        f"You have waited for {waited}. If nobody comes in the next {left}, you can go on"
    )
    assert [part.counts for part in parts] == ["", "up", "", "down", ""]


def test_words_of_a_study_may_leave_the_times_out() -> None:
    wording = WordingTable(waiting_time="Please wait.")
    assert waiting_parts(wording, CHAT, 300.0) == (ClockPart("Please wait."),)


def test_outside_the_waiting_room_there_is_no_clock() -> None:
    assert waiting_parts(WordingTable(), replace(CHAT, state="annotator"), 300.0) == ()
