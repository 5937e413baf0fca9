"""A study half-way, with rows in every table of its database."""

from dataclasses import replace

from duologue.protocols import ChatPlan, ChatSettings, Selection
from duologue.store import (
    Flag,
    GivenReply,
    ItemStation,
    Store,
    block_annotator,
    choose_candidates,
    ensure_secret,
    exclude_judgments,
    fail_reply,
    fetch_judgments,
    fill_in_form,
    give_consent,
    invite_annotators,
    keep_draft,
    keep_plan_draft,
    load_items,
    note_fact,
    open_store,
    record_answer,
    record_look,
    record_revision,
    store_reply,
    take_replies,
    take_turn,
)
from tests.store.small_chats import candidate_items, chat_items
from tests.store.small_study import ANSWER, SCREENED, Hand, answer, judge_all, load, pairing, pairings

CHATTING = replace(
    SCREENED, onboarding_comparisons=0, max_per_group=1, chat=ChatSettings(min_exchanges=1, max_exchanges=1)
)


def fill(address: str) -> None:
    """A study half-way: judged, excluded, blocked, chatted, and one annotator with an assignment in hand."""
    with open_store(address, clock=Hand()) as store:
        store.run(record_revision("hash", "the study file"))
        store.run(ensure_secret("researcher"))
        store.run(note_fact("rehearsal", "no"))
        load(store, SCREENED, onboarding=1)
        store.run(keep_plan_draft({"alpha": 0.05}))
        judge_all(store, SCREENED)
        judge_all(store, SCREENED)
        store.run(
            exclude_judgments(
                [list(store.stream(fetch_judgments()))[-1].id], rule="slow", reason="a test", by="me"
            )
        )
        store.run(record_look("analyse", judgments=1, planned=9, short=1, data="abc"))
        blocked, waiting, chatting = store.run(invite_annotators(labels=["Blocked", "Waiting", "Chatting"]))
        (asked,) = store.run(invite_annotators(labels=["AskedItem"], cohort="expert"))
        forms = replace(SCREENED, forms_before=("you",), forms_after=("end",))
        store.run(give_consent(asked.token, forms))
        store.run(fill_in_form(asked.token, forms, form="you", answers={"age": 31, "langs": ["en"]}))
        store.run(block_annotator(blocked.annotator, reason="a test", by="me"))
        station = store.run(give_consent(waiting.token, SCREENED))
        station = answer(store, waiting.token, station, SCREENED)  # onboarding
        answer(store, waiting.token, station, SCREENED, reason="So it asks more questions.")
        known = [pairing("A-gold0", "B-gold0", gold=0), *pairings(), *chat_items(["ada"], each=9)]
        store.run(load_items(known, SCREENED))
        station = store.run(give_consent(chatting.token, CHATTING))
        assert isinstance(station, ItemStation)
        key = station.assignment.key
        store.run(take_turn(chatting.token, CHATTING, assignment=key, text="Hello!", key="one"))
        (wanted,) = store.run(take_replies(bots=["ada"], lease_seconds=30))
        store.run(fail_reply(wanted.id, "It said nothing."))
        store.run(store_reply(wanted.id, GivenReply("Hello.", 0.5)))
        store.run(keep_draft(chatting.token, CHATTING, assignment=key, fields={"enjoyment": "4"}))
        store.run(
            record_answer(
                chatting.token,
                CHATTING,
                assignment=key,
                answer=replace(ANSWER, reason="So."),
                seconds=20.0,
                is_correct=None,
                key="two",
                flags=[Flag("few-words", "1 word")],
            )
        )
        choose_in_a_chat(store)


def choose_in_a_chat(store: Store) -> None:
    """Somebody chooses between the replies of two bots, and goes on."""
    (choosing,) = store.run(invite_annotators(labels=["Choosing"]))
    pair = candidate_items(["ada", "bea"], each=12, plan=ChatPlan(choose="one"))
    store.run(load_items([pairing("A-gold0", "B-gold0", gold=0), *pairings(), *pair], SCREENED))
    station = store.run(give_consent(choosing.token, CHATTING))
    assert isinstance(station, ItemStation)
    key = station.assignment.key
    store.run(take_turn(choosing.token, CHATTING, assignment=key, text="Hello!", key="one"))
    for wanted in store.run(take_replies(bots=["ada", "bea"], lease_seconds=30)):
        store.run(store_reply(wanted.id, GivenReply(f"Hello from {wanted.candidate}.", 0.5)))
    selection = Selection(turn=1, chosen=(2,))
    store.run(choose_candidates(choosing.token, CHATTING, assignment=key, selection=selection, key="two"))
    blocked = replace(pairing("A-0", "B-1"), block="first")
    store.run(load_items([pairing("A-gold0", "B-gold0", gold=0), *pairings(), *pair, blocked], SCREENED))
