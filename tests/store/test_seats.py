"""Two annotators chat with each other: a waiting room, two seats, two judgments."""

from dataclasses import replace

import pytest

from duologue.errors import ChatError, NotYourTurn
from duologue.protocols import HUMAN, ChatPlan, chat_plan
from duologue.store import (
    Store,
    abandon_chat,
    block_annotator,
    end_stale_chats,
    fetch_annotators,
    fetch_assignment,
    fetch_chat,
    fetch_chat_dialogues,
    fetch_chats,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    finish_chat,
    load_items,
    release_assignment,
    resume_sitting,
    revoke_link,
    take_turn,
    withdraw_annotator,
)
from tests.store.small_chats import (
    PEOPLE,
    chat_in,
    chat_item,
    chat_items,
    come_to_chat,
    credits_of,
    in_hand,
    rate,
    reply,
    say,
    two_people,
)
from tests.store.small_study import Hand, summary_of
from tests.store.truth import assert_sound


@pytest.fixture
def people(store: Store) -> Store:
    """A study in which annotators chat with each other only."""
    store.run(load_items(chat_items([HUMAN], each=8), PEOPLE))
    return store


def _exchange(store: Store, *seated: tuple[str, str], exchanges: int) -> None:
    for number in range(exchanges):
        for token, key in seated:
            text = f"{key[:4]} says {number}"
            store.run(take_turn(token, PEOPLE, assignment=key, text=text, key=f"{key}-{number}"))


def test_first_annotator_waits_and_the_second_joins(people: Store, database: str) -> None:
    token, assignment = come_to_chat(people, PEOPLE)
    assert assignment.chat is not None
    assert (assignment.chat.state, assignment.chat.can_end) == ("waiting", False)
    with pytest.raises(NotYourTurn):
        say(people, token, assignment, caps=PEOPLE)
    assert_sound(database, PEOPLE)
    _second, theirs = come_to_chat(people, PEOPLE)
    assert theirs.chat is not None
    assert theirs.chat.state == "partner"
    assert people.run(fetch_chat(token, assignment.key)).state == "annotator"
    assert len({assignment.item.id, theirs.item.id}) == 2
    assert_sound(database, PEOPLE)


def test_third_annotator_waits_for_a_fourth(people: Store) -> None:
    two_people(people)
    _token, third = come_to_chat(people, PEOPLE)
    assert third.chat is not None
    assert third.chat.state == "waiting"


def test_two_people_chat_and_both_judge_the_other(people: Store, database: str) -> None:
    (one, first), (two, second) = two_people(people)
    _exchange(people, (one, first.key), (two, second.key), exchanges=3)
    for token, assignment, mine in ((one, first, True), (two, second, False)):
        chat = people.run(fetch_chat(token, assignment.key))
        assert (chat.state, chat.ending, chat.exchanges, chat.is_usable) == ("ended", "complete", 3, True)
        assert [turn.is_annotator for turn in chat.turns] == [mine, not mine] * 3
    shown = [in_hand(people.run(resume_sitting(token, PEOPLE))).dialogues[0] for token in (one, two)]
    assert [dialogue.judged for dialogue in shown] == ["human_2", "human_1"]
    assert {dialogue.kind for dialogue in shown} == {"human-human"}
    assert {dialogue.bot for dialogue in shown} == {HUMAN}
    assert [turn.text for turn in shown[0].turns] == [turn.text for turn in shown[1].turns]
    assert shown[1].id == f"{shown[0].id}-2"
    rate(people, one, first, PEOPLE)
    rate(people, two, second, PEOPLE)
    assert [judgment.dialogue for judgment in people.stream(fetch_judgments())] == [shown[0].id, shown[1].id]
    (progress,) = people.run(fetch_progress())
    assert (progress.done, progress.leased) == (2, 0)
    assert_sound(database, PEOPLE)


def test_either_may_end_after_enough_exchanges(people: Store) -> None:
    (one, first), (two, second) = two_people(people)
    _exchange(people, (one, first.key), (two, second.key), exchanges=1)
    with pytest.raises(ChatError, match="too short"):
        people.run(finish_chat(two, PEOPLE, assignment=second.key))
    for number in (1, 2):
        say(people, one, first, f"One {number}.", PEOPLE)
        if number == 1:
            say(people, two, second, "Two.", PEOPLE)
    assert people.run(fetch_chat(two, second.key)).can_end
    chat = chat_in(people.run(finish_chat(two, PEOPLE, assignment=second.key)))
    assert (chat.ending, len(chat.turns)) == ("complete", 5)
    assert people.run(fetch_chat(one, first.key)).is_usable


