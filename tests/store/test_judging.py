"""Arrive, consent, submit: what an annotator meets."""

import asyncio
from dataclasses import replace

import pytest

from duologue.errors import AnswerError, LinkRevoked, LinkUnknown, NotFound
from duologue.protocols import Answer
from duologue.store import (
    ConsentStation,
    IdleStation,
    ItemStation,
    Store,
    ThanksStation,
    block_annotator,
    fetch_annotators,
    fetch_assignment,
    fetch_dialogues,
    fetch_exclusions,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    give_consent,
    invite_annotators,
    record_answer,
    record_revision,
    restore_link,
    resume_sitting,
    revoke_link,
)
from tests.store.small_study import (
    ANSWER,
    CAPS,
    SCREENED,
    Hand,
    answer,
    come,
    judge_all,
    load,
    summary_of,
    walk,
    working,
)


def test_new_annotator_is_asked_to_consent_and_gets_no_assignment(store: Store) -> None:
    load(store)
    (invitation,) = store.run(invite_annotators(labels=["Ada"]))
    station = store.run(resume_sitting(invitation.token, CAPS))
    assert isinstance(station, ConsentStation)
    assert (station.annotator.label, station.annotator.arm) == ("Ada", "")
    assert store.run(fetch_leases()) == ()


def test_unknown_link_is_refused(store: Store) -> None:
    with pytest.raises(LinkUnknown):
        store.run(resume_sitting("nobody", CAPS))
    with pytest.raises(LinkUnknown):
        store.run(fetch_assignment("nobody", "nothing"))


def test_annotator_judges_each_matchup_once_and_gets_a_code(store: Store) -> None:
    load(store)
    *on_the_way, last = judge_all(store)
    assert [station.assignment.item.group for station in working(on_the_way)] == [
        "A__vs__B",
        "A__vs__C",
        "B__vs__C",
    ]
    assert isinstance(last, ThanksStation)
    assert last.judged == 3
    assert len(last.code) == 16


