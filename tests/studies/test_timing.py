"""How long a judgment takes in a plan: measured, stated, or read from the words; and a person beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from duologue.studies import (
    describe_plan,
    load_study,
    make_plan,
    new_study,
    request_from_flags,
    time_and_cost,
)
from tests.studies.conftest import write_dialogues

FORM = """
[[forms]]
name = "about"
when = "before"
title = "About you"
text = "Please tell us a little about yourself."

[[forms.questions]]
name = "age"
kind = "number"
label = "How old are you?"
"""


def wordy(folder: Path, protocol: str = "acute", *, stated: str = "", forms: str = "") -> Path:
    """A study whose dialogues have 158 words each: two of them 316."""
    study = new_study(folder, protocol=protocol, seed=3)
    text = study.folder / "study.toml"
    found = text.read_text(encoding="utf-8")
    lines = [line for line in found.splitlines() if not line.startswith("seconds_per_judgment")]
    found = "\n".join(lines).replace("[pay]", f"[pay]\n{stated}", 1)
    text.write_text(found + "\n" + forms, encoding="utf-8")
    for bot in ("ann", "bob"):
        write_dialogues(study.folder, bot, 6, text="word " * 37)  # and two numbers: 39 words a turn
    return study.folder


def analysed(folder: Path, seconds: float) -> None:
    medians = {3: 20.0, 12: seconds}
    times = [{"time": {"median_seconds": median, "timed": timed}} for timed, median in medians.items()]
    (folder / "results.json").write_text(json.dumps({"sections": times}), encoding="utf-8")


def test_a_judgment_takes_as_long_as_its_words_take_to_read(tmp_path: Path) -> None:
    """Four turns of 39 words in each of two dialogues; 238 words a minute."""
    folder = wordy(tmp_path / "s")
    work = make_plan(request_from_flags({}, study=folder)).work
    assert work.seconds == pytest.approx(60 * 2 * 4 * 39 / 238)
    said = describe_plan(make_plan(request_from_flags({}, study=folder)))
    assert "at 78.7 s each (312 words to read, 238 a minute)" in said
    time, _ = time_and_cost(load_study(folder), 60, what="comparison")
    assert time == "Time: about 1.3 person-hours at 79 s a comparison (312 words to read, 238 a minute)."


def test_what_is_stated_goes_before_the_words_and_what_was_measured_before_both(tmp_path: Path) -> None:
    folder = wordy(tmp_path / "s", stated="seconds_per_judgment = 50")
    stated = make_plan(request_from_flags({}, study=folder)).work
    assert (stated.seconds, stated.seconds_from) == (50, "")
    analysed(folder, 83.0)
    assert make_plan(request_from_flags({}, study=folder)).work.seconds == 83
    asked = make_plan(request_from_flags({"seconds": 40.0}, study=folder)).work
    assert (asked.seconds, asked.seconds_from) == (40, "")


def test_ratings_of_finished_dialogues_are_priced_by_the_words_of_one_and_then_as_measured(
    tmp_path: Path,
) -> None:
    folder = wordy(tmp_path / "s", "likert")
    text = (folder / "study.toml").read_text(encoding="utf-8")
    live = make_plan(request_from_flags({}, study=folder)).work
    assert (live.seconds, live.seconds_from) == (
        300,
        "a guess: set seconds_per_judgment in [pay]",
    )  # nobody knows the words of a chat before
    text = text.replace('source = "live"', 'source = "dialogues"')
    (folder / "study.toml").write_text(text, encoding="utf-8")
    assert make_plan(request_from_flags({}, study=folder)).work.seconds == pytest.approx(60 * 4 * 39 / 238)
    analysed(folder, 66.0)
    measured = make_plan(request_from_flags({}, study=folder)).work
    assert (measured.seconds, measured.seconds_from) == (66, "the median of 12 judgments of this study")


def test_times_of_nobody_who_reads_are_not_taken(tmp_path: Path) -> None:
    folder = wordy(tmp_path / "s", "likert", stated="seconds_per_judgment = 50")
    analysed(folder, 0.3)
    assert make_plan(request_from_flags({}, study=folder)).work.seconds == 50


def test_without_dialogues_nothing_is_read(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", seed=3)
    assert make_plan(request_from_flags({}, study=study.folder)).work.seconds == 60
    time, _ = time_and_cost(study, 60, what="comparison")
    assert time.startswith("Time: about 1.0 person-hours at 60 s a comparison (a guess: set seconds_per_judg")


def test_a_person_takes_two_minutes_beside_judgments_and_longer_with_forms(tmp_path: Path) -> None:
    bare = make_plan(request_from_flags({}, study=wordy(tmp_path / "bare"))).work
    asked = make_plan(request_from_flags({}, study=wordy(tmp_path / "asked", forms=FORM))).work
    assert (bare.person_seconds, asked.person_seconds) == (120, 130)
    answers = asked.answers + asked.annotators * asked.onboarding
    assert asked.hours == pytest.approx((answers * asked.seconds + asked.annotators * 130) / 3600)
