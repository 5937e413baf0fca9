"""The plan is frozen once, with the first judgment, and every look at results is kept."""

import threading

import pytest
from sqlalchemy import text

from duologue.clock import utc_now
from duologue.errors import StoreError
from duologue.store import (
    Store,
    add_addendum,
    copy_addenda,
    fetch_addenda,
    fetch_frozen_plan,
    fetch_judgments,
    fetch_looks,
    keep_plan_draft,
    open_store,
    record_look,
)
from duologue.store.database.engine import Database
from duologue.studies import freeze, plan_hash
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, judge_all, load

DRAFT = {"alpha": 0.05, "n": [{"arm": "main", "group": "A__vs__B", "judgments": 4}]}


def test_the_first_judgment_freezes_the_plan_with_its_hash_and_time(store: Store, hand: Hand) -> None:
    load(store)
    assert store.run(keep_plan_draft(DRAFT))
    token, station = come(store)
    assert store.run(fetch_frozen_plan()) is None
    hand.move(90)
    answer(store, token, station)
    plan = store.run(fetch_frozen_plan())
    assert plan is not None
    assert plan.hash == plan.content["hash"] == plan_hash(plan.content)
    assert plan.at == plan.content["frozen_at"] == "2026-05-01T12:01:30.000000+00:00"
    assert plan.content["alpha"] == 0.05


def test_an_onboarding_judgment_does_not_freeze_the_plan(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    store.run(keep_plan_draft(DRAFT))
    token, station = come(store, SCREENED)
    station = answer(store, token, station, SCREENED)
    assert store.run(fetch_frozen_plan()) is None
    answer(store, token, station, SCREENED)
    assert store.run(fetch_frozen_plan()) is not None


def test_a_frozen_plan_is_never_changed(store: Store) -> None:
    load(store)
    store.run(keep_plan_draft(DRAFT))
    judge_all(store, CAPS)
    before = store.run(fetch_frozen_plan())
    assert not store.run(keep_plan_draft({"alpha": 0.2}))
    judge_all(store, CAPS)
    assert store.run(fetch_frozen_plan()) == before


def test_the_draft_may_be_changed_until_the_first_judgment(store: Store) -> None:
    load(store)
    store.run(keep_plan_draft(DRAFT))
    store.run(keep_plan_draft({"alpha": 0.01}))
    judge_all(store, CAPS)
    plan = store.run(fetch_frozen_plan())
    assert plan is not None
    assert plan.content["alpha"] == 0.01


def test_a_study_that_was_judged_before_plans_were_kept_gets_none(store: Store) -> None:
    load(store)
    judge_all(store, CAPS)
    assert not store.run(keep_plan_draft(DRAFT))
    judge_all(store, CAPS)
    assert store.run(fetch_frozen_plan()) is None


@pytest.mark.parametrize("table", ["plans", "looks"])
@pytest.mark.parametrize("change", ["UPDATE {} SET at = 'x'", "DELETE FROM {}"])
def test_the_database_refuses_to_change_plan_and_looks(database: str, table: str, change: str) -> None:
    with open_store(database) as store:
        load(store)
        store.run(keep_plan_draft(DRAFT))
        judge_all(store, CAPS)
        store.run(record_look("analyse", judgments=1, planned=2, short=1, data="a"))
    opened = Database(database, clock=utc_now)
    with pytest.raises(Exception, match="append-only"), opened.engine.begin() as connection:
        connection.execute(text(change.format(table)))
    opened.close()


def test_two_stores_of_one_study_freeze_one_plan(database: str) -> None:
    with open_store(database) as one, open_store(database) as other:
        load(one)
        one.run(keep_plan_draft(DRAFT))
        there = [come(one), come(other), come(one), come(other)]
        failures: list[StoreError] = []

        def submit(number: int) -> None:
            token, station = there[number]
            try:
                answer((one, other)[number % 2], token, station)
            except StoreError as error:
                failures.append(error)

        threads = [threading.Thread(target=submit, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert len(list(one.stream(fetch_judgments()))) == 4
        assert one.run(fetch_frozen_plan()) is not None
        assert one.run(fetch_frozen_plan()) == other.run(fetch_frozen_plan())


def test_who_sees_the_same_again_takes_no_new_look(store: Store, hand: Hand) -> None:
    def look(data: str, how: str = "analyse", rest: float = 0.0) -> bool:
        return store.run(record_look(how, judgments=3, planned=9, short=2, data=data, rest_seconds=rest))

    assert look("a")
    assert not look("a", "report")
    assert look("b", "report")
    assert look("c", "dashboard", 600)
    assert not look("d", "dashboard", 600), "the page refreshed by itself"
    hand.move(601)
    assert look("d", "dashboard", 600)
    assert [(one.how, one.judgments, one.is_interim) for one in store.run(fetch_looks())] == [
        ("analyse", 3, True),
        ("report", 3, True),
        ("dashboard", 3, True),
        ("dashboard", 3, True),
    ]


def test_what_is_added_to_the_plan_has_a_time_and_hash_of_its_own(store: Store, hand: Hand) -> None:
    load(store)
    store.run(keep_plan_draft(DRAFT))
    judge_all(store, CAPS)
    plan = store.run(fetch_frozen_plan())
    hand.move(3600)
    first = store.run(add_addendum({"adds": ["C"]}))
    second = store.run(add_addendum({"adds": ["D"]}))
    assert store.run(fetch_addenda()) == (first, second)
    assert first.content["adds"] == ["C"]
    assert first.hash == plan_hash(first.content) != second.hash
    assert store.run(fetch_frozen_plan()) == plan
    assert plan is not None
    assert first.at > plan.at


def test_a_rehearsal_keeps_the_addenda_of_its_study(store: Store) -> None:
    given = (freeze({"adds": ["C"]}, at="2026-05-01T12:00:00.000000+00:00"),)
    store.run(copy_addenda(given))
    assert store.run(fetch_addenda()) == given
    assert store.run(fetch_frozen_plan()) is None
