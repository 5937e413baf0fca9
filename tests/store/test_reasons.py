"""Annotators who never give a reason: screened when their sitting ends, everywhere and at once."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import pytest

from duologue.judgments import Judgment
from duologue.store import (
    IdleStation,
    ItemStation,
    Store,
    ThanksStation,
    block_annotator,
    fetch_annotators,
    fetch_exclusions,
    fetch_judged,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    fetch_rules_in_force,
    open_store,
    release_assignment,
    restore_judgments,
    resume_sitting,
    screen_annotators,
    unblock_annotator,
    withdraw_annotator,
)
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.sittings.leases import take_back_and_screen
from duologue.store.sittings.sitting import sitting_of
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, load
from tests.store.truth import assert_sound

ASKING = replace(CAPS, excludes_without_reason=True)
"""Rules of a study that asks for reasons."""


def never_a_reason(judgments: Iterable[Judgment]) -> set[str]:
    """The rule in plain words: judgments left by other rules, of annotators who never wrote a word."""
    gave_one: set[str] = set()
    concerned: defaultdict[str, set[str]] = defaultdict(set)
    for judgment in judgments:
        if judgment.reason.strip():
            gave_one.add(judgment.annotator)
        elif not judgment.is_onboarding and judgment.excluded in ("", "no-reason"):
            concerned[judgment.annotator].add(judgment.id)
    return {key for annotator, keys in concerned.items() if annotator not in gave_one for key in keys}


def excluded(store: Store) -> set[str]:
    return {one.id for one in store.stream(fetch_judgments()) if one.excluded == "no-reason"}


def sit(store: Store, *reasons: str) -> str:
    """A new annotator judges once for each reason; the token."""
    token, station = come(store, ASKING)
    for reason in reasons:
        station = answer(store, token, station, ASKING, reason=reason)
    return token


def test_whoever_finishes_without_a_reason_is_excluded_at_once(store: Store, database: str) -> None:
    load(store, ASKING)
    token = sit(store, "", "", "")
    assert isinstance(store.run(resume_sitting(token, ASKING)), ThanksStation)
    assert {one.excluded for one in store.stream(fetch_judgments())} == {"no-reason"}
    rows = store.run(fetch_exclusions())
    assert {(one.rule, one.action, one.by) for one in rows} == {("no-reason", "exclude", "duologue")}
    assert [(one.done, one.excluded) for one in store.run(fetch_progress())] == [(0, 1)] * 3
    assert excluded(store) == never_a_reason(store.stream(fetch_judgments()))
    assert_sound(database, ASKING)


def test_one_reason_is_enough_even_at_onboarding(store: Store) -> None:
    caps = replace(SCREENED, excludes_without_reason=True)
    load(store, caps, onboarding=1)
    for reasons in (("", "", "fun", ""), ("at onboarding", "", "", "")):
        token, station = come(store, caps)
        for reason in reasons:
            station = answer(store, token, station, caps, reason=reason)
        assert isinstance(station, ThanksStation)
    assert store.run(fetch_exclusions()) == ()


def test_in_mid_sitting_nobody_is_judged(store: Store) -> None:
    load(store, ASKING)
    sit(store, "", "")
    assert store.run(screen_annotators(ASKING)) == 0
    assert store.run(fetch_exclusions()) == ()


def test_a_study_that_does_not_ask_for_reasons_excludes_nobody(store: Store) -> None:
    load(store)
    token, station = come(store)
    for _ in range(3):
        station = answer(store, token, station, reason="")
    assert isinstance(station, ThanksStation)
    assert store.run(screen_annotators(CAPS)) == 0
    assert store.run(fetch_exclusions()) == ()


def test_the_opened_places_are_filled_by_others_up_to_the_planned_number(store: Store, database: str) -> None:
    load(store, ASKING, bots="AB", each=2)
    for reason in ("", "", "so", "so"):
        sit(store, reason)
    assert [(one.wanted, one.done, one.excluded) for one in store.run(fetch_progress())] == [(2, 2, 2)]
    assert isinstance(come(store, ASKING)[1], IdleStation)
    assert_sound(database, ASKING)


def test_whoever_leaves_is_screened_when_the_next_comes_after_the_lease(store: Store, hand: Hand) -> None:
    load(store, ASKING)
    sit(store, "")
    hand.move(ASKING.lease_seconds + 1)
    come(store, ASKING)
    assert [one.excluded for one in store.stream(fetch_judgments())] == ["no-reason"]


def test_whoever_leaves_is_screened_though_nobody_comes(store: Store, hand: Hand) -> None:
    load(store, ASKING)
    sit(store, "", "")
    hand.move(ASKING.lease_seconds + 1)
    assert store.run(screen_annotators(ASKING)) == 2
    assert store.run(screen_annotators(ASKING)) == 0
    assert [one.leased for one in store.run(fetch_progress())] == [0, 0, 0]


def test_whoever_comes_back_after_the_lease_is_not_screened_for_it(store: Store, hand: Hand) -> None:
    load(store, ASKING)
    token = sit(store, "")
    hand.move(ASKING.lease_seconds + 1)
    _other, station = come(store, ASKING)  # takes the lease of the first, and screens
    assert isinstance(station, ItemStation)
    assert len(excluded(store)) == 1
    station = store.run(resume_sitting(token, ASKING))
    assert isinstance(station, ItemStation)
    answer(store, token, station, ASKING, reason="now I see")
    assert excluded(store) == set()


def test_the_first_to_come_back_is_themselves_not_screened(store: Store, hand: Hand) -> None:
    load(store, ASKING)
    token = sit(store, "")
    hand.move(ASKING.lease_seconds + 1)
    assert isinstance(store.run(resume_sitting(token, ASKING)), ItemStation)
    assert store.run(fetch_exclusions()) == ()


def test_whoever_is_here_is_not_screened_with_those_who_left(store: Store, hand: Hand) -> None:
    """Their own lease may have run out with the others': they are here, and may still give a reason."""
    load(store, ASKING)
    here, _gone = sit(store, ""), sit(store, "")
    hand.move(ASKING.lease_seconds + 1)

    @writes
    def come_back(tx: Transaction) -> str:
        sitting = sitting_of(tx, here)
        take_back_and_screen(tx, ASKING, but=sitting.n)
        return sitting.annotator.id

    who = store.run(come_back())
    found = {one.annotator == who: one.excluded for one in store.stream(fetch_judgments())}
    assert found == {True: "", False: "no-reason"}
    assert [one.leased for one in store.run(fetch_progress())] == [0, 0, 0]


