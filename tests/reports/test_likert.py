"""The report of ratings: the page, its figures and tables, and what the command line says."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.table import Table

from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.errors import FormatError
from duologue.judgments import write_table
from duologue.likert import (
    FlagCount,
    LikertProtocol,
    LikertResults,
    LikertSettings,
    RatingQuestionSettings,
    analyse_ratings,
)
from duologue.likert.report import LikertReport, RatedExample
from duologue.likert.report.latex import ratings_table
from duologue.likert.report.methods import methods_paragraph
from duologue.likert.report.tables import rating_tables
from duologue.likert.report.text import failures_in_words, flag_sentence
from duologue.likert.report.view import mean_rows, scale_in_words, ticks
from duologue.reports import (
    AnalysisRequest,
    analyse_file,
    check_file,
    file_rows,
    read_metrics,
    report_page,
    write_report,
    write_results,
)
from tests.alike import assert_alike
from tests.reports.rated import BOTS, rated_rows
from tests.reports.test_report import Nesting

LIKERT = LikertReport()


def analysed(*, wild: int = 0, asked: AnalysisRequest | None = None) -> LikertResults:
    found = LIKERT.analyse_rows(rated_rows(wild=wild), asked or AnalysisRequest()).results
    assert isinstance(found, LikertResults)
    return found


@pytest.fixture(scope="module")
def results() -> LikertResults:
    return analysed(wild=4)


@pytest.fixture(scope="module")
def plain() -> LikertResults:
    """Without volunteers."""
    return analysed()


@pytest.fixture(scope="module")
def report(plain: LikertResults, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report of `plain`."""
    folder = tmp_path_factory.mktemp("report")
    write_report(plain, folder)
    return folder


def dialogues(keys: Sequence[str]) -> list[Dialogue]:
    speakers = (Speaker("human"), Speaker("bot", "mint"))
    turns = (Turn("human", "hello"), Turn("bot", '<img src="x"> & "hi"'))
    return [Dialogue(key, "mint", "live-chat", "bot", speakers, turns) for key in keys]


def test_the_page_is_well_formed_escaped_and_needs_nothing_else(results: LikertResults) -> None:
    examples = LIKERT.examples(rated_rows(), seed=7, dialogues=dialogues)
    page = report_page(results, examples=examples)
    nesting = Nesting()
    nesting.feed(page)
    assert nesting.faults == []
    assert nesting.open == []
    assert not {"script", "link", "iframe", "img"} & nesting.tags
    assert "http" not in page
    assert "url(" not in page
    assert "sage &lt;b&gt;" in page
    assert "&lt;script&gt;fun&lt;/script&gt;" in page
    assert "&lt;img src=" in page


def test_wild_and_invited_are_sections_of_their_own(results: LikertResults) -> None:
    headings = re.findall(r"<h2>(.*?)</h2>", report_page(results))
    assert headings[:4] == [
        "Summary",
        "Ratings: invited annotators",
        "enjoyment: invited annotators",
        "fluency: invited annotators",
    ]
    assert "Ratings: wild annotators" in headings


