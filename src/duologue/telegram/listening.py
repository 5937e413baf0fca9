"""What annotators do in Telegram, done to the store: the same steps as on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duologue.errors import (
    AnswerError,
    ChatError,
    LinkRevoked,
    LinkUnknown,
    NotFound,
    NotYourTurn,
    TooManyTries,
)
from duologue.protocols import FormValues, Screen
from duologue.server import (
    RateLimit,
    Site,
    arrive,
    consent,
    decline,
    end_chat,
    leave_chat,
    say,
    skip,
    submit_answer,
    try_again,
)
from duologue.store import (
    Assignment,
    Chat,
    ItemStation,
    Station,
    ensure_secret,
    fetch_annotators,
    fetch_fact,
    fetch_leases,
    invite_annotators,
    note_fact,
)
from duologue.telegram.bot_api import BotApi, Outgoing
from duologue.telegram.delivery import Delivery
from duologue.telegram.flow import Intent, commands, debriefing_message, skip_rows
from duologue.telegram.people import (
    KIND,
    Person,
    identity,
    person_fact,
    read_person,
    read_progress,
)
from duologue.telegram.screens import screen_of
from duologue.telegram.updates import (
    AccountBlocked,
    ButtonPress,
    IgnoredUpdate,
    MessageEdit,
    NoText,
    Sender,
    TextMessage,
    Update,
)

NEW_PEOPLE_A_MINUTE = 120


class Listener:
    """Takes what people do, one after the other; what it returns from is on the disk."""

    def __init__(self, site: Site, api: BotApi, delivery: Delivery, *, token: str) -> None:
        self._site, self._api, self._delivery, self._token = site, api, delivery, token
        self._wording = site.study.file.wording
        self._secret = ""
        self._links: dict[str, tuple[str, str]] = {}
        """Annotator and link by pseudonym: what the store knows, so that it need not be asked each time."""
        self._arrivals = RateLimit(tries=NEW_PEOPLE_A_MINUTE, seconds=60)

    async def resume(self) -> None:
        """Go on where the last process stopped: with everybody who has something in hand."""
        store = self._site.store
        self._secret = await store.run_async(ensure_secret("telegram-identity"))
        ours = [one for one in await store.run_async(fetch_annotators()) if one.kind == KIND]
        for gone in ours:
            if gone.is_withdrawn:
                await store.run_async(note_fact(person_fact(gone.id), ""))
        self._links = {one.label: (one.id, one.token) for one in ours if one.label}
        links = dict(self._links.values())
        for lease in await store.run_async(fetch_leases()):
            if lease.annotator in links:
                text = await store.run_async(fetch_fact(person_fact(lease.annotator)))
                person = read_person(
                    text, annotator=lease.annotator, link=links[lease.annotator], token=self._token
                )
                if person is not None:
                    self._delivery.wake(self._delivery.serve(person))

    async def take(self, update: Update) -> None:
        """Do what somebody asks for. Doing it twice changes nothing.

        Raises:
            StoreError: It could not be stored, and must be taken again.
        """
        if isinstance(update, IgnoredUpdate) or (
            isinstance(update, AccountBlocked) and not self._knows(update.sender)
        ):
            return
        try:
            person = await self._person(update.sender)
        except TooManyTries as error:
            self._delivery.aside(self._api.send(update.sender.chat, Outgoing(str(error))))
            return
        try:
            await self._do(person, update)
        except TooManyTries as error:
            self._delivery.tell(person, str(error))
        except LinkRevoked:
            self._delivery.wake(person)  # which finds it out, and says so
        except LinkUnknown:  # they withdrew: whoever comes now is somebody new, and is asked to consent
            del self._links[identity(self._secret, update.sender.user)]
            await self._delivery.forget(person)
            self._delivery.wake(await self._person(update.sender))

    async def _do(self, person: Person, update: Update) -> None:
        match update:
            case TextMessage() if update.text.startswith("/"):
                await self._command(person, update.text)
            case TextMessage():
                await self._said(person, update)
            case ButtonPress():
                self._delivery.aside(self._api.acknowledge(update.query))
                await self._pressed(person, update)
            case NoText():
                self._delivery.tell(person, self._wording.text_only)
            case MessageEdit():
                self._delivery.tell(person, self._wording.no_edits)
            case AccountBlocked():
                await self._delivery.stop(person)

    def _knows(self, sender: Sender) -> bool:
        return identity(self._secret, sender.user) in self._links

    async def _person(self, sender: Sender) -> Person:
        """Whoever wrote, made an annotator when they are new."""
        name = identity(self._secret, sender.user)
        if name not in self._links:
            self._arrivals.check("")
            self._arrivals.count("")
            made = (await self._site.store.run_async(invite_annotators(kind=KIND, labels=[name])))[0]
            self._links[name] = (made.annotator, made.token)
        annotator, link = self._links[name]
        known = self._delivery.known(annotator)
        if known is not None:
            known.chat = sender.chat
            return known
        text = await self._site.store.run_async(fetch_fact(person_fact(annotator)))
        shown, intent = read_progress(text)
        return self._delivery.serve(Person(annotator, link, sender.chat, shown, intent))

    async def _command(self, person: Person, text: str) -> None:
        command = text.split()[0].partition("@")[0]
        if command == "/stop":
            took_part = bool(person.shown.assignment)
            await self._delivery.stop(person)
            told = debriefing_message(self._site.worded) if took_part else ""
            self._delivery.tell(person, "\n\n".join(filter(None, (self._wording.stopped, told))))
        elif command == "/start":
            person.intent = replace(person.intent, has_stopped=False)
            self._delivery.remind(person)
            await self._delivery.save(person)
        elif command == "/skip" and (ask := await self._ask_to_skip(person)) is not None:
            self._delivery.tell(person, ask)
        else:
            about = (self._wording.chat_instructions, commands(self._site.study))
            self._delivery.tell(person, "\n\n".join(about))

    async def _ask_to_skip(self, person: Person) -> Outgoing | None:
        """The button that skips what somebody has in hand: a command may come twice."""
        if person.intent.has_stopped:
            return None
        station = await arrive(self._site, person.token)
        if not isinstance(station, ItemStation) or not self._delivery.is_shown(person, _key_of(station)):
            return None
        rows = skip_rows(self._wording, station.assignment)
        return Outgoing(self._wording.telegram_skip, rows) if rows else None

    async def _said(self, person: Person, said: TextMessage) -> None:
        if person.intent.has_stopped:
            self._delivery.tell(person, self._wording.stopped)
            return
        station = await arrive(self._site, person.token)
        chat, key = _chat_of(station), _key_of(station)
        if chat is None or not isinstance(station, ItemStation):
            self._delivery.remind(person)
        elif not self._delivery.is_shown(person, key):  # it was meant for another conversation
            self._delivery.tell(person, self._wording.not_sent)
        elif person.shown.page == "another":
            self._delivery.remind(person)
        elif chat.state != "ended":
            await self._say(person, key, said)
        else:
            await self._said_after(person, station.assignment, chat, said.text)

    async def _say(self, person: Person, key: str, said: TextMessage) -> None:
        """A turn of the chat; an update that comes twice is stored once."""
        site = self._site
        try:
            await say(site, person.token, key, said.text, key=f"telegram-{said.number}")
        except NotYourTurn:
            self._delivery.tell(person, self._wording.not_sent)
        except ChatError:
            self._delivery.wake(person)
        except AnswerError as error:
            self._delivery.tell(person, self._too_long(said.text) or str(error))
        else:
            self._delivery.wake(person)

    def _too_long(self, text: str) -> str:
        most = self._site.caps.chat.max_message_chars
        return self._wording.too_long.replace("{most}", str(most)) if len(text) > most else ""

    async def _said_after(self, person: Person, assignment: Assignment, chat: Chat, text: str) -> None:
        """Writing after the chat is the reason, when one was asked for."""
        screen = screen_of(self._site.study, assignment) if chat.is_usable else None
        if screen is None or person.intent.asked != f"{assignment.key} {screen.number}":
            self._delivery.remind(person)
            return
        await self._answer(person, assignment, {**person.intent.answer, "reason": text})

    async def _pressed(self, person: Person, pressed: ButtonPress) -> None:
        """A button; one of an earlier message changes nothing."""
        name, key, *more = [*pressed.data.split(), "", "", "", ""][:4]
        site, token = self._site, person.token
        if person.intent.has_stopped:
            self._delivery.tell(person, self._wording.stopped)
            return
        try:
            if name == "consent":
                await consent(site, token)
            elif name == "decline" and await decline(site, token):
                await self._delivery.stop(person)
                self._delivery.tell(person, f"{self._wording.declined_title}\n\n{self._wording.declined}")
            elif name == "begin" and not person.intent.asked:
                person.intent = Intent(begun=key)
                await self._delivery.save(person)
            elif name == "again":
                await try_again(site, token, key)
            elif name == "leave":
                await leave_chat(site, token, key)
            elif name == "end":
                await end_chat(site, token, key)
            elif name == "skip":
                await skip(site, token, key)
                person.intent = Intent()
            else:
                await self._screen(person, pressed, name, key, more)
        except (ChatError, NotFound):
            pass  # a button of an earlier message
        self._delivery.wake(person)

    async def _screen(
        self, person: Person, pressed: ButtonPress, name: str, key: str, more: list[str]
    ) -> None:
        """An answer, the way back, or the end without a reason."""
        station = await arrive(self._site, person.token)
        chat = _chat_of(station)
        if (
            not isinstance(station, ItemStation)
            or _key_of(station) != key
            or chat is None
            or not chat.is_usable
        ):
            return
        screen = screen_of(self._site.study, station.assignment)
        if more[0] != str(screen.number):
            return
        is_asked = person.intent.asked == f"{key} {screen.number}"
        if name == "pick" and not is_asked:
            await self._pick(person, pressed, station.assignment, screen, more[1])
        elif name == "back":
            await self._back(person, station.assignment, screen, is_asked=is_asked)
        elif name == "done" and is_asked and screen.reason != "required":
            await self._answer(person, station.assignment, person.intent.answer)

    async def _pick(
        self, person: Person, pressed: ButtonPress, assignment: Assignment, screen: Screen, place: str
    ) -> None:
        if not (place.isascii() and place.isdigit() and int(place) < len(screen.options)):
            return
        option = screen.options[int(place)]
        form = screen.form(option.value)
        if screen.reason == "off":
            await self._answer(person, assignment, form)
        else:
            person.intent = Intent(asked=f"{assignment.key} {screen.number}", answer=form)
            await self._delivery.save(person)
        if pressed.message is not None:
            settled = f"{screen.text}\n\n✓ {option.label}"
            self._delivery.aside(self._api.settle(pressed.sender.chat, pressed.message, settled))

    async def _back(self, person: Person, assignment: Assignment, screen: Screen, *, is_asked: bool) -> None:
        person.intent = Intent()
        if is_asked:
            await self._delivery.save(person)
        elif screen.can_go_back:
            await self._answer(person, assignment, {"screen": str(screen.number), "back": "1"})

    async def _answer(self, person: Person, assignment: Assignment, form: Mapping[str, str]) -> None:
        """Store an answer, or the part of it that is known by now."""
        site = self._site
        handed = site.recent_assignments.remember(person.token, assignment)
        try:
            await submit_answer(
                site, person.token, handed, FormValues(form), key=f"telegram-{assignment.key}"
            )
        except AnswerError as error:
            self._delivery.tell(person, str(error))
            return
        person.intent = Intent()
        self._delivery.wake(person)


def _chat_of(station: Station) -> Chat | None:
    return station.assignment.chat if isinstance(station, ItemStation) else None


def _key_of(station: Station) -> str:
    return station.assignment.key if isinstance(station, ItemStation) else ""
