"""Whatever annotators and researchers do, in whatever order: the promises of the store hold."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from duologue.protocols import Item
from duologue.store import (
    ConsentStation,
    FormStation,
    IdleStation,
    ItemStation,
    Station,
    Store,
    ThanksStation,
    block_annotator,
    exclude_judgments,
    fetch_filled_forms,
    fetch_judgments,
    fetch_leases,
    fill_in_form,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    open_store,
    record_answer,
    release_assignment,
    restore_judgments,
    restore_link,
    resume_sitting,
    revoke_link,
    screen_annotators,
    unblock_annotator,
    withdraw_annotator,
)
from duologue.store.database.engine import Database
from duologue.store.sittings.room import rooms
from duologue.studies import AttentionTable, StudyRules
from tests.store.small_study import (
    ANSWER,
    CAPS,
    Hand,
    attention_items,
    dialogue,
    dialogues,
    gold_dialogues,
    pairing,
    summary_of,
)
from tests.store.truth import check_promises
from tests.strategies import thorough

caps = st.builds(
    replace,
    st.just(CAPS),
    arms=st.sampled_from([("main",), ("one", "two")]),
    max_judgments=st.sampled_from([None, 1, 3]),
    annotations_per_item=st.sampled_from([1, 2]),
    onboarding_comparisons=st.sampled_from([0, 1, 2]),
    block=st.sampled_from(["soft", "at-once", "off"]),
    lease_seconds=st.just(60.0),
    copies=st.sampled_from([{}, {}, {"expert": 1, "": 2}, {"expert": 2}]),
    has_cohorts=st.booleans(),
    asks_cohort=st.booleans(),
    forms_before=st.sampled_from([(), (), ("you",)]),
    forms_after=st.sampled_from([(), (), ("end",)]),
    attention=st.just(AttentionTable(per_sitting=1, threshold=1.0, on_fail="exclude")),
).map(lambda one: replace(one, asks_cohort=one.asks_cohort and bool(one.forms_before)))
GOLD = [pairing(f"A-gold{number}", f"B-gold{number}", gold=0) for number in range(2)]
REUSED = [pairing("A-0", "B-1"), pairing("A-1", "B-0"), pairing("A-0", "C-1")]
MANY: list[Item] = [
    *GOLD,
    *REUSED,
    *(pairing(f"{one}-{n}", f"{two}-{n}") for one, two in ("AB", "AC", "BC") for n in range(3)),
]
FEW = [*GOLD, *MANY[-6:-3]]
VERSIONS = [
    *GOLD,
    *attention_items(2),
    *(replace(pairing(f"A-{n}", f"B-{n}"), block="red" if n < 3 else "blue") for n in range(6)),
]
"""Two versions of a questionnaire, with attention checks."""
T = TypeVar("T")
INDEX = st.integers(0, 1000)


class Sittings(RuleBasedStateMachine):
    """Annotators arrive, judge, repeat themselves and leave; researchers exclude, block and reload."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.hand = address, Hand()
        self.store: Store = open_store(address, clock=self.hand)
        self.eye = Database(address, clock=self.hand)
        """Looks at the rows, past the store."""
        self.tokens: list[str] = []
        self.handed: list[tuple[str, ItemStation]] = []
        self.stored: dict[str, str] = {}
        """By assignment: the reason that was acknowledged first."""
        self.filled: dict[tuple[str, str], dict[str, int]] = {}
        """By annotator and form: what was acknowledged."""
        self.withdrawn: set[str] = set()
        self.revoked: set[str] = set()
        self.are_orders_balanced = True
        self.has_been_crowded = False

    @initialize(given=caps, some=st.sampled_from([MANY, FEW, VERSIONS]))
    def load(self, given: StudyRules, some: list[Item]) -> None:
        self.caps, self.items = given, some
        gold = [dialogue(f"{bot}-gold{number}") for bot in "AB" for number in range(2)]
        self.store.run(load_dialogues([*dialogues(each=6), *gold, *gold_dialogues("check", 2)]))
        self.store.run(load_items(some, given))

    @precondition(lambda self: len(self.tokens) < 7)
    @rule(cohort=st.sampled_from(["", "expert", "novice"]))
    def come(self, cohort: str) -> None:
        (invitation,) = self.store.run(invite_annotators(cohort=cohort))
        self.tokens.append(invitation.token)
        self._meet(invitation.token, self.store.run(give_consent(invitation.token, self.caps)))

    @precondition(lambda self: not self.has_been_crowded and self._places() <= 8)
    @rule()
    def crowd(self) -> None:
        """Twice as many people as there are places: no more are let in, and the others have not agreed."""
        self.has_been_crowded = True
        self.store.run(screen_annotators(self.caps))
        places = self._places()
        links = self.store.run(invite_annotators(2 * places + 1))
        there = {one.token: self.store.run(give_consent(one.token, self.caps)) for one in links}
        let_in = {token: at for token, at in there.items() if not isinstance(at, IdleStation)}
        assert len(let_in) <= places
        for token, station in there.items():
            assert (summary_of(self.store, token).consented_at is not None) == (token in let_in)
            assert token not in let_in or isinstance(station, ItemStation | FormStation)
        for token, station in let_in.items():
            self.tokens.append(token)
            self._meet(token, station)

    def _places(self) -> int:
        """Free places that anybody may have: for judgments, or in versions for whole sittings."""
        with self.eye.reading() as reading:
            there = rooms(reading, self.caps, None, reading.now)
        return sum(room.free for room in there.values())

    @precondition(lambda self: self._present())
    @rule(index=INDEX)
    def arrive(self, index: int) -> None:
        token = _pick(self._present(), index)
        station = self.store.run(resume_sitting(token, self.caps))
        self._meet(token, station)
        if isinstance(station, ItemStation):
            assert self.store.run(resume_sitting(token, self.caps)) == station

    @precondition(lambda self: self._present())
    @rule(index=INDEX, form=st.sampled_from(["you", "end"]), cohort=st.sampled_from(["", "expert"]))
    def fill_in(self, index: int, form: str, cohort: str) -> None:
        """Send a form, due or not; only one that is due is kept, once."""
        token = _pick(self._present(), index)
        before, answers = self.store.run(resume_sitting(token, self.caps)), {"n": len(self.filled)}
        operation = fill_in_form(token, self.caps, form=form, answers=answers, cohort=cohort)
        after = self.store.run(operation)
        if isinstance(before, FormStation) and before.form == form:
            assert (token, form) not in self.filled
            self.filled[token, form] = answers
            assert after.saved
        self._meet(token, after)

    @precondition(lambda self: self._submittable())
    @rule(index=INDEX, is_latest=st.booleans(), is_right=st.booleans())
    def submit(self, index: int, is_latest: bool, is_right: bool) -> None:
        """Submit an assignment that was ever handed out: in hand, judged, expired, or taken away."""
        handed = self._submittable()
        token, station = handed[-1] if is_latest else _pick(handed, index)
        key = station.assignment.key
        reason = f"reason {len(self.stored)}"
        after = self.store.run(
            record_answer(
                token,
                self.caps,
                assignment=key,
                answer=replace(ANSWER, reason=reason),
                seconds=None,
                is_correct=None if station.assignment.item.is_judged else is_right,
                key=reason,
            )
        )
        self.stored.setdefault(key, reason)
        assert after.saved
        self._meet(token, after)

    @rule(seconds=st.sampled_from([1.0, 30.0, 60.0, 600.0]))
    def wait(self, seconds: float) -> None:
        self.hand.move(seconds)

    @precondition(lambda self: self.tokens)
    @rule(
        index=INDEX, action=st.sampled_from(["block", "unblock", "revoke", "unrevoke", "release", "withdraw"])
    )
    def decide(self, index: int, action: str) -> None:
        token = _pick(self.tokens, index)
        if token in self.withdrawn:
            return
        annotator = summary_of(self.store, token).id
        if action in ("block", "unblock"):
            unblocks = unblock_annotator(annotator, self.caps, reason="a test", by="me")
            blocks = block_annotator(annotator, reason="a test", by="me")
            self.store.run(blocks if action == "block" else unblocks)
        elif action == "revoke":
            self.store.run(revoke_link(annotator))
            self.revoked.add(token)
        elif action == "unrevoke":
            self.store.run(restore_link(annotator))
            self.revoked.discard(token)
        elif action == "release" and self.store.run(fetch_leases()):
            self.store.run(
                release_assignment(
                    _pick([lease.assignment for lease in self.store.run(fetch_leases())], index),
                    self.caps,
                    by="me",
                )
            )
        elif action == "withdraw" and index % 5 == 0:
            self.store.run(withdraw_annotator(annotator, reason="a test"))
            self.withdrawn.add(token)

    @precondition(lambda self: self.stored)
    @rule(index=INDEX, name=st.sampled_from(["slow", "no-reason"]), is_back=st.booleans())
    def exclude(self, index: int, name: str, is_back: bool) -> None:
        judgment = _pick(list(self.store.stream(fetch_judgments())), index)
        change = restore_judgments if is_back else exclude_judgments
        self.store.run(change([judgment.id], rule=name, reason="a test", by="me"))

    @rule(left_out=st.sets(st.sampled_from([item.id for item in (*MANY, *VERSIONS)]), max_size=4))
    def reload(self, left_out: set[str]) -> None:
        self.store.run(load_items([item for item in self.items if item.id not in left_out], self.caps))
        self.are_orders_balanced = self.are_orders_balanced and not left_out

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.address, clock=self.hand)

    @invariant()
    def promises_hold(self) -> None:
        if hasattr(self, "caps"):
            check_promises(self.eye, self.caps, are_orders_balanced=self.are_orders_balanced)

    @invariant()
    def first_answer_stays(self) -> None:
        tokens = {station.assignment.key: token for token, station in self.handed}
        kept = {judgment.assignment: judgment.reason for judgment in self.store.stream(fetch_judgments())}
        assert kept == {
            key: "" if tokens[key] in self.withdrawn else reason for key, reason in self.stored.items()
        }

    @invariant()
    def forms_are_kept_until_somebody_withdraws(self) -> None:
        kept = [dict(one.answers) if one.answers else None for one in self.store.stream(fetch_filled_forms())]
        assert kept == [
            None if token in self.withdrawn else answers for (token, _form), answers in self.filled.items()
        ]

    def teardown(self) -> None:
        self.store.close()
        self.eye.close()

    def _meet(self, token: str, station: Station) -> None:
        assert isinstance(station, ItemStation | ThanksStation | IdleStation | FormStation | ConsentStation)
        if isinstance(station, ItemStation) and (token, station.assignment.key) not in [
            (who, before.assignment.key) for who, before in self.handed
        ]:
            self.handed.append((token, station))

    def _present(self) -> list[str]:
        return [token for token in self.tokens if token not in self.revoked | self.withdrawn]

    def _submittable(self) -> list[tuple[str, ItemStation]]:
        present = self._present()
        return [(token, station) for token, station in self.handed if token in present]


def _pick(some: list[T], index: int) -> T:
    return some[index % len(some)]


def _run(addresses: Callable[[], str], *, examples: int) -> None:
    run_state_machine_as_test(
        lambda: Sittings(addresses()),  # type: ignore[arg-type]  # any maker of machines will do
        settings=settings(
            max_examples=thorough(examples).max_examples,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_promises_hold_whatever_happens_on_sqlite(quick_disk: Path) -> None:
    numbers = count()
    with tempfile.TemporaryDirectory(dir=quick_disk) as folder:
        _run(lambda: f"sqlite:///{folder}/{next(numbers)}.db", examples=5)


@pytest.mark.postgres
def test_promises_hold_whatever_happens_on_postgresql(postgresql: str) -> None:
    numbers = count()
    _run(lambda: f"{postgresql}&study=sittings_{next(numbers)}", examples=2)