def test_personas_change_sides_for_the_second_annotator(store: Store) -> None:
    plans = [
        ChatPlan(persona=("p0.",), annotator_persona=("a0.",), topic="tea", extras={"kept": ["o0."]}),
        ChatPlan(persona=("p1.",), annotator_persona=("a1.",), extras={"kept": ["o1."]}),
    ]
    store.run(load_items([chat_item(HUMAN, number, plan) for number, plan in enumerate(plans)], PEOPLE))
    (one, first), (two, second) = two_people(store)
    assert chat_plan(first.item) == plans[0]
    theirs = ChatPlan(
        first="partner",
        persona=("a0.",),
        annotator_persona=("p0.",),
        topic="tea",
        extras={"kept": ["o1."]},
    )
    assert chat_plan(second.item) == theirs
    assert chat_plan(store.run(fetch_assignment(two, second.key)).item) == theirs
    _exchange(store, (one, first.key), (two, second.key), exchanges=3)
    assert [dialogue.extras["briefing"] for dialogue in store.stream(fetch_chat_dialogues())] == [
        plans[0].record(),
        theirs.record(),
    ]


def test_second_annotator_begins_where_the_plan_says_the_partner_does(store: Store) -> None:
    plan = ChatPlan(first="partner", opener="An opener is for bots.")
    store.run(load_items(chat_items([HUMAN], each=2, plan=plan), PEOPLE))
    (_one, first), (_two, second) = two_people(store)
    assert second.chat is not None
    assert (second.chat.state, second.chat.turns) == ("annotator", ())
    assert store.run(fetch_chat(_one, first.key)).state == "partner"


def test_nobody_comes_and_the_waiting_is_credited(people: Store, hand: Hand, database: str) -> None:
    token, assignment = come_to_chat(people, PEOPLE)
    hand.move(PEOPLE.chat.waiting_minutes * 60 - 1)
    assert people.run(end_stale_chats()) == 0
    with pytest.raises(ChatError):
        people.run(abandon_chat(token, PEOPLE, assignment=assignment.key))
    hand.move(1)
    assert people.run(end_stale_chats()) == 1
    chat = chat_in(people.run(resume_sitting(token, PEOPLE)))
    assert (chat.state, chat.ending, chat.is_usable) == ("ended", "no-partner", False)
    people.run(abandon_chat(token, PEOPLE, assignment=assignment.key))
    assert (list(people.stream(fetch_judgments())), credits_of(people)) == ([], ["no-partner"])
    assert not list(people.stream(fetch_chat_dialogues()))
    (summary,) = people.run(fetch_annotators())
    assert summary.judgments == 0
    assert_sound(database, PEOPLE)


def test_waiting_ends_by_itself_when_the_annotator_looks(people: Store, hand: Hand) -> None:
    token, _assignment = come_to_chat(people, PEOPLE)
    hand.move(PEOPLE.chat.waiting_minutes * 60)
    assert chat_in(people.run(resume_sitting(token, PEOPLE))).ending == "no-partner"


