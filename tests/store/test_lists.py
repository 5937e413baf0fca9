"""The researcher's lists: a page at a time, and found by what is searched for."""

import pytest

from duologue.errors import NotFound
from duologue.store import Flag, Store, Wanted, Working
from tests.store.small_chats import CHAT_CAPS, chat_items, chat_through, come_to_chat, rate
from tests.store.small_study import CAPS, Hand, answer, come, judge_all, load


def _labels(store: Store, wanted: Wanted) -> list[str]:
    return [one.label for one in store.annotators_listed(wanted).rows]


def test_pages_of_annotators_together_are_all_of_them(store: Store, hand: Hand) -> None:
    load(store)
    token, station = come(store)
    while isinstance(station, Working):
        hand.move(21)
        station = answer(store, token, station)
    store.invite(labels=[f"Person {number}" for number in range(7)])
    pages = [store.annotators_listed(Wanted("", first, 3)) for first in (0, 3, 6, 9)]
    assert [page.total for page in pages] == [8] * 4
    assert [len(page.rows) for page in pages] == [3, 3, 2, 0]
    assert tuple(one for page in pages for one in page.rows) == store.annotators()
    assert pages[0].rows[0].median_seconds == pytest.approx(20.0)


def test_newest_first_turns_the_order_round(store: Store) -> None:
    store.invite(labels=["one", "two", "three"])
    assert _labels(store, Wanted(most=2, newest_first=True)) == ["three", "two"]


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
    store.invite(labels=["Ann Lee", "Bob Lee 100%", "Joanna", "Cy"])
    listed = store.annotators_listed(Wanted(search))
    assert [one.label for one in listed.rows] == found
    assert listed.total == len(found)


def test_annotators_are_found_by_id_completion_code_and_link(store: Store) -> None:
    store.invite(labels=["Ann", "Bob"])
    bob = store.annotators()[1]
    for search in (bob.id, bob.code, f"http://127.0.0.1:8000/a/{bob.token}", bob.token):
        assert _labels(store, Wanted(search)) == ["Bob"]
    assert _labels(store, Wanted(bob.token[:20])) == []


def test_list_of_one_kind_leaves_out_who_withdrew(store: Store) -> None:
    load(store)
    ann, _ = store.invite(labels=["Ann", "Bob"])
    store.invite(kind="open")
    store.withdraw(ann.annotator, reason="asked for it")
    assert [one.label for one in store.annotators_listed(kind="lab").rows] == ["Bob"]
    assert store.annotators_listed().total == 3


def test_one_annotator_is_read_alone(store: Store) -> None:
    load(store)
    judge_all(store)
    (annotator,) = store.annotators()
    assert store.annotator(annotator.id) == annotator
    store.invite()
    store.block(annotator.id, reason="careless", by="me")
    assert [event.action for event in store.events(annotator.id)] == ["block"]
    assert store.events(store.annotators()[1].id) == ()
    with pytest.raises(NotFound, match="nobody"):
        store.annotator("nobody")


def test_leases_are_paged_and_found_by_annotator_and_group(store: Store) -> None:
    load(store)
    for _ in range(3):
        come(store)
    every = store.leases()
    assert store.leases_listed(Wanted(first=1, most=1)).rows == every[1:2]
    assert store.leases_listed(Wanted(every[2].annotator)).rows == every[2:]
    of_group = [lease for lease in every if lease.group == "A__vs__B"]
    assert list(store.leases_listed(Wanted("a__vs__b")).rows) == of_group != []
    assert store.labels(lease.annotator for lease in every) == {lease.annotator: "" for lease in every}


def test_exclusions_are_paged_newest_first_and_found_by_rule_and_reason(store: Store) -> None:
    load(store)
    judge_all(store)
    for number, judgment in enumerate(store.judgments()):
        store.exclude([judgment.id], rule=f"rule-{number}", reason="Too quick", by="me")
    every = store.exclusions()
    page = store.exclusions_listed(Wanted(first=1, most=1, newest_first=True))
    assert (page.rows, page.total) == ((every[-2],), len(every))
    assert store.exclusions_listed(Wanted("rule-0")).rows == every[:1]
    assert store.exclusions_listed(Wanted("too QUICK")).total == len(every)
    assert store.exclusions_listed(Wanted(every[1].judgment)).rows == every[1:2]


def test_chats_are_paged_and_found_by_bot_and_flag(store: Store) -> None:
    store.load_items(chat_items(["ada", "bea"], each=4), CHAT_CAPS)
    held = [come_to_chat(store) for _ in range(3)]
    every = store.chats()
    assert store.chats_listed(Wanted(first=1, most=1, newest_first=True)).rows == every[-2:-1]
    assert store.chats_listed(Wanted("ADA")).rows == tuple(chat for chat in every if chat.bot == "ada")
    token, assignment = held[0]
    store.say(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one")
    (wanted,) = store.take_replies(bots=["ada", "bea"], lease_seconds=30)
    store.fail_reply(wanted.id, "It said nothing.")
    (failed,) = [chat for chat in store.chats_listed().rows if chat.failures]
    assert failed.failures == ("It said nothing.",)
    assert store.chats_listed().rows == store.chats()


def test_judged_and_flagged_chat_is_found_by_its_flag(store: Store) -> None:
    store.load_items(chat_items(["ada"], each=4), CHAT_CAPS)
    token, assignment = come_to_chat(store)
    come_to_chat(store)
    chat_through(store, token, assignment)
    rate(store, token, assignment, flags=[Flag("few-words", "1 word"), Flag("all-same", "")])
    (chat,) = store.chats_listed(Wanted("FEW-words")).rows
    assert [flag.rule for flag in chat.flags] == ["few-words", "all-same"]
    assert store.chat_summary(chat.id) == chat
    assert store.chat_dialogue(chat.id).bot == "ada"
    (judged,) = store.judged()
    assert (judged.exchanges, judged.flags) == (3, ("few-words", "all-same"))
    assert judged.judgment == next(store.judgments())
    assert judged.judgment.dialogue == chat.id
    for read in (store.chat_summary, store.chat_dialogue):
        with pytest.raises(NotFound, match="none"):
            read("none")


def test_judgment_comes_with_its_item(store: Store) -> None:
    load(store)
    judge_all(store, CAPS)
    items = {item.id: item for item in store.items()}
    judged = list(store.judged())
    assert [one.judgment for one in judged] == list(store.judgments())
    assert all(one.item == items[one.judgment.item] for one in judged)
    assert {(one.exchanges, one.flags) for one in judged} == {(None, ())}
