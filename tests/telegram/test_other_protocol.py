"""A protocol of others through Telegram: what it needs for it, and what is refused."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from duologue.errors import StudyError
from duologue.protocols import registry
from duologue.store import fetch_judgments
from duologue.studies import Study, load_study
from duologue.telegram import Telegram, check_telegram
from tests.own_protocol import PACKAGE
from tests.telegram.fake_service import TOKEN, TelegramServer, TelegramUser, telegram_server
from tests.telegram.small_study import AGREE, BOT, CONSENT, END, chat, running

ONE_BOT = '''
"""Best and worst of what was said in a chat with one bot: two screens, the second after the first."""

from duologue.protocols import CHAT, Answer, ChatPlan, Draft, Item, Option
from duologue_best_worst.protocol import BestWorstProtocol, Step

ENDS = (Option("1", "The beginning"), Option("2", "The end"))


class OneBotProtocol(BestWorstProtocol):
    name = "one-bot"

    def draw(self, material):
        for number in range(2):
            yield Item(f"c{number}", "kaspar", ("kaspar",), (), (), extras={CHAT: ChatPlan().record()})

    def steps(self, asked):
        return Step("best", "What was best?", ENDS), Step("worst", "What was worst?", ENDS)

    def read(self, asked, form):
        given = {name: form[name] for name in ("best", "worst") if form.get(name)}
        return Answer({**given, "check": None}) if len(given) == 2 else Draft(given)
'''


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with telegram_server() as server:
        yield server


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The protocol best-worst and a child of it, found as if they were installed."""
    known = registry._found()
    (tmp_path / "one_bot.py").write_text(ONE_BOT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(PACKAGE))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = {
        "best-worst": EntryPoint(
            "best-worst", "duologue_best_worst.protocol:BestWorstProtocol", registry.GROUP
        ),
        "one-bot": EntryPoint("one-bot", "one_bot:OneBotProtocol", registry.GROUP),
    }
    monkeypatch.setattr(registry, "_found", lambda: {**known, **found})
    registry.protocol_named.cache_clear()
    yield
    registry.protocol_named.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] in ("one_bot", "duologue_best_worst")]:
        del sys.modules[name]


def _study(
    folder: Path, *, protocol: str = "best-worst", bots: str = "ada bea kaspar", more: str = ""
) -> Study:
    folder.mkdir()
    (folder / "talker.py").write_text(BOT, encoding="utf-8")
    tables = "".join(
        f'[[bots]]\nname = "{name}"\nkind = "python"\ncall = "talker:reply"\n' for name in bots.split()
    )
    (folder / "study.toml").write_text(
        f'[study]\nname = "wild"\nprotocol = "{protocol}"\nseed = 7\n[onboarding]\nenabled = false\n'
        f"[chat]\nmin_exchanges = 1\nmax_exchanges = 2\n[{protocol}]\n{more}\n{tables}",
        encoding="utf-8",
    )
    return load_study(folder)


@pytest.mark.usefixtures("others")
def test_live_chats_in_which_replies_are_chosen_are_refused(tmp_path: Path, telegram: TelegramServer) -> None:
    study = _study(tmp_path / "threes", more='source = "live"')
    with pytest.raises(StudyError, match=r"choose between replies of bots.* cannot be shown in Telegram"):
        check_telegram(study, Telegram(TOKEN, telegram.address))


@pytest.mark.usefixtures("others")
def test_a_question_after_a_chat_with_one_bot_is_asked_in_messages(
    tmp_path: Path, telegram: TelegramServer
) -> None:
    study = _study(tmp_path / "one", protocol="one-bot", bots="kaspar")
    ada = TelegramUser(telegram, id=6001234567)
    with running(study, telegram) as store:
        ada.says("/start")
        ada.gets(CONSENT)
        ada.presses(AGREE)
        ada.gets("It is your turn.")
        chat(ada, "hello")
        ada.presses(END)
        ada.gets("The conversation is over.", "What was best?")
        ada.presses("The end")
        assert list(ada.gets("What was worst?").buttons) == ["The beginning", "The end"]
        ada.presses("The beginning")
        ada.gets("Thank you!")
        (judgment,) = store.stream(fetch_judgments())
        assert judgment.answer == {"best": "2", "worst": "1", "check": None}
