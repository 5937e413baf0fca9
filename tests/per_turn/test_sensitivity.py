"""Findings across arms: which setting and which mechanism needs fewer turns, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.per_turn import PerTurnResults, Setting, TurnQuestion, TurnRow, analyse_turns
from duologue.per_turn.analysis.sensitivity import mechanisms_compared, turns_needed
from duologue.per_turn.report import PerTurnReport
from duologue.per_turn.report.text import results_in_words
from duologue.reports import report_page
from duologue.stats import mcnemar_power
from tests.per_turn.chats import row

ASKED = TurnQuestion(rules=(), draws=99, is_randomised=True)
BOTS = "ab", "ac", "bc"


def arm(
    name: str, turns: Sequence[str], bots: str, setting: Setting, *, repeat: int = 1
) -> Iterator[TurnRow]:
    """Each turn (the bots selected on it) as a dialogue of its own, or the same one ``repeat`` times."""
    for number, chosen in enumerate(turns):
        for turn in range(1, repeat + 1):
            yield row(
                {bot: bot in chosen for bot in bots},
                dialogue=f"{name}{number}",
                turn=turn,
                setting=setting,
                arm=name,
                pay=0.5,
                dialogue_seconds=72.0,
            )


def soba(first: int, second: int, bots: str = "ab") -> list[str]:
    return [bots[0]] * first + [bots[1]] * second


SATA = ["a"] * 49 + ["b"] * 38 + ["ab"] * 6 + [""] * 7


def test_the_papers_effects_need_the_turns_that_exact_power_says() -> None:
    """As in Table 3: 62 to 38 % under SOBA, and a gap of 11 points with 87 % discordance under SATA."""
    rows = [*arm("soba", soba(62, 38), "ab", "soba"), *arm("sata", SATA, "ab", "sata-random")]
    (pair,) = analyse_turns(rows, ASKED).across
    sata, best = pair.settings
    assert sata.needed is not None
    assert best.needed is not None
    assert (best.needed.turns, sata.needed.turns) == (134, 562)
    assert float(mcnemar_power([134], 0.24, discordance=1.0)[0]) == pytest.approx(0.8, abs=0.02)
    assert float(mcnemar_power([562], 0.11, discordance=0.87)[0]) == pytest.approx(0.8, abs=0.02)
    assert best.needed.pay == pytest.approx(134 * 0.5)
    assert best.needed.hours == pytest.approx(134 * 72 / 3600)


def test_turns_that_say_the_same_again_are_needed_again() -> None:
    once = analyse_turns(list(arm("x", SATA, "ab", "sata-random")), ASKED).sections[0]
    thrice = analyse_turns(list(arm("x", SATA, "ab", "sata-random", repeat=3)), ASKED).sections[0]
    few, many = (turns_needed(one, one.pairs[0], alpha=0.05, power=0.8) for one in (once, thrice))
    assert few is not None
    assert many is not None
    assert many.turns == pytest.approx(3 * few.turns, rel=0.03)
    assert many.hours == pytest.approx(few.hours, rel=0.03)
    surer = turns_needed(once, once.pairs[0], alpha=0.05, power=0.9)
    assert surer is not None
    assert surer.turns > few.turns


def test_without_a_difference_or_a_price_nothing_is_said_of_them() -> None:
    rows = list(arm("x", soba(5, 5), "ab", "soba"))
    (section,) = analyse_turns(rows, ASKED).sections
    assert turns_needed(section, section.pairs[0], alpha=0.05, power=0.8) is None
    free = [one.model_copy(update={"pay": None, "dialogue_seconds": None}) for one in study()]
    results = analyse_turns(free, ASKED)
    assert {one.needed.pay for pair in results.across for one in pair.settings if one.needed} == {None}
    assert "needs" in words(results)
    assert "pay of" not in words(results)


def study() -> Iterator[TurnRow]:
    """Three bots: every pair by itself in two settings; and all at once in a third, select all that apply."""
    for bots in BOTS:
        yield from arm(f"pm-{bots}", soba(62, 38, bots), bots, "soba")
        yield from arm(f"user-{bots}", soba(62, 38, bots), bots, "sata-user")
    every = ["a"] * 40 + ["b"] * 25 + ["c"] * 10 + ["ab"] * 10 + ["abc"] * 5 + [""] * 10
    yield from arm("mm", every, "abc", "sata-random")


def words(results: PerTurnResults) -> str:
    return "\n".join(line for line in results_in_words(results) if isinstance(line, str))


def test_two_bots_at_a_time_need_the_sum_and_all_at_once_the_largest(tmp_path: Path) -> None:
    results = analyse_turns(list(study()), ASKED)
    (found,) = results.mechanisms
    needed = [
        one.needed.turns
        for pair in results.across
        for one in pair.settings
        if one.design == "MM-SATA-Random" and one.needed
    ]
    assert len(needed) == 3
    assert (found.pairwise, found.multi, len(found.pairs)) == ("PM-SOBA", "MM-SATA-Random", 3)
    assert (found.pairwise_turns, found.multi_turns) == (3 * 134, max(needed))
    said = "PM-SOBA needs about 402 turns in 3 arms of two bots"
    assert said in words(results)
    assert said in report_page(results)
    assert "a and b, sensitivity: to find a difference as large as the one seen with" in words(results)
    rows = list(dict(PerTurnReport().report_tables(results))["settings.csv"])
    assert {one["turns_needed"] for one in rows if one["design"] == "PM-SOBA"} == {134}
    path = tmp_path / "results.json"
    path.write_text(results.to_json(), encoding="utf-8")
    assert PerTurnResults.read(path).mechanisms == results.mechanisms


def test_a_pair_without_a_difference_is_left_out() -> None:
    first, *others = analyse_turns(list(study()), ASKED).across
    unseen = replace(first, settings=tuple(replace(one, needed=None) for one in first.settings))
    (found,) = mechanisms_compared([unseen, *others])
    assert found.pairs == (("a", "c"), ("b", "c"))
    assert mechanisms_compared([unseen, others[0]]) == ()
