"""Forms and cohorts in the database: apart from judgments, erased on withdrawal, counted by cohort."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from duologue.clock import utc_now
from duologue.errors import AnswerError
from duologue.store import (
    ConsentStation,
    FormStation,
    IdleStation,
    ItemStation,
    NoPlace,
    Station,
    Store,
    ThanksStation,
    fetch_annotators,
    fetch_cohorts,
    fetch_filled_forms,
    fetch_judged,
    fetch_judged_batches,
    fetch_progress,
    fill_in_form,
    find_no_place,
    give_consent,
    invite_annotators,
    load_items,
    open_store,
    resume_sitting,
    withdraw_annotator,
)
from duologue.store.database.engine import Database
from duologue.studies import StudyRules
from tests.store.small_study import CAPS, SCREENED, Hand, answer, load, pairings
from tests.store.truth import assert_sound

FORMS = replace(CAPS, forms_before=("you", "health"), forms_after=("end",))


def begin(store: Store, caps: StudyRules, *, cohort: str = "") -> tuple[str, Station]:
    (invitation,) = store.run(invite_annotators(cohort=cohort))
    return invitation.token, store.run(give_consent(invitation.token, caps))


def fill(store: Store, token: str, form: str, caps: StudyRules = FORMS, **answers: str) -> Station:
    return store.run(fill_in_form(token, caps, form=form, answers=answers))


def judge(store: Store, token: str, station: Station, caps: StudyRules) -> Station:
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps)
    return station


def forms_of(store: Store) -> list[tuple[str, object]]:
    return [(one.form, one.answers) for one in store.stream(fetch_filled_forms())]


def test_forms_come_before_the_first_item_and_after_the_last(store: Store) -> None:
    load(store, FORMS)
    token, station = begin(store, FORMS)
    assert isinstance(station, FormStation)
    assert (station.form, station.annotator.arm) == ("you", "")
    station = fill(store, token, "you", age="31")
    assert isinstance(station, FormStation)
    assert station.form == "health"
    station = fill(store, token, "health")
    assert isinstance(station, ItemStation)
    station = judge(store, token, station, FORMS)
    assert isinstance(station, FormStation)
    assert station.form == "end"
    assert store.run(fetch_annotators())[0].judgments == 3
    station = fill(store, token, "end", notes="so")
    assert isinstance(station, ThanksStation)
    assert isinstance(store.run(resume_sitting(token, FORMS)), ThanksStation)
    assert forms_of(store) == [("you", {"age": "31"}), ("health", {}), ("end", {"notes": "so"})]


def test_onboarding_comes_after_the_forms_before(store: Store) -> None:
    caps = replace(SCREENED, forms_before=("you",))
    load(store, caps, onboarding=1)
    token, _station = begin(store, caps)
    station = fill(store, token, "you", caps)
    assert isinstance(station, ItemStation)
    assert station.assignment.item.is_onboarding


def test_who_fails_onboarding_is_asked_the_last_form_like_anyone(store: Store) -> None:
    caps = replace(SCREENED, forms_after=("end",))
    load(store, caps, onboarding=1)
    token, station = begin(store, caps)
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, is_right=False)
    assert isinstance(station, FormStation)
    assert isinstance(fill(store, token, "end", caps), ThanksStation)


def test_a_form_is_kept_once_and_one_that_is_not_due_not_at_all(store: Store) -> None:
    load(store, FORMS)
    (invitation,) = store.run(invite_annotators())
    token = invitation.token
    assert isinstance(fill(store, token, "you", age="1"), ConsentStation)
    store.run(give_consent(token, FORMS))
    station = fill(store, token, "end", age="2")
    assert isinstance(station, FormStation)
    assert station.form == "you"
    fill(store, token, "you", age="3")
    fill(store, token, "you", age="4")
    assert forms_of(store) == [("you", {"age": "3"})]


def test_who_has_finished_is_asked_no_form_that_is_added_later(store: Store) -> None:
    load(store)
    token, station = begin(store, CAPS)
    assert isinstance(judge(store, token, station, CAPS), ThanksStation)
    assert isinstance(store.run(resume_sitting(token, FORMS)), ThanksStation)


def test_nobody_is_asked_the_last_form_who_has_judged_nothing(store: Store) -> None:
    caps = replace(CAPS, forms_after=("end",))
    token, station = begin(store, caps)
    assert isinstance(station, IdleStation)
    assert isinstance(store.run(resume_sitting(token, caps)), IdleStation)


def test_an_answer_that_no_database_holds_is_refused(store: Store) -> None:
    load(store, FORMS)
    token, _station = begin(store, FORMS)
    with pytest.raises(AnswerError, match="cannot be stored") as refused:
        fill(store, token, "you", name="\ud800")
    assert refused.value.field == "name"
    assert forms_of(store) == []


def test_answers_are_erased_on_withdrawal_and_the_rest_never_changes(store: Store, database: str) -> None:
    load(store, FORMS)
    token, _station = begin(store, FORMS)
    fill(store, token, "you", name="Grace Hopper")
    store.run(withdraw_annotator(store.run(fetch_annotators())[0].id, reason="asked to"))
    assert forms_of(store) == [("you", None)]
    opened = Database(database, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        for change in ("UPDATE filled_forms SET answers = '{}'", "DELETE FROM filled_forms"):
            with pytest.raises(Exception, match="append-only"):
                connection.execute(text(change))
            connection.rollback()


def test_what_was_erased_is_in_no_file(sqlite_file: Path) -> None:
    with open_store(f"sqlite:///{sqlite_file}") as store:
        load(store, FORMS)
        token, _station = begin(store, FORMS)
        fill(store, token, "you", name="Grace Hopper")
        store.run(withdraw_annotator(store.run(fetch_annotators())[0].id, reason="asked to"))
        for path in sqlite_file.parent.glob(f"{sqlite_file.name}*"):
            assert b"Grace Hopper" not in path.read_bytes(), path
    with closing(sqlite3.connect(sqlite_file)) as connection:
        assert connection.execute("SELECT answers FROM filled_forms").fetchall() == [("[withdrawn]",)]


TWO = replace(CAPS, copies={"expert": 2, "": 1})
"""Two experts and one other judge each item."""


def all_of(store: Store, cohort: str, caps: StudyRules, people: int) -> Sequence[Station]:
    found = []
    for _ in range(people):
        token, station = begin(store, caps, cohort=cohort)
        found.append(judge(store, token, station, caps))
    return found


def test_every_cohort_fills_places_of_its_own(store: Store, database: str) -> None:
    load(store, TWO)
    assert all(isinstance(one, ThanksStation) for one in all_of(store, "expert", TWO, 8))
    assert [type(one) for one in all_of(store, "expert", TWO, 1)] == [IdleStation]
    assert all(isinstance(one, ThanksStation) for one in all_of(store, "novice", TWO, 2))
    assert all(isinstance(one, ThanksStation) for one in all_of(store, "", TWO, 2))
    assert [type(one) for one in all_of(store, "", TWO, 1)] == [IdleStation]
    for group in store.run(fetch_progress()):
        assert (group.wanted, group.done) == (12, 12)
        assert [(one.cohort, one.wanted, one.done) for one in group.cohorts] == [("expert", 8, 8)]
    per_item = Counter(
        (one.item.id, one.cohort if one.cohort == "expert" else "") for one in store.stream(fetch_judged())
    )
    assert set(per_item.values()) == {1, 2}
    assert all(count == (2 if cohort else 1) for (_item, cohort), count in per_item.items())
    sizes = {one.cohort: (one.annotators, one.judgments) for one in store.run(fetch_cohorts())}
    assert sizes == {"expert": (8, 24), "novice": (2, 6)}
    assert_sound(database, TWO)


def test_without_places_for_others_who_has_no_cohort_gets_no_work(store: Store) -> None:
    caps = replace(CAPS, copies={"expert": 1})
    load(store, caps)
    assert [type(one) for one in all_of(store, "", caps, 1)] == [IdleStation]
    assert [type(one) for one in all_of(store, "expert", caps, 1)] == [ThanksStation]


def test_places_of_a_cohort_come_and_go_with_the_study_file(store: Store, database: str) -> None:
    load(store, CAPS)
    all_of(store, "", CAPS, 1)
    store.run(load_items(pairings(), TWO))
    assert [group.wanted for group in store.run(fetch_progress())] == [12, 12, 12]
    fewer = replace(CAPS, copies={"expert": 1, "": 1})
    store.run(load_items(pairings(), fewer))
    assert [group.wanted for group in store.run(fetch_progress())] == [8, 8, 8]
    store.run(load_items(pairings(), CAPS))
    assert [(group.wanted, group.done) for group in store.run(fetch_progress())] == [(4, 1)] * 3
    store.run(load_items(pairings(), TWO))
    assert [group.wanted for group in store.run(fetch_progress())] == [12, 12, 12]
    assert_sound(database, TWO)


def test_a_cohort_can_judge_some_of_the_items_of_every_group(store: Store, database: str) -> None:
    caps = replace(
        CAPS, arms=("one", "two"), copies={"expert": 2, "": 1}, items_of={"expert": 7}, has_cohorts=True
    )
    load(store, caps)  # 3 groups of 4 items

    def places() -> dict[str, list[int]]:
        found: dict[str, list[int]] = {"one": [], "two": []}
        for group in store.run(fetch_progress()):
            found[group.arm] += [one.wanted for one in group.cohorts]
        return {arm: sorted(counts) for arm, counts in found.items()}

    assert places() == {"one": [4, 4, 6], "two": [4, 4, 6]}, "two experts for each of seven items"
    all_of(store, "expert", caps, people=14)
    judged = Counter((one.judgment.arm, one.item.id) for one in store.stream(fetch_judged()))
    assert len({item for _arm, item in judged}) == 7, "the same items in both arms"
    assert set(judged.values()) == {2}
    more = replace(caps, items_of={"expert": 9})
    store.run(load_items(pairings(), more))
    assert places() == {"one": [6, 6, 6], "two": [6, 6, 6]}
    fewer = replace(caps, items_of={"expert": 7})
    store.run(load_items(pairings(), fewer))
    assert places() == {"one": [4, 4, 6], "two": [4, 4, 6]}, "what was judged stays among the seven"
    assert_sound(database, fewer)


def test_arms_are_balanced_within_each_cohort(store: Store) -> None:
    caps = replace(CAPS, arms=("one", "two"), copies={"expert": 4, "": 4}, has_cohorts=True)
    load(store, caps)
    for _ in range(6):
        all_of(store, "expert", caps, 1)
        all_of(store, "", caps, 1)
    arms = Counter((one.cohort, one.arm) for one in store.run(fetch_annotators()))
    assert arms == {(cohort, arm): 3 for cohort in ("expert", "") for arm in ("one", "two")}


def test_a_cohort_chosen_by_an_answer_decides_the_places(store: Store) -> None:
    caps = replace(TWO, forms_before=("you",))
    load(store, caps)
    token, _station = begin(store, caps)
    operation = fill_in_form(token, caps, form="you", answers={"work": "yes"}, cohort="expert")
    assert isinstance(store.run(operation), ItemStation)
    leased = [(one.cohort, one.leased) for group in store.run(fetch_progress()) for one in group.cohorts]
    assert Counter(leased) == {("expert", 1): 1, ("expert", 0): 2}


def test_who_may_still_be_put_into_a_cohort_is_let_in_while_any_has_room(store: Store) -> None:
    caps = replace(CAPS, copies={"expert": 1, "novice": 1}, forms_before=("you",), asks_cohort=True)
    load(store, caps, bots="AB", each=1)

    def ask(cohort: str) -> Station:
        token, station = begin(store, caps)
        if isinstance(station, FormStation):
            operation = fill_in_form(token, caps, form="you", answers={}, cohort=cohort)
            station = judge(store, token, store.run(operation), caps)
        return station

    assert isinstance(ask("expert"), ThanksStation)
    full = ask("expert")
    assert isinstance(full, IdleStation)
    assert full.no_place.why == "done"
    assert store.run(fetch_annotators())[-1].consented_at is not None
    assert isinstance(ask("novice"), ThanksStation)
    assert isinstance(ask("novice"), IdleStation)
    assert store.run(fetch_annotators())[-1].consented_at is None, "turned away before consent"


def test_of_those_who_come_at_once_nobody_fills_in_a_form_for_nothing(store: Store) -> None:
    caps = replace(FORMS, max_judgments=1, arms=("one", "two"))
    load(store, caps, bots="AB", each=3)
    come = [begin(store, caps) for _ in range(9)]
    let_in = [token for token, station in come if isinstance(station, FormStation)]
    assert len(let_in) == 6, "as many as there are places in both arms"
    turned_away = [station for _, station in come if not isinstance(station, FormStation)]
    assert {(type(one), one.no_place.why) for one in turned_away if isinstance(one, IdleStation)} == {
        (IdleStation, "taken")
    }
    (visitor,) = {store.run(find_no_place(caps))}
    assert visitor == NoPlace("taken", caps.lease_seconds)
    for token in let_in:
        fill(store, token, "you", caps)
        assert isinstance(fill(store, token, "health", caps), ItemStation)


def test_somebody_who_has_judged_leaves_the_places_of_those_at_the_forms(store: Store, hand: Hand) -> None:
    caps = replace(FORMS, max_judgments=3, forms_after=())
    load(store, caps, bots="AB", each=2)
    first, _ = begin(store, caps)
    fill(store, first, "you", caps)
    station = fill(store, first, "health", caps)
    second, at_form = begin(store, caps)
    assert isinstance(at_form, FormStation)
    assert isinstance(answer(store, first, station, caps), ThanksStation)
    fill(store, second, "you", caps)
    assert isinstance(fill(store, second, "health", caps), ItemStation)


def test_the_place_of_somebody_who_left_at_a_form_becomes_free(store: Store, hand: Hand) -> None:
    caps = replace(FORMS, max_judgments=1)
    load(store, caps, bots="AB", each=1)
    gone, _ = begin(store, caps)
    assert isinstance(begin(store, caps)[1], IdleStation)
    hand.move(caps.lease_seconds)
    late, station = begin(store, caps)
    assert isinstance(station, FormStation)
    fill(store, late, "you", caps)
    assert isinstance(fill(store, late, "health", caps), ItemStation)
    fill(store, gone, "you", caps)
    told = fill(store, gone, "health", caps)
    assert isinstance(told, IdleStation)
    assert told.no_place.why == "taken"


def test_a_last_form_is_kept_where_a_place_came_free_while_it_was_filled_in(store: Store, hand: Hand) -> None:
    caps = replace(CAPS, forms_after=("end",), max_judgments=3)
    load(store, caps, bots="AB", each=2)
    first, station = begin(store, caps)
    begin(store, caps)
    at_end = answer(store, first, station, caps)
    assert isinstance(at_end, FormStation)
    hand.move(caps.lease_seconds + 1)
    station = fill(store, first, "end", caps, notes="so")
    assert isinstance(station, ItemStation), "the place of the other has come free"
    assert forms_of(store) == [("end", {"notes": "so"})]
    assert isinstance(answer(store, first, station, caps), ThanksStation), "it is not asked again"


def test_batches_and_rows_know_the_cohort(store: Store) -> None:
    load(store, TWO)
    all_of(store, "expert", TWO, 1)
    all_of(store, "", TWO, 1)
    (batch,) = store.stream(fetch_judged_batches())
    assert list(batch.cohorts) == ["expert"] * 3 + [""] * 3
    assert [one.cohort for one in store.stream(fetch_judged())] == list(batch.cohorts)
    assert list(batch.between(2, 4).cohorts) == ["expert", ""]
