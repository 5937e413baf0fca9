"""The questions after a chat, one a message, each answer a button."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from duologue.errors import StudyError
from duologue.store import Assignment
from duologue.studies import Study, WordingTable
from duologue.telegram.bot_api import Button, Outgoing

MOST_IN_A_ROW = 6
"""Points without labels that stand side by side."""


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer: what the form would send, and what is written on its button."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Screen:
    """One question of a protocol's page, as far as it can be asked in a message."""

    number: int
    field: str
    text: str
    options: tuple[Option, ...]
    reason: str
    """Whether a reason is asked for with it: ``off``, ``optional`` or ``required``."""
    can_go_back: bool

    def form(self, value: str, **more: str) -> dict[str, str]:
        """The form as the page would send it."""
        return {"screen": str(self.number), self.field: value, **more}


def screen_of(study: Study, assignment: Assignment) -> Screen:
    """The question an annotator is at: what the protocol's page shows.

    Raises:
        StudyError: The protocol asks for something that cannot be asked in a message.
    """
    view = study.protocol.view(
        study.settings,
        assignment.arm,
        assignment.item,
        assignment.dialogues,
        assignment.order,
        draft=assignment.draft,
    )
    return read_screen(study, view)


def read_screen(study: Study, view: Mapping[str, object]) -> Screen:
    """A page's view as a question with buttons."""
    if view.get("kind") not in ("rating", "persona"):
        raise StudyError(f"a study of {study.file.study.protocol} cannot be asked through Telegram.")
    texts, options = [str(view["question"])], _points(view)
    if view["kind"] == "persona":
        options = _characters(view)
        texts += [
            "\n".join([option.label, *(f"• {line}" for line in lines)])
            for option, (_, lines) in zip(options, _pairs(view["personas"]), strict=True)
        ]
    return Screen(
        number=int(str(view["number"])),
        field=str(view["name"]),
        text="\n\n".join(texts),
        options=options,
        reason=str(view.get("reason", "off")),
        can_go_back=bool(view.get("can_go_back")),
    )


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


def _points(view: Mapping[str, object]) -> tuple[Option, ...]:
    return tuple(
        Option(str(value), f"{value} · {label}" if label else str(value))
        for value, label in _pairs(view.get("points", ()))
    )


def _characters(view: Mapping[str, object]) -> tuple[Option, ...]:
    labels = view.get("persona_labels")
    named = labels if isinstance(labels, Sequence) else ()
    values = [str(value) for value, _ in _pairs(view["personas"])]
    return tuple(
        Option(value, str(named[place]) if place < len(named) else str(place + 1))
        for place, value in enumerate(values)
    )


def _pairs(value: object) -> tuple[tuple[object, Iterable[object]], ...]:
    return tuple(value) if isinstance(value, tuple | list) else ()


def _rows(buttons: Sequence[Button], width: int) -> Iterable[tuple[Button, ...]]:
    for start in range(0, len(buttons), width):
        yield tuple(buttons[start : start + width])
