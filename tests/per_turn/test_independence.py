"""Cascading, anchoring, ties that gather, none rates, and third parties."""

from __future__ import annotations

from typing import Any

import pytest

from duologue.per_turn import TurnQuestion, TurnRow, TurnSection, analyse_turns
from tests.per_turn.chats import MadeUp, made_up, row

ASKED = TurnQuestion(rules=(), draws=99, is_randomised=True)


def section_of(rows: Any) -> TurnSection:
    return analyse_turns(rows, ASKED).sections[0]


def chat(number: int, pattern: str, **fields: Any) -> list[TurnRow]:
    chosen = {"a": (True, False), "b": (False, True), "+": (True, True), "-": (False, False)}
    return [
        row(
            dict(zip("ab", chosen[cell], strict=True)),
            dialogue=f"d{number}",
            turn=turn,
            order=["ab", "ba"][(turn + number) % 2],
            **fields,
        )
        for turn, cell in enumerate(pattern, 1)
    ]


def test_a_bot_that_is_selected_again_and_again_cascades() -> None:
    rows = [one for number in range(12) for one in chat(number, "aaaabbbb")]
    found = {one.bot: one.found for one in section_of(rows).cascading}
    assert found["a"].rate == pytest.approx(3 / 4)
    assert found["a"].expected == pytest.approx(3 / 7)
    assert found["a"].p_value == 0.01
    assert "" not in found  # no ties
    mixed = section_of([one for number in range(12) for one in chat(number, "abbaabba+-")])
    assert [one.bot for one in mixed.cascading] == ["a", "b", ""]


def test_turns_that_do_not_follow_each_other_are_not_compared() -> None:
    rows = [one for number in range(6) for one in chat(number, "abababab") if one.turn % 2]
    assert section_of(rows).cascading == ()


def test_what_is_shown_first_and_selected_more_often_is_anchoring() -> None:
    anchoring = section_of(made_up(MadeUp({"a": 0.5, "b": 0.5}, first_bonus=0.3), 1)).anchoring
    assert anchoring is not None
    assert anchoring.p_value is not None
    assert anchoring.p_value < 0.001
    assert anchoring.positions[0].rate > anchoring.positions[1].rate
    assert anchoring.p_value == max(anchoring.p_naive or 0, anchoring.p_clustered or 0)
    none = section_of(made_up(MadeUp({"a": 0.5, "b": 0.5, "c": 0.4}), 1)).anchoring
    assert none is not None
    assert none.p_value is not None
    assert none.p_value > 0.05
    assert "it makes differences between bots look slightly smaller" in anchoring.sentence
    assert none.sentence.endswith(
        "No effect of positions was detected. They were drawn at random on every turn."
    )
    assert len(none.positions) == 3


def test_a_shared_card_tells_nothing_about_positions() -> None:
    rows = [row({"a": True, "b": True}, dialogue=f"d{n}", texts={"a": "Hm.", "b": "Hm."}) for n in range(5)]
    assert section_of(rows).anchoring is None
    ties = section_of([row({"a": True, "b": True}, dialogue=f"d{n}") for n in range(5)]).anchoring
    assert ties is not None
    assert (ties.p_value, ties.positions[0].rate) == (None, 1.0)


def test_the_adjusted_rate_weighs_positions_alike() -> None:
    rows = [
        *(row({"a": True, "b": False}, dialogue=f"x{n}", order="ab") for n in range(30)),
        *(row({"a": n < 5, "b": True}, dialogue=f"y{n}", order="ba") for n in range(10)),
    ]
    bots = {bot.bot: bot for bot in section_of(rows).bots}
    assert bots["a"].rate == pytest.approx(35 / 40)
    assert bots["a"].position_adjusted == pytest.approx((1.0 + 0.5) / 2)
    always = section_of([row({"a": True, "b": False}, dialogue=f"x{n}") for n in range(9)])
    assert always.bots[0].position_adjusted is None


def test_ties_of_some_annotators_gather() -> None:
    rows = [one for number in range(20) for one in chat(number, "++++++" if number % 2 else "abbaab")]
    ties = section_of(rows).ties
    assert ties is not None
    assert (ties.base, ties.icc, ties.p_value) == (0.5, 1.0, 0.01)
    assert section_of([one for number in range(9) for one in chat(number, "abba")]).ties is None


def test_who_must_write_selects_something_more_often() -> None:
    written = {"text": "My own.", "by": "annotator"}
    user = []
    for number in range(30):
        for one in chat(number, "ab+aba+b-b", setting="sata-user", arm="user"):
            on = written if not any(one.selected().values()) else one.continuation
            user.append(TurnRow.model_validate({**one.model_dump(), "continuation": on}))
    random = [
        one.model_copy(update={"dialogue": f"r{one.dialogue}"})
        for number in range(30)
        for one in chat(number, "a--a-a+b--", arm="random")
    ]
    results = analyse_turns([*user, *random], ASKED)
    (rates,) = results.none_rates
    assert [rates.user_rate, rates.random_rate] == pytest.approx([0.1, 0.5])
    assert rates.interval is not None
    assert rates.p_value is not None
    assert rates.p_value < 0.001
    assert rates.sentence.startswith(
        "PM of a and b: nothing was selected on 10.0 % of turns where the annotator must then write"
    )
    by_arm = {section.arm: section for section in results.sections}
    assert by_arm["user"].written_rate == pytest.approx(0.1)
    assert by_arm["random"].written_rate is None
    assert by_arm["random"].none_rate == pytest.approx(0.5)


def test_without_any_difference_to_see_the_none_rates_have_no_test() -> None:
    rows = [*chat(1, "ab", setting="sata-user", arm="u"), *(chat(2, "ab", arm="r"))]
    (rates,) = analyse_turns(rows, ASKED).none_rates
    assert rates.p_value is None


def test_third_parties_are_compared_with_participants_bot_by_bot() -> None:
    rows = [one for number in range(10) for one in chat(number, "ab+-ab")]
    others = [
        one.model_copy(
            update={
                "annotator": "reader",
                "participant": one.annotator,
                "continuation": None,
                "candidates": tuple(
                    card.model_copy(
                        update={
                            "selected": not card.selected
                            if card.bot == "b" and one.turn == 1
                            else card.selected
                        }
                    )
                    for card in one.candidates
                ),
            }
        )
        for one in rows[:30]
    ]
    section = section_of([*rows, *others])
    assert section.turns == 60
    together, a, b = section.third_party
    assert (together.bot, together.turns, a.kappa, a.alpha) == ("", 30, 1.0, 1.0)
    assert b.agreement == pytest.approx(25 / 30)
    assert b.kappa is not None
    assert 0.5 < b.kappa < 1.0
    assert section_of(rows).third_party == ()
