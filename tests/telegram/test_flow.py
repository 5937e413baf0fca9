"""From where somebody stands to what they are sent: pure functions, so every case can be written down."""

from dataclasses import replace
from pathlib import Path

import pytest

from duologue.protocols import HUMAN, ChatPlan, FormValues, Item
from duologue.store import (
    Annotator,
    Assignment,
    Chat,
    ChatTurn,
    ConsentStation,
    IdleStation,
    ItemStation,
    NoPlace,
    Station,
    ThanksStation,
)
from duologue.studies import Study
from duologue.telegram.flow import Intent, OutgoingStep, SentState, next_steps
from tests.telegram.small_study import telegram_study

KEY = "0123456789abcdef0123456789abcdef"
WHO = Annotator("a1", "telegram-x", "telegram", "main")
PLAN = ChatPlan(persona=("bot secret",), annotator_persona=("i am a baker.",), topic="Bread")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return telegram_study(tmp_path / "wild")


def talk(*texts: str) -> tuple[ChatTurn, ...]:
    """Turns of annotator and partner by turns, the annotator first."""
    return tuple(ChatTurn(place, place % 2 == 1, text, "") for place, text in enumerate(texts, 1))


def standing(chat: Chat, *, bot: str = "kaspar", draft: dict[str, str] | None = None) -> Station:
    item = Item("c1", bot, (bot,), (), (), extras={"chat": PLAN.record()})
    return ItemStation(WHO, Assignment(KEY, item, (), (), "main", 2, 5, "", chat, FormValues(draft)))


def running_chat(**changed: object) -> Chat:
    return replace(Chat("annotator", (), 0, 1, ""), **changed)  # type: ignore[arg-type]


def texts(steps: tuple[OutgoingStep, ...]) -> list[str]:
    return [step.message.text for step in steps]


def buttons(step: OutgoingStep) -> list[str]:
    return [button.text for row in step.message.rows for button in row]


def test_consent_thanks_and_no_work_are_said_once(study: Study) -> None:
    for station in (ConsentStation(WHO), ThanksStation(WHO, "CODE", 3), IdleStation(WHO)):
        (step,) = next_steps(study, station, SentState(), Intent())
        assert next_steps(study, station, step.after, Intent()) == ()


def test_who_is_blocked_hears_that_they_cannot_go_on(study: Study) -> None:
    station = IdleStation(WHO, no_place=NoPlace("blocked"))
    (step,) = next_steps(study, station, SentState(), Intent())
    assert step.message.text.startswith("You cannot go on in this study")
    assert "right now" not in step.message.text


def test_nobody_is_thanked_for_answers_that_were_not_recorded(study: Study) -> None:
    (step,) = next_steps(study, ThanksStation(WHO, "CODE", 1, is_empty=True), SentState(), Intent())
    assert "none was recorded" in step.message.text
    assert "saved" not in step.message.text
    assert "CODE" in step.message.text


def test_who_is_stopped_reads_why_and_gets_the_code(study: Study) -> None:
    (step,) = next_steps(study, ThanksStation(WHO, "CODE", 4, was_stopped=True), SentState(), Intent())
    assert "The study ends here for you" in step.message.text
    assert "What you have done is saved." in step.message.text
    assert "CODE" in step.message.text


def test_the_card_shows_what_is_the_annotators_and_nothing_of_the_bot(study: Study) -> None:
    (card,) = next_steps(study, standing(running_chat()), SentState(), Intent())
    assert "Conversation 2 of 5" in card.message.text
    assert "• i am a baker." in card.message.text
    assert "What the conversation is about: Bread" in card.message.text
    assert card.message.text.endswith("It is your turn.")
    assert "bot secret" not in card.message.text
    assert "kaspar" not in card.message.text


def test_only_the_partners_new_turns_are_sent(study: Study) -> None:
    chat = running_chat(turns=talk("one", "uno", "two", "due"), exchanges=2)
    seen = SentState(KEY, turns=2, page="chat")
    (step,) = next_steps(study, standing(chat), seen, Intent())
    assert step.message.text == "due"
    assert step.after == SentState(KEY, turns=4, page="chat")
    assert next_steps(study, standing(chat), step.after, Intent()) == ()


def test_everything_missed_is_sent_in_order_with_the_way_to_end_under_the_last(study: Study) -> None:
    chat = running_chat(turns=talk("one", "uno", "two", "due"), exchanges=2, can_end=True)
    steps = next_steps(study, standing(chat), SentState(KEY, page="card"), Intent())
    assert texts(steps) == ["uno", "due"]
    assert [buttons(step) for step in steps] == [[], ["End the conversation"]]


