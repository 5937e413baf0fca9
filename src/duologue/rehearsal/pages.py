"""What an annotator sees of a page: its forms, what can be chosen and typed, and the completion code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

SKIP = "skip"
"""The name of the form that skips an item."""
SUBMIT = "submit"
"""The name of the form on the page of a live chat that nothing is asked about: the item is done with."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page, as it stands before anybody touches it."""

    action: str
    hidden: Mapping[str, str]
    """Fields that are sent as they are."""
    choices: Mapping[str, tuple[str, ...]]
    """Questions to choose an answer for, or several (checkboxes), with the answers in the shown order."""
    texts: tuple[str, ...]
    """Fields to type into: texts, numbers, sliders."""
    name: str = ""
    """What a form is for: ``say``, ``end``, ``again`` or ``leave`` a chat; ``skip``; empty for others."""

    @property
    def is_question(self) -> bool:
        """Whether it answers an item: there is something to choose, or only that the item is done with."""
        is_done_with = self.name in ("", SUBMIT) and {"assignment", "key"} <= self.hidden.keys()
        return bool(self.choices) or is_done_with


@dataclass(frozen=True, slots=True)
class Page:
    """One page: what can be sent from it, and the completion code when it shows one."""

    forms: tuple[Form, ...]
    code: str | None
    chat_state: str = ""
    """Whose turn it is in the live chat that the page shows; empty when it shows none."""
    change: str = ""
    """The number of the last change of the chat that is on the page."""

    @property
    def form(self) -> Form | None:
        """The form to go on with, a question if there is one; None on the last page. Nobody skips an item."""
        forms = [form for form in self.forms if form.name != SKIP]
        return next((form for form in forms if form.is_question), forms[0] if forms else None)

    def named(self, name: str) -> Form | None:
        """The form of a live chat that is for this; None when the page has none."""
        return next((form for form in self.forms if form.name == name), None)


_MAIN = re.compile(r"<main\b[^>]*>")
_CHAT_STATE, _CHANGE = (re.compile(rf'\b{name}="([^"]*)"') for name in ("data-chat-state", "data-change"))


def read_page(html: str) -> Page:
    """Read a page, or the ``<main>`` of one, as a browser without script would.

    Example:
        >>> page = read_page('<form action="/go"><input type="radio" name="choice" value="1"></form>')
        >>> page.form.action, dict(page.form.choices)
        ('/go', {'choice': ('1',)})
    """
    reader = _Reader()
    # Forms and codes stand after the dialogues, and in a turn's text "<" is always written "&lt;".
    starts = [place for tag in ("<form", "<code") if (place := html.find(tag)) >= 0]
    reader.feed(html[min(starts, default=0) :])
    reader.close()
    forms = tuple(
        Form(
            action=draft.action,
            hidden=draft.hidden,
            choices={name: tuple(values) for name, values in draft.choices.items()},
            texts=tuple(draft.texts),
            name=draft.name,
        )
        for draft in reader.forms
    )
    main = found[0] if (found := _MAIN.search(html)) else ""
    return Page(forms, "".join(reader.code).strip() or None, _given(_CHAT_STATE, main), _given(_CHANGE, main))


def _given(attribute: re.Pattern[str], tag: str) -> str:
    return found[1] if (found := attribute.search(tag)) else ""


@dataclass(slots=True)
class _Draft:
    action: str
    name: str
    hidden: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)


_NOT_TYPED = frozenset({"radio", "checkbox", "hidden", "submit", "button", "reset", "image", "file"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[_Draft] = []
        self.code: list[str] = []
        self._in_form = self._in_code = False
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(_Draft(given.get("action", ""), given.get("data-form", "")))
            self._in_form = True
        elif tag == "code":
            self._in_code = True
        elif tag == "option" and self._select:
            if given.get("value"):
                self.forms[-1].choices[self._select].append(given["value"])
        elif self._in_form and "name" in given:
            self._take_field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._in_form = False
        elif tag == "code":
            self._in_code = False
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._in_code:
            self.code.append(data)

    def _take_field(self, tag: str, given: Mapping[str, str]) -> None:
        draft, name, kind = self.forms[-1], given["name"], given.get("type", "text")
        if tag == "textarea" or (tag == "input" and kind not in _NOT_TYPED):
            draft.texts.append(name)
        elif tag == "select":
            self._select = name
            draft.choices.setdefault(name, [])
        elif tag == "input" and kind in ("radio", "checkbox"):
            draft.choices.setdefault(name, []).append(given.get("value", ""))
        elif tag == "input" and kind == "hidden":
            draft.hidden[name] = given.get("value", "")
