"""How long a judgment takes: measured, stated, or read from its words; and a person beside judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duologue.dialogues import study_dialogues
from duologue.screening import count_words
from duologue.strict_json import read_json
from duologue.studies.model import Study

WORDS_A_MINUTE = 238
"""How fast people read to understand (Brysbaert 2019, a review of 190 studies of English)."""

CHAT_SECONDS = 300.0
"""What a live chat and the questions after it take: an assumption, as the next two."""

QUESTION_SECONDS = 10.0
"""What a question of a form takes, and each further one about the same dialogues."""

PERSON_SECONDS = 120.0
"""What a person needs before and after the judgments: to arrive, consent and read the instructions."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """So many seconds, and where the number comes from; empty where it was stated."""

    seconds: float
    because: str = ""


def seconds_of_judgment(study: Study) -> Seconds | None:
    """What a judgment of a study takes; None where nothing is known of it.

    What its people took (the median in the last analysis), else what its file states, else the time that it
    takes to read the finished dialogues that are shown, else a guess where annotators chat.
    """
    return _measured(study) or _stated(study) or _read(study) or _chatted(study)


def seconds_of_person(study: Study) -> float:
    """What a person needs beside judgments: consent and instructions, and the questions of the forms."""
    return PERSON_SECONDS + QUESTION_SECONDS * sum(len(form.questions) for form in study.file.forms)


def seconds_to_read(words: float) -> float:
    """How long it takes to read so many words.

    Example:
        >>> round(seconds_to_read(316))
        80
    """
    return 60 * words / WORDS_A_MINUTE


def _measured(study: Study) -> Seconds | None:
    """The median of the section with the most timed judgments, where the study was analysed."""
    try:
        record = read_json((study.folder / "results.json").read_bytes())
        times = [section["time"] for section in record["sections"] if section.get("time")]
        most = max(times, key=_timed)
        seconds, timed = float(most["median_seconds"]), _timed(most)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # it was not analysed yet, or by another version, or without times
    if seconds < 1:  # nobody's reading: simulated annotators do not wait
        return None
    return Seconds(seconds, f"the median of {timed:,} judgments of this study")


def _timed(time: Mapping[str, float]) -> int:
    return int(time["timed"])


def _stated(study: Study) -> Seconds | None:
    stated = study.file.pay.seconds_per_judgment
    return None if stated is None else Seconds(stated)


def _read(study: Study) -> Seconds | None:
    shown = study.protocol.dialogues_read()
    if not shown:
        return None
    words = [sum(count_words(turn.text) for turn in one.turns) for one in study_dialogues(study.folder)]
    if not sum(words):
        return None
    read = shown * sum(words) / len(words)
    said = f"{read:,.0f} words to read, {WORDS_A_MINUTE} a minute"
    return _with_questions(study, Seconds(seconds_to_read(read), said))


def _chatted(study: Study) -> Seconds | None:
    if "chats" not in (study.protocol.facts() or ()):
        return None
    return _with_questions(study, Seconds(CHAT_SECONDS, "a guess: set seconds_per_judgment in [pay]"))


def _with_questions(study: Study, takes: Seconds) -> Seconds:
    """The same, with the further questions that are asked about an item."""
    further = study.protocol.questions_asked() - 1
    if not further:
        return takes
    said = f"{QUESTION_SECONDS:g} s for each of {further} further question{'s' * (further > 1)}"
    return Seconds(takes.seconds + further * QUESTION_SECONDS, f"{takes.because}; {said}")
