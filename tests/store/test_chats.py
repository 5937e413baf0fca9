"""Whatever people and bots do in live chats, in whatever order: what was acknowledged is there, once."""

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from duologue.errors import AnswerError, ChatError
from duologue.protocols import HUMAN, ChatPlan, ChatSettings, Selection
from duologue.store import (
    Chat,
    GivenReply,
    ItemStation,
    Station,
    Store,
    WantedReply,
    abandon_chat,
    block_annotator,
    choose_candidates,
    end_stale_chats,
    fail_reply,
    fetch_chat,
    fetch_chat_changes,
    fetch_judgments,
    fetch_leases,
    finish_chat,
    give_consent,
    invite_annotators,
    keep_draft,
    load_items,
    open_store,
    record_answer,
    release_assignment,
    resume_sitting,
    retry_reply,
    store_reply,
    take_replies,
    take_turn,
    unblock_annotator,
    withdraw_annotator,
)
from duologue.store.database.engine import Database
from duologue.store.database.schema import WITHDRAWN_TEXT
from duologue.studies import StudyRules
from tests.store.small_chats import RATING, candidate_items, chat_item
from tests.store.small_study import CAPS, Hand, summary_of
from tests.store.truth import check_promises
from tests.strategies import thorough

PLANS = (ChatPlan(), ChatPlan(first="partner"), ChatPlan(first="partner", opener="Well?"))
ITEMS = [chat_item(bot, number, PLANS[number % 3]) for bot in ("ada", "bea", HUMAN) for number in range(6)]
SEVERAL = (
    ChatPlan(choose="one"),
    ChatPlan(choose="any", goes_on="random", first="partner", after_failure="go-on"),
    ChatPlan(choose="any", goes_on="annotator", min_written=3, after_failure="end"),
    ChatPlan(histories="own"),
    ChatPlan(histories="own", first="partner", opener="Well?", after_failure="go-on"),
)
ITEMS += [
    replace(item, id=f"{item.id}-{number}", group="three")
    for number, plan in enumerate(SEVERAL)
    for item in candidate_items(("ada", "bea", "cyd"), each=2, plan=plan)
]
INDEX = st.integers(0, 1000)
ACTS = {"end_chat": finish_chat, "try_again": retry_reply, "leave_chat": abandon_chat}
T = TypeVar("T")

caps = st.builds(
    replace,
    st.just(CAPS),
    arms=st.sampled_from([("main",), ("one", "two")]),
    max_per_group=st.sampled_from([1, 2]),
    lease_seconds=st.just(60.0),
    chat=st.builds(
        ChatSettings,
        human_partner=st.just(True),
        min_exchanges=st.sampled_from([1, 2]),
        max_exchanges=st.sampled_from([2, 3]),
        waiting_minutes=st.just(0.5),
    ),
)


