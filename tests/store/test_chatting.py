"""An annotator in a live chat: what is said is kept, once; a chat that cannot go on is left with credit."""

from dataclasses import replace

import pytest

from duologue.errors import AnswerError, ChatError, ChatOver, NotFound, NotYourTurn
from duologue.protocols import ChatPlan, Selection
from duologue.store import (
    Flag,
    GivenReply,
    IdleStation,
    ItemStation,
    Store,
    ThanksStation,
    abandon_chat,
    choose_candidates,
    end_stale_chats,
    fail_overdue_replies,
    fail_reply,
    fetch_assignment,
    fetch_chat,
    fetch_chat_changes,
    fetch_chats,
    fetch_dialogues,
    fetch_exclusions,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    finish_chat,
    give_consent,
    invite_annotators,
    keep_draft,
    load_items,
    resume_sitting,
    retry_reply,
    store_reply,
    take_replies,
    take_turn,
)
from tests.store.small_chats import (
    CHAT_CAPS,
    PEOPLE,
    chat_in,
    chat_items,
    chat_through,
    come_to_chat,
    credits_of,
    in_hand,
    rate,
    reply,
    say,
    two_people,
)
from tests.store.small_study import CAPS, Hand, come, load
from tests.store.truth import assert_sound

ENDLESS = replace(CHAT_CAPS, chat=CHAT_CAPS.chat.model_copy(update={"max_exchanges": 50}))


@pytest.fixture
def chats(store: Store) -> Store:
    """A study in which everybody chats once with each of three bots."""
    store.run(load_items(chat_items(["ada", "bea", "cyd"], each=4), CHAT_CAPS))
    return store


def test_new_chat_waits_for_the_annotator(chats: Store) -> None:
    _token, assignment = come_to_chat(chats)
    assert assignment.chat is not None
    assert (assignment.chat.state, assignment.chat.turns, assignment.dialogues) == ("annotator", (), ())
    assert not assignment.chat.can_end


def test_what_is_said_is_stored_with_the_reply_that_it_wants(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    hand.move(2)
    chat = chat_in(say(chats, token, assignment, "Hello, you!"))
    assert [(turn.place, turn.is_annotator, turn.text, turn.seconds) for turn in chat.turns] == [
        (0, True, "Hello, you!", 1.5)
    ]
    assert chat.state == "partner"
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    assert (wanted.bot, wanted.item.id, wanted.assignment) == (
        assignment.item.bots[0],
        assignment.item.id,
        assignment.key,
    )
    assert [turn.text for turn in wanted.turns] == ["Hello, you!"]


def test_saying_it_twice_under_one_key_says_it_once(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    for _ in range(2):
        station = chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one"))
    assert len(chat_in(station).turns) == 1
    assert reply(chats) == 1
    station = chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one"))
    assert [turn.text for turn in chat_in(station).turns] == ["Hello!", "Indeed."]


def test_repeat_after_the_judgment_changes_nothing(chats: Store, database: str) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    rate(chats, token, assignment)
    for station in (
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one")),
        chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key)),
        chats.run(retry_reply(token, CHAT_CAPS, assignment=assignment.key)),
        chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key)),
        chats.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"a": "b"})),
    ):
        assert in_hand(station).key != assignment.key
    assert len(list(chats.stream(fetch_judgments()))) == 1
    assert chats.run(fetch_assignment(token, assignment.key)).draft == {}
    assert_sound(database, CHAT_CAPS)


def test_nobody_speaks_out_of_turn(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    with pytest.raises(NotYourTurn):
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="And?", key="another"))
    assert len(chats.run(fetch_chat(token, assignment.key)).turns) == 1


def test_nothing_is_said_in_a_chat_that_is_over(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    with pytest.raises(ChatOver):
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="And?", key="another"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write something"),
        (" \n\t", "write something"),
        ("a\0b", "cannot be stored"),
        ("half a pair: \ud83d", "cannot be stored"),
        ("x" * 1001, "at most 1000"),
    ],
)
def test_text_that_cannot_be_kept_is_refused(chats: Store, text: str, why: str) -> None:
    token, assignment = come_to_chat(chats)
    with pytest.raises(AnswerError, match=why) as refused:
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text=text, key="one"))
    assert refused.value.field == "text"
    assert chats.run(fetch_chat(token, assignment.key)).turns == ()


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, None])
def test_time_that_cannot_be_is_not_known(chats: Store, seconds: float | None) -> None:
    token, assignment = come_to_chat(chats)
    chats.run(
        take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="one", seconds=seconds)
    )
    assert chats.run(fetch_chat(token, assignment.key)).turns[0].seconds is None


