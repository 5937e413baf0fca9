"""Sending annotators what they have not been sent yet, each in their own order and at their own pace.

Where somebody stands is always read from the store. One task serves one person, so a person whom Telegram
makes wait holds nobody else up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field

from duologue.errors import AccessError, StoreError, TelegramError
from duologue.server import Site, arrive, offer_in
from duologue.store import (
    ConsentStation,
    ItemStation,
    Station,
    fetch_assignment_in_hand,
    fetch_chat,
    note_fact,
    release_assignment,
)
from duologue.telegram.bot_api import BotApi, Outgoing
from duologue.telegram.flow import Intent, OutgoingStep, SentState, blocked_message, next_steps
from duologue.telegram.people import Person, person_fact, write_person

TYPING_SECONDS = 4.0
"""Telegram shows "typing…" for about five."""
LONGEST_TYPING = 300.0
REST_SECONDS = 10.0
"""Before something that could not be sent is tried again."""
STORE_REST_SECONDS = 1.0
"""Before the database is asked again."""


@dataclass(slots=True)
class _Outbox:
    """What is being done for one person."""

    person: Person
    notes: deque[Outgoing] = field(default_factory=deque)
    sending: SentState | None = None
    """What they will have been sent once Telegram says so; they may have read it by then."""
    is_wanted: bool = False
    serving: asyncio.Task[None] | None = None
    following: asyncio.Task[None] | None = None
    followed: str = ""
    """The assignment whose chat is followed."""
    is_typing: bool = False
    typed_at: float = 0.0
    """When "typing…" was last shown, by the event loop's clock; a message ends it."""
    offer_at: float | None = None
    """When the way out of waiting for a bot is to be offered, by the same clock."""
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)
    saved: tuple[int, SentState, Intent, bool] | None = None
    """What the store knows of them."""
    is_forgotten: bool = False