class Chats(RuleBasedStateMachine):
    """Annotators chat with bots and each other, repeat themselves and leave; bots answer, fail, are slow.

    Every rule can run at any time; one for which there is nothing to do does nothing. Ids come from a
    generator of our own, so that the same steps lead to the same chats.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        drawn = Random(7)
        self.patch.setattr(secrets, "token_hex", lambda size: drawn.randbytes(size).hex())
        self.address, self.hand = address, Hand()
        self.store: Store = open_store(address, clock=self.hand)
        self.eye = Database(address, clock=self.hand)
        self.tokens: list[str] = []
        self.handed: list[tuple[str, str]] = []
        """Tokens and the keys of all chats that were ever handed to them."""
        self.credited: set[str] = set()
        """The assignments of chats that were left with credit."""
        self.said: dict[str, list[str]] = {}
        """By assignment: what the annotator said and was acknowledged."""
        self.taken: list[WantedReply] = []
        self.gone: set[str] = set()
        self.newest = 0
        self.numbers = count()

    @initialize(given=caps)
    def load(self, given: StudyRules) -> None:
        self.caps = given
        self.store.run(load_items(ITEMS, given))
        for _ in range(3):
            self.come()

    @rule(rounds=st.integers(1, 3))
    def talk(self, rounds: int) -> None:
        """Everybody who can says something, and the bots answer."""
        for _ in range(rounds):
            for place in range(len(dict(self._reachable()))):
                self.say(place, is_latest=True, is_repeated=False)
            self.take(5, 10.0)
            for place in range(len(self.taken)):
                self.answer(place, is_answer=True)
            self.choose_everywhere()

    @rule()
    def come(self) -> None:
        if len(self.tokens) == 6:
            return
        (invitation,) = self.store.run(invite_annotators())
        self.tokens.append(invitation.token)
        self._meet(invitation.token, self.store.run(give_consent(invitation.token, self.caps)))

    @rule(index=INDEX)
    def arrive(self, index: int) -> None:
        if not self._present():
            return
        token = _pick(self._present(), index)
        self._meet(token, self.store.run(resume_sitting(token, self.caps)))

    @rule(index=INDEX, is_latest=st.booleans(), is_repeated=st.booleans())
    def say(self, index: int, is_latest: bool, is_repeated: bool) -> None:
        if not self._reachable():
            return
        token, key = self._chat(index, is_latest)
        text = f"This is {next(self.numbers)}."
        for _ in range(2 if is_repeated else 1):
            try:
                station = self.store.run(take_turn(token, self.caps, assignment=key, text=text, key=text))
            except ChatError:
                continue
            if text in [turn.text for turn in self.store.run(fetch_chat(token, key)).turns]:
                self.said[key] = [*(one for one in self.said.get(key, ()) if one != text), text]
            self._meet(token, station)

    @rule(
        index=INDEX,
        is_latest=st.booleans(),
        cards=st.sets(st.integers(0, 4), max_size=3),
        written=st.sampled_from(["", "I see.", "x"]),
        is_repeated=st.booleans(),
    )
    def choose(self, index: int, is_latest: bool, cards: set[int], written: str, is_repeated: bool) -> None:
        if not self._reachable():
            return
        token, key = self._chat(index, is_latest)
        before = self.store.run(fetch_chat(token, key))
        selection = Selection(before.turn, tuple(sorted(cards)), written)
        for _ in range(2 if is_repeated else 1):
            chosen = choose_candidates(token, self.caps, assignment=key, selection=selection, key="k")
            try:
                station = self.store.run(chosen)
            except (ChatError, AnswerError):
                assert self.store.run(fetch_chat(token, key)).turns == before.turns
                continue
            after = self.store.run(fetch_chat(token, key))
            if before.state == "choosing":
                allowed = {before.candidates[card - 1] for card in cards} or {*before.candidates, written}
                assert after.turns[before.turn].text in allowed
            self._meet(token, station)

    @rule()
    def choose_everywhere(self) -> None:
        """Everybody who can chooses the first card."""
        for place in range(len(dict(self._reachable()))):
            self.choose(place, is_latest=True, cards={1}, written="", is_repeated=False)

    @rule(limit=st.sampled_from([1, 5]), lease=st.sampled_from([10.0, 100.0]))
    def take(self, limit: int, lease: float) -> None:
        taken = self.store.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=lease, limit=limit))
        assert len(taken) <= limit
        self.taken += taken

    @rule(index=INDEX, is_answer=st.sampled_from([True, True, False]))
    def answer(self, index: int, is_answer: bool) -> None:
        if not self.taken:
            return
        wanted = _pick(self.taken, index)
        if is_answer:
            self.store.run(store_reply(wanted.id, GivenReply(f"Reply {next(self.numbers)}.", 0.1)))
        else:
            self.store.run(fail_reply(wanted.id, "It broke."))

    @rule()
    def judge(self) -> None:
        """Everybody whose chat is over does what is asked of them next."""
        for place in range(len(dict(self._reachable()))):
            self.act(place, is_latest=True, act="leave_chat")
            self.act(place, is_latest=True, act="submit")

    @rule(
        index=INDEX,
        is_latest=st.booleans(),
        act=st.sampled_from(["end_chat", "try_again", "leave_chat", "submit", "draft"]),
    )
    def act(self, index: int, is_latest: bool, act: str) -> None:
        if not self._reachable():
            return
        token, key = self._chat(index, is_latest)
        before, judged = self.store.run(fetch_chat(token, key)), self._judged()
        try:
            if act == "submit":
                station = self.store.run(
                    record_answer(
                        token,
                        self.caps,
                        assignment=key,
                        answer=RATING,
                        seconds=None,
                        is_correct=None,
                        key=key,
                    )
                )
            elif act == "draft":
                station = self.store.run(keep_draft(token, self.caps, assignment=key, fields={"a": "b"}))
            else:
                station = self.store.run(ACTS[act](token, self.caps, assignment=key))
        except ChatError:
            assert self._judged() == judged
            return
        if act == "submit" and key in self.credited:  # from another tab: nothing more is asked of it
            assert self._judged() == judged
        elif act == "submit":
            assert before.is_usable or key in judged
            assert key in self._judged()
        if act == "leave_chat" and key not in judged:
            assert not before.is_usable
            self.credited.add(key)
        self._meet(token, station)

    @rule(seconds=st.sampled_from([1.0, 20.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.hand.move(seconds)

    @rule()
    def tidy(self) -> None:
        self.store.run(end_stale_chats())
        assert self.store.run(end_stale_chats()) == 0

    @rule(index=INDEX, action=st.sampled_from(["block", "unblock", "release", "withdraw"]))
    def decide(self, index: int, action: str) -> None:
        if not self._present():
            return
        token = _pick(self._present(), index)
        annotator = summary_of(self.store, token).id
        if action in ("block", "unblock"):
            unblocks = unblock_annotator(annotator, self.caps, reason="a test", by="me")
            blocks = block_annotator(annotator, reason="a test", by="me")
            self.store.run(blocks if action == "block" else unblocks)
        elif action == "release" and self.store.run(fetch_leases()):
            self.store.run(
                release_assignment(
                    _pick([lease.assignment for lease in self.store.run(fetch_leases())], index),
                    self.caps,
                    by="me",
                )
            )
        elif action == "withdraw" and index % 4 == 0:
            self.store.run(withdraw_annotator(annotator, reason="a test"))
            self.gone.add(token)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.address, clock=self.hand)

    @invariant()
    def promises_hold(self) -> None:
        if hasattr(self, "caps"):
            check_promises(self.eye, self.caps)

    @invariant()
    def everything_acknowledged_is_there_once(self) -> None:
        for token, key in self._reachable():
            chat = self.store.run(fetch_chat(token, key))
            mine = [turn.text for turn in chat.turns if turn.is_annotator]
            assert mine == self.said.get(key, [])
            assert WITHDRAWN_TEXT not in mine
            theirs = {turn.place for turn in chat.turns if not turn.is_annotator}
            assert chat.exchanges == min(len(mine), len(theirs))

    @invariant()
    def changes_only_grow(self) -> None:
        newest, changed = self.store.run(fetch_chat_changes(self.newest))
        assert newest >= self.newest
        assert bool(changed) == (newest > self.newest)
        self.newest = newest

    def teardown(self) -> None:
        self.patch.undo()
        self.store.close()
        self.eye.close()

    def _meet(self, token: str, station: Station) -> None:
        if isinstance(station, ItemStation):
            assert isinstance(station.assignment.chat, Chat)
            if (token, station.assignment.key) not in self.handed:
                self.handed.append((token, station.assignment.key))

    def _present(self) -> list[str]:
        return [token for token in self.tokens if token not in self.gone]

    def _reachable(self) -> list[tuple[str, str]]:
        return [(token, key) for token, key in self.handed if token not in self.gone]

    def _chat(self, index: int, is_latest: bool) -> tuple[str, str]:
        """A chat, seldom an old one of an annotator who has another by now."""
        reachable = self._reachable()
        return _pick(list(dict(reachable).items()) if is_latest else reachable, index)

    def _judged(self) -> set[str]:
        return {judgment.assignment for judgment in self.store.stream(fetch_judgments())}


def _pick(some: list[T], index: int) -> T:
    return some[index % len(some)]


def _run(addresses: Callable[[], str], *, examples: int) -> None:
    run_state_machine_as_test(
        lambda: Chats(addresses()),  # type: ignore[arg-type]  # any maker of machines will do
        settings=settings(
            max_examples=thorough(examples).max_examples,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_chats_stay_whole_whatever_happens_on_sqlite(quick_disk: Path) -> None:
    numbers = count()
    with tempfile.TemporaryDirectory(dir=quick_disk) as folder:
        _run(lambda: f"sqlite:///{folder}/{next(numbers)}.db", examples=4)


@pytest.mark.postgres
def test_chats_stay_whole_whatever_happens_on_postgresql(postgresql: str) -> None:
    numbers = count()
    _run(lambda: f"{postgresql}&study=chats_{next(numbers)}", examples=1)
