"""Several bots answer one turn: their replies are shown together, one is chosen, and the chat goes on."""

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import select

from duologue.errors import AnswerError, ChatError, ChatOver, NotYourTurn
from duologue.protocols import TURN_BY_TURN, AtEnd, AtTurn, BeforeChat, ChatPlan, ChatSettings, Selection
from duologue.store import (
    Assignment,
    Chat,
    CutTurns,
    GivenReply,
    Station,
    Store,
    choose_candidates,
    count_cut_turns,
    fail_reply,
    fetch_annotators,
    fetch_assignment,
    fetch_chat,
    fetch_chat_dialogues,
    fetch_chat_threads,
    finish_chat,
    give_consent,
    invite_annotators,
    load_items,
    resume_sitting,
    retry_reply,
    store_reply,
    take_replies,
    withdraw_annotator,
)
from duologue.store.database.engine import Database
from duologue.store.database.schema import WITHDRAWN_TEXT, chat_turns, selections, wanted_replies
from duologue.store.sittings.orders import candidate_order
from tests.store.small_chats import CHAT_CAPS, candidate_items, chat_in, come_to_chat, in_hand, say
from tests.store.small_study import CAPS as STUDY_CAPS
from tests.store.small_study import Hand, load, pairings

BOTS = ("ada", "bea", "cyd")
CAPS = replace(CHAT_CAPS, chat=ChatSettings(min_exchanges=1, max_exchanges=3))
SOBA = ChatPlan(choose="one")
SATA_RANDOM = ChatPlan(choose="any", goes_on="random")
SATA_USER = ChatPlan(choose="any", goes_on="annotator", min_written=5)
OWN = ChatPlan(histories="own")


def begun(store: Store, plan: ChatPlan, bots: tuple[str, ...] = BOTS) -> tuple[str, Assignment]:
    """A chat with several bots in which the annotator has said something."""
    store.run(load_items(candidate_items(bots, each=6, plan=plan), CAPS))
    token, assignment = come_to_chat(store, CAPS)
    if plan.first == "annotator":
        say(store, token, assignment, "Hello!", CAPS)
    return token, assignment


def answered(store: Store, token: str, assignment: Assignment, texts: Mapping[str, str | None]) -> Chat:
    """The bots answer what they are told to, or fail; the chat as it is afterwards."""
    for wanted in store.run(take_replies(bots=BOTS, lease_seconds=30)):
        text = texts[wanted.bot]
        if text is None:
            store.run(fail_reply(wanted.id, "It broke."))
        else:
            assert store.run(store_reply(wanted.id, GivenReply(text, 0.5)))
    return store.run(fetch_chat(token, assignment.key))


def chosen(store: Store, token: str, assignment: Assignment, *cards: int, written: str = "") -> Station:
    turn = store.run(fetch_chat(token, assignment.key)).turn
    selection = Selection(turn, cards, written)
    return store.run(
        choose_candidates(token, CAPS, assignment=assignment.key, selection=selection, key=f"s{turn}")
    )


EACH = {"ada": "I am A.", "bea": "I am B.", "cyd": "I am C."}


