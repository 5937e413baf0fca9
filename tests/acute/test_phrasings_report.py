"""The report of a study of phrasings: Table 1's form, a figure, and nothing about bots."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.acute import AcuteResults
from duologue.acute.phrasings.design.pairs import pick_pair
from duologue.acute.phrasings.design.template import phrasings_template
from duologue.acute.phrasings.report.figure import agreement_figure
from duologue.acute.phrasings.report.text import phrasings_in_words
from duologue.errors import AnalysisError
from duologue.judgments import write_table
from duologue.protocols import Half
from duologue.reports import analyse_file, analyse_study, report_of, write_report
from duologue.store import REHEARSAL, judgment_rows, note_fact, open_study
from duologue.studies import Study, load_study, new_study
from tests.reports.judged_study import load, sit
from tests.studies.conftest import write_dialogues

BY_PHRASING = {"long-conversation": 8, "captivating": 5, "engaging-to-talk-to": 4}
"""Of eight annotators of each phrasing, how many choose the good bot; others all do."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Two axes, one pair, eight annotators for each phrasing."""
    template = phrasings_template(["engagingness", "humanness"], annotators=8)
    made = new_study(tmp_path_factory.mktemp("report") / "q", seed=5, template=template)
    for bot in ("good", "weak"):
        write_dialogues(made.folder, bot, 2)
    pick_pair(made, "good-0", "weak-0")
    seen = dict.fromkeys(BY_PHRASING, 0)

    def prefers(work: object) -> tuple[str, str]:
        arm = work.arm  # type: ignore[attr-defined]
        seen[arm] = seen.get(arm, 0) + 1
        return ("good" if seen[arm] <= BY_PHRASING.get(arm, 8) else "weak"), "because"

    with open_study(made) as store:
        load(made, store)
        for _ in range(24):
            sit(made, store, prefers)
    return load_study(made.folder)


@pytest.fixture(scope="module")
def results(study: Study) -> AcuteResults:
    with open_study(study) as store:
        found = analyse_study(study, store).results
    assert isinstance(found, AcuteResults)
    return found


