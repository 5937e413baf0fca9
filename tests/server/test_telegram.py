from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.studies import Study
from tests.server.telegram_server import TelegramServer, TelegramUser, telegram_server
from tests.server.telegram_study import running, telegram_study


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with telegram_server() as server:
        yield server


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return telegram_study(tmp_path / "wild")


@pytest.fixture
def ada(telegram: TelegramServer) -> TelegramUser:
    return TelegramUser(telegram, id=6001234567)


def join(user: TelegramUser) -> None:
    user.says("/start")
    user.gets("We keep your answers")
    user.presses("I agree, let's start")
    user.gets("Your character in this conversation:\n• i ", "It is your turn.")


def test_somebody_consents_chats_rates_and_is_thanked(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        ada.says("hello")
        assert ada.gets("you said: hello").buttons == {}
        ada.says("how are you?")
        assert list(ada.gets("you said: how are you?").buttons) == ["End the conversation"]
        ada.presses("End the conversation")
        asked = ada.gets("The conversation is over.", "How much did you enjoy talking to this user?")
        assert list(asked.buttons) == ["1 · Not at all", "2 · A little", "3 · Somewhat", "4 · A lot"]
        ada.presses("4 · A lot")
        ada.gets("say why?")
        ada.says("it listened")
        ada.gets("Thank you!", "Your completion code: ")
        (judgment,) = store.judgments()
        assert judgment.annotator_kind == "telegram"
        assert judgment.answer == {"ratings": {"enjoyment": 4}, "persona": None}
        assert judgment.reason == "it listened"
        (chat,) = store.chats()
        assert (chat.bot, chat.exchanges, chat.ending) == ("kaspar", 2, "complete")
