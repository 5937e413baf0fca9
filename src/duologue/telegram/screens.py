"""The questions after a chat, one a message, each answer a button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duologue.errors import StudyError
from duologue.protocols import Screen
from duologue.store import Assignment
from duologue.studies import Study, WordingTable
from duologue.telegram.bot_api import Button, Outgoing

MOST_IN_A_ROW = 6
"""Points without labels that stand side by side."""


def screen_of(study: Study, assignment: Assignment) -> Screen:
    """The question an annotator is at: what the protocol's page shows.

    Raises:
        StudyError: The protocol asks for something that cannot be asked in a message.
    """
    screen = study.protocol.show(assignment.asked).screen
    if screen is None:
        raise StudyError(f"a study of {study.protocol.name} cannot be asked through Telegram.")
    return screen


def screen_message(wording: WordingTable, key: str, screen: Screen) -> Outgoing:
    """A question with a button for each answer; no answer is chosen beforehand."""
    buttons = [
        Button(option.label, f"pick {key} {screen.number} {place}")
        for place, option in enumerate(screen.options)
    ]
    is_bare = all(len(button.text) <= 3 for button in buttons)
    rows = tuple(_rows(buttons, MOST_IN_A_ROW if is_bare else 1))
    if screen.can_go_back:
        rows += ((Button(wording.back, f"back {key} {screen.number}"),),)
    return Outgoing(screen.text, rows)


def reason_message(wording: WordingTable, key: str, screen: Screen) -> Outgoing:
    """The question why, answered in writing; with a way on without an answer, where it is optional."""
    back = Button(wording.back, f"back {key} {screen.number}")
    if screen.reason == "required":
        return Outgoing(wording.reason_required_label, ((back,),))
    done = Button(wording.submit, f"done {key} {screen.number}")
    return Outgoing(wording.reason_label, ((done,), (back,)))


def _rows(buttons: Sequence[Button], width: int) -> Iterable[tuple[Button, ...]]:
    for start in range(0, len(buttons), width):
        yield tuple(buttons[start : start + width])