def test_page_counts_from_one_to_the_total(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    stations = working(judge_all(store, SCREENED))
    assert [(station.assignment.number, station.assignment.total) for station in stations] == [
        (1, 4),
        (2, 4),
        (3, 4),
        (4, 4),
    ]


def test_coming_back_finds_the_same_assignment(store: Store) -> None:
    load(store)
    token, first = come(store)
    assert store.run(resume_sitting(token, CAPS)) == first
    assert store.run(give_consent(token, CAPS)) == first
    assert isinstance(first, ItemStation)
    assert store.run(fetch_assignment(token, first.assignment.key)) == first.assignment


def test_assignment_shows_the_dialogues_of_its_item(store: Store) -> None:
    load(store)
    _token, station = come(store)
    assert isinstance(station, ItemStation)
    held = station.assignment
    assert tuple(dialogue.id for dialogue in held.dialogues) == held.item.dialogues
    assert store.run(fetch_dialogues(held.item.dialogues)) == held.dialogues
    assert sorted(held.order) == [0, 1]


def test_second_submit_of_an_assignment_changes_nothing(store: Store) -> None:
    load(store)
    token, first = come(store)
    second = answer(store, token, first, reason="The first stays.")
    repeated = answer(store, token, first, reason="This is not stored.")
    assert repeated == second
    assert [judgment.reason for judgment in store.stream(fetch_judgments())] == ["The first stays."]


def test_judgment_holds_what_was_answered_and_shown(store: Store, hand: Hand) -> None:
    store.run(record_revision("hash", "text"))
    load(store)
    token, station = come(store)
    hand.move(61.5)
    assert isinstance(station, ItemStation)
    store.run(
        record_answer(
            token,
            CAPS,
            assignment=station.assignment.key,
            answer=Answer({"side": 2}, 'Grüße, "né" \U0001f600\n— שלום'),
            seconds=None,
            is_correct=None,
            key="k",
        )
    )
    (judgment,) = store.stream(fetch_judgments())
    assert judgment.answer == {"side": 2}
    assert judgment.reason == 'Grüße, "né" \U0001f600\n— שלום'
    assert (judgment.seconds, judgment.seconds_kind) == (61.5, "wall")
    assert judgment.order == station.assignment.order
    assert judgment.assignment == station.assignment.key
    assert judgment.item == station.assignment.item.id
    assert judgment.at == "2026-05-01T12:01:01.500000+00:00"
    assert (judgment.revision, judgment.is_onboarding, judgment.is_correct) == (1, False, None)
    assert judgment.excluded == ""


def test_visible_seconds_are_marked_as_such(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store)
    hand.move(21)
    answer(store, token, station)
    (judgment,) = store.stream(fetch_judgments())
    assert (judgment.seconds, judgment.seconds_kind) == (20.0, "visible")


def test_seconds_are_never_longer_than_the_page_was_out(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store)
    hand.move(0.5)
    answer(store, token, station)
    (judgment,) = store.stream(fetch_judgments())
    assert (judgment.seconds, judgment.seconds_kind) == (0.5, "wall")


def test_seconds_that_a_page_rounded_up_are_still_its_own(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store)
    hand.move(19.97)
    answer(store, token, station)
    (judgment,) = store.stream(fetch_judgments())
    assert judgment.seconds == pytest.approx(19.97)
    assert judgment.seconds_kind == "visible"


def test_assignment_of_somebody_else_cannot_be_submitted(store: Store) -> None:
    load(store)
    _first, station = come(store)
    intruder, _station = come(store)
    with pytest.raises(NotFound):
        answer(store, intruder, station)
    assert list(store.stream(fetch_judgments())) == []


@pytest.mark.parametrize("reason", ["a\0b", "half a pair: \ud83d"])
def test_reason_that_cannot_be_stored_is_refused_and_can_be_retyped(store: Store, reason: str) -> None:
    load(store)
    token, station = come(store)
    with pytest.raises(AnswerError) as refused:
        answer(store, token, station, reason=reason)
    assert refused.value.field == "reason"
    answer(store, token, station, reason="retyped")
    assert [judgment.reason for judgment in store.stream(fetch_judgments())] == ["retyped"]


def test_revoked_link_is_refused_until_it_works_again(store: Store) -> None:
    load(store)
    token, station = come(store)
    annotator = station.annotator.id
    store.run(revoke_link(annotator))
    for call in (lambda: store.run(resume_sitting(token, CAPS)), lambda: answer(store, token, station)):
        with pytest.raises(LinkRevoked):
            call()
    assert store.run(fetch_leases()) == ()
    store.run(restore_link(annotator))
    assert store.run(resume_sitting(token, CAPS)) == station


def test_expired_lease_returns_to_the_pool(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    _token, first = come(store)
    assert isinstance(come(store)[1], IdleStation)
    hand.move(CAPS.lease_seconds)
    _other, second = come(store)
    assert isinstance(first, ItemStation)
    assert isinstance(second, ItemStation)
    assert second.assignment.item == first.assignment.item
    assert second.assignment.key != first.assignment.key
    assert second.assignment.order == first.assignment.order


def test_annotator_who_comes_back_late_goes_on_while_the_place_is_free(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    token, first = come(store)
    hand.move(10 * CAPS.lease_seconds)
    again = store.run(resume_sitting(token, CAPS))
    assert isinstance(first, ItemStation)
    assert isinstance(again, ItemStation)
    assert again.assignment.key == first.assignment.key
    assert len(store.run(fetch_leases())) == 1
    assert isinstance(come(store)[1], IdleStation)


def test_late_submit_counts_while_the_place_is_free(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    token, station = come(store)
    hand.move(10 * CAPS.lease_seconds)
    assert store.run(fetch_leases()) == ()
    answer(store, token, station)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == [""]
    assert store.run(fetch_progress())[0].done == 1


def test_submit_after_the_place_went_to_another_is_kept_but_does_not_count(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    late, first = come(store)
    hand.move(CAPS.lease_seconds)
    other, second = come(store)
    assert isinstance(answer(store, late, first), ThanksStation)
    assert isinstance(answer(store, other, second), ThanksStation)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["late", ""]
    assert (store.run(fetch_progress())[0].done, store.run(fetch_progress())[0].excluded) == (1, 1)
    assert [annotator.judgments for annotator in store.run(fetch_annotators())] == [1, 1]


def test_late_submit_beside_another_assignment_does_not_exceed_the_annotators_cap(
    store: Store, hand: Hand
) -> None:
    """Expired, its place taken and given back: it would be one judgment more than the annotator may give."""
    caps = replace(CAPS, max_judgments=1)
    load(store, caps, bots="AB", each=2)
    late, first = come(store, caps)
    hand.move(CAPS.lease_seconds)
    other, _taken = come(store, caps)
    second = store.run(resume_sitting(late, caps))
    assert isinstance(first, ItemStation)
    assert isinstance(second, ItemStation)
    assert second.assignment.key != first.assignment.key
    store.run(revoke_link(summary_of(store, other).id))
    answer(store, late, first, caps)
    answer(store, late, second, caps)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["late", ""]


def test_failing_onboarding_softly_looks_like_any_other_sitting(store: Store, hand: Hand) -> None:
    load(store, SCREENED, onboarding=1)
    good = judge_all(store, SCREENED)
    bad = judge_all(store, SCREENED, is_right=False)
    assert [type(station) for station in bad] == [type(station) for station in good]
    assert isinstance(bad[-1], ThanksStation)
    failed = {
        judgment.id
        for judgment in store.stream(fetch_judgments())
        if judgment.annotator == bad[-1].annotator.id
    }
    assert {judgment.excluded for judgment in store.stream(fetch_judgments()) if judgment.id in failed} == {
        "",
        "onboarding",
    }
    assert all(
        judgment.is_onboarding or judgment.excluded == "onboarding"
        for judgment in store.stream(fetch_judgments())
        if judgment.id in failed
    )
    assert sum(group.done for group in store.run(fetch_progress())) == 3
    assert sum(group.excluded for group in store.run(fetch_progress())) == 3


def test_code_of_a_softly_blocked_annotator_can_be_read_again_and_then_there_is_no_work(
    store: Store, hand: Hand
) -> None:
    load(store, SCREENED, onboarding=1)
    token, station = come(store, SCREENED)
    *_way, finished = walk(store, token, station, SCREENED, is_right=False)
    assert isinstance(finished, ThanksStation)
    assert store.run(resume_sitting(token, SCREENED)) == replace(finished, saved=False)
    hand.move(SCREENED.lease_seconds + 1)
    assert isinstance(store.run(resume_sitting(token, SCREENED)), IdleStation)


def test_failing_onboarding_at_once_ends_the_sitting(store: Store) -> None:
    caps = replace(SCREENED, block="at-once")
    load(store, caps, onboarding=1)
    stations = judge_all(store, caps, is_right=False)
    assert [type(station) for station in stations] == [ItemStation, IdleStation]
    (annotator,) = store.run(fetch_annotators())
    assert annotator.is_blocked
    assert annotator.blocked_reason == "0 of 1 onboarding items right"


def test_screening_can_be_off(store: Store) -> None:
    caps = replace(SCREENED, block="off")
    load(store, caps, onboarding=1)
    judge_all(store, caps, is_right=False)
    assert {judgment.excluded for judgment in store.stream(fetch_judgments())} == {""}


def test_threshold_is_a_share_of_the_onboarding_comparisons(store: Store) -> None:
    caps = replace(SCREENED, onboarding_comparisons=3, onboarding_threshold=0.5)
    load(store, caps, onboarding=3)
    for right, is_blocked in ((1, True), (2, False)):
        token, station = come(store, caps)
        for number in range(3):
            station = answer(store, token, station, caps, is_right=number < right)
        assert summary_of(store, token).is_blocked is is_blocked


def test_onboarding_comparisons_come_first_and_never_count(store: Store) -> None:
    caps = replace(SCREENED, onboarding_comparisons=2)
    load(store, caps, onboarding=3)
    stations = working(judge_all(store, caps))
    assert [station.assignment.item.is_onboarding for station in stations] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert sum(group.done for group in store.run(fetch_progress())) == 3
    (annotator,) = store.run(fetch_annotators())
    assert (annotator.judgments, annotator.onboarding_asked, annotator.onboarding_right) == (3, 2, 2)


def test_onboarding_orders_alternate_in_blocks_of_two(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    orders = []
    for _ in range(10):
        _token, station = come(store, SCREENED)
        assert isinstance(station, ItemStation)
        orders.append(station.assignment.order)
    assert all(one == two[::-1] for one, two in zip(orders[::2], orders[1::2], strict=True))
    assert len(set(orders[::2])) == 2


def test_submitting_under_a_block_is_kept_but_does_not_count(store: Store) -> None:
    load(store)
    token, station = come(store)
    store.run(block_annotator(station.annotator.id, reason="a script", by="me"))
    assert isinstance(answer(store, token, station), IdleStation)
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["blocked"]
    assert isinstance(store.run(resume_sitting(token, CAPS)), IdleStation)


def test_arms_are_balanced_and_an_annotator_sees_one_only(store: Store) -> None:
    caps = replace(CAPS, arms=("engaging", "human", "knows"))
    load(store, caps)
    seen = [{station.assignment.arm for station in working(judge_all(store, caps))} for _ in range(9)]
    assert all(len(arms) == 1 for arms in seen)
    counts = [sum(arm in arms for arms in seen) for arm in caps.arms]
    assert counts == [3, 3, 3]


def test_new_annotators_join_arms_that_have_work_left(store: Store) -> None:
    caps = replace(CAPS, arms=("one", "two"))
    load(store, caps, bots="AB", each=1)
    first = working(judge_all(store, caps))[0].assignment.arm
    others = [working(judge_all(store, caps)) for _ in range(3)]
    assert [[station.assignment.arm for station in stations] for stations in others] == [
        [({"one", "two"} - {first}).pop()],
        [],
        [],
    ]


def test_annotator_without_any_work_is_not_finished(store: Store) -> None:
    load(store, bots="AB", each=1)
    come(store)
    assert isinstance(come(store)[1], IdleStation)


def test_twins_for_the_event_loop_do_the_same(store: Store) -> None:
    load(store)

    async def sitting() -> ThanksStation:
        (invitation,) = await store.run_async(invite_annotators(kind="open"))
        assert isinstance(await store.run_async(resume_sitting(invitation.token, CAPS)), ConsentStation)
        station = await store.run_async(give_consent(invitation.token, CAPS))
        while isinstance(station, ItemStation):
            station = await store.run_async(
                record_answer(
                    invitation.token,
                    CAPS,
                    assignment=station.assignment.key,
                    answer=ANSWER,
                    seconds=1.25,
                    is_correct=None,
                    key="",
                )
            )
        assert isinstance(station, ThanksStation)
        return station

    assert asyncio.run(sitting()).judged == 3
    assert {judgment.annotator_kind for judgment in store.stream(fetch_judgments())} == {"open"}


def test_a_judgment_that_breaks_a_rule_of_its_protocol_is_excluded_and_its_place_is_free(
    store: Store,
) -> None:
    load(store)
    token, station = come(store)
    (here,) = working([station])
    store.run(
        record_answer(
            token,
            CAPS,
            assignment=here.assignment.key,
            answer=ANSWER,
            seconds=20.0,
            is_correct=None,
            key="k",
            broken_rules={"check-failed": "It was not read."},
        )
    )
    (exclusion,) = store.run(fetch_exclusions())
    assert (exclusion.rule, exclusion.reason) == ("check-failed", "It was not read.")
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["check-failed"]
    assert sum(one.done for one in store.run(fetch_progress())) == 0
