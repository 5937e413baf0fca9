"""The researcher's lists: a page at a time, and found by what is searched for."""

from dataclasses import replace

import pytest

from duologue.errors import NotFound
from duologue.store import (
    Flag,
    ItemStation,
    ListQuery,
    Store,
    block_annotator,
    exclude_judgments,
    fail_reply,
    fetch_annotator,
    fetch_annotator_events,
    fetch_annotators,
    fetch_chat_dialogue,
    fetch_chat_summary,
    fetch_chats,
    fetch_exclusions,
    fetch_items,
    fetch_judged,
    fetch_judgments,
    fetch_labels,
    fetch_leases,
    invite_annotators,
    list_annotators,
    list_chats,
    list_exclusions,
    list_leases,
    load_items,
    take_replies,
    take_turn,
    withdraw_annotator,
)
from tests.store.small_chats import CHAT_CAPS, chat_items, chat_through, come_to_chat, rate
from tests.store.small_study import CAPS, Hand, answer, come, judge_all, load


def _labels(store: Store, wanted: ListQuery) -> list[str]:
    return [one.label for one in store.run(list_annotators(wanted)).rows]


def test_pages_of_annotators_together_are_all_of_them(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store)
    while isinstance(station, ItemStation):
        hand.move(21)
        station = answer(store, token, station)
    store.run(invite_annotators(labels=[f"Person {number}" for number in range(7)]))
    pages = [store.run(list_annotators(ListQuery("", first, 3))) for first in (0, 3, 6, 9)]
    assert [page.total for page in pages] == [8] * 4
    assert [len(page.rows) for page in pages] == [3, 3, 2, 0]
    everybody = store.run(fetch_annotators())
    assert [one.number for one in everybody] == [1, *[None] * 7]
    assert [one for page in pages for one in page.rows] == [replace(one, number=None) for one in everybody]
    assert pages[0].rows[0].median_seconds == pytest.approx(20.0)


def test_newest_first_turns_the_order_round(store: Store) -> None:
    store.run(invite_annotators(labels=["one", "two", "three"]))
    assert _labels(store, ListQuery(most=2, newest_first=True)) == ["three", "two"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ann", ["Ann Lee", "Joanna"]),
        ("LEE", ["Ann Lee", "Bob Lee 100%"]),
        ("100%", ["Bob Lee 100%"]),
        ("%", ["Bob Lee 100%"]),
        ("_", []),
        ("' OR 1=1", []),
        ("nobody", []),
    ],
)
def test_annotators_are_found_by_a_part_of_their_name(store: Store, search: str, found: list[str]) -> None:
    store.run(invite_annotators(labels=["Ann Lee", "Bob Lee 100%", "Joanna", "Cy"]))
    listed = store.run(list_annotators(ListQuery(search)))
    assert [one.label for one in listed.rows] == found
    assert listed.total == len(found)


def test_annotators_are_found_by_id_completion_code_and_link(store: Store) -> None:
    store.run(invite_annotators(labels=["Ann", "Bob"]))
    bob = store.run(fetch_annotators())[1]
    for search in (bob.id, bob.code, f"http://127.0.0.1:8000/a/{bob.token}", bob.token):
        assert _labels(store, ListQuery(search)) == ["Bob"]
    assert _labels(store, ListQuery(bob.token[:20])) == []


def test_list_of_one_kind_leaves_out_who_withdrew(store: Store) -> None:
    load(store)
    ann, _ = store.run(invite_annotators(labels=["Ann", "Bob"]))
    store.run(invite_annotators(kind="open"))
    store.run(withdraw_annotator(ann.annotator, reason="asked for it"))
    assert [one.label for one in store.run(list_annotators(kind="lab")).rows] == ["Bob"]
    assert store.run(list_annotators()).total == 3


def test_one_annotator_is_read_alone(store: Store) -> None:
    load(store)
    judge_all(store)
    (annotator,) = store.run(fetch_annotators())
    assert store.run(fetch_annotator(annotator.id)) == annotator
    store.run(invite_annotators())
    store.run(block_annotator(annotator.id, reason="careless", by="me"))
    assert [event.action for event in store.run(fetch_annotator_events(annotator.id))] == ["block"]
    assert store.run(fetch_annotator_events(store.run(fetch_annotators())[1].id)) == ()
    with pytest.raises(NotFound, match="nobody"):
        store.run(fetch_annotator("nobody"))