class Delivery:
    """Brings every annotator from what they were sent to where they stand."""

    def __init__(self, site: Site, api: BotApi, *, token: str, tasks: asyncio.TaskGroup) -> None:
        self._site, self._api, self._token, self._tasks = site, api, token, tasks
        self._outboxes: dict[str, _Outbox] = {}

    def known(self, annotator: str) -> Person | None:
        """Somebody who is being served."""
        outbox = self._outboxes.get(annotator)
        return outbox.person if outbox else None

    def serve(self, person: Person) -> Person:
        """Begin to serve somebody, or go on."""
        return self._outbox(person).person

    def is_shown(self, person: Person, assignment: str) -> bool:
        """Whether somebody can have read that they were given an assignment."""
        sending = self._outbox(person).sending
        return assignment in (person.shown.assignment, sending.assignment if sending else None)

    def tell(self, person: Person, message: Outgoing | str) -> None:
        """Say something in passing, before anything else."""
        note = Outgoing(message) if isinstance(message, str) else message
        self._outbox(person).notes.append(note)
        self.wake(person)

    def wake(self, person: Person) -> None:
        """Look where somebody stands and send what is new."""
        outbox = self._outbox(person)
        outbox.is_wanted = True
        if outbox.serving is None or outbox.serving.done():
            outbox.serving = self._begin(self._serve(outbox))

    def remind(self, person: Person) -> None:
        """Say once more where somebody stands."""
        shown = person.shown
        is_offer = shown.page == "another"
        person.shown = SentState("-" if is_offer else shown.assignment, shown.turns, page="")
        self.wake(person)

    async def save(self, person: Person, station: Station | None = None) -> None:
        """Keep what somebody was sent; where they can be written to, only while they have work."""
        outbox = self._outbox(person)
        has_work = not person.intent.has_stopped and (
            station is None or isinstance(station, ItemStation | ConsentStation)
        )
        async with outbox.saving:
            known = (person.chat, person.shown, person.intent, has_work)
            if outbox.is_forgotten or outbox.saved == known:
                return
            text = write_person(person, token=self._token, keep_address=has_work)
            await self._site.store.run_async(note_fact(person_fact(person.annotator), text))
            outbox.saved = known

    async def stop(self, person: Person) -> None:
        """Send nothing more, and give back what they have in hand."""
        person.shown, person.intent = SentState(), Intent(has_stopped=True)
        self._unfollow(self._outbox(person))
        await self.save(person)
        await self._give_back(person)

    async def _give_back(self, person: Person) -> None:
        store = self._site.store
        in_hand = await store.run_async(fetch_assignment_in_hand(person.token))
        if in_hand:
            await store.run_async(release_assignment(in_hand, self._site.caps, by="annotator"))
            self._site.changes.wake()

    async def forget(self, person: Person) -> None:
        """Keep nothing of somebody who may not, or does not wish to, go on."""
        outbox = self._outbox(person)
        self._unfollow(outbox)
        self._outboxes.pop(person.annotator, None)
        async with outbox.saving:
            outbox.is_forgotten = True
            await self._site.store.run_async(note_fact(person_fact(person.annotator), ""))

    def aside(self, work: Coroutine[object, object, None]) -> None:
        """Do something that may fail without loss: a toast, a button taken away."""
        self._begin(self._shrug(work))

    def _begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self._tasks.create_task(self._alone(work))
        task.add_done_callback(lambda _: work.close())  # it may be cancelled before it has begun
        return task

    async def _alone(self, work: Coroutine[object, object, None]) -> None:
        """Work for one person; what goes wrong with it is written down and is nobody else's trouble."""
        try:
            await work
        except Exception as error:
            if self._site.log is not None:
                self._site.log.failure(error, route="telegram")

    async def _shrug(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except TelegramError as error:
            self._note(error)

    async def _serve(self, outbox: _Outbox) -> None:
        while outbox.is_wanted:
            outbox.is_wanted = False
            try:
                await self._bring_up_to_date(outbox)
            except TelegramError as error:
                self._note(error)
                if error.is_unreachable_person:
                    outbox.notes.clear()
                    await self.stop(outbox.person)
                    return
                outbox.is_wanted = True
                await asyncio.sleep(REST_SECONDS)
            except StoreError as error:  # which has been waited for already
                self._note(error)
                outbox.is_wanted = True
                await asyncio.sleep(STORE_REST_SECONDS)

    async def _bring_up_to_date(self, outbox: _Outbox) -> None:
        person = outbox.person
        while outbox.notes:
            await self._send(person, outbox.notes[0])
            outbox.notes.popleft()
        if _has_stopped(person):
            return
        try:
            station = await arrive(self._site, person.token)
        except AccessError:  # withdrawn, or their link is
            await self.forget(person)
            await self._send(person, blocked_message(self._site.worded))
            return
        if _has_stopped(person):  # while we were looking
            await self._give_back(person)
            return
        outbox.offer_at = self._offer_at(station)
        is_late = outbox.offer_at is not None and outbox.offer_at <= _now()
        for step in next_steps(
            self._site.worded, station, person.shown, person.intent, is_kept_waiting=is_late
        ):
            await self._take(outbox, step)
        if is_late:
            outbox.offer_at = None
        self._follow(outbox, station)
        await self.save(person, station)

    async def _take(self, outbox: _Outbox, step: OutgoingStep) -> None:
        before = outbox.person.shown
        if _has_stopped(outbox.person):
            return
        outbox.sending = step.after
        try:
            await self._send(outbox.person, step.message)
        finally:
            outbox.sending = None
        outbox.typed_at = 0.0
        if outbox.person.shown == before:  # or they did something meanwhile that asks for it again
            outbox.person.shown = step.after
            await self.save(outbox.person)

    async def _send(self, person: Person, message: Outgoing) -> None:
        try:
            await self._api.send(person.chat, message)
        except TelegramError as error:
            if error.may_pass or error.is_unreachable_person:
                raise
            self._note(error)  # Telegram will never take it: going on is better than stopping here

    def _offer_at(self, station: Station) -> float | None:
        """When somebody who waits for a bot may end the chat with credit."""
        chat = station.assignment.chat if isinstance(station, ItemStation) else None
        if not isinstance(station, ItemStation) or chat is None:
            return None
        seconds = offer_in(self._site.caps.chat, station.assignment.item, chat)
        return None if seconds is None else _now() + seconds

    def _follow(self, outbox: _Outbox, station: Station) -> None:
        """Follow the chat in hand for what the partner says; show that they are typing."""
        chat = station.assignment.chat if isinstance(station, ItemStation) else None
        key = station.assignment.key if isinstance(station, ItemStation) and chat is not None else ""
        if chat is None or chat.state == "ended" or _has_stopped(outbox.person):
            self._unfollow(outbox)
            return
        outbox.is_typing = chat.state == "partner" and outbox.person.shown.page != "another"
        if outbox.followed != key or outbox.following is None or outbox.following.done():
            self._unfollow(outbox)
            outbox.followed = key
            outbox.following = self._begin(self._attend(outbox, key, chat.change))
        elif outbox.is_typing:
            self._begin(self._type(outbox))

    async def _attend(self, outbox: _Outbox, key: str, seen: int) -> None:
        quiet = 0.0
        with self._site.changes.follow(key) as follower:
            if (await self._site.store.run_async(fetch_chat(outbox.person.token, key))).change != seen:
                self.wake(outbox.person)  # something happened before we began to follow
            while quiet < self._site.caps.lease_seconds + LONGEST_TYPING:
                if outbox.is_typing and quiet < LONGEST_TYPING:
                    await self._type(outbox)
                if await follower.wait(TYPING_SECONDS):
                    quiet = 0.0
                    self.wake(outbox.person)
                else:
                    quiet += TYPING_SECONDS
                    if outbox.offer_at is not None and outbox.offer_at <= _now():
                        self.wake(outbox.person)

    async def _type(self, outbox: _Outbox) -> None:
        now = _now()
        if now - outbox.typed_at >= TYPING_SECONDS - 0.1:
            outbox.typed_at = now
            await self._shrug(self._api.show_typing(outbox.person.chat))

    def _unfollow(self, outbox: _Outbox) -> None:
        if outbox.following is not None:
            outbox.following.cancel()
        outbox.following, outbox.followed, outbox.is_typing = None, "", False

    def _outbox(self, person: Person) -> _Outbox:
        return self._outboxes.setdefault(person.annotator, _Outbox(person))

    def _note(self, error: TelegramError | StoreError) -> None:
        note_trouble(self._site, error)


def note_trouble(site: Site, error: TelegramError | StoreError) -> None:
    """Write down that Telegram or the database refused something; never what or whose it was."""
    if site.log is None:
        return
    if isinstance(error, TelegramError):
        site.log.note("telegram", method=error.method, status=error.status or 0)
    else:
        site.log.note("telegram", error=type(error).__name__)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _has_stopped(person: Person) -> bool:
    return person.intent.has_stopped
