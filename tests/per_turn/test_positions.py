"""Where replies were shown: balance is looked at, and verdicts are adjusted for it or not given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import DesignError
from duologue.per_turn import (
    PerTurnAnalysisOptions,
    PerTurnResults,
    TurnQuestion,
    TurnRow,
    TurnSection,
    analyse_turns,
    read_turns,
    write_turns,
)
from duologue.per_turn.report import PerTurnReport
from duologue.per_turn.rows import Setting
from duologue.reports import analyse_file, write_results
from tests.per_turn.chats import row

ASKED = TurnQuestion(rules=(), draws=9)


def rows_in(
    orders: Sequence[str], *, setting: Setting = "sata-random", bonus: float = 0.3, seed: int = 1
) -> list[TurnRow]:
    """Chats of eight turns with equal bots, each in one order; the first reply is selected more often."""
    rng = np.random.default_rng(seed)
    found = []
    for number, order in enumerate(orders):
        for turn in range(1, 9):
            chosen = {bot: bool(rng.random() < 0.4 + bonus * (bot == order[0])) for bot in sorted(order)}
            if setting == "soba":
                weights = np.where([bot == order[0] for bot in sorted(order)], 1 + 4 * bonus, 1.0)
                best = rng.choice(len(order), p=weights / weights.sum())
                chosen = {bot: place == best for place, bot in enumerate(sorted(order))}
            found.append(row(chosen, dialogue=f"d{number}", turn=turn, order=order, setting=setting))
    return found


def section_of(rows: Sequence[TurnRow]) -> TurnSection:
    (section,) = analyse_turns(rows, ASKED).sections
    return section


def test_a_bot_that_was_always_first_is_not_called_better() -> None:
    section = section_of(rows_in(["ab"] * 40))
    (pair,) = section.pairs
    assert pair.verdict.better is None
    assert pair.tested.p_value is None
    assert pair.verdict.sentence.startswith(
        "No verdict on a and b: a was at position 1 on every turn, and turns do not tell what is the bot's "
        "and what the position's (state --shown-order not-recorded if the order in the table is not the one "
        "that was shown), so that nothing can be said about the bots."
    )
    assert section.anchoring is not None
    assert "random" not in section.anchoring.sentence
    assert section.anchoring.sentence.endswith("and turns do not tell by how much.")


def test_other_turns_tell_what_the_position_does_and_the_verdict_is_freed_of_it() -> None:
    section = section_of(rows_in(["ab"] * 34 + ["ba"] * 6))
    (pair,) = section.pairs
    rates = {bot.bot: bot for bot in section.bots}
    assert rates["a"].rate - rates["b"].rate > 0.15
    adjusted = [rates[bot].position_adjusted or 0.0 for bot in "ab"]
    assert pair.difference == pytest.approx(adjusted[0] - adjusted[1])
    assert pair.verdict.better is None
    assert "rates are position-adjusted" in pair.verdict.sentence
    assert pair.tested.naive == "position-adjusted rates"
    said = PerTurnReport().methods(analyse_turns(rows_in(["ab"] * 34 + ["ba"] * 6), ASKED), None)
    assert "the means of their rates at each position were compared" in said
    assert pair.interval is not None
    assert pair.interval.low < 0.0 < pair.interval.high
    assert section.anchoring is not None
    assert (
        "a was at position 1 on 85.0 % of turns: this may favour a bot, so that" in section.anchoring.sentence
    )


def test_a_bot_that_is_better_at_both_positions_is_better_in_an_unbalanced_table() -> None:
    rows = rows_in(["ab"] * 10 + ["ba"] * 30)
    better = [
        row(
            {"a": True, "b": one.selected()["b"] and one.turn < 4},
            dialogue=one.dialogue,
            turn=one.turn,
            order=sorted("ab", key=lambda bot: next(c.position or 0 for c in one.candidates if c.bot == bot)),
        )
        for one in rows
    ]
    (pair,) = section_of(better).pairs
    assert pair.verdict.better == "a"
    assert "rates are position-adjusted" in pair.verdict.sentence


def test_the_other_order_in_three_chats_only_tells_too_little() -> None:
    for others, is_told in ((3, False), (4, True)):
        (pair,) = section_of(rows_in(["ab"] * 40 + ["ba"] * others)).pairs
        assert (pair.tested.p_value is not None) == is_told


def test_balanced_positions_are_seen_and_not_called_random() -> None:
    section = section_of(rows_in(["ab", "ba"] * 20))
    assert section.pairs[0].tested.naive == "McNemar, mid-p"
    assert section.anchoring is not None
    assert section.anchoring.sentence.endswith(
        "No imbalance of the positions over the bots beyond chance is seen."
    )


def test_positions_that_a_study_of_ours_drew_are_called_random() -> None:
    (section,) = analyse_turns(
        rows_in(["ab"] * 40), TurnQuestion(rules=(), draws=9, is_randomised=True)
    ).sections
    assert section.pairs[0].verdict.better == "a"
    assert section.anchoring is not None
    assert "Positions were drawn at random on every turn" in section.anchoring.sentence


@pytest.mark.parametrize("setting", ["soba", "sata-random"])
def test_of_several_bots_the_position_is_taken_out_of_all_verdicts(setting: Setting) -> None:
    fixed = section_of(rows_in(["abc"] * 40, setting=setting))
    compared = [fixed.all_bots, *fixed.pairs]
    assert {one.verdict.why_none.partition(",")[0] for one in compared if one is not None} == {
        "a was at position 1 on every turn"
    }
    mixed = section_of(rows_in(["abc"] * 24 + ["bca"] * 8 + ["cab"] * 8, setting=setting))
    assert mixed.all_bots is not None
    assert not mixed.all_bots.verdict.is_different
    assert mixed.all_bots.tested.p_naive is not None
    assert mixed.all_bots.tested.p_naive > 0.05
    assert "(position-adjusted)" in mixed.all_bots.verdict.sentence
    assert {pair.verdict.better for pair in mixed.pairs} <= {None}


def test_nothing_is_said_of_positions_that_are_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    rows = rows_in(["ab"] * 40)
    write_turns(rows, path)
    analysed = analyse_file(path, options=PerTurnAnalysisOptions(shown_order="not-recorded"))
    results = analysed.results
    assert isinstance(results, PerTurnResults)
    (section,) = results.sections
    assert section.pairs[0].verdict.better == "a"
    assert section.anchoring is None
    assert {bot.position_adjusted for bot in section.bots} == {None}
    assert results.warnings == (
        "Where replies were shown is not recorded: whether positions favour a bot could not be checked.",
    )
    write_results(analysed, (), tmp_path / "out")
    written = read_turns(tmp_path / "out" / "tables" / "turns.jsonl")
    assert [one.candidates for one in written] == [one.candidates for one in rows]
    assert {one.annotator for one in written} == {f"annotator {number}" for number in range(1, 41)}


def test_without_positions_there_is_no_fixed_pattern_and_all_or_none_still_is_one(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    chosen = {"first": (True, False), "all": (True, True)}
    made = [
        row(dict(zip("ab", both, strict=True)), dialogue=name, turn=turn, order=["ab", "ba"][turn % 2])
        for name, both in chosen.items()
        for turn in range(1, 9)
    ]
    write_turns([*made, *rows_in(["ab", "ba"])], path)
    options = PerTurnAnalysisOptions(shown_order="not-recorded", rules=("all",))
    results = analyse_file(path, options=options).results
    assert isinstance(results, PerTurnResults)
    found = {rule.rule: rule.turns for rule in results.screening.rules}
    assert (found["fixed-pattern"], found["all-or-none"]) == (0, 8)


def test_the_order_that_was_shown_is_recorded_or_not() -> None:
    with pytest.raises(DesignError, match='--shown-order left: give "not-recorded"'):
        PerTurnAnalysisOptions.read({"shown_order": "left"})
