"""Skipping an item: no judgment, never offered again, a free place for others, and one of the annotator's."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from duologue.store import (
    ItemStation,
    Station,
    Store,
    ThanksStation,
    check_codes,
    fetch_annotators,
    fetch_chat,
    fetch_chats,
    fetch_judgments,
    fetch_progress,
    fetch_skips,
    load_items,
    resume_sitting,
    skip_item,
    take_replies,
)
from duologue.studies import AttentionTable, StudyRules
from tests.store.small_chats import (
    CHAT_CAPS,
    PEOPLE,
    chat_items,
    chat_through,
    come_to_chat,
    credits_of,
    in_hand,
    say,
    two_people,
)
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, judge_all, load, walk, working
from tests.store.truth import assert_sound

SKIPPING = replace(CAPS, skips=2)


def skip(store: Store, token: str, station: Station, caps: StudyRules = SKIPPING) -> Station:
    """Skip the assignment in hand."""
    assert isinstance(station, ItemStation)
    return store.run(skip_item(token, caps, assignment=station.assignment.key))


def test_a_skipped_item_is_not_judged_and_goes_to_others(store: Store, database: str) -> None:
    load(store, SKIPPING, bots="AB", each=2)
    token, first = come(store, SKIPPING)
    (before,) = working([first])
    after = skip(store, token, first)
    assert isinstance(after, ThanksStation), "its place counts as one of the annotator's"
    assert after.judged == 1
    assert (after.is_empty, after.is_unanswered) == (False, True)
    assert not list(store.stream(fetch_judgments()))
    assert [(group.leased, group.wanted) for group in store.run(fetch_progress())] == [(0, 2)]
    others = [working(judge_all(store, SKIPPING))[0].assignment.item.id for _ in range(2)]
    assert before.assignment.item.id in others, "its place was free at once"
    assert_sound(database, SKIPPING)


def test_a_skipped_item_is_never_offered_again(store: Store, database: str) -> None:
    caps = replace(SKIPPING, max_judgments=12, skips=1)
    load(store, caps)
    token, first = come(store, caps)
    (before,) = working([first])
    after = skip(store, token, first, caps)
    seen = [station.assignment.item.id for station in working(list(walk(store, token, after, caps)))]
    assert seen
    assert before.assignment.item.id not in seen
    assert_sound(database, caps)


def test_no_more_items_are_skipped_than_the_study_says(store: Store) -> None:
    load(store, SKIPPING)
    token, station = come(store, SKIPPING)
    left = [in_hand(station).skips_left]
    for _ in range(2):
        station = skip(store, token, station)
        left.append(in_hand(station).skips_left)
    assert left == [2, 1, 0]
    again = skip(store, token, station)
    assert in_hand(again).key == in_hand(station).key
    assert not again.saved
    resumed = in_hand(store.run(resume_sitting(token, SKIPPING)))
    assert (resumed.key, resumed.skips_left) == (in_hand(station).key, 0)


def test_no_more_items_are_promised_or_skipped_than_there_are(store: Store) -> None:
    caps = replace(SKIPPING, max_judgments=10)
    load(store, caps, bots="AB", each=2)
    token, station = come(store, caps)
    told = [in_hand(station)]
    told.append(in_hand(skip(store, token, station, caps)))
    told.append(in_hand(store.run(resume_sitting(token, caps))))
    assert [(one.number, one.total, one.skips_left) for one in told] == [(1, 2, 2), (2, 2, 1), (2, 2, 1)]


def test_no_skip_is_promised_after_the_last_item(store: Store) -> None:
    caps = replace(SKIPPING, max_judgments=1, skips=5)
    load(store, caps)
    _token, station = come(store, caps)
    assert in_hand(station).skips_left == 1


def test_nothing_is_skipped_unless_the_study_says_so(store: Store) -> None:
    load(store)
    token, first = come(store)
    assert in_hand(first).skips_left == 0
    assert in_hand(skip(store, token, first, CAPS)).key == in_hand(first).key


def test_skipping_twice_skips_one(store: Store, database: str) -> None:
    load(store, SKIPPING)
    token, first = come(store, SKIPPING)
    with ThreadPoolExecutor(4) as people:
        stations = list(people.map(lambda _: skip(store, token, first), range(8)))
    assert len({in_hand(station).key for station in stations}) == 1
    assert all(station.saved for station in stations)
    assert in_hand(stations[0]).skips_left == 1
    assert_sound(database, SKIPPING)


def test_an_answer_after_skipping_is_not_stored_and_skipping_after_it_changes_nothing(store: Store) -> None:
    load(store, SKIPPING)
    token, first = come(store, SKIPPING)
    second = skip(store, token, first)
    late = answer(store, token, first, SKIPPING)
    assert not late.saved
    assert not list(store.stream(fetch_judgments()))
    third = answer(store, token, second, SKIPPING)
    assert in_hand(skip(store, token, second)).key == in_hand(third).key
    assert len(list(store.stream(fetch_judgments()))) == 1


def test_the_time_until_an_item_was_skipped_is_paid(store: Store, hand: Hand) -> None:
    load(store, SKIPPING, bots="AB")
    token, first = come(store, SKIPPING)
    hand.move(40)
    after = skip(store, token, first)
    assert isinstance(after, ThanksStation)
    hand.move(500)
    (code,) = store.run(check_codes([after.code]))
    assert (code.judgments, code.credited, code.seconds) == (0, 1, 40.0)


def test_a_page_left_open_is_paid_until_its_lease_ended(store: Store, hand: Hand) -> None:
    load(store, SKIPPING, bots="AB")
    token, first = come(store, SKIPPING)
    hand.move(8 * 3600)
    after = skip(store, token, first)
    assert isinstance(after, ThanksStation)
    (code,) = store.run(check_codes([after.code]))
    assert code.seconds == SKIPPING.lease_seconds


def test_a_skipped_onboarding_item_was_asked_and_is_not_right(store: Store, database: str) -> None:
    caps = replace(SCREENED, skips=1)
    load(store, caps, onboarding=2)
    token, first = come(store, caps)
    assert not in_hand(first).item.is_judged
    assert in_hand(first).skips_left == 1, "no page tells it from any other item"
    after = skip(store, token, first, caps)
    assert in_hand(after).item.is_judged
    (summary,) = store.run(fetch_annotators())
    assert (summary.onboarding_asked, summary.onboarding_right) == (1, 0)
    assert summary.is_blocked
    assert_sound(database, caps)


@pytest.mark.parametrize("others", ["right", "wrong", "skipped"])
def test_a_skipped_attention_check_is_neither_right_nor_wrong(
    store: Store, database: str, others: str
) -> None:
    checks = AttentionTable(per_sitting=2, threshold=1.0, on_fail="exclude")
    caps = replace(SKIPPING, attention=checks, max_judgments=3, skips=2)
    load(store, caps, attention=2)
    token, station = come(store, caps)
    met = 0
    while isinstance(station, ItemStation):
        if in_hand(station).item.role != "attention":
            station = answer(store, token, station, caps)
            continue
        met += 1
        if met == 1 or others == "skipped":
            station = skip(store, token, station, caps)
        else:
            station = answer(store, token, station, caps, is_right=others == "right")
    assert met == 2, "no other check comes in the place of one that was skipped"
    (summary,) = store.run(fetch_annotators())
    found = {"right": (1, 1, 0), "wrong": (1, 0, 3), "skipped": (0, 0, 0)}
    assert (summary.attention_asked, summary.attention_right, summary.excluded) == found[others]
    assert_sound(database, caps)


def test_a_skipped_repeat_counts_as_repeated(store: Store, database: str) -> None:
    caps = replace(SKIPPING, repeat=0.5, max_judgments=3)
    load(store, caps)
    token, station = come(store, caps)
    for _ in range(3):
        station = answer(store, token, station, caps)
    done = skip(store, token, station, caps)
    (summary,) = store.run(fetch_annotators())
    assert (summary.judgments, summary.repeated) == (3, 1)
    found = store.run(fetch_skips())
    assert found is not None
    (item,) = found.items
    assert {one.bot: one.skipped for one in found.bots if one.skipped} == dict.fromkeys(item.bots, 1)
    assert sum(one.of for one in found.bots) == 2 * (3 + 1), "three were judged, and one came again"
    assert isinstance(done, ThanksStation | ItemStation)
    assert_sound(database, caps)


CHATS = replace(CHAT_CAPS, skips=2)


def test_skipping_a_live_chat_ends_it(store: Store, database: str) -> None:
    store.run(load_items(chat_items("AB", each=2), CHATS))
    token, chat = come_to_chat(store, CHATS)
    say(store, token, chat, caps=CHATS)
    after = in_hand(store.run(skip_item(token, CHATS, assignment=chat.key)))
    assert after.item.bots != chat.item.bots, "a bot whose chat was skipped is not met again"
    assert not store.run(take_replies(bots=("A", "B"), lease_seconds=30)), "no bot is asked any more"
    assert store.run(fetch_chat(token, chat.key)).ending == "skipped"
    (skipped, _other) = store.run(fetch_chats())
    assert (skipped.state, skipped.credit, skipped.judgment) == ("ended", "skipped", "")
    assert_sound(database, CHATS)


def test_a_chat_that_is_over_can_be_skipped_instead_of_rated(store: Store, database: str) -> None:
    store.run(load_items(chat_items(["ada", "bea"], each=2), CHATS))
    token, chat = come_to_chat(store, CHATS)
    chat_through(store, token, chat, CHATS)
    store.run(skip_item(token, CHATS, assignment=chat.key))
    assert not list(store.stream(fetch_judgments()))
    assert store.run(fetch_chats())[0].credit == "skipped"
    assert_sound(database, CHATS)


def test_whose_partner_skips_the_chat_may_go_on_with_credit(store: Store, database: str) -> None:
    caps = replace(PEOPLE, skips=1)
    store.run(load_items(chat_items(["human"], each=4), caps))
    (one, mine), (other, theirs) = two_people(store, caps)
    store.run(skip_item(one, caps, assignment=mine.key))
    assert store.run(fetch_chat(other, theirs.key)).ending == "partner-left"
    store.run(skip_item(other, caps, assignment=theirs.key))
    assert credits_of(store) == ["partner-left"], "who was left uses up no skip"
    assert_sound(database, caps)


def test_others_judge_what_was_skipped(store: Store, database: str) -> None:
    caps = replace(SKIPPING, max_judgments=4)
    load(store, caps, bots="AB")
    token, station = come(store, caps)
    list(walk(store, token, skip(store, token, station, caps), caps))
    judge_all(store, caps)
    assert [(group.done, group.wanted) for group in store.run(fetch_progress())] == [(4, 4)]
    assert_sound(database, caps)


def test_what_was_skipped_is_counted_by_bot_and_by_item(store: Store, hand: Hand) -> None:
    load(store, SKIPPING)
    assert store.run(fetch_skips()) is None
    token, first = come(store, SKIPPING)
    hand.move(30)
    second = skip(store, token, first)
    answer(store, token, second, SKIPPING)
    found = store.run(fetch_skips())
    assert found is not None
    skipped, judged = in_hand(first).item, in_hand(second).item
    assert [(one.item, one.bots, one.skipped) for one in found.items] == [(skipped.id, skipped.bots, 1)]
    assert (found.skipped, found.annotators, found.seconds) == (1, 1, 30.0)
    by_bot = {one.bot: (one.skipped, one.of) for one in found.bots}
    expected = {
        bot: (int(bot in skipped.bots), (bot in skipped.bots) + (bot in judged.bots))
        for bot in {*skipped.bots, *judged.bots}
    }
    assert by_bot == expected
