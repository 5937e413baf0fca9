"""Which bot an annotator meets: random by the seed, balanced over the bots, so many times at most."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from duologue.protocols import HUMAN, ChatPlan, chat_plan
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
from duologue.studies import StudyRules
from tests.store.small_chats import (
    CHAT_CAPS,
    PEOPLE,
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
    assert store.run(release_assignment(assignment.key, CHAT_CAPS, by="me"))
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


FOUR = tuple(
    ChatPlan(persona=(f"i am bot {n}.",), annotator_persona=(f"i am {n}.",), topic=f"topic {n}")
    for n in range(4)
)
OFTEN = replace(CHAT_CAPS, max_per_group=4)


def _chats_had(store: Store, caps: StudyRules, *, chats: int) -> list[tuple[str, int]]:
    """The bot and the persona, of the four, of each of so many chats of a new annotator."""
    token, assignment = come_to_chat(store, caps)
    had = []
    for _ in range(chats):
        plan = chat_plan(assignment.item)
        assert plan is not None
        had.append((assignment.item.group, FOUR.index(plan)))
        chat_through(store, token, assignment, caps)
        station = rate(store, token, assignment, caps)
        if isinstance(station, ThanksStation):
            break
        assignment = in_hand(station)
    return had


def test_personas_that_were_all_had_come_again_the_least_often_had_first(store: Store) -> None:
    store.run(load_items([chat_item(bot, n, FOUR[n]) for bot in BOTS for n in range(4)], OFTEN))
    had = _chats_had(store, OFTEN, chats=12)
    free = {(bot, persona) for bot in BOTS for persona in range(4)}
    assert set(had) == free
    assert {persona for _bot, persona in had[:4]} == {0, 1, 2, 3}
    free.discard(had[0])
    for place in range(1, len(had)):
        (bot, persona), before = had[place], [persona for _bot, persona in had[:place]]
        others = {one for one in free if one[1] != before[-1]}
        assert persona != before[-1] or not others, had
        of_bot = [before.count(other) for whose, other in others or free if whose == bot]
        assert before.count(persona) == min(of_bot), had
        free.discard((bot, persona))


def test_of_personas_had_equally_often_the_one_of_longest_ago_comes_first(store: Store) -> None:
    caps = replace(CHAT_CAPS, max_per_group=8)
    order = (0, 1, 2, 3, 3, 2, 1, 0)
    store.run(load_items([chat_item("ada", n, FOUR[which]) for n, which in enumerate(order)], caps))
    had = [persona for _bot, persona in _chats_had(store, caps, chats=8)]
    assert had[4:] == had[:4]


def test_persona_of_the_last_chat_waits_while_another_bot_has_a_chat_with_another(store: Store) -> None:
    plans = {"ada": (0, 1), "bea": (1, 1), "cyd": (0, 0)}
    items = [chat_item(bot, n, FOUR[which]) for bot, two in plans.items() for n, which in enumerate(two)]
    caps = replace(CHAT_CAPS, max_per_group=2)
    store.run(load_items(items, caps))
    had = [persona for _bot, persona in _chats_had(store, caps, chats=6)]
    assert len(had) == 6
    assert all(before != after for before, after in pairwise(had)), had


def test_annotators_own_persona_changes_where_every_bot_persona_is_the_same(store: Store) -> None:
    caps = replace(CHAT_CAPS, max_per_group=5)
    plans = [replace(plan, persona=("i am a bot.",), topic="rain") for plan in FOUR[:2]]
    items = [chat_item("ada", n, plans[n > 2]) for n in range(5)]
    store.run(load_items(items[:3], caps))
    token, assignment = come_to_chat(store, caps)
    had = []
    for number in range(4):
        plan = chat_plan(assignment.item)
        had.append(plan and plan.annotator_persona)
        if number == 1:
            store.run(load_items(items, caps))
        chat_through(store, token, assignment, caps)
        assignment = in_hand(rate(store, token, assignment, caps))
    assert had == [plans[which].annotator_persona for which in (0, 0, 1, 0)]


def test_same_persona_comes_twice_in_a_row_where_no_other_is_free(store: Store) -> None:
    store.run(load_items([chat_item(bot, 0, FOUR[0]) for bot in BOTS], CHAT_CAPS))
    assert [persona for _bot, persona in _chats_had(store, CHAT_CAPS, chats=3)] == [0, 0, 0]


def test_whoever_waits_for_a_partner_is_joined_whatever_the_persona(store: Store) -> None:
    caps = replace(PEOPLE, max_per_group=3)
    items = [chat_item(bot, n, FOUR[n]) for bot in ("ada", "bea") for n in range(2)]
    store.run(load_items(items, caps))
    token, assignment = come_to_chat(store, caps)
    first = chat_plan(assignment.item)
    store.run(load_items([*items, *(chat_item(HUMAN, n, first) for n in range(4))], caps))
    come_to_chat(store, caps)
    chat_through(store, token, assignment, caps)
    assert in_hand(rate(store, token, assignment, caps)).item.group == HUMAN
