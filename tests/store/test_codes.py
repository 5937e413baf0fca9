"""Completion codes, and what was done for each."""

from duologue.protocols import HUMAN
from duologue.store import (
    Assignment,
    ItemStation,
    ListQuery,
    Station,
    Store,
    abandon_chat,
    check_codes,
    end_stale_chats,
    fail_reply,
    fetch_annotators,
    fetch_credited,
    give_consent,
    invite_annotators,
    list_codes,
    load_items,
    release_assignment,
    take_replies,
    take_turn,
    withdraw_annotator,
)
from tests.store.small_chats import (
    CHAT_CAPS,
    PEOPLE,
    chat_items,
    chat_through,
    come_to_chat,
    in_hand,
    rate,
)
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, judge_all, load


def test_code_of_somebody_who_finished_tells_what_they_did(store: Store, hand: Hand) -> None:
    load(store, SCREENED, onboarding=1)
    token, station = come(store, SCREENED)
    while isinstance(station, ItemStation):
        hand.move(30)
        station = answer(store, token, station, SCREENED)
    listed = store.run(list_codes())
    assert listed.total == 1
    (shown,) = listed.rows
    assert (shown.state, shown.judgments, shown.excluded, shown.credited) == ("finished", 3, 0, 0)
    assert (shown.onboarding, shown.onboarding_right, shown.seconds) == (1, 1, 80.0)
    assert shown.code == store.run(fetch_annotators())[0].code
    assert not shown.is_blocked


def test_code_of_somebody_who_failed_onboarding_is_shown_and_everything_is_excluded(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    judge_all(store, SCREENED, is_right=False)
    (shown,) = store.run(list_codes()).rows
    assert (shown.judgments, shown.excluded, shown.onboarding_right) == (3, 3, 0)
    assert shown.is_blocked


def test_code_that_was_not_shown_is_not_listed_and_said_to_be_unfinished(store: Store) -> None:
    load(store)
    token, station = come(store)
    answer(store, token, station)
    code = store.run(fetch_annotators())[0].code
    assert store.run(list_codes()).rows == ()
    (known,) = store.run(check_codes([code]))
    assert (known.state, known.judgments) == ("unfinished", 1)


def test_codes_are_known_however_they_are_typed_and_others_are_nobodys(store: Store) -> None:
    load(store)
    judge_all(store)
    code = store.run(fetch_annotators())[0].code
    typed = f" {code[:4].lower()}-{code[4:]} "
    known, wrong, empty = store.run(check_codes([typed, "0000", ""]))
    assert (known.code, known.state) == (code, "finished")
    assert (wrong.code, wrong.state, wrong.annotator) == ("0000", "unknown", "")
    assert empty.state == "unknown"


def test_more_codes_than_one_query_takes_are_checked_in_their_order(store: Store) -> None:
    load(store)
    judge_all(store)
    code = store.run(fetch_annotators())[0].code
    given = [*(f"{number:04}" for number in range(1200)), code]
    states = [one.state for one in store.run(check_codes(given))]
    assert states == ["unknown"] * 1200 + ["finished"]


def test_code_of_somebody_who_withdrew_is_erased(store: Store) -> None:
    load(store)
    judge_all(store)
    (before,) = store.run(fetch_annotators())
    store.run(withdraw_annotator(before.id, reason="asked"))
    assert store.run(list_codes()).rows == ()
    assert [one.state for one in store.run(check_codes([before.code, ""]))] == ["unknown", "unknown"]


def test_codes_are_found_by_code_name_and_id(store: Store) -> None:
    load(store, CAPS, each=6)
    for name in ("Ada", "Bea"):
        (invitation,) = store.run(invite_annotators(labels=[name]))
        station = store.run(give_consent(invitation.token, CAPS))
        for _ in range(3):
            station = answer(store, invitation.token, station)
    ada, bea = store.run(list_codes()).rows
    for search in (ada.code, ada.code.lower(), f"{ada.code[:5]}-{ada.code[5:]}", "ada", ada.annotator):
        found = store.run(list_codes(ListQuery(search)))
        assert (found.rows, found.total) == ((ada,), 1)
    assert store.run(list_codes(ListQuery(first=1))).rows == (bea,)


def test_live_chat_that_could_not_go_on_is_told_apart_from_judgments(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=2), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    store.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello?", key="one"))
    (wanted,) = store.run(take_replies(bots=["ada"], lease_seconds=30))
    store.run(fail_reply(wanted.id, "away"))
    store.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    (shown,) = store.run(list_codes()).rows
    assert (shown.judgments, shown.excluded, shown.credited) == (0, 0, 1)


def _give_up(store: Store, hand: Hand, token: str, assignment: Assignment, *, after: float) -> Station:
    """The bot fails after so many seconds, and the annotator ends the chat with credit."""
    store.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello?", key="one"))
    (wanted,) = store.run(take_replies(bots=["ada", "bea"], lease_seconds=30))
    hand.move(after)
    store.run(fail_reply(wanted.id, "away"))
    return store.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))


def test_time_in_chats_that_ended_with_credit_counts(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items(["ada", "bea"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    second = in_hand(_give_up(store, hand, token, assignment, after=142))
    hand.move(12)
    _give_up(store, hand, token, second, after=30)
    (shown,) = store.run(list_codes()).rows
    assert (shown.judgments, shown.credited, shown.seconds) == (0, 2, 184.0)
    assert store.run(check_codes([shown.code])) == (shown,)


def test_time_of_judged_and_of_credited_chats_is_added_up(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items(["ada", "bea"], each=4), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    second = in_hand(_give_up(store, hand, token, assignment, after=60))
    hand.move(40)
    chat_through(store, token, second)
    hand.move(20)
    rate(store, token, second)
    (shown,) = store.run(list_codes()).rows
    assert (shown.judgments, shown.credited, shown.seconds) == (1, 1, 110.0)


def test_waiting_for_a_partner_counts_until_the_chat_was_over(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items([HUMAN], each=2), PEOPLE))
    token, assignment = come_to_chat(store, PEOPLE)
    hand.move(3600)
    store.run(end_stale_chats())
    hand.move(500)
    store.run(abandon_chat(token, PEOPLE, assignment=assignment.key))
    (shown,) = store.run(check_codes([store.run(fetch_annotators())[0].code]))
    assert (shown.credited, shown.seconds) == (1, 3600.0)


def test_chat_that_the_annotator_left_has_no_time(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items(["ada"], each=2), CHAT_CAPS))
    _token, assignment = come_to_chat(store)
    hand.move(100)
    store.run(release_assignment(assignment.key, CHAT_CAPS, by="me"))
    (known,) = store.run(check_codes([store.run(fetch_annotators())[0].code]))
    assert (known.credited, known.seconds) == (0, 0.0)


def test_chats_that_ended_with_credit_are_told_by_group_with_their_time(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items(["ada"], each=4), CHAT_CAPS))
    for after in (10, 25):
        token, assignment = come_to_chat(store)
        _give_up(store, hand, token, assignment, after=after)
    (found,) = store.run(fetch_credited())
    assert (found.group, found.why, found.chats, found.annotators) == ("ada", "bot-failed", 2, 2)
    assert found.seconds == 35.0
