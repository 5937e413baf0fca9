"""A study with invited annotators and volunteers, by the open link and in Telegram, to its analysis."""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic, sleep

import httpx2
import pytest

from duologue.likert import LikertResults
from duologue.reports import analyse_study, make_leaderboard, read_material
from duologue.reports.leaderboard.rules import Rules
from duologue.server import create_app, prepare_study, served
from duologue.store import Store, ensure_secret, fetch_chats, fetch_judgments, invite_annotators, open_store
from duologue.studies import Study
from duologue.telegram import Telegram
from tests.store.conftest import postgresql, quick_disk
from tests.telegram.fake_service import TOKEN, TelegramServer, TelegramUser, telegram_server
from tests.telegram.small_study import END, MORE, chat, join, rate, telegram_study
from tests.waiting import PATIENCE

__all__ = ["postgresql", "quick_disk"]

TABLES = '[annotators]\nopen_link = true\n[screening]\nmin_words = 4\nexclude = ["repeated-messages"]\n'
RATINGS = {"invited": 4, "open": 2, "telegram": 1}


class Volunteer:
    """Somebody at a browser without script: opens pages, fills in forms."""

    def __init__(self, link: str) -> None:
        self.client = httpx2.Client(
            base_url="/".join(link.split("/")[:3]), follow_redirects=True, timeout=PATIENCE
        )
        self.page = self.client.get(link)
        assert self.page.status_code == 200
        self.place = self.page.url.path

    def post(self, what: str, **fields: str) -> httpx2.Response:
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', self.page.text))
        self.page = self.client.post(f"{self.place}/{what}", data={**hidden, **fields})
        return self.page

    def chats(self, *texts: str) -> None:
        for text in texts:
            assert self.post("say", text=text).status_code == 200
            self.waits_for('data-chat-state="annotator"', "rating_enjoyment", 'data-chat-state="ended"')

    def waits_for(self, *pieces: str) -> None:
        until = monotonic() + PATIENCE
        while not any(piece in self.page.text for piece in pieces):
            assert monotonic() < until, self.page.text
            sleep(0.05)
            self.page = self.client.get(self.place)

    def rates(self, point: int) -> None:
        self.page = self.client.get(self.place)
        assert self.post("submit", rating_enjoyment=str(point), reason="").status_code == 200


def visit(link: str, point: int, *texts: str) -> None:
    volunteer = Volunteer(link)
    volunteer.post("consent")
    for _ in range(2):  # one conversation with each bot
        volunteer.chats(*texts)
        if len(texts) < 3:  # a third exchange is the last one anyway
            volunteer.post("end")
        volunteer.rates(point)
    assert "Your completion code" in volunteer.page.text
    volunteer.client.close()


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def judged(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Study, list[str]]:
    """The study after everybody was there, and every message that went out to Telegram; on each engine."""
    database = "study.db"
    if request.param == "postgresql":
        database = f"{request.getfixturevalue('postgresql')}&study=wild"
    study = telegram_study(
        tmp_path_factory.mktemp("wild") / "study",
        bots="kaspar melchior",
        likert='reason = "off"',
        rest=TABLES,
        database=database,
    )
    with telegram_server() as telegram, open_store(study.database) as store:
        prepare_study(study, store)
        account = Telegram(TOKEN, telegram.address, wait_seconds=1)
        with served(create_app(study, store, side_tasks=[account])) as address:
            _everybody(address, store, telegram)
        sent = [message.text for chat in telegram.chats.values() for message in chat]
    return study, sent


def _everybody(address: str, store: Store, telegram: TelegramServer) -> None:
    invited = store.run(invite_annotators(2))
    for one in invited:
        visit(f"{address}/a/{one.token}", RATINGS["invited"], "hello to you", "I like the sea")
    for words in (("good morning there", "what a fine day"), ("Bye",) * 3):
        visit(f"{address}/open/{store.run(ensure_secret('open-link'))}", RATINGS["open"], *words)
    for number in (1, 2):
        user = TelegramUser(telegram, id=number)
        join(user)
        for conversation in range(2):
            chat(user, f"hello from phone {number}", "how are you today?")
            user.presses(END)
            rate(user, f"{RATINGS['telegram']} · Not at all")
            user.next()
            if conversation == 0:
                user.presses(MORE)
                user.next()


def test_everybody_rated_each_bot_once(judged: tuple[Study, list[str]]) -> None:
    with open_store(judged[0].database) as store:
        kinds = sorted(one.annotator_kind for one in store.stream(fetch_judgments()))
        assert kinds == ["lab"] * 4 + ["open"] * 4 + ["telegram"] * 4
        pairs = [(held.annotator, held.bot) for held in store.run(fetch_chats())]
        assert len(set(pairs)) == len(pairs) == 12


def test_spam_by_the_open_link_is_flagged_and_set_aside(judged: tuple[Study, list[str]]) -> None:
    with open_store(judged[0].database) as store:
        flagged = [
            held
            for held in store.run(fetch_chats())
            if "repeated-messages" in {flag.rule for flag in held.flags}
        ]
        assert [held.annotator_kind for held in flagged] == ["open", "open"]
        excluded = {one.id: one.excluded for one in store.stream(fetch_judgments()) if one.excluded}
        assert excluded == {held.judgment: "chat:repeated-messages" for held in flagged}


def test_volunteers_are_analysed_apart_from_the_invited(judged: tuple[Study, list[str]]) -> None:
    study, _ = judged
    with open_store(study.database) as store:
        results = analyse_study(study, store).results
    assert isinstance(results, LikertResults)
    means = {
        section.annotators: [bot.mean for question in section.questions for bot in question.bots]
        for section in results.sections
    }
    assert means["invited"] == pytest.approx([4, 4])
    each = (2 + 1 + 1) / 3  # 2 by the open link, 1 and 1 in Telegram; spam does not count
    assert means["wild"] == pytest.approx([each, each])


def test_volunteers_and_the_invited_have_a_column_each_on_a_leaderboard(
    judged: tuple[Study, list[str]], tmp_path: Path
) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text("team,f1\nkaspar,0.2\nmelchior,0.1\n", encoding="utf-8")
    given = read_material([teams], studies=[judged[0].folder])
    board = make_leaderboard(given.entries, given.scores, rules=Rules(winner="enjoyment"))
    invited, wild = "enjoyment, invited annotators", "enjoyment, wild annotators"
    assert {invited, wild} <= set(board.human)
    for one in board.standings:
        assert [one.human[invited].value, one.human[wild].value] == pytest.approx([4, 4 / 3])
        assert (one.human[invited].n, one.human[wild].n) == (2, 3)
    assert board.winner is None
    assert f"There are: {invited}" in board.winner_rule, "a rule must say whose ratings decide"


def test_nothing_sent_to_telegram_names_a_bot(judged: tuple[Study, list[str]]) -> None:
    assert not re.search("kaspar|melchior", "\n".join(judged[1]))
