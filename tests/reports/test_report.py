"""The report: one page that needs nothing else, figures that come out alike, and tables for a paper."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import cast

import pytest
from fontTools.ttLib import TTFont

from duologue.acute import AcuteResults, Example, analyse_votes
from duologue.judgments import Row, votes_from_rows
from duologue.reports import analyse_study, choose_examples, report_page, write_report
from duologue.store import open_store
from duologue.studies import Study
from tests.reports.judged_study import compared, load, make_study, prefers_earlier, prefers_later, sit

VOID = {"meta", "link", "br", "img", "input", "hr", "line", "rect", "circle", "polyline"}


class Nesting(HTMLParser):
    """Follows tags in and out, and keeps what could reach another host or run a script."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.faults += [
            f"{tag} {name}" for name, _ in attrs if name in ("src", "href") or name.startswith("on")
        ]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")


@pytest.fixture(scope="module")
def judged(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Study, AcuteResults, tuple[Example, ...]]]:
    study = make_study(tmp_path_factory.mktemp("judged") / "study")
    with open_store(study.database) as store:
        load(study, store)
        for _ in range(11):
            sit(study, store, prefers_earlier())
        sit(study, store, prefers_later())
        examples = choose_examples(study, store)
        assert all(isinstance(example, Example) for example in examples)
        yield study, compared(analyse_study(study, store)), cast("tuple[Example, ...]", examples)