def test_everything_promised_is_on_the_page(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    headings = set(re.findall(r"<h3>(.*?)</h3>", page))
    assert headings >= {
        "Mean ratings with intervals",
        "Before and after calibration",
        "How often each point was chosen",
        "Leniency of annotators",
        "Pairs of bots",
        "Persona detection",
        "From all judgments to those that count",
        "Progress",
        "To cite",
    }
    assert "chat flagged: few-words" in page
    assert "the bot could not answer" in page
    assert "Screening flagged 2 chats of 2 annotators for few-words; 1 of them excluded." in page
    assert "mint is rated higher than dill_1" in page


def test_a_flag_of_a_chat_is_said_of_chats_and_any_other_of_judgments() -> None:
    said = flag_sentence(FlagCount("repeated-reason", 7, 2, 0))
    assert said == "Screening flagged 7 judgments of 2 annotators for repeated-reason; none of them excluded."
    assert flag_sentence(FlagCount("few-words", 1, 1, 1)).startswith(
        "Screening flagged 1 chat of 1 annotator"
    )


def test_a_single_test_is_not_said_to_be_adjusted() -> None:
    rows = [
        {"bot": bot, "annotator": n, "rating": 1 + (n + len(bot)) % 4}
        for n in range(9)
        for bot in ("a", "bb")
    ]
    said = methods_paragraph(analyse_ratings(rows), None)
    assert "There is one test, so that no p-value was adjusted; alpha = 0.05." in said
    assert "Holm" not in said


def test_without_a_verdict_no_p_value_was_adjusted(plain: LikertResults) -> None:
    (section,) = plain.sections
    question = section.questions[0]
    pairs = tuple(
        replace(one, verdict=replace(one.verdict, why_none="too few", better=None)) for one in question.pairs
    )
    found = replace(
        plain, sections=(replace(section, questions=(replace(question, pairs=pairs),), annotator_count=1),)
    )
    said = methods_paragraph(found, None)
    assert "P-values were adjusted by Holm's method over" in methods_paragraph(plain, None)
    assert "Holm" not in said
    assert "by 1 annotator count." in said


@pytest.mark.parametrize(
    ("method", "annotators", "by"),
    [
        ("CR3", 4, "annotator"),
        ("CR3, 2-way", 4, "annotator and dialogue"),
        ("CR3", None, "dialogue"),
    ],
)
def test_what_intervals_allow_for_is_said_as_it_is(
    plain: LikertResults, method: str, annotators: int | None, by: str
) -> None:
    (section,) = plain.sections
    bots = tuple(
        replace(bot, annotators=annotators, interval=replace(bot.interval, method=method))
        for bot in section.questions[0].bots
        if bot.interval is not None
    )
    found = replace(
        plain, sections=(replace(section, questions=(replace(section.questions[0], bots=bots),)),)
    )
    assert f"cluster-robust intervals by {by} (CR3, Student's t)." in methods_paragraph(found, None)
    without = replace(
        section.questions[0],
        bots=tuple(replace(bot, interval=None, naive_interval=None) for bot in bots),
        calibration=None,
    )
    said = methods_paragraph(replace(plain, sections=(replace(section, questions=(without,)),)), None)
    assert "Mean ratings carry" not in said
    assert "REML" not in said
    allows = f"allows for correlated ratings of one {by.replace('and', 'and of one')}. Thin line"
    assert allows in report_page(found)


def test_the_table_has_the_calibrated_means_best_first(plain: LikertResults, report: Path) -> None:
    (section,) = plain.sections
    assert [row.bot for row in section.table] == list(BOTS)
    page = (report / "report.html").read_text(encoding="utf-8")
    best = section.questions[0].bots[0]
    assert best.calibrated is not None
    assert "the highest first; which bots differ is said under each question" in page
    assert f'<th scope="row">mint</th><td class="num">{best.calibrated:.2f}</td>' in page


@pytest.mark.slow  # its twin in test_report.py is not: figures and tables are written by the same code
def test_the_same_results_give_the_same_files(plain: LikertResults, report: Path, tmp_path: Path) -> None:
    for path in write_report(plain, tmp_path):
        assert path.read_bytes() == (report / path.relative_to(tmp_path)).read_bytes(), path.name
    assert len(list(tmp_path.rglob("*.*"))) == len(list(report.rglob("*.*")))


@pytest.mark.usefixtures("undrawn")
def test_every_section_and_question_has_files_of_its_own(results: LikertResults, tmp_path: Path) -> None:
    names = {path.name for path in write_report(results, tmp_path)}
    assert {"report.html", "results.json", "methods.txt"} <= names
    assert {"bots.csv", "pairs.csv", "personas.csv", "annotators.csv"} <= names
    assert {"ratings.wild-annotators.tex", "pairs.wild-annotators.fluency.tex"} <= names
    for figure in ("means", "calibration", "points", "leniency"):
        assert f"{figure}.invited-annotators.enjoyment.svg" in names
    for figure in ("personas", "exclusions", "progress"):
        assert f"{figure}.invited-annotators.pdf" in names


def test_latex_is_escaped_and_balanced(report: Path) -> None:
    for name in ("ratings", "pairs.enjoyment"):
        text = (report / "tables" / f"{name}.tex").read_text()
        assert text.count("{") == text.count("}")
        assert r"dill\_1" in text
        columns = text.split(r"\begin{tabular}{")[1].split("}")[0]
        body = text.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
        assert {line.count(" & ") for line in body} == {len(columns) - 1}


def test_tables_carry_the_numbers_of_the_results(plain: LikertResults, report: Path) -> None:
    with (report / "tables" / "bots.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(BOTS)
    first = plain.sections[0].questions[0].bots[0]
    assert (rows[0]["bot"], int(rows[0]["n"])) == (first.bot, first.n)
    assert float(rows[0]["mean"]) == pytest.approx(first.mean)
    with (report / "tables" / "pairs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 3


def test_a_table_of_ratings_is_recognised_checked_and_analysed(plain: LikertResults, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    write_table(rated_rows(), path)
    assert check_file(path) == "36 judgments of 3 bots on 2 questions."
    assert len(list(file_rows(path))) == 36
    found = analyse_file(path)
    assert isinstance(found.results, LikertResults)
    assert found.span == ("2026-05-01T12:00:00+00:00", "2026-05-12T12:00:00+00:00")
    assert_alike(found.results.sections, plain.sections)
    written = write_results(found, file_rows(path), tmp_path / "out")
    assert {"results.json", "bots.csv", "judgments.csv"} <= {path.name for path in written}


def test_a_bad_rating_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("bot,rating\nmint,3\nmint,good\n")
    with pytest.raises(FormatError, match="line 3, rating"):
        analyse_file(path)


@pytest.mark.usefixtures("undrawn")
def test_one_column_of_points_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("bot,rating\n" + "mint,4\nmint,3\nsage,2\nsage,1\n" * 4)
    results = analyse_file(path).results
    assert isinstance(results, LikertResults)
    page = report_page(results)
    for missing in ("Example dialogues", "Persona detection", "Agreement", "Time", "Progress"):
        assert f"<li>{missing}" in page, missing
    write_report(results, tmp_path / "report")


def test_no_rating_at_all_still_makes_a_page() -> None:
    rows = [dict(row) | {"excluded": "late"} for row in rated_rows()]
    results = LIKERT.analyse_rows(rows, AnalysisRequest(planned={("mint",): 1000})).results
    page = report_page(results)
    assert "No rating counts yet" in page
    assert "Example dialogues: no rating counts." in page
    assert "agreement and persona detection: no rating counts." in page
    assert "this is an interim look" in page
    assert "rated more than once" not in page
    assert isinstance(results, LikertResults)
    methods = methods_paragraph(results, None)
    assert "No rating counts: there is no mean, and nothing was tested." in methods
    for said in ("Mean ratings carry", "p-values", "calibrated"):
        assert said not in methods


def test_the_command_line_says_means_verdicts_and_flags(plain: LikertResults) -> None:
    said = list(LIKERT.in_words(plain))
    lines = [line for line in said if isinstance(line, str)]
    assert any(line.startswith("• mint is rated higher than dill_1") for line in lines)
    assert "Excluded without a judgment, by bot-failed: 1 chat of 1 annotator." in lines
    assert any(line.startswith("Annotators differ in leniency") for line in lines)


def test_of_many_pairs_the_command_line_spells_out_the_surest() -> None:
    rows = [
        {"bot": f"bot-{bot}", "annotator": f"{bot}-{person}", "rating": 1 + (bot + person) % 4}
        for bot in range(8)
        for person in range(6 + bot)
    ]
    results = LIKERT.analyse_rows(rows, AnalysisRequest()).results
    assert isinstance(results, LikertResults)
    lines = [line for line in LIKERT.in_words(results) if isinstance(line, str)]
    assert sum(line.startswith(("•", "·")) for line in lines) == 20
    assert any(line.startswith("… the 20 surest of 28 pairs; 0 of all") for line in lines)


def test_labels_of_the_study_are_those_of_the_scale() -> None:
    asked = RatingQuestionSettings(name="enjoyment", text="Fun?", labels=("No", "", "", "Yes"))
    results = analysed(asked=AnalysisRequest(settings=LikertSettings(questions=(asked,))))
    question = results.sections[0].questions[0]
    assert scale_in_words(question) == "1 (No) to 4 (Yes)"
    assert [tick.text for tick in ticks(question)] == ["1", "2", "3", "4"]
    assert [row.bot for row in mean_rows(question)] == [bot.bot for bot in question.bots]


def test_examples_count_are_chosen_by_the_seed_and_prefer_reasons() -> None:
    first = LIKERT.examples(rated_rows(), seed=7, dialogues=dialogues)
    assert first == LIKERT.examples(rated_rows(), seed=7, dialogues=dialogues)
    assert len(first) == len(BOTS)
    for example in first:
        assert isinstance(example, RatedExample)
        assert example.reason == "<script>fun</script>"
        assert [name for name, _ in example.ratings] == ["enjoyment", "fluency"]
        assert [turn.is_judged for turn in example.dialogue.turns] == [False, True]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("bot,f1\nmint,good\nsage,1\n", "row 1, f1"),
        ("bot,f1\nmint,good\n", "a column of numbers"),
        ("bot,f1\nmint,inf\n", "row 1, f1"),
        ("bot,f1\nmint,1\nmint,2\n", "row 2, bot"),
        ("name,f1\nmint,1\n", "row 1, bot"),
    ],
)
def test_bad_metrics_are_refused_with_their_place(text: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_text(text)
    with pytest.raises(FormatError, match=where):
        read_metrics(tmp_path / "metrics.csv")


def test_only_reasons_that_had_to_be_given_exclude() -> None:
    assert LikertProtocol(LikertSettings(reason="required")).rules(stopping="fixed").asks_for_reasons
    assert not LikertProtocol(LikertSettings()).rules(stopping="fixed").asks_for_reasons


@pytest.fixture
def with_silent() -> LikertResults:
    """Ratings of three bots, and a fourth that never answered."""
    rows = rated_rows()
    same = {key: rows[0].get(key) for key in ("arm", "revision", "source", "annotator_kind")}
    rows += [{"bot": "cy_d", "annotator": f"p{n}", "excluded": "bot-failed", **same} for n in range(3)]
    found = LIKERT.analyse_rows(rows, AnalysisRequest()).results
    assert isinstance(found, LikertResults)
    return found


def test_a_bot_that_never_answered_is_on_the_page_with_its_failures(with_silent: LikertResults) -> None:
    assert "chats without an answer" in report_page(with_silent)
    assert "cy_d: 3 chats were excluded because it did not answer. No rating of it counts." in [
        *failures_in_words(with_silent.sections[0])
    ]


def test_a_bot_that_never_answered_is_in_the_table_of_the_command_line(with_silent: LikertResults) -> None:
    tables = [one for one in LIKERT.in_words(with_silent) if isinstance(one, Table)]
    assert len(tables) == 2
    for table in tables:
        cells = {str(column.header): [str(cell) for cell in column.cells] for column in table.columns}
        assert cells["bot"][-1] == "cy_d"
        assert (cells["n"][-1], cells["mean"][-1], cells["chats without an answer"][-1]) == ("0", "–", "3")
        assert len({len(column) for column in cells.values()}) == 1


def test_a_bot_that_never_answered_is_in_the_tables_with_its_failures(with_silent: LikertResults) -> None:
    rows = [row for name, some in rating_tables(with_silent) if name == "bots.csv" for row in some]
    silent = [row for row in rows if row["bot"] == "cy_d"]
    assert [(row["n"], row["mean"], row["failed"]) for row in silent] == [(0, None, 3)] * 2
    assert len({tuple(row) for row in rows}) == 1, "all rows have the same columns"
    section = with_silent.sections[0]
    latex = ratings_table(section, with_silent, label="x")
    assert r"cy\_d & -- & --" in latex
    assert "enjoyment (1 to 4)" in latex
    assert r"Without ratings, since they did not answer (chats): cy\_d (3)." in latex


@pytest.mark.usefixtures("undrawn")
def test_an_interim_look_is_said_everywhere(tmp_path: Path) -> None:
    early = analysed(asked=AnalysisRequest(planned={("mint",): 1000}))
    assert "this is an interim look" in early.warnings[0]
    write_report(early, tmp_path)
    for file in ("report.html", "results.json", "methods.txt"):
        assert "this is an interim look" in (tmp_path / file).read_text(encoding="utf-8"), file


def test_verdict_level_family_and_what_decided_are_in_every_output(
    plain: LikertResults, report: Path
) -> None:
    pair = plain.sections[0].questions[0].pairs[0]
    assert pair.interval is not None
    assert pair.decided_by == "calibrated"
    level = f"{100 * pair.interval.level:.4g}"
    page = (report / "report.html").read_text(encoding="utf-8")
    assert f"{level}\u00a0% interval" in page
    page = page.replace("\u00a0%", " %")
    assert plain.family in page
    assert plain.family in (report / "methods.txt").read_text(encoding="utf-8")
    assert plain.family in list(LIKERT.in_words(plain))
    with (report / "tables" / "pairs.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["decided_by"], float(row["level"])) == ("calibrated", pair.interval.level)
    assert (float(row["low"]), float(row["high"])) == pair.interval.limits
    assert f"{level}\\%" in (report / "tables" / "pairs.enjoyment.tex").read_text(encoding="utf-8")


def test_verdicts_alone_are_the_same_verdicts() -> None:
    alone = analysed(wild=40, asked=AnalysisRequest(only_verdicts=True))
    whole = analysed(wild=40)
    assert list(LIKERT.outcomes(alone)) == list(LIKERT.outcomes(whole))
    questions = [question for section in alone.sections for question in section.questions]
    assert not any(question.ordinal for question in questions)
    assert any(question.ordinal for section in whole.sections for question in section.questions)


def test_every_bot_has_its_mean_and_persona_detection_for_a_leaderboard(results: LikertResults) -> None:
    scores = list(LikertReport().bot_scores(results))
    parts = {score.part for score in scores}
    assert any(part.startswith("persona detection") for part in parts)
    assert any("wild" in part for part in parts), "volunteers are never pooled with invited annotators"
    section = results.sections[0]
    rated = section.questions[0].bots[0]
    found = next(score for score in scores if score.bot == rated.bot)
    assert found.value == (rated.mean if rated.calibrated is None else rated.calibrated)
    assert found.n == rated.n