def test_a_reason_given_later_lets_all_count_again(store: Store, database: str) -> None:
    caps = replace(ASKING, max_judgments=3)
    load(store, caps)
    token, station = come(store, caps)
    station = answer(store, token, station, caps, reason="")
    store.run(release_assignment(store.run(fetch_leases())[0].assignment, caps, by="me"))
    assert store.run(screen_annotators(caps)) == 1
    station = store.run(resume_sitting(token, caps))
    answer(store, token, station, caps, reason="at last")
    assert [one.excluded for one in store.stream(fetch_judgments())] == ["", ""]
    restored = store.run(fetch_exclusions())[-1]
    assert (restored.action, restored.by) == ("restore", "duologue")
    assert sum(one.done for one in store.run(fetch_progress())) == 2
    assert_sound(database, caps)


def test_what_the_researcher_took_back_stays_taken_back(store: Store) -> None:
    load(store, ASKING)
    token = sit(store, "", "", "")
    keys = sorted(excluded(store))
    assert store.run(restore_judgments(keys, rule="no-reason", reason="spoke to them", by="researcher")) == 3
    assert isinstance(store.run(resume_sitting(token, ASKING)), ThanksStation)
    assert store.run(screen_annotators(ASKING)) == 0
    assert excluded(store) == set()


def test_what_another_rule_excludes_is_left_to_it(store: Store) -> None:
    caps = replace(SCREENED, excludes_without_reason=True)
    load(store, caps, onboarding=1)
    token, station = come(store, caps)
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, is_right=False, reason="")
    assert {one.rule for one in store.run(fetch_exclusions())} == {"onboarding"}
    assert never_a_reason(store.stream(fetch_judgments())) == set()


def test_what_a_person_excluded_is_excluded_by_the_rule_too(store: Store) -> None:
    """Verdicts count what was excluded by hand for an undeclared reason, unless a rule excludes it."""
    load(store, ASKING)
    sit(store, "")
    (judgment,) = store.stream(fetch_judgments())
    store.run(block_annotator(judgment.annotator, reason="rude", by="me"))
    assert store.run(screen_annotators(ASKING)) == 1
    assert [one.rule for one in store.run(fetch_rules_in_force())] == ["blocked", "no-reason"]
    store.run(unblock_annotator(judgment.annotator, ASKING, reason="mistaken", by="me"))
    assert [one.excluded for one in store.stream(fetch_judgments())] == ["no-reason"]


def test_an_annotator_who_withdrew_is_not_blamed_for_erased_reasons(store: Store) -> None:
    load(store, ASKING)
    sit(store, "so", "so", "so")
    store.run(withdraw_annotator(next(store.stream(fetch_judgments())).annotator, reason="asked to"))
    assert store.run(screen_annotators(ASKING)) == 0
    assert {one.rule for one in store.run(fetch_rules_in_force())} == {"withdrawn"}


@pytest.fixture
def judged_before(database: str, hand: Hand) -> str:
    """A database judged by a version that screened at analysis: nothing is written of a silent annotator."""
    with open_store(database, clock=hand) as store:
        load(store)
        for reason in ("so", ""):
            token, station = come(store)
            while isinstance(station, ItemStation):
                station = answer(store, token, station, reason=reason)
    return database


def test_what_is_not_yet_written_is_read_as_it_will_be(judged_before: str, hand: Hand) -> None:
    with open_store(judged_before, clock=hand, excludes_without_reason=True) as reading:
        read = _state(reading)
        assert reading.run(screen_annotators(ASKING)) == 3
        assert _state(reading) == read
    with open_store(judged_before, clock=hand) as plain:
        assert _state(plain) == read
    assert read[0] == ["", "", "", "no-reason", "no-reason", "no-reason"]
    assert_sound(judged_before, ASKING)


def test_reading_it_writes_nothing(judged_before: str, hand: Hand) -> None:
    with open_store(judged_before, clock=hand, excludes_without_reason=True) as reading:
        _state(reading)
    with open_store(judged_before, clock=hand) as plain:
        assert plain.run(fetch_exclusions()) == ()


def _state(store: Store) -> tuple[object, ...]:
    """All that is read of what counts."""
    return (
        [one.excluded for one in store.stream(fetch_judgments())],
        [one.judgment.excluded for one in store.stream(fetch_judged())],
        store.run(fetch_progress()),
        [one.excluded for one in store.run(fetch_annotators())],
        [(one.judgment, one.rule, one.by, one.reason) for one in store.run(fetch_exclusions())],
        [(one.judgment, one.rule) for one in store.run(fetch_rules_in_force())],
    )
