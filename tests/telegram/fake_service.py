"""A local server that speaks Telegram's Bot API, and people who use it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from duologue.server.running.serving import listen
from tests.telegram import published_types as types
from tests.waiting import PATIENCE

TOKEN = "123456:TEST-token"


@dataclass
class Sent:
    """A message as somebody sees it in their chat."""

    number: int
    text: str
    buttons: dict[str, str]
    """Data by the words on the button."""


@dataclass
class TelegramServer:
    """Holds updates for one bot account and takes its messages; every request and answer is validated."""

    problems: list[str] = field(default_factory=list)
    """What was not as published; a test that uses the server checks that there is nothing."""
    chats: dict[int, list[Sent]] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    refusals: deque[tuple[str, HttpResponse]] = field(default_factory=deque)
    """Answers to give instead of the usual one, each to the next call of its method."""
    has_webhook: bool = False
    polls: int = 0

    def __post_init__(self) -> None:
        self.changed = threading.Condition()
        self._updates: list[types.Update] = []
        self._number, self._message = 1000, 0
        self._is_open = True
        self.address = ""

    def add(self, **what: object) -> int:
        """Hold an update."""
        with self.changed:
            self._number += 1
            self._updates.append(types.Update(update_id=self._number, **what))  # type: ignore[arg-type]
            self.changed.notify_all()
            return self._number

    def add_again(self, number: int, message: types.Message) -> None:
        """Hold an update that was held before, as Telegram does when it was not acknowledged."""
        with self.changed:
            self._updates.insert(0, types.Update(update_id=number, message=message))
            self.changed.notify_all()

    def skip_to(self, number: int) -> None:
        """Number the next update at least so; end the wait of whoever asks."""
        with self.changed:
            self._number = max(self._number, number)
            self.polls += 1
            self.changed.notify_all()

    def refuse(self, method: str, response: HttpResponse) -> None:
        """Answer the next call of a method in another way."""
        with self.changed:
            self.refusals.append((method, response))

    def called(self, method: str) -> list[dict[str, Any]]:
        """What a method was called with so far."""
        with self.changed:
            return [parameters for name, parameters in self.calls if name == method]

    def close(self) -> None:
        """Let those go who wait for updates."""
        with self.changed:
            self._is_open = False
            self.changed.notify_all()

    def answer(self, token: str, method: str, body: object) -> HttpResponse:
        """One request."""
        if token != TOKEN:
            return refusal(401, "Unauthorized")
        if method not in types.METHODS:
            return refusal(404, "Not Found")
        try:
            parameters = types.METHODS[method].model_validate(body)
        except ValidationError as error:
            self.problems.append(f"{method}: {error}")
            return refusal(400, f"Bad Request: {error.errors()[0]['msg']}")
        with self.changed:
            self.calls.append((method, parameters.model_dump(exclude_none=True)))
            planned = next((one for one in self.refusals if one[0] == method), None)
            if planned is not None:
                self.refusals.remove(planned)
                self.changed.notify_all()
                return planned[1]
            result = getattr(self, f"_{method}")(parameters)
            self.changed.notify_all()
        return result if isinstance(result, HttpResponse) else success(result)

    def _getMe(self, _: types.GetMe) -> types.User:
        return types.User(
            id=1,
            is_bot=True,
            first_name="Study",
            username="study_bot",
            can_join_groups=False,
            can_read_all_group_messages=False,
            supports_inline_queries=False,
        )

    def _deleteWebhook(self, _: types.DeleteWebhook) -> bool:
        self.has_webhook = False
        return True

    def _setMyCommands(self, _: types.SetMyCommands) -> bool:
        return True

    def _getUpdates(self, asked: types.GetUpdates) -> list[types.Update] | HttpResponse:
        if self.has_webhook:
            return refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        if asked.offset is not None:
            self._updates = [one for one in self._updates if one.update_id >= asked.offset]
        self.polls += 1
        ours = self.polls
        self.changed.notify_all()
        self.changed.wait_for(
            lambda: bool(self._updates) or self.polls != ours or not self._is_open, asked.timeout
        )
        if self.polls != ours:
            return refusal(409, "Conflict: terminated by other getUpdates request")
        return self._updates[: asked.limit]

    def _sendMessage(self, asked: types.SendMessage) -> types.Message:
        self._message += 1
        rows = asked.reply_markup.inline_keyboard if asked.reply_markup else []
        buttons = {button.text: button.callback_data for row in rows for button in row}
        self.chats.setdefault(int(asked.chat_id), []).append(Sent(self._message, asked.text, buttons))
        return self._as_message(int(asked.chat_id), self._message, asked.text)

    def _editMessageText(self, asked: types.EditMessageText) -> types.Message:
        for sent in self.chats[int(asked.chat_id)]:
            if sent.number == asked.message_id:
                sent.text, sent.buttons = asked.text, {}
        return self._as_message(int(asked.chat_id), asked.message_id, asked.text)

    def _sendChatAction(self, _: types.SendChatAction) -> bool:
        return True

    def _answerCallbackQuery(self, _: types.AnswerCallbackQuery) -> bool:
        return True

    def _as_message(self, chat: int, number: int, text: str) -> types.Message:
        return types.Message(
            message_id=number,
            date=int(time()),
            chat=types.Chat(id=chat, type="private", first_name="Somebody"),
            text=text,
            from_=self._getMe(types.GetMe()),
        )


def success(result: object) -> HttpResponse:
    response = types.Response.model_validate({"ok": True, "result": result})
    return JSONResponse(response.model_dump(by_alias=True, exclude_none=True))


def refusal(status: int, words: str, **parameters: int) -> HttpResponse:
    response = types.Response(
        ok=False,
        error_code=status,
        description=words,
        parameters=types.ResponseParameters(**parameters) if parameters else None,
    )
    return JSONResponse(response.model_dump(by_alias=True, exclude_none=True), status)


def nonsense() -> HttpResponse:
    """What a broken proxy answers."""
    return PlainTextResponse("<html>Bad gateway</html>", 502)


@dataclass
class TelegramUser:
    """Somebody with Telegram on their phone."""

    server: TelegramServer
    id: int
    name: str = "Zacharias Secretname"
    read: int = 0
    """Messages they have seen."""

    def says(self, text: str) -> int:
        return self.server.add(message=self._message(text=text))

    def says_again(self, number: int, text: str) -> None:
        self.server.add_again(number, self._message(text=text))

    def sends_a_sticker(self) -> None:
        sticker = types.Sticker(
            file_id="f",
            file_unique_id="u",
            type="regular",
            width=1,
            height=1,
            is_animated=False,
            is_video=False,
        )
        self.server.add(message=self._message(sticker=sticker))

    def edits(self, text: str) -> None:
        self.server.add(edited_message=self._message(text=text, edit_date=int(time())))

    def blocks_the_bot(self) -> None:
        us = types.User(id=1, is_bot=True, first_name="Study")
        change = types.ChatMemberUpdated(
            chat=self._chat(),
            date=int(time()),
            old_chat_member=types.ChatMember(status="member", user=us),
            new_chat_member=types.ChatMember(status="kicked", user=us, until_date=0),
            from_=self._user(),
        )
        self.server.add(my_chat_member=change)

    def presses(self, words: str) -> None:
        """Press the button that was sent last under these words."""
        with self.server.changed:
            sent = next(sent for sent in reversed(self.messages) if words in sent.buttons)
        self.presses_data(sent.buttons[words], sent)

    def presses_data(self, data: str, sent: Sent | None = None) -> None:
        message = self._message(text=sent.text if sent else "old")
        if sent:
            message = message.model_copy(update={"message_id": sent.number})
        query = types.CallbackQuery(
            id=f"q{self.id}-{monotonic()}",
            message=message,
            chat_instance=str(self.id),
            data=data,
            from_=self._user(),
        )
        self.server.add(callback_query=query)

    @property
    def messages(self) -> list[Sent]:
        return self.server.chats.setdefault(self.id, [])

    def gets(self, *pieces: str) -> Sent:
        """Wait for the next message; it holds these pieces."""
        sent = self.next()
        assert [piece for piece in pieces if piece not in sent.text] == [], sent.text
        return sent

    def next(self) -> Sent:
        with self.server.changed:
            came = self.server.changed.wait_for(lambda: len(self.messages) > self.read, PATIENCE)
            assert came, f"no message came; so far: {[sent.text for sent in self.messages]}"
            self.read += 1
            return self.messages[self.read - 1]

    def _user(self) -> types.User:
        return types.User(id=self.id, is_bot=False, first_name=self.name, username="secretname")

    def _chat(self) -> types.Chat:
        return types.Chat(id=self.id, type="private", first_name=self.name)

    def _message(self, **what: object) -> types.Message:
        return types.Message(
            message_id=1,
            date=int(time()),
            chat=self._chat(),
            from_=self._user(),
            **what,  # type: ignore[arg-type]
        )


@contextmanager
def telegram_server() -> Iterator[TelegramServer]:
    """The server, running; at the end nothing that was said to it may have been other than published."""
    telegram = TelegramServer()

    async def ask(request: Request) -> HttpResponse:
        parts, body = request.path_params, await request.json()
        return await run_in_threadpool(telegram.answer, parts["token"], parts["method"], body)

    app = Starlette(routes=[Route("/bot{token}/{method}", ask, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    with listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        telegram.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            yield telegram
        finally:
            telegram.close()
            server.should_exit = True
            thread.join()
    assert telegram.problems == []