def test_longest_text_that_is_allowed_is_kept_as_it_is(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    text = "  ä\r\n" + "𝕏" * 995
    chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text=text, key="one"))
    assert chats.run(fetch_chat(token, assignment.key)).turns[0].text == text


def test_chat_is_over_after_the_last_exchange(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chat = chat_through(chats, token, assignment)
    assert (chat.exchanges, len(chat.turns), chat.ending, chat.is_usable) == (3, 6, "complete", True)
    assert not chat.can_end
    after = in_hand(chats.run(resume_sitting(token, CHAT_CAPS)))
    (dialogue,) = after.dialogues
    assert [turn.text for turn in dialogue.turns] == [turn.text for turn in chat.turns]


def test_chat_may_be_ended_after_enough_exchanges(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    for exchange in range(2):
        assert chats.run(fetch_chat(token, assignment.key)).exchanges == exchange
        with pytest.raises(ChatError, match="too short"):
            chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key))
        say(chats, token, assignment)
        reply(chats)
    assert chats.run(fetch_chat(token, assignment.key)).can_end
    for _ in range(2):
        chat = chat_in(chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key)))
        assert (chat.state, chat.ending, chat.is_usable) == ("ended", "complete", True)


def test_reply_that_comes_after_the_end_is_dropped(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    for _ in range(2):
        say(chats, token, assignment)
        reply(chats)
    say(chats, token, assignment)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key))
    assert not chats.run(store_reply(wanted.id, GivenReply("Too late.", 1.0)))
    assert len(chats.run(fetch_chat(token, assignment.key)).turns) == 5
    assert not chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=0))


def test_partner_who_speaks_first_is_asked_at_once(store: Store, database: str) -> None:
    store.run(load_items(chat_items(["ada"], each=2, plan=ChatPlan(first="partner")), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    assert assignment.chat is not None
    assert assignment.chat.state == "partner"
    assert reply(store, "Hello there.") == 1
    chat = chat_through(store, token, assignment)
    assert [turn.is_annotator for turn in chat.turns] == [False, True] * 3
    assert_sound(database, CHAT_CAPS)


def test_opener_of_the_partner_is_said_at_once(store: Store, database: str) -> None:
    plan = ChatPlan(first="partner", opener="Did you sleep well?")
    store.run(load_items(chat_items(["ada"], each=2, plan=plan), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    assert assignment.chat is not None
    assert (assignment.chat.state, assignment.chat.turns[0].text) == ("annotator", "Did you sleep well?")
    assert not reply(store)
    assert [turn.is_annotator for turn in chat_through(store, token, assignment).turns] == [False, True] * 3
    assert_sound(database, CHAT_CAPS)


def test_failed_reply_can_be_wanted_again(chats: Store, database: str) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It broke."))
    chat = chats.run(fetch_chat(token, assignment.key))
    assert (chat.state, chat.can_end, len(chat.turns)) == ("failed", True, 1)
    with pytest.raises(NotYourTurn):
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="And?", key="another"))
    assert_sound(database, CHAT_CAPS)
    for _ in range(2):
        assert chat_in(chats.run(retry_reply(token, CHAT_CAPS, assignment=assignment.key))).state == "partner"
    (again,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    assert (again.id, again.seed, again.attempt) == (wanted.id, wanted.seed, 2)
    assert chats.run(store_reply(again.id, GivenReply("Here I am.", 1.0)))
    assert chats.run(fetch_chat(token, assignment.key)).state == "annotator"
    assert chats.run(fetch_chats())[0].failures == ("It broke.",)


def test_chat_with_a_bot_that_fails_is_left_with_credit(chats: Store, database: str) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It broke."))
    chat = chat_in(chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key)))
    assert (chat.state, chat.ending, chat.is_usable) == ("ended", "bot-failed", False)
    with pytest.raises(ChatError):
        rate(chats, token, assignment)
    after = in_hand(chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key)))
    assert (after.number, after.item.group == assignment.item.group) == (2, False)
    assert (list(chats.stream(fetch_judgments())), credits_of(chats)) == ([], ["bot-failed"])
    again = chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    assert (in_hand(again).key, credits_of(chats)) == (after.key, ["bot-failed"])
    (summary, *_) = chats.run(fetch_chats())
    assert (summary.credit, summary.judgment) == ("bot-failed", "")
    progress = {group.group: group for group in chats.run(fetch_progress())}[assignment.item.group]
    assert (progress.done, progress.excluded, progress.leased, progress.wanted) == (0, 0, 0, 4)
    assert_sound(database, CHAT_CAPS)


