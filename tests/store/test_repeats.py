"""Items that come a second time: when, in which order, and that they count for nothing else."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from duologue.store import Store, ThanksStation, fetch_judgments, fetch_progress, load_items, resume_sitting
from duologue.studies import repeats_of
from tests.store.small_chats import CHAT_CAPS, chat_items, chat_through, come_to_chat, rate
from tests.store.small_study import CAPS, Hand, answer, come, judge_all, load, walk, working
from tests.store.truth import assert_sound

AGAIN = replace(CAPS, max_judgments=6, repeat=0.5, repeat_after=4)


@given(st.floats(0, 1), st.integers(0, 1000))
def test_the_number_of_repeats_is_the_share_rounded(share: float, judged: int) -> None:
    assert abs(repeats_of(share, judged) - share * judged) <= 0.5
    assert 0 <= repeats_of(share, judged) <= judged


def test_a_share_of_the_items_comes_a_second_time_at_the_end(store: Store, database: str) -> None:
    load(store, AGAIN, each=6)
    token, station = come(store, AGAIN)
    stations = list(walk(store, token, station, AGAIN))
    items = [station.assignment.item.id for station in working(stations)]
    assert len(items) == 9
    assert len(set(items[:6])) == 6
    assert len(set(items[6:])) == 3
    for place, item in enumerate(items[6:], 6):
        assert place - items.index(item) > 4, "too few others came in between"
    assert [one.assignment.total for one in working(stations)] == [9] * 9
    assert isinstance(stations[-1], ThanksStation)
    assert isinstance(store.run(resume_sitting(token, AGAIN)), ThanksStation)
    assert_sound(database, AGAIN)


def test_repeats_are_shown_the_other_way_round(store: Store) -> None:
    load(store, AGAIN, each=6)
    orders: dict[str, list[tuple[int, ...]]] = {}
    for station in working(judge_all(store, AGAIN)):
        orders.setdefault(station.assignment.item.id, []).append(station.assignment.order)
    twice = [shown for shown in orders.values() if len(shown) == 2]
    assert len(twice) == 3
    assert all(first == second[::-1] for first, second in twice)


def test_repeats_fill_no_place_and_are_marked(store: Store) -> None:
    load(store, AGAIN, each=6)
    judge_all(store, AGAIN)
    assert sum(group.done for group in store.run(fetch_progress())) == 6
    found = list(store.stream(fetch_judgments()))
    assert [one.occasion for one in found] == [1] * 6 + [2] * 3
    assert Counter(one.excluded for one in found) == {"": 6, "repeat": 3}


def test_nothing_comes_again_that_was_asked_only_a_moment_ago(store: Store) -> None:
    caps = replace(AGAIN, repeat_after=6)
    load(store, caps, each=6)
    assert len(working(judge_all(store, caps))) == 6


def test_a_repeat_that_was_left_can_be_taken_up_again(store: Store, hand: Hand, database: str) -> None:
    load(store, AGAIN, each=6)
    token, station = come(store, AGAIN)
    (last,) = working([station])
    while last.assignment.number < 7:
        (last,) = working([answer(store, token, last, AGAIN)])
    hand.move(AGAIN.lease_seconds + 1)
    come(store, AGAIN)
    again = store.run(resume_sitting(token, AGAIN))
    assert working([again])[0].assignment.item == last.assignment.item
    assert len(working(list(walk(store, token, again, AGAIN)))) == 3
    assert_sound(database, AGAIN)


def test_a_live_chat_is_not_held_twice(store: Store) -> None:
    caps = replace(CHAT_CAPS, repeat=1.0, repeat_after=1)
    store.run(load_items(chat_items(["ada"], each=2), caps))
    token, assignment = come_to_chat(store, caps)
    chat_through(store, token, assignment)
    rate(store, token, assignment)
    handed = [one.occasion for one in store.stream(fetch_judgments())]
    assert handed == [1]
