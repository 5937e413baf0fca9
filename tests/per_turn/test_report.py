"""Turns from a file to tables, figures, page and sentences."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import DesignError, FormatError
from duologue.per_turn import (
    PerTurnAnalysisOptions,
    PerTurnResults,
    Setting,
    TurnQuestion,
    TurnRow,
    analyse_turns,
    read_turns,
    write_turns,
)
from duologue.per_turn.report import PerTurnReport
from duologue.per_turn.report.figures import draw_win_rates
from duologue.per_turn.report.view import view_section
from duologue.per_turn.rules import PAPER_RULES, RULES, STUDY_RULES
from duologue.reports import (
    AnalysisRequest,
    analyse_file,
    check_file,
    file_rows,
    report_page,
    write_report,
    write_results,
)
from duologue.studies import load_study
from tests.per_turn.chats import MadeUp, made_up
from tests.per_turn.test_design import study

ARMS: dict[str, tuple[dict[str, float], Any]] = {
    "pm-random": ({"mint": 0.7, "sage": 0.4}, "sata-random"),
    "pm-user": ({"mint": 0.7, "sage": 0.4}, "sata-user"),
    "pm-soba": ({"mint": 0.7, "sage": 0.3}, "soba"),
    "mm-random": ({"mint": 0.6, "rue": 0.3, "sage": 0.3}, "sata-random"),
    "mm-soba": ({"mint": 0.6, "rue": 0.3, "sage": 0.3}, "soba"),
    "sm": ({"mint": 0.9}, None),
}


def study_rows() -> Iterator[TurnRow]:
    for seed, (arm, (rates, setting)) in enumerate(ARMS.items()):
        for one in made_up(MadeUp(rates, setting=setting, annotators=12, turns=6), seed, arm=arm):
            yield one.model_copy(
                update={"dialogue": f"{arm}-{one.dialogue}", "annotator": f"w{one.dialogue}", "pay": 0.8}
            )
    for one in made_up(MadeUp(*ARMS["pm-random"], annotators=12, turns=6), 0, arm="pm-random"):
        if one.dialogue in ("d1", "d2"):
            fields = {
                "dialogue": f"pm-random-{one.dialogue}",
                "participant": f"w{one.dialogue}",
                "annotator": "reader",
            }
            yield one.model_copy(update={**fields, "continuation": None})


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("turns") / "turns.jsonl"
    write_turns(study_rows(), path)
    return path


@pytest.fixture(scope="module")
def results(turns: Path) -> PerTurnResults:
    found = analyse_file(turns).results
    assert isinstance(found, PerTurnResults)
    return found


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_file_of_turns_is_known_by_its_fields(turns: Path) -> None:
    assert check_file(turns) == "444 turns of 72 dialogues with mint, rue, sage."
    assert len(list(file_rows(turns))) == 444


def test_fields_that_are_not_used_are_said(tmp_path: Path, turns: Path) -> None:
    first = json.loads(turns.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "turns.jsonl"
    path.write_text(json.dumps({**first, "mood": "good"}) + "\n", encoding="utf-8")
    assert check_file(path).endswith("Not used: mood.")


def test_the_shape_of_turns_is_shown_to_whoever_has_another_table(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"(?s)turns .*candidates"):
        analyse_file(path)


def test_every_section_has_its_tables_and_figures(results: PerTurnResults, tmp_path: Path) -> None:
    some = tuple(one for one in results.sections if one.arm in ("mm-random", "pm-soba", "sm"))
    written = write_report(replace(results, sections=some), tmp_path)
    names = {path.name for path in written}
    assert names >= {
        *("report.html", "results.json", "methods.txt", "dialogues.csv", "bots.csv", "comparisons.csv"),
        *("positions.csv", "cascading.csv", "screening.csv", "settings.csv", "win-rates.svg"),
        *("dialogues.tex", "pairwise.tex", "multi.tex", "comparisons.tex", "single.tex"),
    }
    compared = table(tmp_path / "tables" / "comparisons.csv")
    assert [row["design"] for row in compared] == ["MM-SATA-Random"] * 4 + ["PM-SOBA", "SM"]
    assert [row["better"] for row in compared if row["design"] == "PM-SOBA"] == ["mint"]
    assert "anchoring.arm-pm-soba-pm-soba-mint-sage.svg" in names
    assert "cascading.arm-sm-sm-mint.pdf" in names
    assert "anchoring.arm-sm-sm-mint.svg" not in names
    assert PerTurnResults.read(tmp_path / "results.json").sections == some


def test_every_win_rate_of_the_figure_has_a_name_of_its_own(results: PerTurnResults) -> None:
    pair = next(one for one in results.sections if one.arm == "pm-random")
    other = tuple(replace(bot, bot=bot.bot.replace("sage", "rue")) for bot in pair.bots)
    unnamed = replace(pair, arm="")
    sections = (pair, replace(pair, question="human"), replace(pair, revision=2), unnamed)
    figure = draw_win_rates(
        replace(results, sections=(*sections, replace(unnamed, bots=other, names=("mint", "rue"))))
    )
    assert figure is not None
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names[::2] == [
        "mint · pm-random",
        "mint · pm-random · human",
        "mint · pm-random · revision 2",
        "mint · PM-SATA-Random (mint, sage)",
        "mint · PM-SATA-Random (mint, rue)",
    ]
    assert "line: as if turns were independent" in figure.axes[0].get_xlabel()


def test_tables_have_the_form_of_the_papers(results: PerTurnResults) -> None:
    tables = {one.file: one.text for one in PerTurnReport().paper_tables(results)}
    pairwise = tables["pairwise.tex"]
    assert pairwise.count(r" \\") == 4
    assert "mint v sage & pm-soba (SOBA) & 12 & 72 &" in pairwise
    assert r"\%*" in pairwise
    assert "Pairwise & 36 & 216 & 6.0" in tables["dialogues.tex"]
    assert "Total & 72 & 432 & 6.0" in tables["dialogues.tex"]
    assert tables["comparisons.tex"].count(" v ") == 3
    assert "12/72" in tables["single.tex"]


def test_third_parties_are_in_a_table_of_their_own(results: PerTurnResults) -> None:
    tables = dict(PerTurnReport().report_tables(results))
    assert [row["bot"] for row in tables["third_party.csv"]] == ["(all)", "mint", "sage"]
    assert {row["cohen_kappa"] for row in tables["third_party.csv"]} == {1.0}


def test_every_bot_has_its_win_rate_for_a_leaderboard(results: PerTurnResults) -> None:
    scores = list(PerTurnReport().bot_scores(results))
    assert len(scores) == sum(len(section.bots) for section in results.sections)
    (section,) = (one for one in results.sections if one.arm == "sm")
    (alone,) = PerTurnReport().bot_scores(replace(results, sections=(section,)))
    (bot,) = section.bots
    assert (alone.part, alone.bot, alone.value, alone.n) == ("win rate", "mint", bot.rate, bot.turns)
    assert f"win rate, {section.title}" in {score.part for score in scores}
    read = replace(results, sections=(replace(section, is_read=True),))
    assert list(PerTurnReport().bot_scores(read)) == []


def test_the_page_says_every_verdict_and_needs_nothing_else(results: PerTurnResults) -> None:
    page = report_page(results).replace("\u00a0%", " %")
    for section in results.sections:
        for pair in section.pairs:
            assert escape(pair.verdict.sentence, quote=False) in page
    assert "Settings side by side" in page
    assert "fixed-pattern" in page
    assert "Krippendorff" in page
    assert "http" not in page


def test_the_methods_say_what_was_judged_screened_and_tested(results: PerTurnResults) -> None:
    said = PerTurnReport().methods(results, None)
    assert "PM-SATA-User: all replies that apply were selected" in said
    assert "They were asked" not in said
    assert "messages are those of an earlier dialogue (0 turns)" in said
    assert "the first turn" not in said
    assert "Cochran's Q" in said
    assert "cluster-robust" in said
    assert "All bots of a turn continue one shared history" in said
    assert "the chance of calling any two equal bots different is 0.05 or less in each family" in said
    assert "people recruited and instructed as these were" in said
    assert "without knowing the bots" not in said  # nobody told that of a table
    assert "random order" not in said
    assert "position-adjusted" not in said
    assert "P-values were adjusted by Holm's method, and intervals invert" in said
    assert "Planned were" not in said


def test_the_methods_of_a_single_bot_have_no_shared_history_and_no_rules_of_several(
    results: PerTurnResults,
) -> None:
    single = replace(results, sections=tuple(one for one in results.sections if one.arm == "sm"))
    said = PerTurnReport().methods(single, None)
    assert "shared history" not in said
    assert "These tests were used: a single bot by the exact binomial test" in said
    several = "the same positions selected on every turn (some of them, neither all nor none), where random"
    assert several in PerTurnReport().methods(results, None)
    assert several not in said
    assert "fixed-pattern" not in report_page(single)


def test_what_the_statistics_are_is_said_of_those_that_there_are(results: PerTurnResults) -> None:
    said = {one.arm: view_section(one).statistics for one in results.sections if not one.is_read}
    mcnemar = "χ² is McNemar's without correction, as papers print it."
    assert said["mm-soba"] == "χ² of all bots is Pearson's."
    assert said["mm-random"] == f"{mcnemar} Q of all bots is Cochran's."
    assert (said["pm-soba"], said["sm"]) == (mcnemar, "")


def test_where_no_turn_counts_nothing_is_said_to_be_tested_and_the_report_says_why() -> None:
    settings: dict[str, Setting] = {"rand": "sata-random", "user": "sata-user"}
    rows = [
        one.model_copy(update={"dialogue": f"{arm}{one.dialogue}"})
        for arm, setting in settings.items()
        for one in made_up(MadeUp({"a": 0.6, "b": 0.4}, setting=setting, annotators=1, turns=1), 1, arm=arm)
    ]
    nothing = analyse_turns(rows, TurnQuestion(rules=("first-turn",), draws=9))
    said = PerTurnReport().methods(nothing, None)
    assert "No turn counts." in said
    assert "No comparison could be tested: there is no verdict on any bot." in said
    assert "These tests were used" not in said
    assert "Holm" not in said
    assert "Screening excluded 2 of 2 complete turns; there is no verdict without it either." in said
    assert nothing.family == ""
    assert nothing.sections[0].title == "arm rand · PM-SATA-Random · a, b"
    missing = PerTurnReport().left_out(nothing, ())
    assert (
        "None rates: no turn counts in arm rand and arm user, and turns of both SATA-Random and SATA-User "
        "are needed."
    ) in missing
    assert (
        "Settings side by side: no two bots have a verdict in more than one arm (no turn counts in arm "
        "rand and arm user)."
    ) in missing
    alone = replace(nothing, sections=nothing.sections[:1])
    assert "None rates: the same bots were not judged under both SATA-Random and SATA-User." in (
        PerTurnReport().left_out(alone, ())
    )
    by_two = replace(nothing, sections=(nothing.sections[0], replace(nothing.sections[0], question="fun")))
    for one in (alone, by_two):
        assert "Settings side by side: there is only one arm." in PerTurnReport().left_out(one, ())


def test_the_methods_quote_how_annotators_were_recruited(results: PerTurnResults, tmp_path: Path) -> None:
    silent = study(tmp_path / "a")
    said = PerTurnReport().methods(results, silent)
    assert (
        "How annotators were recruited is not stated: nothing is claimed of people other than those who"
        in said
    )
    assert "people recruited and instructed as these were" not in said
    path = silent.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("[annotators]\n", '[annotators]\nrecruited = "students of two courses"\n'),
        encoding="utf-8",
    )
    said = PerTurnReport().methods(results, load_study(silent.folder))
    assert "Recruitment of annotators, as the study states it: students of two courses." in said
    assert "people recruited and instructed as these were" in said


def test_the_methods_say_where_an_annotator_wrote_the_reply(results: PerTurnResults) -> None:
    written = "one shared history, which went on with one of the replies, or one that the annotator wrote:"
    assert written in PerTurnReport().methods(results, None)
    others = tuple(one for one in results.sections if one.setting != "sata-user")
    said = PerTurnReport().methods(replace(results, sections=others), None)
    assert "one shared history, which went on with one of the replies: the verdicts are" in said


def test_what_several_verdicts_lack_is_said_once_and_pay_has_its_currency() -> None:
    results = analyse_turns(
        made_up(MadeUp({"a": 0.6, "b": 0.5, "c": 0.4}, annotators=3), 1, pay=2.0), TurnQuestion(draws=9)
    )
    (section,) = results.sections
    verdicts = [one.sentence for one in view_section(section).verdicts]
    assert verdicts[0].startswith("No verdict on all bots: the turns are of 3 dialogues, and at least 8 are")
    assert "Selected of 30 turns: a on" in verdicts[0]
    assert len(verdicts) == 4
    assert all("for the same reason. " in one and "at least 8" not in one for one in verdicts[1:])
    assert all(one.why_none for one in view_section(section).verdicts)
    assert "pay of 2.00 a dialogue" in view_section(section).checks[-1]
    assert "pay of 2.00 EUR a dialogue" in view_section(section, currency="EUR").checks[-1]
    page = report_page(results)
    assert "[" not in page.split("a v b</th>")[1].split("</tr>")[0]
    assert "–" not in page.split("a v b</th>")[1].split("</td>")[0]


def test_the_methods_say_why_a_study_has_so_many_turns(results: PerTurnResults, tmp_path: Path) -> None:
    made = study(tmp_path / "s")
    (section,) = (one for one in results.sections if one.arm == "pm-random")
    assert section.power is not None
    planned = replace(section, power=replace(section.power, planned_turns=1206))
    said = PerTurnReport().methods(replace(results, sections=(planned,)), made)
    assert "shown in an order drawn at random on every turn, without knowing the bots" in said
    assert (
        "The planned number of turns that count is 1,206 in the arm pm-random. The study file states a gap "
        "of 0.1 between win rates that is worth finding, a power of 80.0 %, alpha 0.05, a correlation of "
        "turns of one dialogue (ICC) of 0.1, and the stopping rule fixed."
    ) in said
    assert "How annotators were recruited is not stated" in said


def test_the_methods_quote_what_a_study_asked(results: PerTurnResults, tmp_path: Path) -> None:
    asking = study(tmp_path / "s", ask='"human"', dimensions='["engaging"]')
    said = PerTurnReport().methods(replace(results, sections=results.sections[-1:]), asking)
    assert (
        "They were asked: \u201cDoes this reply sound human? Select it, or say that it does not.\u201d About"
        in said
    )
    assert "they were also asked: \u201cWould you like this reply in a long conversation?" in said
    assert "appropriate" not in said


def test_results_and_turns_are_written_for_others(turns: Path, tmp_path: Path) -> None:
    analysed = analyse_file(turns)
    written = write_results(analysed, file_rows(turns), tmp_path)
    assert written[0].name == "results.json"
    numbers: dict[str | None, str | None] = {None: None}
    published = []
    for one in read_turns(turns):
        for who in (one.annotator, one.participant):
            numbers.setdefault(who, f"annotator {len(numbers)}")
        people = {"annotator": numbers[one.annotator], "participant": numbers[one.participant]}
        published.append(one.model_copy(update=people))
    assert list(read_turns(tmp_path / "tables" / "turns.jsonl")) == published


def test_the_command_line_analyses_turns_and_keeps_what_it_is_told(turns: Path) -> None:
    said = CliRunner().invoke(app, ["analyse", str(turns)])
    assert said.exit_code == 0, said.output
    assert "mint is selected more often than sage" in said.output
    assert "first-turn (not applied): 72 turns of 72 dialogues" in said.output
    asked = ["--rules", "first-turn", "--rules", "copied", "--null", "0.7"]
    found = json.loads(CliRunner().invoke(app, ["analyse", str(turns), *asked, "--json"]).output)
    applied = {rule["rule"] for rule in found["screening"]["rules"] if rule["is_applied"]}
    assert applied == {"first-turn", "copied"}
    assert found["sections"][-1]["against"][0]["null"] == 0.7


def test_first_turns_of_a_table_count_unless_its_owner_says_otherwise(
    turns: Path, results: PerTurnResults
) -> None:
    assert {section.turns for section in results.sections} == {72}
    found = analyse_file(turns, options=PerTurnAnalysisOptions(rules=("study",))).results
    assert isinstance(found, PerTurnResults)
    assert {section.turns for section in found.sections} == {60}


@pytest.mark.parametrize(
    ("name", "rules"), [("none", ()), ("paper", PAPER_RULES), ("all", tuple(RULES)), ("study", STUDY_RULES)]
)
def test_several_rules_have_one_name(turns: Path, name: str, rules: tuple[str, ...]) -> None:
    found = analyse_file(turns, options=PerTurnAnalysisOptions(rules=(name,))).results
    assert isinstance(found, PerTurnResults)
    assert {one.rule for one in found.screening.rules if one.is_applied} == set(rules)


def test_everything_can_be_kept_and_nothing_else_is_known(turns: Path) -> None:
    found = analyse_file(turns, options=PerTurnAnalysisOptions(rules=("none",))).results
    assert isinstance(found, PerTurnResults)
    assert found.screening.counted == 432
    with pytest.raises(DesignError, match="'typos' is no rule of screening"):
        analyse_file(turns, options=PerTurnAnalysisOptions(rules=("typos",)))
    with pytest.raises(DesignError, match="leave --columns out"):
        analyse_file(turns, columns={"mood": "seconds"})
    with pytest.raises(DesignError, match="'x' is no arm of this table"):
        analyse_file(turns, primary="x")


def test_a_study_says_itself_what_is_screened(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "s"\nprotocol = "per-turn"\nseed = 1\n[[bots]]\nname = "a"\nkind = "builtin"\n'
        '[[bots]]\nname = "b"\nkind = "builtin"\n',
        encoding="utf-8",
    )
    said = CliRunner().invoke(app, ["analyse", str(tmp_path), "--rules", "all"])
    assert said.exit_code == 2, said.output
    assert "a study says it in its file" in " ".join(said.output.split())


def test_halves_of_the_annotators_are_compared(turns: Path) -> None:
    said = CliRunner().invoke(app, ["analyse", str(turns), "--split", "--json"])
    assert said.exit_code == 0, said.output
    found = json.loads(said.output)
    assert len(found["pairs"]) == 6
    several = [pair for pair in found["pairs"] if "MM" in pair["part"]]
    assert [pair["accord"] for pair in several] == ["no verdict"] * 3  # six chats of three bots are too few
    two = {pair["accord"] for pair in found["pairs"] if "PM" in pair["part"]}
    assert two <= {"same conclusion", "one undecided"}


def test_rows_of_a_study_are_analysed_as_those_of_a_file(turns: Path, results: PerTurnResults) -> None:
    chats = [{"turns": [row], "excluded": "", "is_onboarding": False} for row in file_rows(turns)]
    again = PerTurnReport().analyse_rows(chats, AnalysisRequest())
    assert isinstance(again.results, PerTurnResults)
    verdicts = [[pair.verdict for pair in section.pairs] for section in results.sections]
    assert [[pair.verdict for pair in section.pairs] for section in again.results.sections] == verdicts
    left_out = PerTurnReport().analyse_rows(
        [*chats, {"turns": [{}], "is_onboarding": True}], AnalysisRequest()
    )
    assert left_out.results.screening == again.results.screening  # type: ignore[attr-defined]
    assert again.span == ("", "")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write_turns(made_up(MadeUp({"a": 0.7, "b": 0.4}, annotators=8), 3), path)
    page = report_page(analyse_file(path).results)
    assert "Third parties: no row is of an annotator who did not have the chat." in page
    assert "Money: it is not known what was paid." in page