def test_what_is_sent_after_a_chat_was_left_with_credit_is_not_called_saved(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    hello = take_turn(token, CHAT_CAPS, assignment=assignment.key, text="Hello!", key="hello")
    chats.run(hello)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It broke."))
    chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    chosen = Selection(turn=1, chosen=(1,))
    late = [
        rate(chats, token, assignment),
        chats.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"rating": "4"})),
        chats.run(take_turn(token, CHAT_CAPS, assignment=assignment.key, text="More.", key="new")),
        chats.run(choose_candidates(token, CHAT_CAPS, assignment=assignment.key, selection=chosen, key="k")),
    ]
    assert [one.saved for one in late if isinstance(one, ItemStation)] == [False] * 4
    assert chats.run(hello).saved, "it was stored when it was sent first"
    assert (list(chats.stream(fetch_judgments())), credits_of(chats)) == ([], ["bot-failed"])


def test_chat_in_which_no_reply_came_can_be_left_in_one_step(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It broke."))
    chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    assert credits_of(chats) == ["bot-failed"]


def test_failure_after_enough_exchanges_leaves_a_chat_that_can_be_judged(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    for _ in range(2):
        say(chats, token, assignment)
        reply(chats)
    say(chats, token, assignment)
    (wanted,) = chats.run(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
    chats.run(fail_reply(wanted.id, "It broke."))
    with pytest.raises(ChatError, match="go on, or be judged"):
        chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    chat = chat_in(chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key)))
    assert (chat.ending, chat.is_usable) == ("complete", True)
    rate(chats, token, assignment)
    assert [judgment.excluded for judgment in chats.stream(fetch_judgments())] == [""]


@pytest.mark.parametrize("exchanges", [0, 1, 3])
def test_chat_that_can_go_on_or_be_judged_is_not_left(chats: Store, exchanges: int) -> None:
    token, assignment = come_to_chat(chats)
    for _ in range(exchanges):
        say(chats, token, assignment)
        reply(chats)
    with pytest.raises(ChatError, match="go on, or be judged"):
        chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    assert not list(chats.stream(fetch_judgments()))


def test_chat_is_not_judged_before_it_is_over(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    with pytest.raises(ChatError, match="not over yet"):
        rate(chats, token, assignment)
    assert not list(chats.stream(fetch_judgments()))


def test_judgment_of_a_chat_names_the_dialogue_that_came_of_it(chats: Store, database: str) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    rate(chats, token, assignment)
    (judgment,) = chats.stream(fetch_judgments())
    assert chats.run(fetch_dialogues([judgment.dialogue]))[0].bot == assignment.item.bots[0]
    assert [chat.judgment for chat in chats.run(fetch_chats())] == [judgment.id, ""]
    assert_sound(database, CHAT_CAPS)


def test_everybody_chats_with_every_bot_and_is_done(chats: Store, database: str) -> None:
    token, assignment = come_to_chat(chats)
    groups = []
    while True:
        groups.append(assignment.item.group)
        chat_through(chats, token, assignment)
        station = rate(chats, token, assignment)
        if isinstance(station, ThanksStation):
            break
        assignment = in_hand(station)
    assert sorted(groups) == ["ada", "bea", "cyd"]
    assert assignment.total == 3
    assert_sound(database, CHAT_CAPS)


def test_chat_goes_on_after_the_lease_has_run_out_and_nobody_took_it(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    hand.move(2 * CHAT_CAPS.lease_seconds)
    chats.run(end_stale_chats())
    assert not chats.run(fetch_leases())
    reply(chats)
    assert chat_in(say(chats, token, assignment)).exchanges == 1
    assert len(chats.run(fetch_leases())) == 1


def test_chat_whose_place_went_to_another_is_over_for_its_annotator(
    store: Store, hand: Hand, database: str
) -> None:
    store.run(load_items(chat_items(["ada"], each=1), CHAT_CAPS))
    token, assignment = come_to_chat(store)
    say(store, token, assignment)
    reply(store)
    hand.move(2 * CHAT_CAPS.lease_seconds)
    _other, theirs = come_to_chat(store)
    assert (theirs.item.id, theirs.chat.turns if theirs.chat else None) == (assignment.item.id, ())
    with pytest.raises(ChatOver):
        say(store, token, assignment)
    assert isinstance(store.run(resume_sitting(token, CHAT_CAPS)), IdleStation)
    assert [chat.state for chat in store.run(fetch_chats())] == ["left", "annotator"]
    assert_sound(database, CHAT_CAPS)


def test_saying_something_renews_the_lease(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats, ENDLESS)
    for _ in range(3):
        hand.move(0.8 * CHAT_CAPS.lease_seconds)
        say(chats, token, assignment, caps=ENDLESS)
        reply(chats)
    assert len(chats.run(fetch_leases())) == 1


def test_draft_is_kept_until_the_judgment(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chat_through(chats, token, assignment)
    station = chats.run(
        keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"enjoyment": "3", "reason": "Schön."})
    )
    assert in_hand(station).draft == {"enjoyment": "3", "reason": "Schön."}
    assert in_hand(chats.run(resume_sitting(token, CHAT_CAPS))).draft == {
        "enjoyment": "3",
        "reason": "Schön.",
    }
    assert chats.run(fetch_assignment(token, assignment.key)).draft == {"enjoyment": "3", "reason": "Schön."}
    chats.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={}))
    assert in_hand(chats.run(resume_sitting(token, CHAT_CAPS))).draft == {}


