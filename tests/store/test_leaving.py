"""Leaving a version of a questionnaire before its end, and coming back: places there are whole sittings."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from duologue.store import (
    ConsentStation,
    FormStation,
    IdleStation,
    ItemStation,
    NoPlace,
    Station,
    Store,
    ThanksStation,
    block_annotator,
    fetch_annotators,
    fetch_exclusions,
    fetch_judgments,
    fill_in_form,
    find_no_place,
    give_consent,
    invite_annotators,
    load_items,
    release_assignment,
    restore_link,
    resume_sitting,
    revoke_link,
    screen_annotators,
    unblock_annotator,
    withdraw_annotator,
)
from duologue.studies import AttentionTable, StudyRules
from tests.store.crowds import CHECKED, question
from tests.store.small_study import CAPS, Hand, answer, come, judge_all, summary_of, walk, working
from tests.store.truth import assert_sound

ONE = replace(CAPS, attention=CHECKED, sitting_seconds=7200.0)
"""One place; leases end after half an hour, the sitting after two."""
TWO = replace(ONE, annotations_per_item=2)
UNCHECKED = replace(ONE, attention=AttentionTable())
SIZE = 4


def load(
    store: Store, caps: StudyRules = ONE, *, versions: int = 1, size: int = SIZE, checks: int = 3
) -> None:
    asked = [question(f"{v}-{n}", block=f"version {v}") for v in range(versions) for n in range(size)]
    gold = [replace(question(f"check {n}"), role="attention", gold=1) for n in range(checks)]
    store.run(load_items([*asked, *gold], caps))


def judge_some(
    store: Store, caps: StudyRules, *, until: Callable[[int, int], bool], is_right: bool = True
) -> tuple[str, Station]:
    """Somebody who stops when so many questions and checks are answered."""
    token, station = come(store, caps)
    asked: Counter[str] = Counter()
    while not until(asked["judged"], asked["attention"]):
        assert isinstance(station, ItemStation)
        asked[station.assignment.item.role] += 1
        station = answer(store, token, station, caps, is_right=is_right)
    return token, station


def excluded(store: Store) -> Counter[str]:
    """Questions by the rule that excludes them."""
    return Counter(one.excluded for one in store.stream(fetch_judgments()) if one.role == "judged")


def finished(store: Store, caps: StudyRules = ONE) -> list[str]:
    """Somebody comes and judges all there is for them: which questions."""
    return [
        one.assignment.item.id for one in working(judge_all(store, caps)) if one.assignment.item.is_judged
    ]


def has_room(store: Store, caps: StudyRules = ONE) -> bool:
    return store.run(find_no_place(caps)) is None


def test_while_somebody_is_in_the_only_place_nobody_else_is_let_in(store: Store, hand: Hand) -> None:
    load(store)
    come(store, ONE)
    hand.move(600)
    assert store.run(find_no_place(ONE)) == NoPlace("taken", 1200.0)
    (late,) = store.run(invite_annotators())
    assert isinstance(store.run(resume_sitting(late.token, ONE)), IdleStation)
    assert isinstance(store.run(give_consent(late.token, ONE)), IdleStation)
    assert summary_of(store, late.token).consented_at is None


def test_a_study_whose_versions_are_all_answered_is_complete(store: Store) -> None:
    load(store, versions=2)
    assert len(finished(store)) == len(finished(store)) == SIZE
    assert store.run(find_no_place(ONE)) == NoPlace("done")


def test_who_leaves_before_all_checks_were_asked_does_not_count_and_the_place_is_free_whole(
    store: Store, hand: Hand, database: str
) -> None:
    load(store)
    token, _ = judge_some(store, ONE, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    store.run(screen_annotators(ONE))
    asked = summary_of(store, token).attention_asked
    assert excluded(store) == {"unfinished": 2}
    (one, _other) = store.run(fetch_exclusions())
    assert one.reason == f"The sitting ended after 2 of 4 items and {asked} of 2 attention checks."
    assert one.by == "duologue"
    assert summary_of(store, token).ending == "left"
    assert has_room(store)
    assert len(finished(store)) == SIZE
    assert excluded(store) == {"unfinished": 2, "": SIZE}
    assert_sound(database, ONE)


def test_who_leaves_after_all_checks_counts_until_somebody_takes_the_place(
    store: Store, hand: Hand, database: str
) -> None:
    load(store)
    token, _ = judge_some(store, ONE, until=lambda judged, checks: checks == 2)
    judged = summary_of(store, token).judgments
    assert 0 < judged < SIZE
    hand.move(1801)
    store.run(screen_annotators(ONE))
    assert excluded(store) == {"": judged}
    assert has_room(store)
    assert_sound(database, ONE)
    come(store, ONE)
    assert excluded(store) == {"unfinished": judged}
    assert {one.reason for one in store.run(fetch_exclusions())} == {
        "The sitting ended early, and its place went to another annotator."
    }
    back = store.run(resume_sitting(token, ONE))
    assert isinstance(back, ThanksStation)
    assert_sound(database, ONE)


def test_of_two_who_left_the_one_with_fewer_answers_makes_room_first(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(TWO, attention=AttentionTable())
    load(store, caps)
    judge_some(store, caps, until=lambda judged, checks: judged == 3)
    judge_some(store, caps, until=lambda judged, checks: judged == 1)
    hand.move(1801)
    come(store, caps)
    assert excluded(store) == {"": 3, "unfinished": 1}
    come(store, caps)
    assert excluded(store) == {"unfinished": 4}
    assert_sound(database, caps)


def test_as_long_as_there_is_another_place_who_left_keeps_what_was_judged(store: Store, hand: Hand) -> None:
    caps = replace(TWO, attention=AttentionTable())
    load(store, caps)
    judge_some(store, caps, until=lambda judged, checks: judged == 3)
    hand.move(1801)
    assert len(finished(store, caps)) == SIZE
    assert excluded(store) == {"": 3 + SIZE}


def test_a_sitting_whose_time_is_over_gives_its_place_back_whole(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(ONE, sitting_seconds=600.0)
    load(store, caps)
    token, _ = judge_some(store, caps, until=lambda judged, checks: checks == 1)
    judged = summary_of(store, token).judgments
    hand.move(601)
    ended = store.run(resume_sitting(token, caps))
    assert isinstance(ended, ThanksStation)
    assert (ended.timed_out, summary_of(store, token).ending) == (True, "timed-out")
    assert excluded(store) == {"unfinished": judged}
    assert len(finished(store, caps)) == SIZE
    assert_sound(database, caps)


@pytest.mark.parametrize("checked", [ONE, UNCHECKED])
def test_a_sitting_whose_time_is_over_gives_its_place_back_before_the_form_after(
    store: Store, hand: Hand, checked: StudyRules, database: str
) -> None:
    caps = replace(checked, sitting_seconds=600.0, forms_after=("end",))
    load(store, caps)
    is_checked = caps.attention.is_on
    token, _ = judge_some(store, caps, until=lambda judged, checks: judged > 0 and checks == is_checked)
    judged = summary_of(store, token).judgments
    hand.move(601)
    assert isinstance(store.run(resume_sitting(token, caps)), FormStation)
    assert summary_of(store, token).ending == "timed-out"
    assert excluded(store) == {"unfinished" if is_checked else "": judged}
    other, theirs = come(store, caps)
    *_, form = walk(store, other, theirs, caps)
    assert isinstance(form, FormStation)
    ended = store.run(fill_in_form(token, caps, form="end", answers={}))
    assert isinstance(ended, ThanksStation)
    assert ended.timed_out
    assert excluded(store) == {"unfinished": judged, "": SIZE}
    assert_sound(database, caps)


@pytest.mark.parametrize("on_fail", ["exclude", "flag"])
def test_who_is_stopped_gives_the_place_back_whole_and_does_not_come_back(
    store: Store, on_fail: Literal["exclude", "flag"], database: str
) -> None:
    failing = CHECKED.model_copy(update={"stop_after": 1, "min_checks": 9, "on_fail": on_fail})
    caps = replace(ONE, attention=failing, forms_after=("end",))
    load(store, caps)
    token, station = judge_some(store, caps, until=lambda judged, checks: checks == 1, is_right=False)
    judged = summary_of(store, token).judgments
    assert isinstance(station, FormStation)
    assert excluded(store) == {"unfinished" if on_fail == "exclude" else "": judged}
    annotator = summary_of(store, token).id
    for done, undone in (
        (revoke_link(annotator), restore_link(annotator)),
        (
            block_annotator(annotator, reason="x", by="ada"),
            unblock_annotator(annotator, caps, reason="x", by="ada"),
        ),
    ):
        store.run(done)
        store.run(undone)
        assert isinstance(store.run(resume_sitting(token, caps)), FormStation)
        assert summary_of(store, token).ending == "stopped"
    other, theirs = come(store, caps)
    assert isinstance([*walk(store, other, theirs, caps)][-1], FormStation)
    ended = store.run(fill_in_form(token, caps, form="end", answers={}))
    assert isinstance(ended, ThanksStation)
    assert ended.was_stopped
    assert excluded(store) == {"unfinished": judged, "": SIZE}
    assert_sound(database, caps)


def test_who_fails_the_last_check_of_a_version_has_judged_all_of_it(store: Store) -> None:
    caps = replace(ONE, attention=CHECKED.model_copy(update={"stop_after": 1}))
    load(store, caps)
    token, station = judge_some(store, caps, until=lambda judged, checks: judged == SIZE)
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, is_right=False)
    assert isinstance(station, ThanksStation)
    assert not station.was_stopped


def test_who_judged_all_before_the_time_was_over_keeps_the_place(store: Store, hand: Hand) -> None:
    caps = replace(ONE, sitting_seconds=600.0, forms_after=("end",))
    load(store, caps)
    token, station = come(store, caps)
    *_, last = walk(store, token, station, caps)
    assert isinstance(last, FormStation)
    hand.move(601)
    ended = store.run(fill_in_form(token, caps, form="end", answers={}))
    assert isinstance(ended, ThanksStation)
    assert not ended.timed_out
    assert excluded(store) == {"": SIZE}
    assert not has_room(store, caps)


def test_who_is_late_with_one_item_keeps_the_place_until_the_lease_ends(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(UNCHECKED, sitting_seconds=None, item_seconds=60.0)
    load(store, caps)
    token, _ = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(66)
    store.run(screen_annotators(caps))
    assert not has_room(store, caps)
    station = store.run(resume_sitting(token, caps))
    assert isinstance(station, ItemStation)
    assert station.timed_out
    assert isinstance(answer(store, token, station, caps), ThanksStation)
    assert excluded(store) == {"": SIZE - 1}
    assert not has_room(store, caps)
    assert_sound(database, caps)


def test_who_is_late_and_does_not_come_back_has_left_when_the_lease_ends(store: Store, hand: Hand) -> None:
    caps = replace(UNCHECKED, sitting_seconds=2400.0, item_seconds=60.0)
    load(store, caps)
    token, _ = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    store.run(screen_annotators(caps))
    assert has_room(store, caps)
    assert isinstance(store.run(resume_sitting(token, caps)), ItemStation)
    hand.move(605)
    store.run(screen_annotators(caps))
    assert has_room(store, caps), "the sitting is over before the lease"


def test_where_failing_checks_excludes_nothing_leaving_excludes_nothing(store: Store, hand: Hand) -> None:
    caps = replace(ONE, attention=CHECKED.model_copy(update={"on_fail": "flag"}))
    load(store, caps)
    judge_some(store, caps, until=lambda judged, checks: judged == 1)
    hand.move(1801)
    store.run(screen_annotators(caps))
    assert excluded(store) == {"": 1}
    assert has_room(store, caps)


def test_checks_that_do_not_exist_are_not_waited_for(store: Store, hand: Hand) -> None:
    load(store, checks=1)
    judge_some(store, ONE, until=lambda judged, checks: checks == 1)
    hand.move(1801)
    store.run(screen_annotators(ONE))
    assert not excluded(store)["unfinished"]


@pytest.mark.parametrize("caps", [ONE, UNCHECKED])
def test_who_comes_back_to_a_free_place_goes_on_and_counts_again(
    store: Store, hand: Hand, caps: StudyRules, database: str
) -> None:
    load(store, caps)
    token, _ = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    store.run(screen_annotators(caps))
    station = store.run(resume_sitting(token, caps))
    assert isinstance(station, ItemStation)
    assert not station.timed_out
    assert summary_of(store, token).ending == ""
    assert not has_room(store, caps)
    *_, last = walk(store, token, station, caps)
    assert isinstance(last, ThanksStation)
    assert excluded(store) == {"": SIZE}
    assert_sound(database, caps)


def test_an_answer_that_comes_late_to_a_free_place_counts_with_those_before(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(UNCHECKED, sitting_seconds=None)
    load(store, caps)
    token, station = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    store.run(screen_annotators(caps))
    assert isinstance(answer(store, token, station, caps), ItemStation)
    assert excluded(store) == {"": 3}
    assert_sound(database, caps)


def test_an_answer_that_comes_late_to_a_place_that_is_taken_does_not_count(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(UNCHECKED, sitting_seconds=None)
    load(store, caps)
    token, station = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    other, theirs = come(store, caps)
    assert isinstance(answer(store, token, station, caps), ThanksStation)
    assert excluded(store) == {"unfinished": 2, "late": 1}
    assert len(working(list(walk(store, other, theirs, caps)))) == SIZE
    assert excluded(store) == {"unfinished": 2, "late": 1, "": SIZE}
    assert_sound(database, caps)


@pytest.mark.parametrize("how", ["reload", "answer"])
def test_who_comes_back_goes_on_where_who_took_the_place_has_gone_too(
    store: Store, hand: Hand, how: str, database: str
) -> None:
    caps = replace(UNCHECKED, sitting_seconds=None)
    load(store, caps)
    token, station = judge_some(store, caps, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    come(store, caps)
    hand.move(1801)
    if how == "answer":
        station = answer(store, token, station, caps)
        assert excluded(store) == {"": 3}
    else:
        station = store.run(resume_sitting(token, caps))
    assert isinstance(station, ItemStation)
    assert isinstance(list(walk(store, token, station, caps))[-1], ThanksStation)
    assert excluded(store) == {"": SIZE}
    assert_sound(database, caps)


def test_who_left_before_judging_anything_goes_to_another_version_that_has_a_place(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(UNCHECKED, sitting_seconds=None)
    load(store, caps, versions=2)
    token, station = come(store, caps)
    assert isinstance(station, ItemStation)
    own = station.assignment.item.block
    hand.move(1801)
    questions = finished(store, caps)
    assert questions[0].startswith(own.removeprefix("version "))
    again = store.run(resume_sitting(token, caps))
    assert isinstance(again, ItemStation)
    assert again.assignment.item.block != own
    after = answer(store, token, station, caps)
    assert isinstance(after, ItemStation)
    assert not after.saved, "it is a page of the version before"
    assert isinstance(list(walk(store, token, again, caps))[-1], ThanksStation)
    assert excluded(store) == {"": 2 * SIZE}
    assert not has_room(store, caps)
    assert_sound(database, caps)


def test_who_left_before_judging_anything_takes_no_place_of_who_is_at_a_form(
    store: Store, hand: Hand, database: str
) -> None:
    caps = replace(UNCHECKED, forms_before=("you",), sitting_seconds=None)
    load(store, caps)
    token, _ = come(store, caps)
    store.run(fill_in_form(token, caps, form="you", answers={}))
    hand.move(1801)
    other, _ = come(store, caps)
    store.run(fill_in_form(other, caps, form="you", answers={}))
    store.run(load_items([question(f"1-{n}", block="version 1") for n in range(SIZE)], caps))
    late, _ = come(store, caps)
    again = store.run(resume_sitting(token, caps))
    assert isinstance(again, IdleStation)
    assert again.no_place == NoPlace("taken", 1800.0)
    station = store.run(fill_in_form(late, caps, form="you", answers={}))
    assert len(working(list(walk(store, late, station, caps)))) == SIZE
    assert_sound(database, caps)


def test_who_comes_back_cannot_go_on_where_somebody_has_their_questions(
    store: Store, hand: Hand, database: str
) -> None:
    load(store, TWO)
    token, _ = judge_some(store, TWO, until=lambda judged, checks: judged == 2)
    hand.move(1801)
    assert len(finished(store, TWO)) == SIZE
    assert isinstance(store.run(resume_sitting(token, TWO)), ThanksStation)
    assert has_room(store, TWO)
    assert len(finished(store, TWO)) == SIZE
    assert excluded(store) == {"unfinished": 2, "": 2 * SIZE}
    assert_sound(database, TWO)


@pytest.mark.parametrize("how", ["block", "withdraw", "revoke", "release"])
def test_whose_sitting_the_researcher_ends_gives_the_place_back_whole(
    store: Store, how: str, database: str
) -> None:
    load(store)
    token, station = judge_some(store, ONE, until=lambda judged, checks: judged == 2)
    annotator = summary_of(store, token).id
    assert isinstance(station, ItemStation)
    if how == "block":
        store.run(block_annotator(annotator, reason="a test", by="me"))
    elif how == "withdraw":
        store.run(withdraw_annotator(annotator, reason="a test"))
    elif how == "revoke":
        store.run(revoke_link(annotator))
    else:
        store.run(release_assignment(station.assignment.key, ONE, by="me"))
    assert has_room(store)
    assert len(finished(store)) == SIZE
    assert excluded(store)[""] == SIZE
    assert_sound(database, ONE)


def test_who_is_blocked_after_the_end_gives_the_place_back_whole(store: Store, database: str) -> None:
    load(store)
    finished(store)
    assert not has_room(store)
    store.run(block_annotator(store.run(fetch_annotators())[0].id, reason="a test", by="me"))
    assert len(finished(store)) == SIZE
    assert_sound(database, ONE)


def test_who_is_unblocked_takes_nothing_from_who_has_the_place_now(store: Store, database: str) -> None:
    load(store, UNCHECKED)
    first, _ = judge_some(store, UNCHECKED, until=lambda judged, checks: judged == 3)
    annotator = summary_of(store, first).id
    store.run(block_annotator(annotator, reason="a test", by="me"))
    second, theirs = come(store, UNCHECKED)
    store.run(unblock_annotator(annotator, UNCHECKED, reason="a mistake", by="me"))
    assert_sound(database, UNCHECKED)
    assert isinstance(store.run(resume_sitting(first, UNCHECKED)), ThanksStation)
    assert len(working(list(walk(store, second, theirs, UNCHECKED)))) == SIZE
    assert excluded(store) == {"replaced": 3, "": SIZE}
    assert_sound(database, UNCHECKED)


def test_who_is_unblocked_while_the_place_is_free_goes_on(store: Store, database: str) -> None:
    load(store, UNCHECKED)
    token, _ = judge_some(store, UNCHECKED, until=lambda judged, checks: judged == 3)
    annotator = summary_of(store, token).id
    store.run(block_annotator(annotator, reason="a test", by="me"))
    store.run(unblock_annotator(annotator, UNCHECKED, reason="a mistake", by="me"))
    station = store.run(resume_sitting(token, UNCHECKED))
    assert len(working(list(walk(store, token, station, UNCHECKED)))) == 1
    assert excluded(store) == {"": SIZE}
    assert_sound(database, UNCHECKED)


def test_who_is_unblocked_before_all_checks_were_asked_counts_when_they_are_back(
    store: Store, database: str
) -> None:
    load(store)
    token, _ = judge_some(store, ONE, until=lambda judged, checks: judged == 2 and checks < 2)
    annotator = summary_of(store, token).id
    store.run(block_annotator(annotator, reason="a test", by="me"))
    store.run(unblock_annotator(annotator, ONE, reason="a mistake", by="me"))
    assert excluded(store) == {"unfinished": 2}
    assert_sound(database, ONE)
    assert isinstance(list(walk(store, token, store.run(resume_sitting(token, ONE)), ONE))[-1], ThanksStation)
    assert excluded(store) == {"": SIZE}
    assert_sound(database, ONE)


def test_a_link_that_works_again_leads_to_a_place_that_is_free(store: Store) -> None:
    load(store, UNCHECKED)
    token, _ = judge_some(store, UNCHECKED, until=lambda judged, checks: judged == 3)
    annotator = summary_of(store, token).id
    store.run(revoke_link(annotator))
    store.run(restore_link(annotator))
    assert isinstance(store.run(resume_sitting(token, UNCHECKED)), ItemStation)
    assert not has_room(store, UNCHECKED)


def test_whoever_is_at_a_form_has_a_whole_place_kept(store: Store) -> None:
    caps = replace(ONE, forms_before=("you",))
    load(store, caps)
    token, station = come(store, caps)
    assert isinstance(station, FormStation)
    assert not has_room(store, caps)
    (late,) = store.run(invite_annotators())
    assert isinstance(store.run(give_consent(late.token, caps)), IdleStation)
    station = store.run(fill_in_form(token, caps, form="you", answers={}))
    assert len([one for one in walk(store, token, station, caps) if isinstance(one, ItemStation)]) == SIZE + 2


def test_a_cohort_with_places_of_its_own_has_whole_ones(store: Store, database: str) -> None:
    caps = replace(UNCHECKED, copies={"expert": 1, "": 1}, has_cohorts=True)
    load(store, caps)
    come(store, caps)
    assert not has_room(store, caps)
    assert store.run(find_no_place(caps, "expert")) is None
    (link,) = store.run(invite_annotators(cohort="expert"))
    station = store.run(give_consent(link.token, caps))
    assert len(working(list(walk(store, link.token, station, caps)))) == SIZE
    assert store.run(find_no_place(caps, "expert")) == NoPlace("done")
    assert_sound(database, caps)


def test_checks_are_spread_over_a_version_however_many_somebody_might_judge(store: Store) -> None:
    caps = replace(ONE, max_judgments=100)
    load(store, caps)
    roles = [one.assignment.item.role for one in working(judge_all(store, caps))]
    assert Counter(roles) == {"judged": SIZE, "attention": 2}
    assert roles[-1] == "judged", "they are not left over for the end"


def test_where_a_sitting_is_part_of_a_version_there_are_more_of_them(store: Store) -> None:
    caps = replace(UNCHECKED, max_judgments=2)
    load(store, caps)
    assert len(finished(store, caps)) == len(finished(store, caps)) == 2
    assert not has_room(store, caps)


def test_who_goes_through_every_arm_takes_a_place_in_each(store: Store, database: str) -> None:
    caps = replace(UNCHECKED, arms=("one", "two"), sees_each_arm=True)
    load(store, caps)
    token, station = come(store, caps)
    assert not has_room(store, caps)
    assert len(working(list(walk(store, token, station, caps)))) == SIZE  # an item comes once, in one arm
    assert_sound(database, caps)


def test_who_has_finished_is_asked_no_check_that_was_added_since(store: Store, database: str) -> None:
    once = replace(ONE, attention=AttentionTable(per_sitting=1, on_fail="exclude"))
    load(store, once)
    token, station = come(store, once)
    assert isinstance(list(walk(store, token, station, once))[-1], ThanksStation)
    assert isinstance(store.run(resume_sitting(token, ONE)), ThanksStation)
    assert excluded(store) == {"": SIZE}
    assert_sound(database, ONE)


def test_a_screened_annotator_who_left_at_a_check_gives_the_place_back(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store, ONE)
    while isinstance(station, ItemStation) and station.assignment.item.role != "attention":
        station = answer(store, token, station, ONE)
    hand.move(1801)
    assert isinstance(store.run(resume_sitting(store.run(invite_annotators())[0].token, ONE)), ConsentStation)


def test_who_is_in_a_version_waits_for_nobody_at_a_check(store: Store, database: str) -> None:
    """Others at a check keep their places, and those are not what is left of one's own."""
    caps = replace(TWO, forms_before=("you",), attention=AttentionTable(per_sitting=1))
    asked = [replace(question(f"q{n}", block="version"), group=f"corpus {n}") for n in range(2)]
    store.run(load_items([*asked, replace(question("check"), role="attention", gold=1)], caps))
    links = [come(store, caps)[0] for _ in range(2)]
    there = {token: store.run(fill_in_form(token, caps, form="you", answers={})) for token in links}
    there = {token: answer(store, token, station, caps) for token, station in there.items()}
    assert {one.assignment.item.role for one in working(list(there.values()))} == {"attention"}
    for token in reversed(links):
        assert [type(one) for one in walk(store, token, there[token], caps)][-1] is ThanksStation
    assert [one.judgments for one in store.run(fetch_annotators())] == [2, 2]
    assert_sound(database, caps)
