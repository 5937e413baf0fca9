import asyncio
import logging
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import TelegramError
from duologue.telegram.bot_api import BotApi, Button, Outgoing, in_pieces
from tests.telegram.fake_service import TOKEN, TelegramServer, nonsense, refusal, telegram_server


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with telegram_server() as server:
        yield server


class Patience:
    """Waits by noting how long it should have been; real waiting only where nothing else would end."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)


def send(telegram: TelegramServer, message: Outgoing, *, token: str = TOKEN) -> list[float]:
    patience = Patience()

    async def once() -> None:
        async with BotApi(token, address=telegram.address, sleep=patience) as api:
            await api.send(5, message)

    asyncio.run(once())
    return patience.waits


def test_a_message_is_sent_as_plain_text_without_previews(telegram: TelegramServer) -> None:
    send(telegram, Outgoing("*not bold* https://example.org", ((Button("Yes", "y"), Button("No", "n")),)))
    (asked,) = telegram.called("sendMessage")
    assert asked == {
        "chat_id": 5,
        "text": "*not bold* https://example.org",
        "link_preview_options": {"is_disabled": True},
        "reply_markup": {
            "inline_keyboard": [[{"text": "Yes", "callback_data": "y"}, {"text": "No", "callback_data": "n"}]]
        },
    }


def test_a_long_message_comes_in_pieces_with_the_buttons_under_the_last(telegram: TelegramServer) -> None:
    text = "word " * 2000
    send(telegram, Outgoing(text, ((Button("Yes", "y"),),)))
    pieces = telegram.chats[5]
    assert "".join(piece.text for piece in pieces) == text
    assert [list(piece.buttons) for piece in pieces] == [[], [], ["Yes"]]


@pytest.mark.parametrize("text", [" \n ", " " * 5000 + "x", "x" + " " * 9000])
def test_a_text_with_nothing_to_see_in_a_piece_gets_through(telegram: TelegramServer, text: str) -> None:
    send(telegram, Outgoing(text, ((Button("Yes", "y"),),)))
    assert "".join(piece.text for piece in telegram.chats[5]).strip() in ("x", "…")
    assert list(telegram.chats[5][-1].buttons) == ["Yes"]


def test_telegram_is_waited_for_as_long_as_it_asks(telegram: TelegramServer) -> None:
    telegram.refuse("sendMessage", refusal(429, "Too Many Requests: retry after 7", retry_after=7))
    waits = send(telegram, Outgoing("hello"))
    assert waits == [pytest.approx(7, abs=0.5)]
    assert [sent.text for sent in telegram.chats[5]] == ["hello"]


def test_stumbles_are_waited_out_longer_each_time(telegram: TelegramServer) -> None:
    for answer in (refusal(500, "Internal Server Error"), nonsense(), refusal(502, "Bad Gateway")):
        telegram.refuse("sendMessage", answer)
    waits = send(telegram, Outgoing("hello"))
    assert len(waits) == 3
    for number, wait in enumerate(waits):
        assert 0.25 * 2**number <= wait <= 0.5 * 2**number


def test_after_five_tries_the_failure_is_told(telegram: TelegramServer) -> None:
    for _ in range(5):
        telegram.refuse("sendMessage", refusal(500, "Internal Server Error"))
    with pytest.raises(TelegramError, match="sendMessage: Internal Server Error") as failed:
        send(telegram, Outgoing("hello"))
    assert failed.value.status == 500
    assert failed.value.may_pass


def test_what_is_refused_for_good_is_not_tried_again(telegram: TelegramServer) -> None:
    telegram.refuse("sendMessage", refusal(403, "Forbidden: bot was blocked by the user"))
    with pytest.raises(TelegramError) as failed:
        send(telegram, Outgoing("hello"))
    assert failed.value.is_unreachable_person
    assert not failed.value.may_pass
    assert len(telegram.called("sendMessage")) == 1


def test_a_wrong_token_is_told_with_where_to_set_it(telegram: TelegramServer) -> None:
    with pytest.raises(TelegramError, match="DUOLOGUE_TELEGRAM_TOKEN"):
        send(telegram, Outgoing("hello"), token="1:wrong")


def test_the_token_is_in_no_error_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def once() -> None:
        async with BotApi("1:SECRET", address="http://127.0.0.1:9", sleep=Patience()) as api:
            await api.send(5, Outgoing("hello"))

    with pytest.raises(TelegramError, match="no connection") as failed:
        asyncio.run(once())
    assert failed.value.__cause__ is None
    assert "SECRET" not in str(failed.value)
    assert "SECRET" not in caplog.text


def test_no_request_of_ours_is_logged_with_its_address(
    telegram: TelegramServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    send(telegram, Outgoing("hello"))
    assert TOKEN not in caplog.text


@given(text=st.text(min_size=1, max_size=80), longest=st.integers(min_value=2, max_value=20))
def test_pieces_are_short_enough_and_lose_nothing(text: str, longest: int) -> None:
    pieces = in_pieces(text, longest)
    assert "".join(pieces) == text
    assert all(pieces)
    for piece in pieces:
        assert len(piece.encode("utf-16-le", "surrogatepass")) // 2 <= longest