def test_draft_keeps_every_checkbox_of_one_name(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    chats.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"why": ["dull", "rude"]}))
    assert chats.run(fetch_assignment(token, assignment.key)).draft.every("why") == ("dull", "rude")


def test_draft_that_cannot_be_stored_is_refused(chats: Store) -> None:
    token, assignment = come_to_chat(chats)
    with pytest.raises(AnswerError) as refused:
        chats.run(keep_draft(token, CHAT_CAPS, assignment=assignment.key, fields={"a": "b", "c": "\0"}))
    assert refused.value.field == "c"
    with pytest.raises(NotFound):
        chats.run(keep_draft(token, CHAT_CAPS, assignment="nobody's", fields={}))


def test_draft_of_a_comparison_is_kept_too(store: Store) -> None:
    load(store)
    token, station = come(store)
    after = store.run(keep_draft(token, CAPS, assignment=in_hand(station).key, fields={"choice": "1"}))
    assert in_hand(after).draft == {"choice": "1"}


def test_comparison_is_no_chat(store: Store) -> None:
    load(store)
    token, station = come(store)
    key = in_hand(station).key
    with pytest.raises(ChatError, match="no conversation"):
        store.run(take_turn(token, CAPS, assignment=key, text="Hello?", key="one"))
    with pytest.raises(ChatError, match="no conversation"):
        store.run(fetch_chat(token, key))
    assert in_hand(station).chat is None


def test_flags_are_kept_and_only_those_of_the_study_exclude(chats: Store, database: str) -> None:
    caps = replace(CHAT_CAPS, excluding_flags=("all-caps",))
    flags = [Flag("few-words", "3 words"), Flag("all-caps", "HELLO")]
    for some in (flags[:1], flags):
        token, assignment = come_to_chat(chats, caps)
        chat_through(chats, token, assignment)
        rate(chats, token, assignment, caps, flags=some)
    assert [judgment.excluded for judgment in chats.stream(fetch_judgments())] == ["", "chat:all-caps"]
    assert {chat.judgment: chat.flags for chat in chats.run(fetch_chats()) if chat.judgment} == {
        judgment.id: tuple(some)
        for judgment, some in zip(chats.stream(fetch_judgments()), (flags[:1], flags), strict=True)
    }
    (exclusion,) = chats.run(fetch_exclusions())
    assert (exclusion.rule, exclusion.by) == ("chat:all-caps", "duologue")
    assert "HELLO" not in exclusion.reason, "what is excluded cannot be erased"
    assert_sound(database, caps)


