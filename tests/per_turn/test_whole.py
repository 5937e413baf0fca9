"""Questions about the whole conversation: what each section answered, and how far sections differ."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import FormatError
from duologue.per_turn import PerTurnResults, TurnQuestion, TurnRow, analyse_turns, read_turns, write_turns
from duologue.per_turn.report import PerTurnReport
from duologue.reports import report_page, write_report
from tests.per_turn.chats import MadeUp, made_up

NONE = TurnQuestion(rules=(), draws=9, whole={"fun": ("Was it fun?", ("No", "", "Yes", "", "Very"))})
PM, MM = {"a": 0.6, "b": 0.4}, {"a": 0.6, "b": 0.4, "c": 0.4}


def answered(
    arm: str, points: list[int], *, people: list[str] | None = None, turns: int = 3, revision: int = 1
) -> Iterator[TurnRow]:
    """Chats of an arm with what was answered after each, by annotators of their own if none are named."""
    study = MadeUp(PM if arm.startswith("pm") else MM, annotators=len(points), turns=turns)
    for one in made_up(study, 1, arm=arm, revision=revision):
        number = int(one.dialogue[1:])
        yield TurnRow.model_validate(
            one.model_dump()
            | {
                "dialogue": f"{arm}{revision}{one.dialogue}",
                "annotator": people[number] if people else f"{arm}{number}",
                "whole": {"fun": {"point": points[number], "of": 5}},
            }
        )


LOW, HIGH = [1, 2, 2, 3, 1, 2, 3, 2], [4, 5, 3, 4, 4, 5, 5, 3]


def test_answers_have_a_mean_with_an_interval_by_annotator() -> None:
    rows = tuple(answered("pm", LOW))
    (fun,) = analyse_turns(rows, NONE).sections[0].whole
    assert (fun.name, fun.text, fun.labels[2]) == ("fun", "Was it fun?", "Yes")
    assert (fun.dialogues, fun.annotators, fun.counts) == (8, 8, (2, 4, 2, 0, 0))
    assert fun.mean == np.mean(LOW)
    half = stats.t.ppf(0.975, 7) * np.std(LOW, ddof=1) / np.sqrt(8)
    assert fun.interval is not None
    assert fun.interval.limits == pytest.approx((fun.mean - half, fun.mean + half))
    unknown = analyse_turns(rows, replace(NONE, whole={})).sections[0].whole[0]
    assert (unknown.text, unknown.labels) == ("", ())
    twice = tuple(answered("pm", LOW, people=[f"w{n // 2}" for n in range(8)]))
    (by_four,) = analyse_turns(twice, NONE).sections[0].whole
    assert (by_four.annotators, by_four.dialogues) == (4, 8)
    pairs = np.reshape(LOW, (4, 2)).mean(axis=1)
    half = stats.t.ppf(0.975, 3) * pairs.std(ddof=1) / 2
    assert by_four.interval is not None
    assert by_four.interval.limits == pytest.approx((fun.mean - half, fun.mean + half))


def test_one_annotator_has_no_interval_and_further_questions_about_cards_have_no_answers() -> None:
    rows = [
        one.model_copy(
            update={
                "candidates": tuple(
                    card.model_copy(update={"dimensions": {"human": card.selected}})
                    for card in one.candidates
                )
            }
        )
        for one in answered("pm", LOW, people=["ann"] * 8)
    ]
    main, human = analyse_turns(rows, NONE).sections
    assert main.whole[0].interval is None
    assert human.whole == ()


def test_dialogues_that_do_not_count_are_not_answered_about() -> None:
    change: dict[str, dict[str, object]] = {"pm0": {"excluded": "by hand"}, "pm1": {"whole": {}}}
    rows = [one.model_copy(update=change.get(one.annotator, {})) for one in answered("pm", LOW)]
    assert analyse_turns(rows, NONE).sections[0].whole[0].dialogues == 6


def test_sections_are_compared_by_welchs_test_where_nobody_answers_twice() -> None:
    rows = [*answered("pm", LOW), *answered("mm", HIGH)]
    (found,) = analyse_turns(rows, NONE).whole_differences
    assert found.p_value == pytest.approx(stats.ttest_ind(LOW, HIGH, equal_var=False).pvalue)
    assert found.higher == found.first
    assert (found.first, found.second) == ("arm mm", "arm pm")
    assert found.sentence.startswith(
        "fun: higher after arm mm than after arm pm (mean 4.12 after arm mm, 2.00 after arm pm; arm mm "
        "minus arm pm: 95 % interval ["
    )
    (turned,) = analyse_turns([*answered("pm", HIGH), *answered("mm", LOW)], NONE).whole_differences
    assert turned.higher == turned.second
    assert turned.interval.high < 0
    assert (
        "(mean 4.12 after arm pm, 2.00 after arm mm; arm pm minus arm mm: 95 % interval [1."
        in turned.sentence
    )
    (same,) = analyse_turns([*answered("pm", LOW), *answered("mm", LOW)], NONE).whole_differences
    assert same.higher is None
    assert (
        "no difference detected between arm mm and arm pm (mean 2.00 after arm mm, 2.00 after"
        in same.sentence
    )
    unnamed = [row.model_copy(update={"arm": ""}) for row in rows]
    (found,) = analyse_turns(unnamed, NONE).whole_differences
    assert {found.first.split(" · ")[0], found.second.split(" · ")[0]} == {"MM-SATA-Random", "PM-SATA-Random"}


def test_who_answers_in_both_sections_is_compared_with_themselves() -> None:
    people = [f"w{n}" for n in range(8)]
    rows = [*answered("pm", LOW, people=people), *answered("mm", HIGH, people=people)]
    (found,) = analyse_turns(rows, NONE).whole_differences
    assert found.p_value == pytest.approx(stats.ttest_rel(LOW, HIGH).pvalue, rel=1e-3)


def test_who_answers_several_times_in_a_section_is_a_cluster() -> None:
    people = [f"w{n // 2}" for n in range(8)]
    rows = [*answered("pm", LOW, people=people), *answered("mm", HIGH, people=people)]
    (found,) = analyse_turns(rows, NONE).whole_differences
    alone = stats.ttest_rel(np.reshape(LOW, (4, 2)).mean(1), np.reshape(HIGH, (4, 2)).mean(1)).pvalue
    assert found.p_value >= alone - 1e-9
    opposed = [
        *answered("pm", [5, 1, 1, 1, 1, 1, 1, 5], people=["x", "y", "y", "y", "y", "y", "y", "z"]),
        *answered("mm", [4, 4, 4, 4, 1, 1, 3, 4], people=["x", "x", "x", "x", "y", "y", "z", "z"]),
    ]
    (nothing,) = analyse_turns(opposed, NONE).whole_differences
    assert nothing.p_value == 1
    assert nothing.higher is None


def test_too_few_answers_and_other_revisions_are_not_compared() -> None:
    assert analyse_turns([*answered("pm", LOW), *answered("mm", [3])], NONE).whole_differences == ()
    few = [*answered("pm", [1, 2], people=["x", "y"]), *answered("mm", [2, 2], people=["x", "y"])]
    assert analyse_turns(few, NONE).whole_differences == ()
    alike = [*answered("pm", [2] * 4, people=[*"wxyz"]), *answered("mm", [2] * 4, people=[*"wxyz"])]
    assert analyse_turns(alike, NONE).whole_differences == ()
    revised = [*answered("pm", LOW), *answered("pm", HIGH, revision=2)]
    assert analyse_turns(revised, NONE).whole_differences == ()


def test_without_an_interval_none_is_named() -> None:
    few = analyse_turns([*answered("pm", [1, 2], people=["x", "x"])], NONE)
    assert few.sections[0].whole[0].interval is None
    assert "intervals of the means" not in PerTurnReport().methods(few, None)
    page = report_page(few)
    assert "Mean, without an interval: all answers are of one annotator or about one dialogue." in page
    assert "Mean with its interval" not in page


@pytest.fixture(scope="module")
def results() -> PerTurnResults:
    return analyse_turns([*answered("pm", LOW), *answered("mm", HIGH), *answered("mmm", HIGH)], NONE)


def test_answers_stand_on_the_page_in_tables_and_in_words(results: PerTurnResults, tmp_path: Path) -> None:
    page = report_page(results).replace("\u00a0%", " %")
    assert page.count("About the whole conversation") == 4
    assert "1 (No): 2; 2: 4; 3 (Yes): 2" in page
    assert results.whole_differences[0].sentence in page
    said = PerTurnReport().methods(results, None)
    assert "questions about the whole conversation" in said
    assert "intervals of the means are clustered by annotator and dialogue (CR3)" in said
    assert "p compares the number of repeats, not the two shares." in page
    assert "(stated: 80.0 %). This is about the plan" in page
    assert "calibrated contrast" in said
    levels = "Each interval has the level at which Holm's method tests its difference."
    assert levels.replace("'", "&#39;") in page
    assert levels in said
    assert levels in list(PerTurnReport().in_words(results))
    one = replace(results, whole_differences=(replace(results.whole_differences[0], family=1),))
    assert levels not in PerTurnReport().methods(one, None)
    write_report(results, tmp_path)
    with (tmp_path / "tables" / "whole.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["counts"] for row in rows] == ["0|0|2|3|3", "0|0|2|3|3", "2|4|2|0|0"]
    with (tmp_path / "tables" / "whole_differences.csv").open(encoding="utf-8", newline="") as file:
        assert [bool(row["higher"]) for row in csv.DictReader(file)] == [False, True, True]
    assert PerTurnResults.read(tmp_path / "results.json") == results


def test_a_file_carries_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    rows = (*answered("pm", LOW), *answered("mm", HIGH, people=["w"] * 8))
    write_turns(rows, path)
    assert read_turns(path) == rows
    said = CliRunner().invoke(app, ["analyse", str(path), "--rules", "none"])
    assert said.exit_code == 0, said.output
    words = " ".join(said.output.split())
    assert "About the whole conversation, fun: 2.00 [1.37, 2.63], clustered, on a scale from 1 to 5" in words
    assert "About the whole conversation, fun: 4.12, on a scale from 1 to 5, in 8 dialogues." in words


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        ({"fun": {"point": 6, "of": 5}}, "whole: expected a point from 1 to 5 and found 6"),
        ({"fun": {"point": 4, "of": 5}}, "whole: expected the same in all rows of dialogue 'pm1d0'"),
        ({"fun": 4}, r"whole\.fun"),
    ],
)
def test_answers_that_contradict_themselves_are_refused(whole: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    write_turns(answered("pm", [3, 2]), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "whole": whole})
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_turns(path)
