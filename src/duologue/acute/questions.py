"""The questions of ACUTE-EVAL: the thirteen published phrasings, and free wording.

The wordings are measuring instruments and are quoted exactly from Li, Weston and Roller (2019), Table 1,
with the agreement they report. The paper prints only the choice for Speaker 1; the choice for Speaker 2 is
its mirror.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Axis = Literal["engagingness", "interestingness", "humanness", "knowledgeable", "custom"]
Polarity = Literal["chosen", "other"]
"""Which side a choice speaks for: the one chosen, or (``Which speaker is more boring?``) the other one."""

_SPEAKER = re.compile(r"<?\bSpeaker ([12])\b>?")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the annotator, and which bot an answer credits."""

    id: str
    axis: Axis
    text: str
    choices: tuple[str, str]
    credits: Polarity = "chosen"
    agreement_percent: float | None = None
    """Published agreement of the most chosen answer, where there is one."""
    is_default: bool = False
    """Whether it is the winning phrasing of its axis (bold in Table 1)."""

    def credited_side(self, chosen: int) -> int:
        """The shown side (1 or 2) that a choice of side ``chosen`` speaks for.

        Example:
            >>> PUBLISHED["boring-to-talk-to"].credited_side(1)
            2
        """
        return chosen if self.credits == "chosen" else 3 - chosen


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a choice: plain words, or a speaker shown as a coloured chip."""

    text: str
    speaker: int | None = None


def mirror(choice: str) -> str:
    """The choice for Speaker 2, from the one for Speaker 1.

    Example:
        >>> mirror("Speaker 1 is more captivating than Speaker 2")
        'Speaker 2 is more captivating than Speaker 1'
    """
    return _SPEAKER.sub(lambda found: found[0].replace(found[1], "2" if found[1] == "1" else "1"), choice)


def segments(choice: str) -> tuple[Segment, ...]:
    """A choice cut at its speakers, so that a page can colour them.

    ``<Speaker 1>`` and plain ``Speaker 1`` are the same: both are shown as ``Speaker 1``.

    Example:
        >>> [segment.text for segment in segments("I would prefer to talk to <Speaker 1>")]
        ['I would prefer to talk to ', 'Speaker 1']
    """
    pieces: list[Segment] = []
    end = 0
    for found in _SPEAKER.finditer(choice):
        if found.start() > end:
            pieces.append(Segment(choice[end : found.start()]))
        pieces.append(Segment(f"Speaker {found[1]}", int(found[1])))
        end = found.end()
    if end < len(choice):
        pieces.append(Segment(choice[end:]))
    return tuple(pieces)


def _published(
    id: str, axis: Axis, text: str, choice_1: str, agreement: float, *, default: bool = False
) -> Question:
    return Question(
        id=id,
        axis=axis,
        text=text,
        choices=(choice_1, mirror(choice_1)),
        credits="other" if id == "boring-to-talk-to" else "chosen",
        agreement_percent=agreement,
        is_default=default,
    )


PUBLISHED: dict[str, Question] = {
    question.id: question
    for question in (
        _published(
            "engaging-to-talk-to",
            "engagingness",
            "Which speaker is more engaging to talk to?",
            "Speaker 1 is more engaging",
            82.5,
        ),
        _published(
            "long-conversation",
            "engagingness",
            "Who would you prefer to talk to for a long conversation?",
            "I would prefer to talk to Speaker 1",
            87.5,
            default=True,
        ),
        _published(
            "captivating",
            "engagingness",
            "Which speaker do you think is more captivating?",
            "Speaker 1 is more captivating than Speaker 2",
            84.2,
        ),
        _published(
            "interesting-or-boring",
            "interestingness",
            "If you had to say one of these speakers is interesting and one is boring, "
            "who would you say is more interesting?",
            "Speaker 1 is more interesting",
            86.7,
            default=True,
        ),
        _published(
            "interesting-to-talk-to",
            "interestingness",
            "Which speaker is more interesting to talk to?",
            "Speaker 1 is more interesting",
            81.5,
        ),
        _published(
            "boring-to-talk-to",
            "interestingness",
            "Which speaker is more boring to talk to?",
            "Speaker 1 is more boring",
            69.6,
        ),
        _published(
            "fun",
            "interestingness",
            "Who would you rather talk to for fun?",
            "Speaker 1 is more fun",
            70.8,
        ),
        _published(
            "sounds-human",
            "humanness",
            "Which speaker sounds more human?",
            "Speaker 1 sounds more human",
            76.9,
            default=True,
        ),
        _published(
            "human-or-bot",
            "humanness",
            "If you had to guess that one speaker is human and one is a bot, which do you think is human?",
            "Speaker 1 sounds human",
            71.4,
        ),
        _published(
            "real-person",
            "humanness",
            "Which speaker sounds more like a real person?",
            "Speaker 1 sounds more like a real person",
            76.9,
        ),
        _published(
            "more-knowledgeable",
            "knowledgeable",
            "Which speaker is more knowledgeable?",
            "Speaker 1 is more knowledgeable",
            88.9,
        ),
        _published(
            "knowledgeable-or-ignorant",
            "knowledgeable",
            "If you had to say that one speaker is more knowledgeable and one is more ignorant, "
            "who is more knowledgeable?",
            "Speaker 1 is more knowledgeable",
            100.0,
            default=True,
        ),
        _published(
            "well-informed",
            "knowledgeable",
            "Which speaker is more well-informed?",
            "Speaker 1 is more well-informed",
            85.0,
        ),
    )
}
"""The thirteen phrasings of Table 1, by id."""

AXES: tuple[str, ...] = ("engagingness", "interestingness", "humanness", "knowledgeable")


def question_named(name: str) -> Question | None:
    """A published question by its id, or the winning one of an axis; None when there is none.

    Example:
        >>> question_named("engagingness").text
        'Who would you prefer to talk to for a long conversation?'
    """
    for question in PUBLISHED.values():
        if question.is_default and question.axis == name:
            return question
    return PUBLISHED.get(name)
