"""A report of several arms or questions begins with what was found in each."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from duologue.judgments import Row, write_table
from duologue.per_turn import TurnRow, write_turns
from duologue.protocols import Outcome
from duologue.reports import analyse_file, report_page
from duologue.reports.over_arms import summarise_parts
from tests.likert.rated import rated
from tests.nuc.test_report import answers
from tests.per_turn.chats import MadeUp, made_up

UNSAID = {"has_verdict": False}


def outcome(part: str, first: str, second: str, better: str | None, **more: bool) -> Outcome:
    return Outcome(part, first, second, 50, 0.5, None, better, **{"has_verdict": True, **more})


def comparisons(*arms: str) -> list[Row]:
    return [
        {
            "winner": "mint" if n % 10 or arm != "a" else "sage",
            "loser": "sage",
            "arm": arm,
            "question": "Who?",
        }
        | ({"winner": "sage", "loser": "mint"} if n % 10 == 0 or (arm == "b" and n % 2) else {})
        for arm in arms
        for n in range(60)
    ]


def turns(*arms: str) -> list[TurnRow]:
    rates = {"a": {"mint": 0.9, "sage": 0.2}, "b": {"mint": 0.5, "sage": 0.5}}
    return [
        one.model_copy(update={"dialogue": f"{arm}-{one.dialogue}", "annotator": f"{arm}-{one.annotator}"})
        for arm in arms
        for one in made_up(MadeUp(rates[arm]), ord(arm), arm=arm)
    ]


def summary_of(path: Path) -> list[tuple[str, str]]:
    """The rows of the summary with which the report of a table begins."""
    page = report_page(analyse_file(path).results)
    (first, *_) = re.findall(r"<h2>(.*?)</h2>", page)
    if first != "Summary":
        assert "over-arms" not in page
        return []
    table = page[page.index('id="over-arms"') :].partition("</table>")[0]
    return [
        (unescape(part), unescape(said)) for part, said in re.findall(r"<td>(.*?)</td><td>(.*?)</td>", table)
    ]


def test_several_arms_of_comparisons_are_summed_up_first(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    write_table(comparisons("a", "b"), path)
    assert summary_of(path) == [
        ("arm a, Who?", "mint is better than sage."),
        ("arm b, Who?", "No difference detected between mint and sage."),
    ]
    write_table(comparisons("a"), path)
    assert summary_of(path) == []


def test_several_questions_of_ratings_are_summed_up_first(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    rows = rated({"mint": 3.4, "sage": 1.6})
    write_table([{**one, "rating_fluency": 2 + n // 2 % 2} for n, one in enumerate(rows)], path)
    assert summary_of(path) == [
        ("enjoyment", "mint is better than sage."),
        ("fluency", "No difference detected between mint and sage."),
    ]
    write_table(rows, path)
    assert summary_of(path) == []


def test_several_corpora_of_questionnaires_are_summed_up_first(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    write_table(answers(skills={"novice": 0.5, "expert": 0.95}), path)
    assert summary_of(path) == [
        ("movies", "expert is better than novice."),
        ("ubuntu", "expert is better than novice."),
    ]


def test_several_arms_of_turns_are_summed_up_first(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    write_turns(turns("a", "b"), path)
    (first, second) = summary_of(path)
    assert (first[0], second[0]) == tuple(f"arm {arm} · PM-SATA-Random · mint, sage" for arm in "ab")
    assert first[1] == "mint is better than sage."
    assert second[1] == "No difference detected between mint and sage."
    write_turns(turns("a"), path)
    assert summary_of(path) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [("a", "b", "a", {}), ("a", "c", "a", {}), ("b", "c", None, {})],
            "a is better than b and c. No difference detected between b and c.",
        ),
        ([("a", "b", None, {}), ("a", "c", None, {})], "No difference detected in any of 2 comparisons."),
        ([("a", "b", None, {"is_open": True})], "Not decided between a and b."),
        (
            [("a", "b", None, UNSAID), ("a", "c", None, UNSAID), ("b", "c", "c", {})],
            "c is better than b. No verdict in 2 of 3 comparisons.",
        ),
        (
            [(better, worse, better, {}) for better, worse in ("ab", "bc", "cd", "de", "ef")],
            "a is better than b; b is better than c; c is better than d; 2 more differences.",
        ),
    ],
)
def test_the_verdicts_of_a_part_are_said_in_words(
    found: list[tuple[str, str, str | None, dict[str, bool]]], said: str
) -> None:
    rows = [outcome("x", first, second, better, **more) for first, second, better, more in found]
    assert summarise_parts([*rows, outcome("y", "a", "b", "a")])[0].verdict == said
