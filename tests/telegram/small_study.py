"""A study of live chats served through Telegram: its files, its server, its people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from duologue.server import ServerLog, create_app, prepare_study, served
from duologue.store import Store, open_store
from duologue.studies import Study, load_study
from duologue.telegram import Telegram
from tests.telegram.fake_service import TOKEN, TelegramServer, TelegramUser
from tests.waiting import PATIENCE

CONSENT, CARD = "Your answers, when you gave them", "Your character in this conversation:\n• i "
AGREE, END, RETRY, MORE = (
    "I agree, let's start",
    "End the conversation",
    "Try again",
    "Have another conversation",
)

BOT = '''
"""A bot that answers with what it heard, unless a file says otherwise."""

import time
from pathlib import Path

HERE = Path(__file__).parent


def reply(messages):
    while (HERE / "slow").exists():
        time.sleep(0.02)
    if (HERE / "broken").exists():
        raise RuntimeError("secret cause")
    return f"you said: {messages[-1]['content']}"
'''

PERSONAS = (
    {"persona": ["i keep bees."], "partner_persona": ["i am a baker."]},
    {"persona": ["i fly kites."], "partner_persona": ["i mend clocks."]},
)


def telegram_study(
    folder: Path,
    *,
    bots: str = "kaspar",
    chat: str = "",
    likert: str = "",
    rest: str = "",
    database: str = "study.db",
) -> Study:
    """A study with bots that answer by ``talker.py``; two exchanges at least, three at most."""
    folder.mkdir(parents=True)
    (folder / "talker.py").write_text(BOT, encoding="utf-8")
    lines = "".join(json.dumps(persona) + "\n" for persona in PERSONAS)
    (folder / "personas.jsonl").write_text(lines, encoding="utf-8")
    tables = "".join(
        f'[[bots]]\nname = "{name}"\nkind = "python"\ncall = "talker:reply"\n' for name in bots.split()
    )
    (folder / "study.toml").write_text(
        f'[study]\nname = "wild"\nprotocol = "likert"\nseed = 7\ndatabase = "{database}"\n'
        "[onboarding]\nenabled = false\n"
        f"[chat]\nmin_exchanges = 2\nmax_exchanges = 3\nchats_per_bot = 8\n"
        f'personas = "personas.jsonl"\n{chat}\n'
        f"[likert]\n{likert}\n{tables}{rest}",
        encoding="utf-8",
    )
    return load_study(folder)


@contextmanager
def running(study: Study, telegram: TelegramServer, *, log: Path | None = None) -> Iterator[Store]:
    """The study's server with the connector beside it; gives the store."""
    store = open_store(study.database)
    server_log = ServerLog(log) if log else None
    try:
        prepare_study(study, store)
        account = Telegram(TOKEN, telegram.address, wait_seconds=1)
        app = create_app(study, store, log=server_log, side_tasks=[account])
        with served(app):
            yield store
    finally:
        store.close()
        if server_log is not None:
            server_log.close()


def is_silent(telegram: TelegramServer, chat: int, *, read: int, seconds: float = 0.7) -> bool:
    """Whether nothing is sent to somebody for a while."""
    with telegram.changed:
        return not telegram.changed.wait_for(lambda: len(telegram.chats.get(chat, ())) > read, seconds)


def join(user: TelegramUser) -> None:
    """Somebody comes, agrees, and is given a conversation."""
    user.says("/start")
    user.gets(CONSENT)
    user.presses(AGREE)
    user.gets(CARD, "It is your turn.")


def chat(user: TelegramUser, *texts: str) -> None:
    """They say something, and hear it back."""
    for text in texts:
        user.says(text)
        user.gets(f"you said: {text}")


def rate(user: TelegramUser, *answers: str) -> None:
    """They answer the questions that come."""
    for answer in answers:
        user.next()
        user.presses(answer)


def eventually(claim: Callable[[], bool]) -> bool:
    """Whether something comes true in time."""
    until = monotonic() + PATIENCE
    while not claim() and monotonic() < until:
        sleep(0.02)
    return claim()
