"""Simulated annotators in live chats: they wait, write, try again, end, and sometimes leave."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from duologue.errors import RehearsalError
from duologue.protocols import (
    CHOSEN_FIELD,
    HUMAN,
    WRITTEN_FIELD,
    AtTurn,
    ChatPlan,
    FieldValue,
    FormValues,
    chat_plan,
)
from duologue.rehearsal.answers import Knowledge, time_for
from duologue.rehearsal.browser import Browser, Refusal
from duologue.rehearsal.kinds import DOUBLE_CLICKER, LEAVES_HALF_WAY, SimulatedAnnotator
from duologue.rehearsal.pages import Form, Page
from duologue.rehearsal.talk import next_message, wanted_exchanges
from duologue.store import Assignment, Store, fetch_assignment, release_assignment

SHORTEST_LOOK, LONGEST_LOOK = 0.02, 0.5
"""Seconds between two looks at a chat in which it is somebody else's turn."""

REPLY_PATIENCE = 1_800.0
"""Seconds for which a partner's turn is waited for; the study's own limits end it much earlier."""

LONELY_PATIENCE = 2.0
"""Seconds for which an annotator stays in the waiting room when everybody else is there or gone."""

TRIES_AGAIN = 2
"""How often a reply that did not come is asked for again."""

LEAVES_AFTER = 2
"""Turns after which those who leave half-way leave a chat."""


class PresentAnnotators:
    """Who is at work at the same time: nobody waits in the waiting room for those who have gone."""

    def __init__(self) -> None:
        self._present = self._waiting = 0

    @contextmanager
    def present(self) -> Iterator[None]:
        """Somebody is here while the block runs."""
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Somebody is in the waiting room while the block runs."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def may_come(self) -> bool:
        """Whether somebody is at work who may still come to the waiting room."""
        return self._present > self._waiting


