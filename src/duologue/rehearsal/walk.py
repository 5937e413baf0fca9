"""Simulated annotators walking the real pages over HTTP, as a browser would."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import httpx2

from duologue.errors import RehearsalError
from duologue.rehearsal.answers import Knowledge, fill_form
from duologue.rehearsal.browser import Browser, Refusal
from duologue.rehearsal.chatting import AnnotatorChats, PresentAnnotators
from duologue.rehearsal.forms import fill_in_answers
from duologue.rehearsal.kinds import CARELESS, DOUBLE_CLICKER, LEAVES_HALF_WAY, SLOW, SimulatedAnnotator
from duologue.rehearsal.pages import SUBMIT, Form, Page
from duologue.store import Assignment, Invitation, Store, fetch_assignment, let_time_run_out
from duologue.studies import FIELD

FILL_IN = "fill-in"
"""What the page calls a form about the annotator."""

LATE = 0.5
"""The share of items that slow annotators are late with."""

Ending = Literal["thanks", "no-work", "left", "refused", "nobody-came"]
"""The last page they saw, or that they left before it, were refused, or waited and found no partner."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What one simulated annotator did."""

    annotator: SimulatedAnnotator
    id: str
    """The annotator's id in the rehearsal's database."""
    saved: int
    """Answers the server acknowledged, onboarding included."""
    sent: int
    """Answers sent; more than ``saved`` when some were sent twice or refused, or came screen by screen."""
    ending: Ending
    code: str | None
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Turns the server acknowledged, by the key of the live chat's assignment."""
    token: str = ""
    """The capability in the annotator's link."""
    forms: int = 0
    """Forms about themselves that the server acknowledged."""
    problem: str = ""
    """What they were told when they were refused."""

    def then(self, again: Walk) -> Walk:
        """What they did in all, when they came again."""
        return replace(
            again,
            saved=self.saved + again.saved,
            sent=self.sent + again.sent,
            said={**self.said, **again.said},
            forms=self.forms + again.forms,
        )


async def walk_pages(
    annotator: SimulatedAnnotator,
    invitation: Invitation,
    *,
    client: httpx2.AsyncClient,
    store: Store,
    knowledge: Knowledge,
    others: PresentAnnotators | None = None,
) -> Walk:
    """Open an annotator's link and go on from page to page until there is nothing more to do.

    The page says everything but what is truly better; that is looked up in the store by the assignment's
    key, since it is never sent.

    Args:
        annotator: Who walks.
        invitation: The annotator's link.
        client: What the pages are asked for with.
        store: The database of the study.
        knowledge: What the annotator knows besides the page.
        others: Who else is there, for live chats between two annotators.

    Raises:
        RehearsalError: The server failed, refused the link, or showed a page that leads nowhere.
    """
    browser = Browser(client, has_script=annotator.has_script)
    return await _Visit(
        annotator, invitation, browser, store, knowledge, others or PresentAnnotators()
    ).walk()