def test_nothing_changes_until_the_last_candidate_is_there(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    before = store.run(fetch_chat(token, assignment.key))
    first, second, third = store.run(take_replies(bots=BOTS, lease_seconds=30))
    for wanted in (third, first):
        assert store.run(store_reply(wanted.id, GivenReply(EACH[wanted.bot], 0.5)))
        assert store.run(fetch_chat(token, assignment.key)) == before
    store.run(store_reply(second.id, GivenReply(EACH[second.bot], 0.5)))
    after = store.run(fetch_chat(token, assignment.key))
    assert (after.state, after.change) == ("choosing", before.change + 1)
    assert sorted(after.candidates) == sorted(EACH.values())


def test_every_bot_is_told_the_same_history(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    answered(store, token, assignment, EACH)
    card = chat_in(chosen(store, token, assignment, 2)).turns[-1].text
    say(store, token, assignment, "Go on.", CAPS)
    told = {
        tuple(turn.text for turn in wanted.turns)
        for wanted in store.run(take_replies(bots=BOTS, lease_seconds=1))
    }
    assert told == {("Hello!", card, "Go on.")}


def test_the_chosen_reply_is_the_next_turn(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    shown = answered(store, token, assignment, EACH).candidates
    chat = chat_in(chosen(store, token, assignment, 3))
    assert (chat.state, chat.turns[-1].text, chat.candidates) == ("annotator", shown[2], ())


def test_choosing_again_changes_nothing(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    answered(store, token, assignment, EACH)
    first = chat_in(chosen(store, token, assignment, 1))
    selection = Selection(1, (2,))
    again = choose_candidates(token, CAPS, assignment=assignment.key, selection=selection, key="other")
    assert chat_in(store.run(again)).turns == first.turns


@pytest.mark.parametrize("cards", [(), (1, 2), (4,), (0,)])
def test_exactly_one_of_the_cards_is_chosen(store: Store, cards: tuple[int, ...]) -> None:
    token, assignment = begun(store, SOBA)
    answered(store, token, assignment, EACH)
    with pytest.raises(AnswerError) as refused:
        chosen(store, token, assignment, *cards)
    assert refused.value.field == "chosen"
    assert store.run(fetch_chat(token, assignment.key)).state == "choosing"


def test_of_several_chosen_one_goes_on(store: Store) -> None:
    token, assignment = begun(store, SATA_RANDOM)
    shown = answered(store, token, assignment, EACH).candidates
    assert chat_in(chosen(store, token, assignment, 1, 3)).turns[-1].text in (shown[0], shown[2])


def test_where_none_is_chosen_one_at_random_goes_on(store: Store) -> None:
    token, assignment = begun(store, SATA_RANDOM)
    shown = answered(store, token, assignment, EACH).candidates
    assert chat_in(chosen(store, token, assignment)).turns[-1].text in shown
    with pytest.raises(ChatError):
        chosen(store, token, assignment)


def test_somebody_must_be_chosen_where_nothing_else_goes_on(store: Store) -> None:
    token, assignment = begun(store, ChatPlan(choose="any"))
    answered(store, token, assignment, EACH)
    with pytest.raises(AnswerError, match="at least one"):
        chosen(store, token, assignment)


def test_where_none_is_chosen_the_annotator_writes(store: Store) -> None:
    token, assignment = begun(store, SATA_USER)
    answered(store, token, assignment, EACH)
    for written, problem in (("", "better reply"), ("Hm. ", "at least 5"), ("x" * 9_999, "too long")):
        with pytest.raises(AnswerError, match=problem) as refused:
            chosen(store, token, assignment, written=written)
        assert refused.value.field == "written"
    with pytest.raises(AnswerError, match="only where none"):
        chosen(store, token, assignment, 1, written="I would say this.")
    chat = chat_in(chosen(store, token, assignment, written="I would say this."))
    assert (chat.turns[-1].text, chat.turns[-1].is_annotator) == ("I would say this.", False)


def test_replies_that_read_the_same_are_one_card(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    chat = answered(store, token, assignment, {"ada": "Yes. ", "bea": "No.", "cyd": "\nYes."})
    assert len(chat.candidates) == 2
    assert {text.strip() for text in chat.candidates} == {"Yes.", "No."}


def test_one_bot_can_be_chosen_or_not(store: Store) -> None:
    for cards in ((1,), ()):
        token, assignment = begun(store, SATA_RANDOM, ("ada",))
        answered(store, token, assignment, EACH)
        assert chat_in(chosen(store, token, assignment, *cards)).turns[-1].text == "I am A."


def test_a_failed_candidate_is_asked_again(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    assert answered(store, token, assignment, {**EACH, "bea": None}).state == "failed"
    store.run(retry_reply(token, CAPS, assignment=assignment.key))
    (wanted,) = store.run(take_replies(bots=BOTS, lease_seconds=30))
    assert (wanted.bot, wanted.candidate) == ("bea", 1)
    store.run(store_reply(wanted.id, GivenReply("Back again.", 0.5)))
    assert len(store.run(fetch_chat(token, assignment.key)).candidates) == 3


def test_the_others_are_shown_where_the_study_goes_on_without_a_candidate(store: Store) -> None:
    token, assignment = begun(store, replace(SOBA, after_failure="go-on"))
    late = store.run(take_replies(bots=["bea"], lease_seconds=0.0))[0]
    chat = answered(store, token, assignment, {**EACH, "bea": None})
    assert sorted(chat.candidates) == ["I am A.", "I am C."]
    assert not store.run(store_reply(late.id, GivenReply("Too late.", 9.0)))
    assert chat_in(chosen(store, token, assignment, 2)).state == "annotator"


def test_a_turn_without_any_reply_waits_for_a_decision(store: Store) -> None:
    token, assignment = begun(store, replace(SOBA, after_failure="go-on"))
    assert answered(store, token, assignment, dict.fromkeys(BOTS)).state == "failed"


def test_a_failed_candidate_ends_the_chat_where_the_study_says_so(store: Store) -> None:
    token, assignment = begun(store, replace(SOBA, after_failure="end"))
    chat = answered(store, token, assignment, {**EACH, "cyd": None})
    assert (chat.state, chat.ending, chat.is_usable) == ("ended", "bot-failed", False)
    with pytest.raises(ChatOver):
        chosen(store, token, assignment, 1)


def test_nobody_speaks_or_ends_while_something_is_to_be_chosen(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    answered(store, token, assignment, EACH)
    with pytest.raises(NotYourTurn):
        say(store, token, assignment, "And?", CAPS)
    with pytest.raises(ChatError, match="choose first"):
        store.run(finish_chat(token, CAPS, assignment=assignment.key))


def test_a_chat_that_went_on_with_several_bots_is_one_dialogue(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    for _ in range(3):
        answered(store, token, assignment, EACH)
        chat = chat_in(chosen(store, token, assignment, 1))
        if chat.state == "annotator":
            say(store, token, assignment, "More.", CAPS)
    (dialogue,) = store.stream(fetch_chat_dialogues())
    assert (dialogue.bot, dialogue.judged, dialogue.extras["bots"]) == (
        "ada__vs__bea__vs__cyd",
        "partner",
        list(BOTS),
    )
    said = {"ada": "I am A.", "bea": "I am B.", "cyd": "I am C."}
    assert all(said[str(turn.extras["bot"])] == turn.text for turn in dialogue.turns[1::2])
    selections = store.run(fetch_assignment(token, assignment.key)).selections
    assert [(one.turn, one.chosen) for one in selections] == [(1, (1,)), (3, (1,)), (5, (1,))]
    assert all(
        sorted(candidate for card in one.shown for candidate in card) == [0, 1, 2] for one in selections
    )


def test_bots_with_histories_of_their_own_are_told_only_their_own(store: Store) -> None:
    token, assignment = begun(store, OWN, ("ada", "bea"))
    chat = answered(store, token, assignment, EACH)
    assert (chat.state, chat.threads, len(chat.turns)) == ("annotator", 2, 3)
    shown = [("ada", "bea")[thread] for thread in assignment.order]
    assert [EACH[bot] for bot in shown] == [turn.text for turn in chat.turns if not turn.is_annotator]
    assert [turn.thread for turn in chat.turns[1:]] == [0, 1]
    say(store, token, assignment, "Go on.", CAPS)
    for wanted in store.run(take_replies(bots=BOTS, lease_seconds=30)):
        assert [turn.text for turn in wanted.turns] == ["Hello!", EACH[wanted.bot], "Go on."]


def test_each_thread_becomes_a_dialogue(store: Store) -> None:
    token, assignment = begun(store, replace(OWN, first="partner", opener="Welcome."), ("ada", "bea"))
    for _ in range(3):
        say(store, token, assignment, "Hello!", CAPS)
        answered(store, token, assignment, EACH)
    held = list(store.stream(fetch_chat_dialogues()))
    assert [one.bot for one in held] == ["ada", "bea"]
    assert [turn.text for turn in held[1].turns][:3] == ["Welcome.", "Hello!", "I am B."]
    assert held == list(store.run(fetch_assignment(token, assignment.key)).dialogues)
    assert list(store.run(fetch_chat_threads(held[0].id))) == held


def test_what_is_asked_knows_its_moment(store: Store) -> None:
    token, assignment = begun(store, replace(SOBA, first="partner"))
    assert assignment.asked.moment == BeforeChat()
    shown = answered(store, token, assignment, EACH).candidates
    moment = store.run(fetch_assignment(token, assignment.key)).asked.moment
    assert isinstance(moment, AtTurn)
    assert (moment.turn, moment.candidates) == (0, shown)
    assert [EACH[BOTS[candidate]] for (candidate,) in moment.behind] == list(shown)
    for _ in range(3):
        chosen(store, token, assignment, 1)
        say(store, token, assignment, "Go on.", CAPS)
        answered(store, token, assignment, EACH)
    assert store.run(fetch_assignment(token, assignment.key)).asked.moment == AtEnd()


def test_a_chat_in_progress_is_at_its_next_turn(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    assert in_hand(store.run(resume_sitting(token, CAPS))).asked.moment == AtTurn(1)
    assert sorted(assignment.order) == [0, 1, 2]


@pytest.mark.parametrize("bots", [2, 3, 4])
def test_every_candidate_is_at_every_place_equally_often(bots: int) -> None:
    for turn in range(1, 6, 2):
        at = Counter(
            (place, candidate)
            for position in range(6 * bots)
            for place, candidate in enumerate(
                candidate_order(bots, seed=3, arm="main", group="g", turn=turn, position=position)
            )
        )
        assert set(at.values()) == {6}


def test_orders_of_different_turns_have_nothing_to_do_with_each_other() -> None:
    orders = Counter(
        (
            candidate_order(2, seed=3, arm="main", group="g", turn=1, position=position),
            candidate_order(2, seed=3, arm="main", group="g", turn=3, position=position),
        )
        for position in range(400)
    )
    assert min(orders.values()) > 60
    assert len(orders) == 4


def test_who_withdraws_leaves_no_word_of_candidates_behind(store: Store, database: str) -> None:
    token, assignment = begun(store, SATA_USER)
    answered(store, token, assignment, EACH)
    chosen(store, token, assignment, written="My own secret words.")
    (person,) = store.run(fetch_annotators())
    store.run(withdraw_annotator(person.id, reason="a test"))
    opened = Database(database, clock=Hand())
    with closing(opened), opened.reading() as reading:
        kept = [
            text
            for column in (selections.c.written, wanted_replies.c.text, chat_turns.c.text)
            for (text,) in reading.rows(select(column))
        ]
    assert set(kept) == {WITHDRAWN_TEXT}


def test_a_finished_dialogue_is_annotated_turn_by_turn(store: Store) -> None:
    load(store)
    items = [replace(item, extras={TURN_BY_TURN: True}) for item in pairings()]
    store.run(load_items(items, STUDY_CAPS))
    (invited,) = store.run(invite_annotators())
    held = in_hand(store.run(give_consent(invited.token, STUDY_CAPS)))
    for turn, card in ((1, 2), (3, 1), (3, 2)):
        selection = Selection(turn, (card,), values={"why": ["dull"]}, shown=((1,), (0,)))
        after = store.run(
            choose_candidates(
                invited.token, STUDY_CAPS, assignment=held.key, selection=selection, key=str(turn)
            )
        )
    given = in_hand(after).asked.selections
    assert [(one.turn, one.chosen, one.shown) for one in given] == [
        (1, (2,), ((1,), (0,))),
        (3, (1,), ((1,), (0,))),
    ]
    assert given == store.run(fetch_assignment(invited.token, held.key)).selections


def test_a_turn_of_a_finished_dialogue_takes_no_longer_than_it_was_there(
    store: Store, database: str, hand: Hand
) -> None:
    load(store)
    items = [replace(item, extras={TURN_BY_TURN: True}) for item in pairings()]
    store.run(load_items(items, STUDY_CAPS))
    (invited,) = store.run(invite_annotators())
    held = in_hand(store.run(give_consent(invited.token, STUDY_CAPS)))
    for turn, seconds in ((1, 3600.0), (3, 3600.0), (5, 2.0), (7, float("inf"))):
        hand.move(10)
        chosen = choose_candidates(
            invited.token,
            STUDY_CAPS,
            assignment=held.key,
            selection=Selection(turn, (1,), shown=((1,), (0,))),
            key=str(turn),
            seconds=seconds,
        )
        store.run(chosen)
    opened = Database(database, clock=hand)
    with closing(opened), opened.reading() as reading:
        taken = [
            seconds for (seconds,) in reading.rows(select(selections.c.seconds).order_by(selections.c.n))
        ]
    assert taken == [10.0, 10.0, 2.0, None]


def test_candidates_that_were_cut_are_counted_by_bot_whichever_was_chosen(store: Store) -> None:
    token, assignment = begun(store, SOBA)
    for turn in range(3):
        if turn:
            say(store, token, assignment, "And then?", CAPS)
        for wanted in store.run(take_replies(bots=BOTS, lease_seconds=30)):
            finish = "length" if wanted.bot == "ada" or (wanted.bot, turn) == ("bea", 1) else "stop"
            given = GivenReply(f"{wanted.bot} says a length of {turn}", 0.5, 8, {"finish": finish})
            assert store.run(store_reply(wanted.id, given))
        cards = store.run(fetch_chat(token, assignment.key)).candidates
        chosen(store, token, assignment, 1 + cards.index(f"cyd says a length of {turn}"))
    assert store.run(count_cut_turns()) == {
        "ada": CutTurns(turns=3, dialogues=1, of_dialogues=1),
        "bea": CutTurns(turns=1, dialogues=1, of_dialogues=1),
    }


def test_turns_that_were_cut_in_histories_of_their_own_are_counted_once(store: Store) -> None:
    token, assignment = begun(store, OWN)
    for wanted in store.run(take_replies(bots=BOTS, lease_seconds=30)):
        store.run(store_reply(wanted.id, GivenReply(f"{wanted.bot} says", 0.5, 8, {"finish": "length"})))
    store.run(finish_chat(token, CAPS, assignment=assignment.key))
    once = CutTurns(turns=1, dialogues=1, of_dialogues=1)
    assert store.run(count_cut_turns()) == dict.fromkeys(BOTS, once)