class AnnotatorChats:
    """All the live chats of one annotator."""

    def __init__(
        self,
        annotator: SimulatedAnnotator,
        token: str,
        browser: Browser,
        store: Store,
        knowledge: Knowledge,
        others: PresentAnnotators,
    ) -> None:
        self._annotator, self._token, self._browser = annotator, token, browser
        self._store, self._knowledge, self._others = store, knowledge, others
        self._settings = knowledge.study.caps.chat
        self._said: dict[str, list[str]] = {}
        self._tries: dict[str, int] = {}
        self.left = 0
        """Chats that could not go on and were left, with credit."""

    @property
    def said(self) -> Mapping[str, tuple[str, ...]]:
        """The turns that were acknowledged, by the key of the assignment."""
        return {key: tuple(texts) for key, texts in self._said.items()}

    async def go_on(self, page: Page) -> Page | Literal["left", "nobody-came"]:
        """Do what the page of a live chat asks for, and give the next page; or how the annotator left.

        Raises:
            RehearsalError: The page leads nowhere, or a message was refused.
        """
        match page.chat_state:
            case "waiting":
                return await self._wait_for_partner(page)
            case "partner":
                return await self._wait_for_turn(page)
            case "failed":
                return await self._after_failure(page)
            case "annotator":
                return await self._speak(page)
            case "choosing":
                return await self._choose(page)
        return await self._go_on_after(page)

    async def _wait_for_partner(self, page: Page) -> Page | Literal["nobody-came"]:
        lonely_since = time.monotonic()
        pause = SHORTEST_LOOK
        with self._others.waiting():
            while page.chat_state == "waiting":
                if self._others.may_come:
                    lonely_since = time.monotonic()
                elif time.monotonic() - lonely_since > LONELY_PATIENCE:
                    self._give_back(_form(page, "say").hidden["assignment"])
                    return "nobody-came"
                page, pause = await self._look_again(page, pause)
        return page

    async def _wait_for_turn(self, page: Page) -> Page:
        end, pause = time.monotonic() + REPLY_PATIENCE, SHORTEST_LOOK
        while page.chat_state == "partner":
            if time.monotonic() > end:
                raise RehearsalError(f"a partner did not answer in {REPLY_PATIENCE:g} s.")
            page, pause = await self._look_again(page, pause)
        return page

    async def _look_again(self, page: Page, pause: float) -> tuple[Page, float]:
        await asyncio.sleep(pause)
        seen = await self._browser.look_again(f"/a/{self._token}", page)
        return seen, min(1.5 * pause, LONGEST_LOOK)

    async def _after_failure(self, page: Page) -> Page:
        """Ask again, and end the chat when that does not help."""
        again = _form(page, "again")
        key = again.hidden["assignment"]
        self._tries[key] = self._tries.get(key, 0) + 1
        if self._tries[key] <= TRIES_AGAIN:
            return await self._browser.agree(again)
        after = await self._browser.agree(_form(page, "end"))
        asked = after.form.hidden.get("assignment") if after.form is not None else None
        self.left += asked != key
        return after

    async def _go_on_after(self, page: Page) -> Page:
        """Go on from a chat that is over: to the questions about it, or away from one without result."""
        if (leave := page.named("leave")) is None:
            after = await self._browser.open(f"/a/{self._token}")
            if after.change == page.change and after.chat_state == page.chat_state:
                raise RehearsalError(f"the page of a live chat ({page.chat_state}) leads to itself.")
            return after
        self.left += 1
        return await self._browser.agree(leave)

    async def _speak(self, page: Page) -> Page | Literal["left"]:
        say, end = _form(page, "say"), page.named("end")
        key = say.hidden["assignment"]
        assignment = self._store.run(fetch_assignment(self._token, key))
        said = self._said.setdefault(key, [])
        is_leaving = self._annotator.kind == LEAVES_HALF_WAY and assignment.number > assignment.total / 2
        if is_leaving and len(said) >= LEAVES_AFTER:
            if assignment.item.bots == (HUMAN,):
                self._give_back(key)
            return "left"
        least, most = self._settings.min_exchanges, self._settings.max_exchanges
        item = assignment.item.id
        if end is not None and len(said) >= wanted_exchanges(self._annotator, item, least=least, most=most):
            return await self._browser.agree(end)
        chat = assignment.chat
        text = next_message(
            self._annotator,
            item,
            said=len(said),
            is_first=chat is None or not chat.turns,
            most_chars=self._settings.max_message_chars,
        )
        page = await self._say(say, text, f"{item}/{len(said)}/say")
        said.append(text)
        return page

    async def _choose(self, page: Page) -> Page:
        """Choose among candidates as the protocol simulates it, and write where none of them will do."""
        form = _form(page, "select")
        key, annotator = form.hidden["assignment"], self._annotator
        assignment = self._store.run(fetch_assignment(self._token, key))
        chosen = self._knowledge.part.simulate(
            annotator,
            assignment.asked,
            form.choices,
            protocol=self._knowledge.study.protocol,
            truth=self._knowledge.truth,
        )
        fields: dict[str, FieldValue] = {**form.hidden, **chosen}
        if WRITTEN_FIELD in form.texts and CHOSEN_FIELD not in FormValues(chosen):
            fields[WRITTEN_FIELD] = self._written(assignment)
        moment = assignment.asked.moment
        shown = moment.candidates if isinstance(moment, AtTurn) else ()
        what = f"{assignment.item.id}/{len(self._said.get(key, ()))}/select"
        fields |= time_for(annotator, form, what, read=shown, written=str(fields.get(WRITTEN_FIELD, "")))
        after = await self._send(form, FormValues(fields))
        if isinstance(after, Refusal):
            raise RehearsalError(f"what was chosen was refused ({after.message}): {dict(chosen)}.")
        return after

    def _written(self, assignment: Assignment) -> str:
        """A reply in the place of the candidates, long enough for the plan."""
        plan = chat_plan(assignment.item) or ChatPlan()
        turn = assignment.chat.turn if assignment.chat is not None else 0
        most = self._settings.max_message_chars
        text = next_message(self._annotator, assignment.item.id, said=turn, is_first=False, most_chars=most)
        return text if len(text.strip()) >= plan.min_written else text.ljust(plan.min_written, ".")

    def _give_back(self, key: str) -> None:
        """What happens when the lease runs out, at once: nobody waits half an hour for who has gone."""
        self._store.run(release_assignment(key, self._knowledge.study.caps, by="rehearsal"))

    async def _say(self, form: Form, text: str, what: str) -> Page:
        taken = time_for(self._annotator, form, what, written=text)
        page = await self._send(form, FormValues({**form.hidden, "text": text, **taken}))
        if isinstance(page, Refusal):
            raise RehearsalError(f"the message {text!r} was refused ({page.message}).")
        return page

    async def _send(self, form: Form, fields: FormValues) -> Page | Refusal:
        clicks = 2 if self._annotator.kind == DOUBLE_CLICKER else 1
        pages = await asyncio.gather(*(self._browser.answer(form, fields) for _ in range(clicks)))
        return pages[0]


def _form(page: Page, name: str) -> Form:
    form = page.named(name)
    if form is None:
        raise RehearsalError(f"the page of a live chat ({page.chat_state}) has no form to {name}.")
    return form