@pytest.fixture(scope="module")
def folder(study: Study, results: AcuteResults, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("written")
    write_report(results, out, study=study)
    return out


def test_everybody_sees_one_phrasing_of_each_axis_and_bots_get_no_verdict(
    results: AcuteResults,
) -> None:
    assert results.sections == ()
    assert results.phrasings is not None
    assert [axis.axis for axis in results.phrasings.axes] == ["engagingness", "humanness"]
    assert {one.n for axis in results.phrasings.axes for one in axis.phrasings} == {8}
    assert results.phrasings.axes[0].best == "long-conversation"


def test_results_are_read_back_as_they_were(results: AcuteResults, folder: Path) -> None:
    assert AcuteResults.read(folder / "results.json") == results
    assert json.loads((folder / "results.json").read_text(encoding="utf-8"))["phrasings"]["counted"] == 48


def test_the_page_has_the_table_the_plot_and_the_caveats(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in (
        "<h2>Phrasings</h2>",
        "the numbers hold for this pair",
        "Who would you prefer to talk to for a long conversation?<small>long-conversation</small>",
        "I would prefer to talk to Speaker 1",
        "*100.0\u00a0%",
        "Agreement with intervals",
        "biased upwards",
    ):
        assert words in page
    assert "Win matrix" not in page


def test_the_tables_are_those_of_phrasings(folder: Path) -> None:
    with (folder / "tables" / "phrasings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["arm"] for row in rows[:3]] == ["long-conversation", "captivating", "engaging-to-talk-to"]
    assert [row["modal"] for row in rows[:3]] == ["8", "5", "4"]
    latex = (folder / "tables" / "phrasings.tex").read_text(encoding="utf-8")
    assert r"I would prefer to talk to Speaker 1 & 8 & \textbf{*100.0\%}" in latex
    assert r"\multicolumn{6}{c}{Humanness}" in latex
    assert not (folder / "tables" / "matchups.csv").exists()
    assert (folder / "figures" / "phrasings.svg").stat().st_size > 5000


def test_methods_say_how_phrasings_were_asked_and_tested(folder: Path) -> None:
    text = (folder / "methods.txt").read_text(encoding="utf-8")
    assert "How annotators were recruited is not stated" in text
    for words in ("8 annotators about each pair", "one phrasing of each axis", "two-proportion z-test"):
        assert words in text


def test_the_command_line_says_the_same(results: AcuteResults) -> None:
    assert results.phrasings is not None
    lines = [line for line in phrasings_in_words(results.phrasings) if isinstance(line, str)]
    assert any("annotators agree most by long-conversation" in line for line in lines)
    assert results.phrasings.scope in lines


def test_verdicts_are_set_beside_those_without_flagged_judgments(study: Study, results: AcuteResults) -> None:
    outcomes = list(report_of("acute").outcomes(results))
    assert len(outcomes) == 6
    with open_study(study) as store:
        half = analyse_study(study, store, half=Half(seed=1, number=1)).results
    assert isinstance(half, AcuteResults)
    assert half.phrasings is not None
    assert all(one.planned is None for axis in half.phrasings.axes for one in axis.phrasings)


def test_an_export_is_analysed_as_the_study_is(
    study: Study, results: AcuteResults, tmp_path: Path, undrawn: None
) -> None:
    table = tmp_path / "phrasings.csv"
    with open_study(study) as store:
        write_table(judgment_rows(study, store), table)
    found = analyse_file(table).results
    assert isinstance(found, AcuteResults)
    assert (found.sections, found.warnings) == ((), ())
    assert found.phrasings is not None
    assert results.phrasings is not None
    assert (found.phrasings.family, found.phrasings.scope) == (
        results.phrasings.family,
        results.phrasings.scope,
    )
    for axis, of_study in zip(found.phrasings.axes, results.phrasings.axes, strict=True):
        assert (axis.axis, axis.best, axis.p_adjusted) == (of_study.axis, of_study.best, of_study.p_adjusted)
        ours = {one.arm: replace(one, planned=None) for one in of_study.phrasings}
        assert {one.arm: one for one in axis.phrasings} == ours
    write_report(found, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "I would prefer to talk to Speaker 1" in page
    methods = (tmp_path / "out" / "methods.txt").read_text(encoding="utf-8")
    assert methods.startswith(
        "The judgments come from a file; how they were asked for is not known here. All "
    )
    assert "Of 48 judgments collected, 0 were excluded; 48 count." in methods


def test_a_rehearsal_without_judgments_has_a_report_too(tmp_path: Path) -> None:
    study = new_study(tmp_path / "q", collect="phrasings")
    with open_study(study) as store:
        with pytest.raises(AnalysisError, match="no judgments yet"):
            analyse_study(study, store)
        store.run(note_fact(REHEARSAL, "simulated"))
        results = analyse_study(study, store).results
    assert isinstance(results, AcuteResults)
    assert results.phrasings is not None
    assert agreement_figure(results.phrasings) is None
    write_report(results, tmp_path / "out", study=study)
    assert "Nobody has judged" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_questions_are_ranked_by_how_far_they_separate_the_pair(results: AcuteResults, folder: Path) -> None:
    assert results.questions is not None
    separated = {one.arm: one for one in results.questions.questions}
    assert len(separated) == 6
    assert separated["long-conversation"].separation == 1
    assert separated["long-conversation"].axis == "engagingness"
    with (folder / "tables" / "phrasings.csv").open(encoding="utf-8") as file:
        rows = {row["arm"]: row for row in csv.DictReader(file)}
    assert float(rows["captivating"]["separation"]) == separated["captivating"].separation
    assert rows["captivating"]["separation_high"] == str(separated["captivating"].interval.high)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("Which question separates the bots") == 1
    assert "engagingness: long-conversation (good)" in page
