"""Reading live chats: what changed, how each stands, and the dialogues they became."""

import pytest

from duologue.errors import LinkUnknown, NotFound
from duologue.store import (
    CutTurns,
    Flag,
    GivenReply,
    Store,
    count_cut_turns,
    fail_reply,
    fetch_assignment,
    fetch_chat,
    fetch_chat_changes,
    fetch_chat_dialogues,
    fetch_chats,
    fetch_dialogues,
    fetch_judgments,
    fetch_leases,
    load_dialogues,
    load_items,
    resume_sitting,
    retry_reply,
    store_reply,
    take_replies,
)
from tests.store.small_chats import (
    CHAT_CAPS,
    chat_items,
    chat_through,
    come_to_chat,
    in_hand,
    rate,
    reply,
    say,
)
from tests.store.small_study import Hand, summary_of


@pytest.fixture
def chats(store: Store) -> Store:
    store.run(load_items(chat_items(["ada"], each=6), CHAT_CAPS))
    return store


def test_study_without_chats_has_no_changes(store: Store) -> None:
    assert store.run(fetch_chat_changes(0)) == (0, frozenset())
    assert (store.run(fetch_chats()), list(store.stream(fetch_chat_dialogues()))) == ((), [])


def test_changes_tell_which_chats_to_look_at(chats: Store) -> None:
    (one, first), (_two, second) = come_to_chat(chats), come_to_chat(chats)
    newest, changed = chats.run(fetch_chat_changes(0))
    assert changed == {first.key, second.key}
    assert chats.run(fetch_chat_changes(newest)) == (newest, frozenset())
    assert chats.run(fetch_chat_changes(10**12)) == (newest, frozenset())
    say(chats, one, first)
    after, changed = chats.run(fetch_chat_changes(newest))
    assert (after > newest, changed) == (True, frozenset({first.key}))
    reply(chats)
    later, changed = chats.run(fetch_chat_changes(after))
    assert (later > after, changed) == (True, frozenset({first.key}))
    assert chats.run(fetch_chat(one, first.key)).change == 3, "what others do is in nobody's number"


def test_reading_a_chat_claims_nothing_and_renews_no_lease(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    (before,) = chats.run(fetch_leases())
    hand.move(60)
    chats.run(fetch_chat(token, assignment.key))
    assert chats.run(fetch_leases()) == (before,)


def test_state_is_as_old_as_its_last_change(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    began = chats.run(fetch_chat(token, assignment.key)).since
    hand.move(10)
    say(chats, token, assignment)
    said = chats.run(fetch_chat(token, assignment.key))
    assert (said.since > began, said.turns[0].at) == (True, said.since)


def test_chat_of_another_cannot_be_read(chats: Store) -> None:
    (_one, first), (two, _second) = come_to_chat(chats), come_to_chat(chats)
    with pytest.raises(NotFound):
        chats.run(fetch_chat(two, first.key))
    with pytest.raises(LinkUnknown):
        chats.run(fetch_chat("nobody", first.key))


def test_summary_says_how_a_chat_stands(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    annotator = summary_of(chats, token)
    (summary,) = chats.run(fetch_chats())
    assert (summary.annotator, summary.annotator_kind, summary.bot) == (annotator.id, "lab", "ada")
    assert (summary.state, summary.ending, summary.exchanges, summary.ended_at) == ("annotator", "", 0, None)
    hand.move(5)
    say(chats, token, assignment)
    assert chats.run(fetch_chats())[0].state == "partner"
    (wanted,) = chats.run(take_replies(bots=["ada"], lease_seconds=30))
    for cause in ("It broke.", "It broke again."):
        chats.run(fail_reply(wanted.id, cause))
    assert (chats.run(fetch_chats())[0].state, chats.run(fetch_chats())[0].failures) == (
        "failed",
        ("It broke.", "It broke again."),
    )
    chats.run(retry_reply(token, CHAT_CAPS, assignment=assignment.key))
    chat_through(chats, token, assignment)
    rate(chats, token, assignment, flags=[Flag("few-words", "6 words")])
    (summary,) = chats.run(fetch_chats())
    (judgment,) = chats.stream(fetch_judgments())
    assert (summary.state, summary.ending, summary.exchanges) == ("ended", "complete", 3)
    assert (summary.id, summary.judgment) == (judgment.dialogue, judgment.id)
    assert summary.flags == (Flag("few-words", "6 words"),)
    assert summary.ended_at is not None
    assert summary.ended_at > summary.began_at


def test_assignment_that_is_looked_up_has_its_chat(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    found = chats.run(fetch_assignment(token, assignment.key))
    assert found.chat == chats.run(fetch_chat(token, assignment.key))
    assert found.dialogues == ()
    chat_through(chats, token, assignment)
    found = chats.run(fetch_assignment(token, assignment.key))
    assert found == in_hand(chats.run(resume_sitting(token, CHAT_CAPS)))
    assert len(found.dialogues) == 1


def test_dialogue_of_a_chat_says_who_what_and_how_it_ended(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    (dialogue,) = chats.stream(fetch_chat_dialogues())
    assert (dialogue.bot, dialogue.kind, dialogue.judged) == ("ada", "live-chat", "ada")
    assert [(speaker.name, speaker.bot) for speaker in dialogue.speakers] == [("human", None), ("ada", "ada")]
    assert [turn.speaker for turn in dialogue.turns] == ["human", "ada"] * 3
    assert dict(dialogue.extras) == {
        "briefing": assignment.item.extras["chat"],
        "annotator": summary_of(chats, token).id,
        "ending": "complete",
    }
    assert chats.run(fetch_dialogues([dialogue.id]))[0] == dialogue


def test_chat_that_is_loaded_again_from_a_file_is_kept(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    loaded = chats.run(load_dialogues(chats.stream(fetch_chat_dialogues())))
    assert (loaded.added, loaded.kept) == (0, 1)


def test_dialogues_that_are_loaded_after_chats_find_their_place(chats: Store) -> None:
    from tests.store.small_study import dialogues

    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    chats.run(load_dialogues(dialogues("A", 3)))
    other, another = come_to_chat(chats)
    chat_through(chats, other, another)
    assert len(list(chats.stream(fetch_chat_dialogues()))) == 2


def test_turns_that_were_cut_are_counted_by_bot(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=2), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    for _ in range(3):
        say(store, token, assignment, "It grew to any length, they said.")
        (wanted,) = store.run(take_replies(bots=["ada"], lease_seconds=30))
        finish = "stop" if wanted.turns[0] is wanted.turns[-1] else "length"
        store.run(store_reply(wanted.id, GivenReply("And then", 0.1, 8, {"finish": finish})))
    chat_through(store, *come_to_chat(store))
    assert store.run(count_cut_turns()) == {"ada": CutTurns(turns=2, dialogues=1, of_dialogues=2)}


def test_where_nothing_was_cut_nothing_is_counted(store: Store) -> None:
    store.run(load_items(chat_items(["ada"], each=1), CHAT_CAPS))
    chat_through(store, *come_to_chat(store))
    assert store.run(count_cut_turns()) == {}