async def _act_in_turn(store: Store) -> list[str]:
    (invitation,) = await store.run_async(invite_annotators())
    token = invitation.token
    key = in_hand(await store.run_async(give_consent(token, CHAT_CAPS))).key
    states = []
    for text in ("One.", "Two."):
        await store.run_async(take_turn(token, CHAT_CAPS, assignment=key, text=text, key=text))
        (wanted,) = await store.run_async(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
        await store.run_async(fail_reply(wanted.id, "It broke."))
        states.append((await store.run_async(fetch_chat(token, key))).state)
        await store.run_async(retry_reply(token, CHAT_CAPS, assignment=key))
        (wanted,) = await store.run_async(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=30))
        assert await store.run_async(store_reply(wanted.id, GivenReply("Yes.", 0.1)))
    assert await store.run_async(end_stale_chats()) == 0
    await store.run_async(finish_chat(token, CHAT_CAPS, assignment=key))
    await store.run_async(keep_draft(token, CHAT_CAPS, assignment=key, fields={"a": "b"}))
    number, changed = await store.run_async(fetch_chat_changes(0))
    assert number > 0
    assert changed == {key}
    with pytest.raises(ChatError):
        await store.run_async(abandon_chat(token, CHAT_CAPS, assignment=key))
    return [*states, (await store.run_async(fetch_chat(token, key))).state]


def test_everything_can_be_done_without_holding_up_an_event_loop(chats: Store) -> None:
    import asyncio

    assert asyncio.run(_act_in_turn(chats)) == ["failed", "failed", "ended"]


def test_writing_takes_no_longer_than_it_was_the_annotators_turn(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    hand.move(0.5)
    chat = chat_in(say(chats, token, assignment))
    assert [turn.seconds for turn in chat.turns] == [0.5]


def test_time_of_a_judgment_includes_the_chat(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    while (chat := chats.run(fetch_chat(token, assignment.key))).state != "ended":
        hand.move(40)
        if chat.state == "annotator":
            say(chats, token, assignment)
        else:
            reply(chats)
    hand.move(600)
    rate(chats, token, assignment)
    (judgment,) = chats.stream(fetch_judgments())
    assert (judgment.seconds, judgment.seconds_kind) == (6 * 40 + 10.0, "wall")


def test_annotator_who_was_kept_waiting_may_end_with_credit(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    hand.move(19)
    with pytest.raises(ChatError, match="too short to be ended"):
        chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key))
    hand.move(1)
    chat = chat_in(chats.run(finish_chat(token, CHAT_CAPS, assignment=assignment.key)))
    assert (chat.state, chat.ending, chat.is_usable) == ("ended", "bot-failed", False)
    chats.run(abandon_chat(token, CHAT_CAPS, assignment=assignment.key))
    assert credits_of(chats) == ["bot-failed"]
    (summary, *_) = chats.run(fetch_chats())
    assert summary.failures == ("the annotator ended the chat after waiting 20 s for the reply.",)


def test_human_partner_who_takes_long_is_no_failing_bot(store: Store, hand: Hand) -> None:
    store.run(load_items(chat_items(["human"], each=4), PEOPLE))
    (token, assignment), _ = two_people(store)
    say(store, token, assignment, caps=PEOPLE)
    hand.move(100)
    with pytest.raises(ChatError, match="too short to be ended"):
        store.run(finish_chat(token, PEOPLE, assignment=assignment.key))


def test_reply_that_no_bot_had_time_for_fails_in_the_end(chats: Store, hand: Hand) -> None:
    token, assignment = come_to_chat(chats)
    say(chats, token, assignment)
    bots = ["ada", "bea", "cyd"]
    hand.move(89)
    assert not chats.run(fail_overdue_replies(bots=bots, wait_seconds=90))
    hand.move(1)
    assert not chats.run(fail_overdue_replies(bots=["eve"], wait_seconds=90))
    assert chats.run(fail_overdue_replies(bots=bots, wait_seconds=90))
    assert chats.run(fetch_chat(token, assignment.key)).state == "failed"
    chats.run(retry_reply(token, CHAT_CAPS, assignment=assignment.key))
    assert not chats.run(fail_overdue_replies(bots=bots, wait_seconds=90))
    (wanted,) = chats.run(take_replies(bots=bots, lease_seconds=30))
    assert wanted.waited_seconds == 0
    hand.move(20)
    assert not chats.run(fail_overdue_replies(bots=bots, wait_seconds=10)), "somebody asks for it"
    hand.move(11)
    assert chats.run(take_replies(bots=bots, lease_seconds=30, wait_seconds=10)) == ()
    assert chats.run(fetch_chat(token, assignment.key)).state == "failed"