def test_waiting_that_is_over_is_left_at_once(people: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(people, PEOPLE)
    hand.move(PEOPLE.chat.waiting_minutes * 60)
    people.run(abandon_chat(token, PEOPLE, assignment=assignment.key))
    assert credits_of(people) == ["no-partner"]


def test_nobody_joins_who_has_waited_too_long(people: Store, hand: Hand) -> None:
    come_to_chat(people, PEOPLE)
    hand.move(PEOPLE.chat.waiting_minutes * 60)
    _token, second = come_to_chat(people, PEOPLE)
    assert second.chat is not None
    assert second.chat.state == "waiting"


@pytest.mark.parametrize("how", ["revoke", "block", "withdraw", "release", "expire"])
@pytest.mark.parametrize("exchanges", [0, 1, 2])
def test_who_leaves_ends_the_chat_of_the_other(
    people: Store, hand: Hand, database: str, how: str, exchanges: int
) -> None:
    (one, first), (two, second) = two_people(people)
    _exchange(people, (one, first.key), (two, second.key), exchanges=exchanges)
    leaver = summary_of(people, one).id
    if how == "revoke":
        people.run(revoke_link(leaver))
    elif how == "block":
        people.run(block_annotator(leaver, reason="a test", by="me"))
    elif how == "withdraw":
        people.run(withdraw_annotator(leaver, reason="a test"))
    elif how == "release":
        assert people.run(release_assignment(first.key, PEOPLE, by="me"))
    else:
        hand.move(PEOPLE.lease_seconds - 1)
        people.run(resume_sitting(two, PEOPLE))
        hand.move(1)
        assert people.run(end_stale_chats()) == 1
    chat = people.run(fetch_chat(two, second.key))
    assert (chat.state, chat.ending, chat.is_usable) == ("ended", "partner-left", exchanges >= 2)
    assert_sound(database, PEOPLE)
    if chat.is_usable:
        rate(people, two, second, PEOPLE)
    else:
        people.run(abandon_chat(two, PEOPLE, assignment=second.key))
    assert len(list(people.stream(fetch_judgments()))) == int(chat.is_usable)
    assert credits_of(people) == ([] if chat.is_usable else ["partner-left"])
    assert_sound(database, PEOPLE)


def test_who_waits_and_leaves_is_joined_by_nobody(people: Store, database: str) -> None:
    token, _assignment = come_to_chat(people, PEOPLE)
    people.run(revoke_link(summary_of(people, token).id))
    _second, theirs = come_to_chat(people, PEOPLE)
    assert theirs.chat is not None
    assert theirs.chat.state == "waiting"
    assert [chat.ending for chat in people.run(fetch_chats())] == ["no-partner", ""]
    assert_sound(database, PEOPLE)


def test_two_who_have_chatted_are_not_paired_again(store: Store, database: str) -> None:
    caps = replace(PEOPLE, max_per_group=2)
    store.run(load_items(chat_items([HUMAN], each=8), caps))
    (one, first), (two, second) = two_people(store, caps)
    _exchange(store, (one, first.key), (two, second.key), exchanges=3)
    for token, assignment in ((one, first), (two, second)):
        after = chat_in(rate(store, token, assignment, caps))
        assert after.state == "waiting"
    _three, third = come_to_chat(store, caps)
    assert third.chat is not None
    assert third.chat.state == "partner"
    assert chat_in(store.run(resume_sitting(one, caps))).state == "annotator"
    assert chat_in(store.run(resume_sitting(two, caps))).state == "waiting"
    assert_sound(database, caps)


def test_annotators_of_different_arms_do_not_meet(store: Store) -> None:
    caps = replace(PEOPLE, arms=("one", "two"))
    store.run(load_items(chat_items([HUMAN], each=4), caps))
    (_, first), (_, second) = come_to_chat(store, caps), come_to_chat(store, caps)
    assert {first.arm, second.arm} == {"one", "two"}
    assert [chat.state for chat in store.run(fetch_chats())] == ["waiting", "waiting"]


def test_whoever_waits_comes_before_any_bot(store: Store, database: str) -> None:
    store.run(load_items(chat_items([HUMAN, "ada", "bea"], each=8), PEOPLE))
    met = [come_to_chat(store, PEOPLE)[1].item.bots[0] for _ in range(18)]
    places = [place for place, bot in enumerate(met) if bot == HUMAN]
    assert len(places) >= 6
    assert all(second == first + 1 for first, second in zip(places[::2], places[1::2], strict=False))
    assert_sound(database, PEOPLE)


def test_who_has_chatted_with_a_person_is_not_kept_for_the_waiting_room(store: Store) -> None:
    store.run(load_items(chat_items([HUMAN, "ada"], each=4), PEOPLE))
    while True:
        token, assignment = come_to_chat(store, PEOPLE)
        if assignment.item.bots == (HUMAN,):
            break
    partner, theirs = come_to_chat(store, PEOPLE)
    _exchange(store, (token, assignment.key), (partner, theirs.key), exchanges=3)
    _third, waiting = come_to_chat(store, PEOPLE)
    while waiting.item.bots != (HUMAN,):
        _third, waiting = come_to_chat(store, PEOPLE)
    assert in_hand(rate(store, token, assignment, PEOPLE)).item.bots == ("ada",)


def test_nobody_waits_where_only_one_place_is_left(store: Store) -> None:
    store.run(load_items([*chat_items([HUMAN], each=1), *chat_items(["ada"], each=1)], PEOPLE))
    token, assignment = come_to_chat(store, PEOPLE)
    assert assignment.item.bots == ("ada",)
    for _ in range(3):
        say(store, token, assignment, caps=PEOPLE)
        reply(store)
    rate(store, token, assignment, PEOPLE)
    assert not store.run(fetch_leases())
