"""`duologue serve --telegram` as a person runs it: what it needs, what it prints, how it survives death."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import TelegramError
from duologue.protocols import CHAT, ChatPlan, Item, items_drawn_from, write_items
from duologue.store import fetch_chats, fetch_dialogues, fetch_judgments, open_store
from duologue.studies import Study
from duologue.telegram import telegram_from
from tests.processes import DUOLOGUE, printed_until, running
from tests.server.studies import make_study
from tests.telegram.fake_service import TOKEN, TelegramServer, TelegramUser, telegram_server
from tests.telegram.small_study import END, chat, eventually, join, rate, telegram_study
from tests.waiting import PATIENCE


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with telegram_server() as server:
        yield server


def environment(telegram: TelegramServer, token: str = TOKEN) -> dict[str, str]:
    return {"DUOLOGUE_TELEGRAM_TOKEN": token, "DUOLOGUE_TELEGRAM_API": telegram.address}


def refused(study: Study, variables: dict[str, str]) -> str:
    unset = {"DUOLOGUE_TELEGRAM_TOKEN": None, "DUOLOGUE_TELEGRAM_API": None}
    result = CliRunner(env={**unset, **variables}).invoke(app, ["serve", str(study.folder), "--telegram"])
    assert result.exit_code != 0
    return result.output + (str(result.exception) if result.exception else "")


def test_without_a_token_it_says_which_variable_to_set(tmp_path: Path) -> None:
    assert "DUOLOGUE_TELEGRAM_TOKEN is not set" in refused(telegram_study(tmp_path / "wild"), {})


@pytest.mark.parametrize("plan", [ChatPlan(choose="any"), ChatPlan(histories="own")])
def test_a_study_with_several_replies_at_a_turn_is_refused(
    tmp_path: Path, telegram: TelegramServer, plan: ChatPlan
) -> None:
    study = telegram_study(tmp_path / "wild")
    bots = ("kaspar",) if plan.choose else ("kaspar", "echo")
    item = Item("c1", "kaspar", bots, (), (), extras={CHAT: plan.record()})
    drawn_from = items_drawn_from(study.items_path) if study.items_path.exists() else ""
    write_items([item], study.items_path, drawn_from=drawn_from)
    assert "cannot be shown in Telegram" in refused(study, environment(telegram))


def test_a_study_with_finished_dialogues_among_its_chats_is_refused(
    tmp_path: Path, telegram: TelegramServer
) -> None:
    study = telegram_study(tmp_path / "wild")
    held = Item("c1", "kaspar", ("kaspar",), (), (), extras={CHAT: ChatPlan().record()})
    finished = Item("d1", "kaspar", ("kaspar",), ("dialogue",), ("kaspar",))
    write_items([held, finished], study.items_path, drawn_from="")
    assert "only live chats can be held through Telegram" in refused(study, environment(telegram))


def test_a_token_that_telegram_does_not_know_is_refused_before_serving(
    telegram: TelegramServer, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild")
    said = refused(study, environment(telegram, token="1:wrong"))
    assert "Unauthorized. Check the token in DUOLOGUE_TELEGRAM_TOKEN" in said


def test_a_study_without_live_chats_is_refused(telegram: TelegramServer, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    assert "only live chats can be held through Telegram" in refused(study, environment(telegram))


def test_a_study_with_forms_is_refused(telegram: TelegramServer, tmp_path: Path) -> None:
    study = telegram_study(tmp_path / "wild")
    form = '[[forms]]\nname = "you"\nwhen = "before"\ntitle = "You"\n'
    question = '[[forms.questions]]\nname = "age"\nkind = "number"\nlabel = "Age"\n'
    (study.folder / "study.toml").write_text(study.text + form + question, encoding="utf-8")
    assert "forms cannot be filled in through Telegram" in refused(study, environment(telegram))


@pytest.mark.parametrize("token", ["a b", "1:x/../y", "1:x?y"])
def test_what_cannot_be_a_token_is_refused(token: str) -> None:
    with pytest.raises(TelegramError, match="does not hold a token"):
        telegram_from({"DUOLOGUE_TELEGRAM_TOKEN": token})


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(TelegramError, match="not the address of a server: localhost"):
        telegram_from({"DUOLOGUE_TELEGRAM_TOKEN": "1:x", "DUOLOGUE_TELEGRAM_API": "localhost"})


@contextmanager
def serving(
    study: Study, telegram: TelegramServer, *more: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*DUOLOGUE, "serve", study.folder, "--telegram", "--port", "0", *more]
    with running(command, variables=environment(telegram)) as process:
        yield process, printed_until(process, "to stop")


def test_a_chat_survives_the_death_of_the_server_in_mid_reply(
    telegram: TelegramServer, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", likert='reason = "off"')
    ada = TelegramUser(telegram, id=6001234567)
    with serving(study, telegram) as (process, printed):
        assert "  Telegram     https://t.me/study_bot\n" in printed
        join(ada)
        chat(ada, "one")
        (study.folder / "slow").touch()
        ada.says("two")
        with open_store(study.database) as store:
            assert eventually(lambda: [held.state for held in store.run(fetch_chats())] == ["partner"])
        process.send_signal(signal.SIGKILL)
        process.wait()
    (study.folder / "slow").unlink()
    with serving(study, telegram, "--workers", "2") as (process, _):
        ada.gets("you said: two")
        ada.presses(END)
        rate(ada, "4 · A lot")
        ada.gets("Thank you!")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    with open_store(study.database) as store:
        (held,) = store.run(fetch_chats())
        texts = [turn.text for turn in store.run(fetch_dialogues([held.id]))[0].turns]
        assert texts == ["one", "you said: one", "two", "you said: two"]
        assert len(list(store.stream(fetch_judgments()))) == 1