class _Visit:
    """One annotator's way through the study."""

    def __init__(
        self,
        annotator: SimulatedAnnotator,
        invitation: Invitation,
        browser: Browser,
        store: Store,
        knowledge: Knowledge,
        others: PresentAnnotators,
    ) -> None:
        self._annotator = replace(annotator, cohort=invitation.cohort)
        self._invitation = invitation
        self._browser, self._store, self._knowledge = browser, store, knowledge
        self._chatting = AnnotatorChats(annotator, invitation.token, browser, store, knowledge, others)
        self._saved = self._sent = 0
        self._answered: set[tuple[str, ...]] = set()
        self._filled: set[str] = set()
        self._late: set[str] = set()
        self._problem = ""

    async def walk(self) -> Walk:
        page = await self._browser.open(f"/a/{self._invitation.token}")
        while True:
            after: Page | Ending
            if (last := page.named(SUBMIT)) is not None:
                after = await self._send(last)
            elif page.chat_state:
                after = await self._chatting.go_on(page)
            elif (about := page.named(FILL_IN)) is not None:
                after = await self._fill_in(about)
            elif (form := page.form) is None:
                return self._ended(page, "thanks" if page.code else "no-work")
            else:
                after = await self._send(form)
            if not isinstance(after, Page):
                return self._ended(page, after)
            page = after

    async def _fill_in(self, form: Form) -> Page:
        """Fill in a form about oneself; the careless send it empty first, and are shown it again."""
        name = form.hidden["form"]
        asked = self._knowledge.study.form(name)
        if name in self._filled:
            raise RehearsalError(f"the form {name!r} was shown again after it was filled in.")
        if self._annotator.kind == CARELESS and any(question.required for question in asked.questions):
            again = (await self._browser.fill_in(form, form.hidden)).named(FILL_IN)
            if again is None or again.hidden["form"] != name:
                raise RehearsalError(f"the form {name!r} was taken although nothing was filled in.")
        fields = fill_in_answers(self._annotator, asked)
        clicks = 2 if self._annotator.kind == DOUBLE_CLICKER else 1
        pages = await asyncio.gather(*(self._browser.fill_in(form, fields) for _ in range(clicks)))
        self._filled.add(name)
        answers = {question.name: fields.get(FIELD + question.name) for question in asked.questions}
        cohort = self._annotator.cohort or self._knowledge.study.cohort_by(name, answers)
        self._annotator = replace(self._annotator, cohort=cohort)
        return pages[0]

    async def _send(self, form: Form) -> Page | Ending:
        """Fill in the page's form and send it; how the visit ends when there is no next page."""
        if not form.is_question:
            return await self._browser.agree(form)
        assignment = self._store.run(fetch_assignment(self._invitation.token, form.hidden["assignment"]))
        where = (form.hidden.get("turn", ""), form.hidden.get("screen", ""))
        screen = (assignment.key, *where, *form.choices, *form.texts)
        if screen in self._answered:
            raise RehearsalError(f"item {assignment.number} was shown again after it was answered.")
        is_late = assignment.number > assignment.total / 2
        if self._annotator.kind == LEAVES_HALF_WAY and assignment.chat is None and is_late:
            return "left"
        self._be_late(assignment)
        fields = fill_form(self._annotator, form, assignment, self._knowledge)
        clicks = 2 if self._annotator.kind == DOUBLE_CLICKER else 1
        pages = await asyncio.gather(*(self._browser.answer(form, fields) for _ in range(clicks)))
        self._sent += clicks
        if isinstance(after := pages[0], Refusal):
            self._problem = after.message
            return "refused"
        self._answered.add(screen)
        is_asked_on = _asks_on(after, assignment.key)
        if is_asked_on and assignment.key in self._late:
            raise RehearsalError(f"item {assignment.number} was asked about although its time was over.")
        self._saved += not is_asked_on and assignment.key not in self._late
        return after

    def _be_late(self, assignment: Assignment) -> None:
        """Let the time of an item run out, as if it had: now and then, and not while a form is half done."""
        if self._annotator.kind != SLOW or assignment.deadline_at is None or assignment.draft:
            return
        if self._annotator.rng(f"{assignment.item.id}/late").random() < LATE:
            self._late.add(assignment.key)
            self._store.run(let_time_run_out(assignment.key, self._knowledge.study.caps))

    def _ended(self, page: Page, ending: Ending) -> Walk:
        return Walk(
            annotator=self._annotator,
            id=self._invitation.annotator,
            saved=self._saved,
            sent=self._sent,
            ending=ending,
            code=page.code,
            said=self._chatting.said,
            token=self._invitation.token,
            forms=len(self._filled),
            problem=self._problem,
        )


def _asks_on(page: Page, assignment: str) -> bool:
    """Whether a page asks the next question about the same assignment."""
    form = page.form
    return form is not None and form.is_question and form.hidden.get("assignment") == assignment
