"""Rules of screening: what each excludes, that each can be left out, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from duologue.per_turn import PAPER_RULES, RULES, TurnQuestion, TurnRow, analyse_turns, screen_turns
from duologue.per_turn.analysis.screened import annotators_set_aside
from duologue.per_turn.rules import STUDY_RULES
from duologue.screening import ANNOTATOR_FLAGS, FLAG_RULES
from tests.per_turn.chats import MadeUp, made_up, row

LONG = "a long enough message number"


def chat(selections: Sequence[str], dialogue: str = "d1", **fields: Any) -> list[TurnRow]:
    """A chat of two bots: which positions are selected on each turn, bots taking turns at the first."""
    found = []
    for turn, chosen in enumerate(selections, 1):
        order = ["a", "b"] if turn % 2 else ["b", "a"]
        selected = {bot: str(order.index(bot) + 1) in chosen for bot in ("a", "b")}
        made = {"message": f"{LONG} {turn} of {dialogue}", "seconds": 10.0, **fields}
        found.append(row(selected, dialogue=dialogue, turn=turn, order=order, **made))
    return found


def hit(rule: str, rows: Sequence[TurnRow]) -> list[bool]:
    found: list[bool] = screen_turns(rows)[rule].tolist()
    return found


@pytest.mark.parametrize(
    ("pattern", "is_fixed"),
    [
        (["1"] * 7, True),
        (["2"] * 7, True),
        (["1"] * 6, False),  # 1 in 32 who read do so by chance; in seven turns 1 in 64
        (["12"] * 12, False),
        ([""] * 12, False),
        (["1"] * 7 + ["2"], False),
        (["1", "2"] * 4, False),  # the same bot, at other positions
    ],
)
def test_the_same_positions_on_all_turns_are_a_fixed_pattern(pattern: list[str], is_fixed: bool) -> None:
    assert hit("fixed-pattern", chat(pattern)) == [is_fixed] * len(pattern)


def test_with_more_cards_fewer_turns_show_a_fixed_pattern() -> None:
    def rows(turns: int, chosen: str, texts: dict[str, str] | None = None) -> list[TurnRow]:
        selected = {bot: bot in chosen for bot in "abcd"}
        return [row(selected, turn=turn, texts=texts) for turn in range(1, turns + 1)]

    assert hit("fixed-pattern", rows(5, "a")) == [True] * 5
    assert hit("fixed-pattern", rows(4, "a")) == [False] * 4
    assert hit("fixed-pattern", rows(5, "ab")) == [True] * 5
    two_cards = {bot: "Yes." if bot in "ab" else "No." for bot in "abcd"}
    assert hit("fixed-pattern", rows(5, "ab", two_cards)) == [False] * 5


@pytest.mark.parametrize(
    ("pattern", "is_alike"),
    [
        (["12"] * 5, True),
        ([""] * 5, True),
        (["12"] * 4, False),
        (["12"] * 4 + [""], False),
        (["1"] * 8, False),
    ],
)
def test_all_or_none_on_every_turn_has_a_rule_of_its_own(pattern: list[str], is_alike: bool) -> None:
    assert hit("all-or-none", chat(pattern)) == [is_alike] * len(pattern)


def test_all_or_none_is_counted_and_excludes_only_where_it_is_asked_for() -> None:
    rows = [*made_up(MadeUp({"a": 0.6, "b": 0.4}), 1), *chat(["12"] * 10, "all")]
    flagged = {rule.rule: rule for rule in analyse_turns(rows, TurnQuestion(draws=9)).screening.rules}
    assert (flagged["all-or-none"].is_applied, flagged["all-or-none"].turns) == (False, 10)
    paper = analyse_turns(rows, TurnQuestion(rules=PAPER_RULES, draws=9)).screening
    assert paper.counted == 410 - 41 - 9


def test_a_single_bot_has_no_fixed_pattern() -> None:
    rows = [row({"a": True}, turn=turn, setting=None) for turn in range(1, 8)]
    assert not any(hit("fixed-pattern", rows))
    assert not any(hit("all-or-none", rows))


def test_dialogues_of_people_who_read_are_kept_and_the_gap_is_what_it_was() -> None:
    """Two good bots: many chats select both on every turn. Those were excluded, and the gap grew to .13."""
    rows = made_up(MadeUp({"a": 0.9, "b": 0.8}, annotators=400, turns=6, icc=0.3), 5)
    seconds = [one.model_copy(update={"seconds": 60.0}) for one in rows]
    kept = analyse_turns(seconds, TurnQuestion(draws=9))
    everything = analyse_turns(seconds, TurnQuestion(rules=(), draws=9))
    both = analyse_turns(seconds, TurnQuestion(rules=("all-or-none",), draws=9))
    assert kept.screening.counted == everything.screening.counted == 2400
    gaps = [found.sections[0].pairs[0].difference for found in (everything, kept, both)]
    assert gaps[1] == gaps[0]
    assert gaps[2] > 1.3 * gaps[0]
    assert both.screening.counted < 0.75 * 2400


@pytest.mark.parametrize(
    ("message", "few"), [("ok", True), ("ok then", False), ("你好", True), ("你今天好吗", False)]
)
def test_fewer_than_two_words_a_message_are_few_in_any_script(message: str, few: bool) -> None:
    rows = chat(["1", "2", "1"], message=message)
    assert hit("few-tokens", rows) == [few] * 3


def test_messages_are_averaged_and_bots_that_begin_have_no_message() -> None:
    rows = [*chat(["1"], message=""), *chat(["2", "1"], message="one two three")[1:]]
    assert not any(hit("few-tokens", rows))


def test_first_turns_do_not_count() -> None:
    rows = [*chat(["1", "2", "1"]), *chat(["1", "2"], "d2")]
    assert hit("first-turn", rows) == [True, False, False, True, False]


def test_nobody_reads_fifteen_words_a_second() -> None:
    texts = {"a": "word " * 20, "b": "other " * 10}
    rows = [
        row({"a": True, "b": False}, texts=texts, seconds=seconds, dialogue=f"d{seconds}")
        for seconds in (1.9, 2.1)
    ]
    assert hit("too-fast-turn", rows) == [True, False]
    assert hit("too-fast-turn", [row({"a": True, "b": False}, texts=texts)]) == [False]


def test_bots_that_say_the_same_are_one_card_and_read_once() -> None:
    """Twenty words on one card take 1.3 seconds at fifteen a second; on two cards it would be 2.7."""
    texts = dict.fromkeys("ab", "word " * 20)
    rows = [
        row({"a": True, "b": True}, texts=texts, seconds=seconds, dialogue=f"d{seconds}")
        for seconds in (1.3, 1.4, 2.6)
    ]
    assert hit("too-fast-turn", rows) == [True, False, False]


def test_copies_of_replies_and_messages_are_copied() -> None:
    said = "a says d1 1"
    rows = chat(["1", "2", "1", "2"])
    copied = [one.model_copy(update={"message": said}) if one.turn > 2 else one for one in rows]
    assert hit("copied", copied) == [True] * 4
    assert hit("copied", [*rows[:3], copied[3]]) == [False] * 4
    same = [one.model_copy(update={"message": "tell me more please"}) for one in rows]
    assert all(hit("copied", same))
    short = [one.model_copy(update={"message": "oh really"}) for one in rows]
    assert not any(hit("copied", short))


def test_a_dialogue_with_the_messages_of_an_earlier_one_is_a_duplicate() -> None:
    rows = chat(["1", "2", "1"])
    again = [one.model_copy(update={"dialogue": "d2", "message": one.message.upper() + "!"}) for one in rows]
    assert hit("duplicate-dialogue", [*rows, *again]) == [False] * 3 + [True] * 3
    greeting = [
        one.model_copy(update={"message": "hi", "dialogue": name}) for one in rows for name in ("d3", "d4")
    ]
    assert not any(hit("duplicate-dialogue", greeting))


def test_third_parties_are_not_screened() -> None:
    rows = [one.model_copy(update={"participant": "somebody"}) for one in chat(["1"] * 6)]
    assert not any(any(mask) for mask in screen_turns(rows).values())


def test_every_rule_is_reported_with_counts_and_can_be_left_out() -> None:
    rows = [*made_up(MadeUp({"a": 0.6, "b": 0.4}), 1), *chat(["1"] * 10, "fixed")]
    screening = analyse_turns(rows, TurnQuestion(rules=STUDY_RULES, draws=9)).screening
    assert [rule.rule for rule in screening.rules] == list(RULES)
    found = {rule.rule: (rule.is_applied, rule.dialogues, rule.turns) for rule in screening.rules}
    assert found["fixed-pattern"] == (True, 1, 10)
    assert found["first-turn"] == (True, 41, 41)
    assert screening.counted == 410 - 41 - 9 - found["too-fast-turn"][2]
    some = analyse_turns(rows, TurnQuestion(rules=("first-turn",), draws=9)).screening
    assert {rule.rule for rule in some.rules if rule.is_applied} == {"first-turn"}
    assert some.counted == 410 - 41
    none = analyse_turns(rows, TurnQuestion(rules=(), draws=9)).screening
    assert none.counted == 410
    assert none.sentence == "No rule of screening excluded a turn."


def test_verdicts_are_compared_with_and_without_each_rule() -> None:
    good = [one for n in range(30) for one in chat(["12", "1", "1", "", "12"], f"g{n}", seconds=60.0)]
    bad = [
        row(
            {"a": True, "b": False},
            dialogue=f"b{n}",
            turn=turn,
            message="ok",
            seconds=60.0,
            order=["ab", "ba"][turn % 2],
        )
        for n in range(20)
        for turn in range(1, 5)
    ]
    screening = analyse_turns([*good, *bad], TurnQuestion(draws=9)).screening
    assert screening.changes == ("a and b: a more often instead of no difference",)
    changed = {rule.rule: rule.changes for rule in screening.rules}
    assert changed["few-tokens"] == ("a and b: a more often instead of no difference",)
    assert changed["all-or-none"] == ()
    assert "without it 1 comparison comes to another verdict" in screening.sentence


def test_what_the_data_exclude_stays_excluded() -> None:
    rows = [
        one.model_copy(update={"excluded": "withdrawn"}) if one.dialogue == "d0" else one
        for one in made_up(MadeUp({"a": 0.6, "b": 0.4}), 1)
    ]
    results = analyse_turns(rows, TurnQuestion(rules=(), draws=9))
    assert results.screening.given == {"withdrawn": 10}
    assert (results.sections[0].turns, results.sections[0].excluded) == (390, 10)


def test_a_section_without_a_turn_left_has_no_verdict() -> None:
    rows = [row({"a": True, "b": False}, dialogue=f"d{n}") for n in range(5)]
    results = analyse_turns(rows, TurnQuestion(rules=("first-turn",), draws=9))
    (section,) = results.sections
    assert (section.turns, section.pairs, section.bots, section.anchoring) == (0, (), (), None)
    assert "All turns are excluded." in section.warnings
    assert section.none_rate is None


def failed(turn: TurnRow) -> TurnRow:
    first, second = turn.candidates
    gone = second.model_copy(update={"failed": True, "position": None, "selected": False})
    return turn.model_copy(update={"candidates": (first, gone)})


def test_annotators_without_a_turn_that_counts_are_set_aside_with_their_main_rule() -> None:
    rows = [
        *chat(["1", "2", "12"], "fine", seconds=60.0, annotator="ann"),
        *chat(["1"] * 7, "fixed", seconds=60.0, annotator="bea"),
        *map(failed, chat(["1", "2"], "failed", seconds=60.0, annotator="cy")),
        *chat(["1", "2"], "out", seconds=60.0, annotator="dan", excluded="late"),
        *chat(["1"] * 6, "read", seconds=60.0, annotator="eve", participant="ann"),
    ]
    assert annotators_set_aside(rows, RULES) == {"bea": "fixed-pattern", "cy": "turns on which a bot failed"}
    assert annotators_set_aside(rows, ["first-turn"]) == {"cy": "turns on which a bot failed"}


def test_rules_of_turns_are_not_called_as_flags_of_whole_chats() -> None:
    flags = set(FLAG_RULES) - set(ANNOTATOR_FLAGS)  # these need positions that a whole chat does not have
    assert not flags & set(RULES)