def test_leases_are_paged_and_found_by_annotator_and_group(store: Store) -> None:
    load(store)
    for _ in range(3):
        come(store)
    every = store.run(fetch_leases())
    assert store.run(list_leases(ListQuery(first=1, most=1))).rows == every[1:2]
    assert store.run(list_leases(ListQuery(every[2].annotator))).rows == every[2:]
    of_group = [lease for lease in every if lease.group == "A__vs__B"]
    assert list(store.run(list_leases(ListQuery("a__vs__b"))).rows) == of_group != []
    labels = store.run(fetch_labels([lease.annotator for lease in every]))
    assert labels == {lease.annotator: "" for lease in every}


def test_exclusions_are_paged_newest_first_and_found_by_rule_and_reason(store: Store) -> None:
    load(store)
    judge_all(store)
    for number, judgment in enumerate(store.stream(fetch_judgments())):
        store.run(exclude_judgments([judgment.id], rule=f"rule-{number}", reason="Too quick", by="me"))
    every = store.run(fetch_exclusions())
    page = store.run(list_exclusions(ListQuery(first=1, most=1, newest_first=True)))
    assert (page.rows, page.total) == ((every[-2],), len(every))
    assert store.run(list_exclusions(ListQuery("rule-0"))).rows == every[:1]
    assert store.run(list_exclusions(ListQuery("too QUICK"))).total == len(every)
    assert store.run(list_exclusions(ListQuery(every[1].judgment))).rows == every[1:2]


def test_chats_are_paged_and_found_by_bot_and_flag(store: Store) -> None:
    store.run(load_items(chat_items(["ada", "bea"], each=4), CHAT_CAPS))
    held = [come_to_chat(store) for _ in range(3)]
    every = store.run(fetch_chats())
    assert store.run(list_chats(ListQuery(first=1, most=1, newest_first=True))).rows == every[-2:-1]
    assert store.run(list_chats(ListQuery("ADA"))).rows == tuple(chat for chat in every if chat.bot == "ada")
    token, assignment = held[0]
    store.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one"))
    (wanted,) = store.run(take_replies(bots=["ada", "bea"], lease_seconds=30))
    store.run(fail_reply(wanted.id, "It said nothing."))
    (failed,) = [chat for chat in store.run(list_chats()).rows if chat.failures]
    assert failed.failures == ("It said nothing.",)
    assert store.run(list_chats()).rows == store.run(fetch_chats())


def test_judged_and_flagged_chat_is_found_by_its_flag(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    come_to_chat(store)
    chat_through(store, token, assignment)
    rate(store, token, assignment, flags=[Flag("few-words", "1 word"), Flag("all-same", "")])
    (chat,) = store.run(list_chats(ListQuery("FEW-words"))).rows
    assert [flag.rule for flag in chat.flags] == ["few-words", "all-same"]
    assert store.run(fetch_chat_summary(chat.id)) == chat
    assert store.run(fetch_chat_dialogue(chat.id)).bot == "ada"
    (judged,) = store.stream(fetch_judged())
    assert (judged.exchanges, judged.flags) == (3, ("few-words", "all-same"))
    assert judged.judgment == next(store.stream(fetch_judgments()))
    assert judged.judgment.dialogue == chat.id
    with pytest.raises(NotFound, match="none"):
        store.run(fetch_chat_summary("none"))
    with pytest.raises(NotFound, match="none"):
        store.run(fetch_chat_dialogue("none"))


def test_judgment_comes_with_its_item(store: Store) -> None:
    load(store)
    judge_all(store, CAPS)
    items = {item.id: item for item in store.stream(fetch_items())}
    judged = list(store.stream(fetch_judged()))
    assert [one.judgment for one in judged] == list(store.stream(fetch_judgments()))
    assert all(one.item == items[one.judgment.item] for one in judged)
    assert {(one.exchanges, one.flags) for one in judged} == {(None, ())}
