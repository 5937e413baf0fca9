from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Dialogue, Speaker, Turn, check_dialogues, mask_names, name_leaks
from duologue.dialogues.records import speaking_bots
from tests.strategies import dialogues, without_deadline


def saying(tea: Dialogue, *texts: str, bot: str = "ada", **fields: object) -> Dialogue:
    turns = tuple(Turn("A", text) for text in texts)
    return replace(tea, bot=bot, speakers=(Speaker("A", bot), Speaker("B")), turns=turns, **fields)  # type: ignore[arg-type]


@given(records=st.lists(dialogues(), max_size=8))
@without_deadline
def test_every_dialogue_and_turn_is_counted(records: Sequence[Dialogue]) -> None:
    report = check_dialogues(iter(records))
    lengths = sorted(len(turn.text) for one in records for turn in one.turns)
    assert report.dialogues == len(records) == sum(sum(kinds.values()) for kinds in report.by_bot.values())
    if report.turn_chars is None:
        assert not lengths
        return
    spread = report.turn_chars
    assert (spread.n, spread.least, spread.most) == (len(lengths), lengths[0], lengths[-1])
    assert spread.mean == pytest.approx(mean(lengths))
    for value, share in ((spread.quarter, 0.25), (spread.median, 0.5), (spread.three_quarters, 0.75)):
        assert sum(length <= value for length in lengths) >= share * len(lengths)
        assert sum(length < value for length in lengths) < share * len(lengths)


def test_judged_turns_are_counted_by_bot(tea: Dialogue) -> None:
    three = replace(tea, id="3", turns=(*tea.turns, Turn("A", "Now!"), Turn("A", "Please!")))
    report = check_dialogues([tea, three])
    assert (report.judged_turns["ada"].least, report.judged_turns["ada"].most) == (1, 3)
    assert report.by_bot == {"ada": {"live-chat": 2}}


def test_empty_and_failed_turns_are_counted(tea: Dialogue) -> None:
    failed = Turn("A", "…", extras={"failure": "timeout"})
    report = check_dialogues(
        [replace(tea, turns=(Turn("A", " "), failed)), replace(tea, extras={"failure": "no answer"})]
    )
    assert (report.empty_turns, report.failed_turns) == (1, 2)


def test_dialogues_that_say_the_same_are_grouped(tea: Dialogue) -> None:
    others = [replace(tea, id=key) for key in ("2", "3")]
    report = check_dialogues([tea, *others, saying(tea, "Something else.", id="4")])
    assert [(group.bot, group.ids) for group in report.duplicates] == [("ada", ("tea", "2", "3"))]


@pytest.mark.parametrize(
    "text", ["I am Ada.", "ADA!", "ada", "¿Ada?", "my name is\nada", "(ada)", "Ada's tea"]
)
def test_a_bots_name_in_its_own_dialogue_is_a_leak(tea: Dialogue, text: str) -> None:
    (leak,) = name_leaks([saying(tea, "Hello!", text)])
    assert (leak.bot, leak.dialogues, leak.turns, leak.example, leak.turn) == ("ada", 1, 1, "tea", 2)


@pytest.mark.parametrize("text", ["Adagio", "canada", "adas", "ada_2", "äda"])
def test_a_name_within_a_word_is_none(tea: Dialogue, text: str) -> None:
    assert name_leaks([saying(tea, text)]) == ()


def test_a_name_may_be_anything(tea: Dialogue) -> None:
    assert len(name_leaks([saying(tea, "I am (GPT-4) [new]!", bot="gpt-4) [NEW]")])) == 1


def test_another_bots_name_is_no_leak(tea: Dialogue) -> None:
    assert name_leaks([saying(tea, "I like Bob."), saying(tea, "I like Ada.", bot="bob")]) == ()


def test_leaks_are_added_up_by_bot_and_said_in_words(tea: Dialogue) -> None:
    leaks = name_leaks(
        [
            saying(tea, "Hi.", id="1", context=("You are Ada.",)),
            saying(tea, "Ada!", "Ada?", id="2"),
            saying(tea, "Hi.", id="3"),
        ]
    )
    assert [str(leak) for leak in leaks] == [
        "the name of bot 'ada' occurs in 2 of its dialogues (first: '1', the context): "
        "annotators may learn who is speaking."
    ]
    assert leaks[0].turns == 3
    assert check_dialogues([saying(tea, "Ada!")]).name_leaks[0].turns == 1


def test_turns_that_were_cut_are_counted_by_bot(tea: Dialogue) -> None:
    marks: tuple[dict[str, object], ...] = (
        {"cut": True},
        {"meta": {"finish": "length"}},
        {"meta": {"finish": "stop"}},
        {},
    )
    turns = tuple(Turn(tea.judged, f"And then {n}", extras=mark) for n, mark in enumerate(marks))
    found = check_dialogues([replace(tea, turns=turns), tea])
    assert (found.cut_turns, found.cut_dialogues, found.cut_of) == ({tea.bot: 2}, {tea.bot: 1}, {tea.bot: 2})
    assert check_dialogues([tea]).cut_turns == {}


def mixed(chat: Dialogue, *replies: tuple[str, str], **cut: bool) -> Dialogue:
    """A chat of several bots, called by its arm; every reply says whose it is."""
    turns = (
        Turn(chat.judged, text, extras={"bot": bot, "cut": cut.get(bot, False)}) for bot, text in replies
    )
    return replace(chat, bot="two at a time", turns=(Turn("human", "Hi."), *turns))


def test_a_turn_that_was_cut_in_a_chat_of_several_bots_is_of_the_one_who_said_it(tea: Dialogue) -> None:
    chats = [
        mixed(tea, ("ada", "And then"), ("bea", "Yes."), ada=True),
        mixed(tea, ("bea", "I see"), ("bea", "No"), bea=True),
        mixed(tea, ("ada", "Well.")),
    ]
    found = check_dialogues(chats)
    assert found.cut_turns == {"ada": 1, "bea": 2}
    assert found.cut_dialogues == {"ada": 1, "bea": 1}
    assert found.cut_of == {"ada": 2, "bea": 2}
    assert found.by_bot == {"two at a time": {"live-chat": 3}}


def test_in_a_chat_of_several_bots_each_of_their_names_is_a_leak_and_not_that_of_the_arm(
    tea: Dialogue,
) -> None:
    chat = replace(mixed(tea, ("ada", "I am Bea, in the main."), ("bea", "Hello.")), bot="main")
    (leak,) = name_leaks([chat])
    assert (leak.bot, leak.dialogues, leak.turns) == ("bea", 1, 1)
    assert "`duologue dialogues mask cats --bot main`" in leak.advise("cats")
    hidden = mask_names(chat, speaking_bots(chat))
    assert name_leaks([hidden]) == ()
