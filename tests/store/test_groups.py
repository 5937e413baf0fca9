"""Which bot an annotator meets: random by the seed, balanced over the bots, so many times at most."""

from collections import Counter
from dataclasses import replace

import pytest

from duologue.protocols import ChatPlan, chat_plan
from duologue.store import (
    ItemStation,
    Store,
    ThanksStation,
    exclude_judgments,
    fetch_judgments,
    load_items,
    release_assignment,
    resume_sitting,
)
from tests.store.small_chats import (
    CHAT_CAPS,
    chat_item,
    chat_items,
    chat_through,
    come_to_chat,
    in_hand,
    rate,
)
from tests.store.truth import assert_sound

BOTS = ("ada", "bea", "cyd")


def test_bots_are_handed_out_evenly_at_every_moment(store: Store) -> None:
    store.run(load_items(chat_items(BOTS, each=10), CHAT_CAPS))
    met = dict.fromkeys(BOTS, 0)
    for _ in range(30):
        met[come_to_chat(store)[1].item.group] += 1
        assert max(met.values()) - min(met.values()) <= 1
    assert set(met.values()) == {10}


def test_which_bot_comes_next_cannot_be_told(store: Store) -> None:
    store.run(load_items(chat_items(BOTS, each=20), CHAT_CAPS))
    met = [come_to_chat(store)[1].item.group for _ in range(60)]
    rounds = {tuple(met[start : start + 3]) for start in range(0, 60, 3)}
    assert all(sorted(one) == list(BOTS) for one in rounds)
    assert len(rounds) > 3, "twenty rounds in the same three orders happen once in 50 000 times"


@pytest.mark.parametrize("most", [1, 2])
def test_annotator_meets_each_bot_so_many_times_and_no_more(store: Store, database: str, most: int) -> None:
    caps = replace(CHAT_CAPS, max_per_group=most)
    store.run(load_items(chat_items(BOTS, each=5), caps))
    token, assignment = come_to_chat(store, caps)
    met = []
    while True:
        met.append(assignment.item.group)
        assert assignment.total == 3 * most
        chat_through(store, token, assignment, caps)
        station = rate(store, token, assignment, caps)
        if isinstance(station, ThanksStation):
            break
        assignment = in_hand(station)
    assert Counter(met) == dict.fromkeys(BOTS, most)
    assert sorted(met[:3]) == list(BOTS)
    assert_sound(database, caps)


def test_no_more_chats_are_promised_than_an_annotator_can_have(store: Store) -> None:
    caps = replace(CHAT_CAPS, max_judgments=4)
    store.run(load_items(chat_items(BOTS, each=5), caps))
    assert come_to_chat(store, caps)[1].total == 3


def test_fewer_judgments_than_bots_are_asked_for_when_the_study_says_so(store: Store) -> None:
    caps = replace(CHAT_CAPS, max_judgments=1)
    store.run(load_items(chat_items(BOTS, each=5), caps))
    token, assignment = come_to_chat(store, caps)
    chat_through(store, token, assignment, caps)
    assert isinstance(rate(store, token, assignment, caps), ThanksStation)


def test_abandoned_chat_counts_as_one_with_that_bot(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=1), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    assert store.run(release_assignment(assignment.key, by="me"))
    other, theirs = come_to_chat(store)
    chat_through(store, other, theirs)
    rate(store, other, theirs)
    (judgment,) = store.stream(fetch_judgments())
    store.run(load_items(chat_items(["ada"], each=2), CHAT_CAPS))
    assert not isinstance(store.run(resume_sitting(token, CHAT_CAPS)), ItemStation)
    assert judgment.item == assignment.item.id


def test_excluded_chat_is_had_again_with_somebody_else(store: Store, database: str) -> None:
    store.run(load_items(chat_items(["ada"], each=1), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    chat_through(store, token, assignment)
    rate(store, token, assignment)
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="researcher", reason="a test", by="me"))
    other, again = come_to_chat(store)
    assert (again.item, again.chat.turns if again.chat else None) == (assignment.item, ())
    chat_through(store, other, again)
    rate(store, other, again)
    assert len({one.dialogue for one in store.stream(fetch_judgments())}) == 2
    assert_sound(database, CHAT_CAPS)


def test_annotator_gets_other_personas_and_topics_in_every_chat_while_there_are_some(store: Store) -> None:
    plans = [
        ChatPlan(persona=(f"i am bot {n}.",), annotator_persona=(f"i am {n}.",), topic=f"topic {n}")
        for n in range(5)
    ]
    caps = replace(CHAT_CAPS, max_per_group=2)
    items = [chat_item(bot, n, plans[n % 5]) for bot in BOTS for n in range(70)]
    store.run(load_items(items, caps))
    token, assignment = come_to_chat(store, caps)
    had = []
    for _ in range(5):
        had.append(chat_plan(assignment.item))
        chat_through(store, token, assignment, caps)
        assignment = in_hand(rate(store, token, assignment, caps))
    assert set(had) == set(plans)
    assert chat_plan(assignment.item) in had, "all were had: any will do"
