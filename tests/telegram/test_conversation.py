"""A whole study through Telegram: a real server of ours, and a local one that speaks the Bot API."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from starlette.responses import PlainTextResponse

from duologue.store import (
    Store,
    fetch_annotators,
    fetch_chats,
    fetch_dialogues,
    fetch_fact,
    fetch_items,
    fetch_judgments,
    fetch_leases,
    note_fact,
    open_store,
    revoke_link,
    withdraw_annotator,
)
from duologue.studies import Study
from tests.store.small_chats import credits_of
from tests.telegram import published_types as types
from tests.telegram.fake_service import (
    Sent,
    TelegramServer,
    TelegramUser,
    nonsense,
    refusal,
    telegram_server,
)
from tests.telegram.small_study import (
    AGREE,
    CARD,
    CONSENT,
    END,
    MORE,
    RETRY,
    chat,
    eventually,
    is_silent,
    join,
    rate,
    running,
    telegram_study,
)
from tests.waiting import PATIENCE


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with telegram_server() as server:
        yield server


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return telegram_study(tmp_path / "wild")


@pytest.fixture
def ada(telegram: TelegramServer) -> TelegramUser:
    return TelegramUser(telegram, id=6001234567)


def test_somebody_consents_chats_rates_and_is_thanked(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        ada.says("hello")
        assert ada.gets("you said: hello").buttons == {}
        ada.says("how are you?")
        assert list(ada.gets("you said: how are you?").buttons) == [END]
        ada.presses(END)
        asked = ada.gets("The conversation is over.", "How much did you enjoy talking to this user?")
        assert list(asked.buttons) == ["1 · Not at all", "2 · A little", "3 · Somewhat", "4 · A lot"]
        ada.presses("4 · A lot")
        assert list(ada.gets("say why?").buttons) == ["Submit", "Back"]
        assert eventually(lambda: asked.text.endswith("✓ 4 · A lot") and not asked.buttons)
        ada.says("it listened")
        ada.gets("Thank you!", "Your completion code: ")
        (judgment,) = store.stream(fetch_judgments())
        assert judgment.annotator_kind == "telegram"
        assert judgment.answer == {"ratings": {"enjoyment": 4}, "persona": None}
        assert judgment.reason == "it listened"
        (held,) = store.run(fetch_chats())
        assert (held.bot, held.exchanges, held.ending) == ("kaspar", 2, "complete")
        dialogue = store.run(fetch_dialogues([held.id]))[0]
        assert [turn.text for turn in dialogue.turns][:2] == ["hello", "you said: hello"]


def test_a_chat_ends_by_itself_after_the_most_exchanges(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        chat(ada, "one", "two", "three")
        ada.gets("The conversation is over.", "How much did you enjoy")


def test_several_questions_and_personas_come_one_a_message_with_a_way_back(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    likert = (
        "persona_detection = true\n"
        'questions = [{name = "fun", text = "Fun?", labels = ["", "", "", "", ""]}, '
        '{name = "sense", text = "Sense?", labels = ["No", "Yes"], low = 0}]'
    )
    study = telegram_study(tmp_path / "wild", likert=likert)
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        assert list(ada.gets("Fun?").buttons) == ["1", "2", "3", "4", "5"]
        ada.presses("5")
        assert list(ada.gets("Sense?").buttons) == ["0 · No", "1 · Yes", "Back"]
        ada.presses("Back")
        ada.gets("Fun?")
        ada.presses("2")
        ada.gets("Sense?")
        ada.presses("1 · Yes")
        personas = ada.gets("Which of these two characters", "• i keep bees.", "• i fly kites.")
        true_one = "i keep bees." if personas.text.index("bees") < personas.text.index("kites") else ""
        ada.presses("Character 1")
        ada.gets("Why did you rate the conversation as you did?")
        ada.presses("Back")
        ada.gets("Which of these two characters")
        ada.presses("Character 1")
        ada.gets("Why did you rate the conversation as you did?")
        ada.presses("Submit")
        ada.gets("Thank you!")
        (judgment,) = store.stream(fetch_judgments())
        assert judgment.answer["ratings"] == {"fun": 2, "sense": 1}
        (item,) = (one for one in store.stream(fetch_items()) if one.id == judgment.item)
        persona = item.extras["chat"]["persona"][0]  # type: ignore[index]
        assert judgment.answer["persona"] == (
            "true" if (persona == "i keep bees.") == bool(true_one) else "other"
        )


def test_a_required_reason_cannot_be_left_out(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", likert='reason = "required"')
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        rate(ada, "1 · Not at all")
        assert list(ada.gets("Why? (required)").buttons) == ["Back"]
        ada.says("   ")
        ada.gets("Please say in a few words why.")
        assert list(store.stream(fetch_judgments())) == []
        ada.says("it was rude")
        ada.gets("Thank you!")
        assert [judgment.reason for judgment in store.stream(fetch_judgments())] == ["it was rude"]


def test_another_conversation_is_offered_and_begins_when_it_is_wanted(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", bots="kaspar melchior", likert='reason = "off"')
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        rate(ada, "3 · Somewhat")
        assert list(ada.gets("Saved").buttons) == [MORE]
        ada.says("hm")
        assert list(ada.gets("Saved").buttons) == [MORE]
        ada.presses(MORE)
        ada.gets("Conversation 2 of 2", CARD)
        chat(ada, "uno", "due")
        ada.presses(END)
        rate(ada, "2 · A little")
        ada.gets("Thank you!")
        assert sorted(held.bot for held in store.run(fetch_chats())) == ["kaspar", "melchior"]
        assert [
            turn.text
            for held in store.run(fetch_chats())
            for turn in store.run(fetch_dialogues([held.id]))[0].turns
        ].count("hm") == 0


def test_no_message_names_a_bot_or_its_persona_or_why_it_failed(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        chat(ada, "one")
        (study.folder / "broken").touch()
        ada.says("two")
        ada.gets("Your partner could not answer.")
        said = "\n".join(sent.text + str(sent.buttons) for sent in ada.messages)
        assert not re.search("kaspar|keep bees|fly kites|secret cause|RuntimeError", said)


def test_nothing_in_the_study_tells_who_somebody_is_in_telegram(
    telegram: TelegramServer, study: Study, ada: TelegramUser, tmp_path: Path
) -> None:
    with running(study, telegram, log=tmp_path / "log.jsonl") as store:
        join(ada)
        chat(ada, "one")
        (annotator,) = (one for one in store.run(fetch_annotators()) if one.kind == "telegram")
        assert annotator.label.startswith("telegram-")
    kept = b"".join(path.read_bytes() for path in study.folder.rglob("*") if path.is_file())
    kept += (tmp_path / "log.jsonl").read_bytes()
    assert b"you said: one" in kept
    for secret in (b"Secretname", b"secretname", str(ada.id).encode(), b"TEST-token"):
        assert secret not in kept


def test_a_reply_that_was_owed_when_the_server_ended_comes_after_it_is_back(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    slow = study.folder / "slow"
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one")
        slow.touch()
        ada.says("two")
        assert eventually(lambda: [one.state for one in store.run(fetch_chats())] == ["partner"])
        read = len(ada.messages)
        with telegram.changed:
            telegram.refusals.extend([("sendMessage", refusal(502, "Bad Gateway"))] * 200)
        slow.unlink()
        assert eventually(lambda: [one.state for one in store.run(fetch_chats())] == ["annotator"])
    with telegram.changed:
        telegram.refusals.clear()
    with running(study, telegram) as store:
        ada.gets("you said: two")
        assert ada.read == read + 1
        ada.presses(END)
        ada.gets("How much did you enjoy")


def test_what_was_sent_before_a_restart_is_not_sent_again(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        chat(ada, "one")
    with running(study, telegram):
        assert is_silent(telegram, ada.id, read=ada.read)
        chat(ada, "two")


def test_what_is_said_before_telegram_confirms_the_card_is_a_turn(
    telegram: TelegramServer, study: Study, ada: TelegramUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, has_spoken = telegram._sendMessage, Event()

    def send_slowly(asked: types.SendMessage) -> types.Message:
        sent = send(asked)
        if CARD in asked.text:
            telegram.changed.notify_all()
            telegram.changed.wait_for(lambda: has_spoken.is_set() and not telegram._updates, PATIENCE)
        return sent

    monkeypatch.setattr(telegram, "_sendMessage", send_slowly)
    with running(study, telegram):
        join(ada)
        ada.says("one")
        has_spoken.set()
        ada.gets("you said: one")


def test_an_update_that_comes_twice_is_one_turn(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        number = ada.says("one")
        ada.gets("you said: one")
    with running(study, telegram) as store:
        store.run(
            note_fact("telegram-offset", str(number))
        )  # as after the death of a process that had not got so far
    ada.says_again(number, "one")
    with running(study, telegram) as store:
        chat(ada, "two")
        ada.presses(END)
        ada.gets("How much did you enjoy")
        (held,) = store.run(fetch_chats())
        texts = [turn.text for turn in store.run(fetch_dialogues([held.id]))[0].turns]
        assert texts == ["one", "you said: one", "two", "you said: two"]


def test_when_telegram_asks_for_patience_nothing_is_sent_meanwhile_or_twice(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        telegram.refuse("sendMessage", refusal(429, "Too Many Requests: retry after 1", retry_after=1))
        begun = monotonic()
        chat(ada, "one")
        assert monotonic() - begun >= 1
        chat(ada, "two")
        assert [sent.text for sent in ada.messages].count("you said: one") == 1


@pytest.mark.parametrize("answer", [refusal(502, "Bad Gateway"), nonsense()], ids=["refused", "nonsense"])
def test_a_message_is_sent_again_when_telegram_stumbles(
    telegram: TelegramServer, study: Study, ada: TelegramUser, answer: object
) -> None:
    with running(study, telegram):
        join(ada)
        telegram.refuse("sendMessage", answer)  # type: ignore[arg-type]
        telegram.refuse("getUpdates", answer)  # type: ignore[arg-type]
        chat(ada, "one", "two")


def test_a_sticker_and_an_edit_are_answered_politely(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        ada.sends_a_sticker()
        ada.gets("Only text reaches your partner")
        chat(ada, "one")
        ada.edits("won")
        ada.gets("what is changed afterwards does not count")
        chat(ada, "two")
        (held,) = store.run(fetch_chats())
        assert held.exchanges == 2


def test_writing_out_of_turn_or_too_much_is_explained_and_not_stored(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", chat="max_message_chars = 10")
    with running(study, telegram) as store:
        join(ada)
        ada.says("much too long a message")
        ada.gets("Please keep your message under 10 characters.")
        (study.folder / "slow").touch()
        ada.says("one")
        assert eventually(lambda: [one.state for one in store.run(fetch_chats())] == ["partner"])
        ada.says("hello?")
        ada.gets("That was not sent.")
        (study.folder / "slow").unlink()
        ada.gets("you said: one")


def test_while_the_partner_thinks_the_annotator_sees_typing(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        (study.folder / "slow").touch()
        ada.says("one")
        assert eventually(
            lambda: {"chat_id": ada.id, "action": "typing"} in telegram.called("sendChatAction")
        )
        (study.folder / "slow").unlink()
        ada.gets("you said: one")


def test_a_bot_that_fails_can_be_asked_again(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        (study.folder / "broken").touch()
        ada.says("one")
        assert list(ada.gets("Your partner could not answer.").buttons) == [RETRY, END]
        (study.folder / "broken").unlink()
        ada.presses(RETRY)
        ada.gets("you said: one")


def test_a_chat_whose_bot_fails_can_be_ended_with_credit(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        (study.folder / "broken").touch()
        ada.says("one")
        ada.gets("Your partner could not answer.")
        ada.presses(END)
        assert eventually(lambda: credits_of(store) == ["bot-failed"])
        ada.next()
        (held, *_) = store.run(fetch_chats())
        assert held.ending == "bot-failed"


def test_a_chat_whose_bot_takes_long_can_be_ended_with_credit(
    telegram: TelegramServer, tmp_path: Path, ada: TelegramUser
) -> None:
    study = telegram_study(tmp_path / "waiting", chat="offer_end_seconds = 1")
    with running(study, telegram) as store:
        join(ada)
        (study.folder / "slow").touch()
        ada.says("one")
        assert list(ada.gets("Your partner takes long to answer.").buttons) == [END]
        ada.presses(END)
        assert eventually(lambda: credits_of(store) == ["bot-failed"])
        (study.folder / "slow").unlink()


def test_who_stops_is_left_alone_and_gives_back_what_they_had(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one")
        ada.says("/stop")
        ada.gets("You have stopped.")
        assert store.run(fetch_leases()) == ()
        ada.says("still there?")
        ada.gets("You have stopped.")
        ada.says("/start")
        ada.gets(CARD)
        assert len(store.run(fetch_leases())) == 1


def test_who_blocks_the_bot_account_gives_back_what_they_had(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        ada.blocks_the_bot()
        assert eventually(lambda: store.run(fetch_leases()) == ())


def test_a_stranger_who_blocks_the_account_is_made_nobody(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        TelegramUser(telegram, id=99).blocks_the_bot()
        join(ada)
        assert len([one for one in store.run(fetch_annotators()) if one.kind == "telegram"]) == 1


def test_who_cannot_be_reached_any_more_gives_back_what_they_had(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        telegram.refuse("sendMessage", refusal(403, "Forbidden: bot was blocked by the user"))
        ada.says("one")
        assert eventually(lambda: store.run(fetch_leases()) == ())


def test_help_says_what_can_be_done(telegram: TelegramServer, study: Study, ada: TelegramUser) -> None:
    with running(study, telegram):
        join(ada)
        ada.says("/help@study_bot")
        ada.gets("Chat with your partner", "/stop ends your part")


def test_a_conversation_can_be_skipped_by_its_button_or_a_command(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    bots = "kaspar melchior balthasar"
    study = telegram_study(tmp_path / "wild", bots=bots, rest="[annotators]\nskips = 2\n")
    with running(study, telegram) as store:
        join(ada)
        ada.says("/skip")
        asked = ada.gets("/skip lets you skip").buttons
        first = asked["Skip this one (2 left)"]
        ada.presses_data(first)
        ada.presses_data(first)
        ada.gets("Saved")
        ada.presses(MORE)
        ada.gets("Conversation 2 of 3", CARD)
        ada.says("/skip")
        ada.gets("/skip lets you skip")
        ada.presses("Skip this one (1 left)")
        ada.gets("Saved")
        ada.presses(MORE)
        ada.gets("Conversation 3 of 3", CARD)
        ada.says("/skip")
        ada.gets("Chat with your partner", "/stop ends your part", "/skip lets you skip")
        assert [chat.credit for chat in store.run(fetch_chats())] == ["skipped", "skipped", ""]
        assert not list(store.stream(fetch_judgments()))


def test_old_and_made_up_buttons_change_nothing(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        asked = ada.gets("How much did you enjoy")
        old = asked.buttons["4 · A lot"]
        ada.presses("1 · Not at all")
        ada.gets("say why?")
        key = old.split()[1]
        made_up = ("pick", "pick x 1 1", "back", "end nothing", "pick a b c d e", f"{old}9", "leave x", "?")
        for data in (old, f"begin {key}", f"end {key}", f"again {key}", f"leave {key}", *made_up):
            ada.presses_data(data)
        ada.presses("Submit")
        ada.gets("Thank you!")
        assert [one.answer["ratings"] for one in store.stream(fetch_judgments())] == [{"enjoyment": 1}]


def test_writing_instead_of_pressing_brings_the_question_again(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        ada.gets("How much did you enjoy")
        ada.says("a lot!")
        assert "4 · A lot" in ada.gets("How much did you enjoy").buttons
        assert list(store.stream(fetch_judgments())) == []


def test_a_button_pressed_after_stopping_changes_nothing(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.says("/stop")
        ada.gets("You have stopped.")
        ada.presses(END)
        ada.gets("You have stopped.")
        assert list(store.stream(fetch_judgments())) == []
        assert store.run(fetch_leases()) == ()


def test_a_text_that_no_database_can_hold_stops_nobody(
    telegram: TelegramServer, study: Study, ada: TelegramUser, tmp_path: Path
) -> None:
    with running(study, telegram, log=tmp_path / "log.jsonl") as store:
        join(ada)
        number = ada.says("to be replaced")
        record = {
            "update_id": number + 1,
            "message": {
                "message_id": 1,
                "date": 0,
                "text": "half a smiley \ud83d",
                "chat": {"id": ada.id, "type": "private"},
                "from": {"id": ada.id, "is_bot": False, "first_name": "A"},
            },
        }
        ada.gets("you said: to be replaced")
        answer = json.dumps({"ok": True, "result": [record]})
        telegram.refuse("getUpdates", PlainTextResponse(answer, media_type="application/json"))
        telegram.skip_to(number + 2)
        ada.next()  # it says why that could not be sent
        chat(ada, "two")
        assert [held.exchanges for held in store.run(fetch_chats())] == [2]
    assert '"event": "failure"' not in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_who_writes_faster_than_people_do_is_asked_to_wait(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        (study.folder / "slow").touch()
        for number in range(122):
            ada.says(f"message {number}")
        _expect(ada, "Too many tries in a short time.")
        (study.folder / "slow").unlink()
        _expect(ada, "you said: message 0")


def test_two_people_are_paired_and_both_rate(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", bots="", chat="human_partner = true", likert='reason = "off"')
    bob = TelegramUser(telegram, id=77)
    with running(study, telegram) as store:
        for user in (ada, bob):
            user.says("/start")
            user.gets(CONSENT)
        ada.presses(AGREE)
        ada.gets(CARD)
        ada.gets("We are looking for a partner for you.")
        bob.presses(AGREE)
        bob.gets(CARD)
        _expect(ada, "It is your turn.")
        first, second = ada, bob  # who came first speaks first
        for number in range(2):
            first.says(f"hi {number}")
            _expect(second, f"hi {number}")
            second.says(f"ho {number}")
            _expect(first, f"ho {number}")
        first.presses(END)
        for user in (first, second):
            _expect(user, "How much did you enjoy")
            user.presses("4 · A lot")
            _expect(user, "Thank you!")
        assert [one.answer["ratings"] for one in store.stream(fetch_judgments())] == [{"enjoyment": 4}] * 2


def _expect(user: TelegramUser, piece: str) -> Sent:
    while piece not in (sent := user.next()).text:
        pass
    return sent


def test_who_withdrew_is_somebody_new_and_their_address_is_erased(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        annotator = _telegram_annotator(store)
        assert json.loads(store.run(fetch_fact(f"telegram-person:{annotator}")) or "{}")["to"]
        store.run(withdraw_annotator(annotator, reason="asked for it"))
        ada.says("hello?")
        _expect(ada, CONSENT)
        assert not store.run(fetch_fact(f"telegram-person:{annotator}"))


def test_the_address_of_who_withdrew_while_nobody_served_is_erased_at_the_next_start(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    bob = TelegramUser(telegram, id=77)
    with running(study, telegram) as store:
        join(ada)
        annotator = _telegram_annotator(store)
    with open_store(study.database) as store:
        store.run(withdraw_annotator(annotator, reason="asked for it"))
        assert store.run(fetch_fact(f"telegram-person:{annotator}"))
    with running(study, telegram) as store:
        join(bob)
        assert not store.run(fetch_fact(f"telegram-person:{annotator}"))


def test_a_revoked_annotator_hears_that_they_cannot_go_on(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        join(ada)
        store.run(revoke_link(_telegram_annotator(store)))
        ada.says("hello?")
        _expect(ada, "You cannot go on in this study")


def _telegram_annotator(store: Store) -> str:
    (annotator,) = (one.id for one in store.run(fetch_annotators()) if one.kind == "telegram")
    return annotator


def test_somebody_who_is_done_is_not_remembered_by_address(
    telegram: TelegramServer, ada: TelegramUser, tmp_path: Path
) -> None:
    study = telegram_study(tmp_path / "wild", likert='reason = "off"')
    with running(study, telegram) as store:
        join(ada)
        chat(ada, "one", "two")
        ada.presses(END)
        rate(ada, "4 · A lot")
        ada.gets("Thank you!")
        mark = f"telegram-person:{_telegram_annotator(store)}"
        assert eventually(lambda: json.loads(store.run(fetch_fact(mark)) or "{}").get("to") == "")
        ada.says("and now?")
        ada.gets("Thank you!")


def test_the_account_stops_sending_updates_elsewhere_and_offers_its_commands(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    telegram.has_webhook = True
    with running(study, telegram):
        join(ada)
        (offered,) = telegram.called("setMyCommands")
        assert [one["command"] for one in offered["commands"]] == ["start", "stop", "help"]


def test_of_two_processes_one_speaks_and_the_other_takes_over(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram):
        join(ada)
        with running(study, telegram):
            chat(ada, "one")
            assert is_silent(telegram, ada.id, read=ada.read)
            assert len(telegram.called("setMyCommands")) == 1
    with running(study, telegram):
        chat(ada, "two")
        assert [sent.text for sent in ada.messages].count("you said: one") == 1


def test_whoever_does_not_agree_in_telegram_is_left_alone_until_they_come_back(
    telegram: TelegramServer, study: Study, ada: TelegramUser
) -> None:
    with running(study, telegram) as store:
        ada.says("/start")
        asked = ada.gets(CONSENT, "What we store", "A code that is made from your account")
        assert list(asked.buttons) == [AGREE, "I do not agree"]
        ada.presses("I do not agree")
        ada.gets("You have not agreed")
        assert eventually(lambda: store.run(fetch_annotators())[0].has_declined)
        join(ada)
        assert not store.run(fetch_annotators())[0].has_declined