@pytest.fixture(scope="module")
def report(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of the report."""
    study, results, examples = judged
    folder = tmp_path_factory.mktemp("report")
    write_report(results, folder, study=study, examples=examples)
    return folder


def page_of(judged: tuple[Study, AcuteResults, tuple[Example, ...]]) -> str:
    study, results, examples = judged
    return report_page(results, study=study, examples=examples)


def test_the_page_is_well_formed_and_needs_nothing_else(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]],
) -> None:
    page = page_of(judged)
    nesting = Nesting()
    nesting.feed(page)
    assert nesting.faults == []
    assert nesting.open == []
    assert not {"script", "link", "iframe", "img"} & nesting.tags
    assert "http" not in page
    assert "url(" not in page


def test_everything_people_and_bots_wrote_is_escaped(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]],
) -> None:
    page = page_of(judged)
    assert "&lt;script&gt;fun&lt;/script&gt;" in page
    assert "bob &lt;b&gt;&amp;amp;" in page
    assert "three &lt;i&gt;bots&lt;/i&gt;" in page
    assert "<i>bots" not in page
    assert "&lt;img src=" in page


def test_verdicts_come_first_and_everything_promised_is_there(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]],
) -> None:
    page = page_of(judged)
    headings = re.findall(r"<h[23]>(.*?)</h[23]>", page)
    assert headings[:6] == [
        "Verdicts",
        "Leaderboard",
        "Win matrix",
        "Win rates with intervals",
        "Quality of the judgments",
        "From all judgments to those that count",
    ]
    assert {"Examples", "Methods", "To cite", "Provenance"} <= set(headings)
    assert "ann is better than" in page


def test_methods_name_question_choices_screening_test_and_software(report: Path) -> None:
    methods = (report / "methods.txt").read_text()
    for needed in (
        "Who would you prefer to talk to for a long conversation?",
        "I would prefer to talk to Speaker 1",
        "I would prefer to talk to Speaker 2",
        "1 onboarding comparison with a known answer",
        "never gave a reason",
        "exact two-sided binomial test",
        "Holm",
        "alpha = 0.05",
        "Duologue 0.",
        "scipy",
    ):
        assert needed in methods, needed


def test_examples_show_both_dialogues_and_the_reason(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]],
) -> None:
    _, _, examples = judged
    assert len(examples) == 3
    for example in examples:
        assert example.winner.bot != example.loser.bot
        assert example.reason == "<script>fun</script>"
        assert [turn.is_judged for turn in example.winner.turns] == [False, True, False]


def test_a_rehearsal_says_so_on_top() -> None:
    from dataclasses import replace

    from duologue.protocols import Provenance

    results = analyse_votes(votes_from_rows([{"winner": "A", "loser": "B"}]))
    rehearsed = replace(results, provenance=Provenance(duologue="0", is_rehearsal=True))
    page = report_page(rehearsed)
    assert "simulated annotators" in page
    assert "they say nothing about what people would answer." in page  # a questionnaire has no bots
    assert "Seconds, hours and pay are theirs too: they say nothing about people." in page
    assert "simulated annotators" not in report_page(results)


def test_what_a_file_cannot_show_is_said() -> None:
    page = report_page(analyse_votes(votes_from_rows([{"winner": "A", "loser": "B"}] * 9)))
    for missing in ("Example dialogues", "Position effect", "Agreement", "Time", "Progress", "A/A result"):
        assert f"<li>{missing}" in page, missing
    assert "<li>Progress: it is not known when judgments were given." in page
    assert "how they were asked for is not known" in page


def test_no_judgments_at_all_still_make_a_page() -> None:
    assert "No judgment counts" in report_page(analyse_votes(votes_from_rows([])))


def test_the_same_results_give_the_same_files(
    judged: tuple[Study, AcuteResults, tuple[Example, ...]], report: Path, tmp_path: Path
) -> None:
    study, results, examples = judged
    written = write_report(results, tmp_path, study=study, examples=examples)
    for path in written:
        assert path.read_bytes() == (report / path.relative_to(tmp_path)).read_bytes(), path.name
    assert len(list(tmp_path.rglob("*.*"))) == len(list(report.rglob("*.*")))
    names = {path.name for path in written}
    assert {"report.html", "results.json", "matchups.csv", "matchups.tex", "win-matrix.tex"} <= names
    assert {"win-matrix.svg", "win-matrix.pdf", "forest.svg", "forest.pdf", "exclusions.svg"} <= names


def test_figures_bring_their_letters_and_nothing_that_only_sets_text(report: Path) -> None:
    figure = (report / "figures" / "forest.pdf").read_bytes()
    streams = [
        zlib.decompress(one) for one in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", figure, re.DOTALL)
    ]
    fonts = [TTFont(io.BytesIO(one)) for one in streams if one.startswith(b"\0\1\0\0")]
    assert fonts
    for font in fonts:
        assert {"glyf", "hmtx"} <= set(font.keys())
        assert not {"GDEF", "GPOS", "GSUB"} & set(font.keys())


@pytest.mark.usefixtures("undrawn")
def test_each_section_has_files_of_its_own(tmp_path: Path) -> None:
    rows: list[Row] = [{"winner": "A", "loser": "B", "arm": arm} for arm in ("x y", "x/y") for _ in range(3)]
    written = write_report(analyse_votes(votes_from_rows(rows)), tmp_path)
    names = {path.name for path in written}
    assert {"matchups.arm-x-y.tex", "matchups.arm-x-y-2.tex", "forest.arm-x-y.svg"} <= names


def test_latex_tables_are_balanced_and_escaped(report: Path) -> None:
    for name, cells in (("matchups.tex", 8), ("win-matrix.tex", 4)):
        text = (report / "tables" / name).read_text()
        for pair in ("table", "tabular"):
            assert text.count(rf"\begin{{{pair}}}") == text.count(rf"\end{{{pair}}}") == 1
        assert r"\toprule" in text
        assert r"\bottomrule" in text
        assert r"bob \textless{}b\textgreater{}\&amp;" in text
        lines = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {cells}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_latex_tables_compile(report: Path, tmp_path: Path) -> None:
    shutil.copytree(report / "tables", tmp_path / "tables")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\\begin{document}"
        "\\input{tables/matchups}\\input{tables/win-matrix}\\end{document}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "paper.pdf").exists()


def test_progress_is_drawn_when_times_are_known() -> None:
    rows: list[Row] = [
        {"winner": "A", "loser": "B", "at": f"2026-05-0{day}T12:00:00+00:00"}
        for day in (1, 2, 3)
        for _ in "ab"
    ]
    page = report_page(analyse_votes(votes_from_rows(rows)))
    assert "2026-05-01 12:00 UTC" in page
    assert 'points="0.00,83.33 ' in page


def test_many_matchups_are_cut_with_a_word_about_it(tmp_path: Path) -> None:
    bots = [f"bot {number:02}" for number in range(32)]
    rows: list[Row] = [{"winner": a, "loser": b} for a in bots for b in bots if a < b]
    results = analyse_votes(votes_from_rows(rows))
    page = report_page(results)
    assert "The 60 surest of 496 matchups are shown" in page
    assert "Win matrix of 32 bots as a heat map" in page
    assert "These are the 20 surest of 496 matchups" in page
    assert page.count('class="label"') == 20


@pytest.mark.usefixtures("undrawn")
def test_a_sequential_study_says_stop_or_go_on_for_every_matchup(tmp_path: Path) -> None:
    rows: list[Row] = [{"winner": "A", "loser": "B"}] * 40
    rows += [{"winner": "B", "loser": "<C>"}] * 3
    results = analyse_votes(votes_from_rows(rows), stopping="sequential")
    page = report_page(results)
    assert "Sequential: stop: A is better. The evidence against equal bots reached 40 after " in page
    assert "Sequential: continue. After 3 judgments with a winner" in page
    assert "shared by Bonferroni among 2 matchups" in page
    assert "<small>e ≥ 40</small>" in page
    assert "not valid at interim looks" in page
    assert "Holm-adjusted p ≤" not in page
    assert "Stopping was declared to be sequential: for each matchup a mixture sequential" in page
    parser = Nesting()
    parser.feed(page)
    assert (parser.open, parser.faults) == ([], [])
    write_report(results, tmp_path)
    assert "better by the sequential test" in (tmp_path / "tables" / "win-matrix.tex").read_text()
    assert "rest on the sequential test" in (tmp_path / "tables" / "matchups.tex").read_text()


def test_a_study_with_a_fixed_number_says_nothing_of_stopping_early() -> None:
    page = report_page(analyse_votes(votes_from_rows([{"winner": "A", "loser": "B"}] * 40), stopping="fixed"))
    assert "Sequential" not in page
    assert "Holm-adjusted p ≤ 0.05" in page
