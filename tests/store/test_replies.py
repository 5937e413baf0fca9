"""Replies that bots owe: taken by one at a time, stored once, and taken again when whoever had them died."""

import threading

import pytest

from duologue.errors import NotFound
from duologue.seeds import seed_sequence
from duologue.store import (
    GivenReply,
    Store,
    fail_reply,
    fetch_chat,
    fetch_chat_dialogues,
    fetch_chats,
    load_items,
    renew_replies,
    store_reply,
    take_replies,
    take_turn,
)
from tests.store.small_chats import CHAT_CAPS, chat_items, come_to_chat, say
from tests.store.small_study import Hand
from tests.store.truth import assert_sound

BOTS = ("ada", "bea", "cyd")


@pytest.fixture
def chats(store: Store) -> Store:
    store.run(load_items(chat_items(BOTS, each=20), CHAT_CAPS))
    return store


def _wanting(store: Store, count: int) -> list[tuple[str, str]]:
    """So many annotators who have just said something: the tokens, and the keys of their assignments."""
    found = []
    for _ in range(count):
        token, assignment = come_to_chat(store)
        say(store, token, assignment)
        found.append((token, assignment.key))
    return found


def test_reply_is_taken_by_one_at_a_time(chats: Store, hand: Hand) -> None:
    _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert wanted.attempt == 1
    hand.move(29)
    assert chats.run(take_replies(bots=BOTS, lease_seconds=30)) == ()
    hand.move(1)
    (again,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert (again.id, again.seed, again.attempt, again.turns) == (wanted.id, wanted.seed, 2, wanted.turns)


def test_reply_that_is_renewed_stays_with_who_took_it(chats: Store, hand: Hand) -> None:
    _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    hand.move(20)
    chats.run(renew_replies([wanted.id], lease_seconds=30))
    hand.move(29)
    assert chats.run(take_replies(bots=BOTS, lease_seconds=30)) == ()
    hand.move(1)
    assert [one.attempt for one in chats.run(take_replies(bots=BOTS, lease_seconds=30))] == [2]
    chats.run(store_reply(wanted.id, GivenReply("At last.", 50.0)))
    chats.run(renew_replies([wanted.id], lease_seconds=0))
    assert chats.run(take_replies(bots=BOTS, lease_seconds=30)) == ()


def test_first_stored_reply_wins(chats: Store, hand: Hand) -> None:
    ((token, key),) = _wanting(chats, 1)
    (slow,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    hand.move(31)
    (quick,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert chats.run(store_reply(quick.id, GivenReply("First!", 1.0)))
    assert not chats.run(store_reply(slow.id, GivenReply("Second.", 32.0)))
    chats.run(fail_reply(slow.id, "It gave up."))
    chat = chats.run(fetch_chat(token, key))
    assert (chat.state, [turn.text for turn in chat.turns]) == ("annotator", ["Well.", "First!"])


def test_reply_after_a_failure_still_counts(chats: Store, hand: Hand) -> None:
    ((token, key),) = _wanting(chats, 1)
    (slow,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    hand.move(31)
    (quick,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    chats.run(fail_reply(quick.id, "It broke."))
    assert chats.run(fetch_chat(token, key)).state == "failed"
    assert chats.run(store_reply(slow.id, GivenReply("At last.", 32.0)))
    assert chats.run(fetch_chat(token, key)).state == "annotator"
    assert chats.run(fetch_chats())[0].failures == ("It broke.",)


def test_only_replies_of_the_bots_at_hand_are_taken_oldest_first(chats: Store, hand: Hand) -> None:
    keys = []
    for _ in range(6):
        keys += [key for _token, key in _wanting(chats, 1)]
        hand.move(1)
    (one,) = chats.run(take_replies(bots=BOTS, lease_seconds=30, limit=1))
    assert one.assignment == keys[0]
    others = [bot for bot in BOTS if bot != one.bot]
    taken = chats.run(take_replies(bots=others, lease_seconds=30))
    assert {wanted.bot for wanted in taken} == set(others)
    assert [wanted.assignment for wanted in taken] == sorted(
        (wanted.assignment for wanted in taken), key=keys.index
    )
    assert chats.run(take_replies(bots=["nobody"], lease_seconds=30)) == ()
    rest = chats.run(take_replies(bots=[one.bot], lease_seconds=30))
    assert {wanted.assignment for wanted in (one, *taken, *rest)} == set(keys)


def test_seed_of_a_reply_comes_from_the_study_the_chat_and_the_place(chats: Store) -> None:
    _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    (chat,) = chats.run(fetch_chats())
    drawn = seed_sequence(CHAT_CAPS.seed, "reply", chat.id, "1").generate_state(1)[0]
    assert wanted.seed == int(drawn)


@pytest.mark.parametrize(
    ("text", "cause"), [("", "empty"), (" \n", "empty"), ("a\0b", "cannot be stored"), ("\udc00", "stored")]
)
def test_reply_that_says_nothing_is_a_failure(chats: Store, text: str, cause: str) -> None:
    ((token, key),) = _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert not chats.run(store_reply(wanted.id, GivenReply(text, 1.0)))
    assert chats.run(fetch_chat(token, key)).state == "failed"
    assert cause in chats.run(fetch_chats())[0].failures[0]


def test_cause_of_a_failure_is_kept_whatever_is_in_it(chats: Store) -> None:
    _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It said \0 and \ud83d."))
    assert chats.run(fetch_chats())[0].failures == ("It said \ufffd and ?.",)


def test_unknown_reply_is_refused(chats: Store) -> None:
    with pytest.raises(NotFound, match="wanted reply"):
        chats.run(store_reply("none", GivenReply("Hello.", 1.0)))
    with pytest.raises(NotFound):
        chats.run(fail_reply("none", "It broke."))


def test_what_the_bot_said_of_its_reply_is_kept_with_the_turn(chats: Store) -> None:
    ((token, key),) = _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    chats.run(store_reply(wanted.id, GivenReply("Yes.", 0.5, 3, {"finish": "stop"})))
    caps = CHAT_CAPS
    for text in ("Two.", "Three."):
        chats.run(take_turn(token, caps, assignment=key, text=text, key=text))
        (again,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
        chats.run(store_reply(again.id, GivenReply("Yes.", 0.5)))
    (dialogue,) = chats.stream(fetch_chat_dialogues())
    extras = dict(dialogue.turns[1].extras)
    assert isinstance(extras.pop("at"), str)
    assert extras == {"seconds": 0.5, "seed": wanted.seed, "tokens": 3, "meta": {"finish": "stop"}}
    assert set(dialogue.turns[3].extras) == {"at", "seconds", "seed"}


def test_many_who_take_together_share_the_replies(chats: Store, database: str) -> None:
    wanted = {key for _token, key in _wanting(chats, 24)}
    taken: list[str] = []
    starting = threading.Barrier(6)

    def take() -> None:
        starting.wait()
        while found := chats.run(take_replies(bots=BOTS, lease_seconds=30, limit=2)):
            for one in found:
                assert chats.run(store_reply(one.id, GivenReply("Yes.", 0.1)))
                taken.append(one.assignment)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(wanted)
    assert_sound(database, CHAT_CAPS)


def test_lease_of_a_reply_can_be_renewed_while_the_bot_thinks(chats: Store, hand: Hand) -> None:
    _wanting(chats, 2)
    kept, left = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    hand.move(20)
    chats.run(renew_replies([kept.id], lease_seconds=30))
    hand.move(20)
    (again,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert (again.id, again.attempt) == (left.id, 2)
    hand.move(10)
    (late,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    assert late.id == kept.id


def test_reply_that_is_given_is_not_wanted_again_by_renewing_it(chats: Store, hand: Hand) -> None:
    _wanting(chats, 1)
    (wanted,) = chats.run(take_replies(bots=BOTS, lease_seconds=30))
    chats.run(store_reply(wanted.id, GivenReply("Yes.", 0.1)))
    chats.run(renew_replies([wanted.id, "none"], lease_seconds=0))
    hand.move(1)
    assert chats.run(take_replies(bots=BOTS, lease_seconds=30)) == ()