def test_each_failure_is_told_once(study: Study) -> None:
    failed = running_chat(state="failed", turns=talk("one"), change=7)
    (step,) = next_steps(study, standing(failed), SentState(KEY, 1, "chat"), Intent())
    assert buttons(step) == ["Try again", "End the conversation"]
    assert next_steps(study, standing(failed), step.after, Intent()) == ()
    again = replace(failed, change=9)
    assert len(next_steps(study, standing(again), step.after, Intent())) == 1


def test_after_the_waiting_room_the_annotator_hears_that_it_is_their_turn(study: Study) -> None:
    waiting = running_chat(state="waiting")
    _card, room = next_steps(study, standing(waiting, bot=HUMAN), SentState(), Intent())
    assert room.message.text.startswith("We are looking for a partner")
    (turn,) = next_steps(study, standing(running_chat(), bot=HUMAN), room.after, Intent())
    assert turn.message.text == "It is your turn."
    assert next_steps(study, standing(running_chat(), bot=HUMAN), turn.after, Intent()) == ()


def test_another_conversation_waits_until_it_is_wanted(study: Study) -> None:
    before = SentState("another-key", turns=6, page="screen 1")
    (offer,) = next_steps(study, standing(running_chat()), before, Intent())
    assert buttons(offer) == ["Have another conversation"]
    assert next_steps(study, standing(running_chat()), offer.after, Intent()) == ()
    (card,) = next_steps(study, standing(running_chat()), offer.after, Intent(begun=KEY))
    assert "• i am a baker." in card.message.text


def test_a_human_partner_is_not_kept_waiting_by_an_offer(study: Study) -> None:
    before = SentState("another-key", turns=6, page="screen 1")
    (card,) = next_steps(study, standing(running_chat(), bot=HUMAN), before, Intent())
    assert "• i am a baker." in card.message.text


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        ("no-partner", "Nobody else is here at the moment."),
        ("partner-left", "Your partner has left."),
        ("bot-failed", "A reply is missing, so the conversation is over. This is not your fault"),
    ],
)
def test_a_chat_that_came_to_nothing_ends_with_an_honest_sentence(
    study: Study, ending: str, sentence: str
) -> None:
    over = running_chat(state="ended", ending=ending)
    (step,) = next_steps(study, standing(over), SentState(KEY, 0, "chat"), Intent())
    assert step.message.text.startswith(sentence)
    assert step.message.rows[0][0].data == f"leave {KEY}"


def test_the_last_reply_comes_before_the_first_question(study: Study) -> None:
    over = running_chat(state="ended", ending="complete", turns=talk("one", "uno"), is_usable=True)
    reply, question = next_steps(study, standing(over), SentState(KEY, 0, "card"), Intent())
    assert reply.message.text == "uno"
    assert buttons(reply) == []
    assert question.message.text.startswith("The conversation is over.\n\nHow much did you enjoy")


def test_the_reason_is_asked_for_when_the_answer_waits_for_it(study: Study) -> None:
    over = standing(running_chat(state="ended", ending="complete", is_usable=True))
    (question,) = next_steps(study, over, SentState(KEY, 0, "chat"), Intent())
    intent = Intent(asked=f"{KEY} 1", answer={"rating_enjoyment": "4"})
    (reason,) = next_steps(study, over, question.after, intent)
    assert buttons(reason) == ["Submit", "Back"]
    assert next_steps(study, over, reason.after, intent) == ()
    (again,) = next_steps(study, over, reason.after, Intent())
    assert again.message.text.startswith("How much did you enjoy")


def test_every_button_carries_at_most_64_bytes(study: Study) -> None:
    over = standing(running_chat(state="ended", ending="complete", is_usable=True))
    steps = next_steps(study, over, SentState(KEY, 0, "chat"), Intent())
    assert all(len(one.data.encode()) <= 64 for step in steps for row in step.message.rows for one in row)


def test_who_is_kept_waiting_is_offered_a_way_out_once_for_each_reply(study: Study) -> None:
    waiting = running_chat(state="partner", turns=talk("one"))
    seen = SentState(KEY, 1, "chat")
    assert next_steps(study, standing(waiting), seen, Intent()) == ()
    (step,) = next_steps(study, standing(waiting), seen, Intent(), is_kept_waiting=True)
    assert buttons(step) == ["End the conversation"]
    assert next_steps(study, standing(waiting), step.after, Intent(), is_kept_waiting=True) == ()
    later = replace(waiting, turns=talk("one", "two", "three"))
    seen = replace(step.after, turns=3)
    assert len(next_steps(study, standing(later), seen, Intent(), is_kept_waiting=True)) == 1
