"""From answers to the report: cohorts and models compared, what is excluded, tables 1 and 2, the page."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from duologue.dialogues import CandidateScores, Json, write_scores
from duologue.errors import FormatError
from duologue.judgments import write_table
from duologue.nuc import ChosenReplies, NucResults, NucSettings, analyse_recall, items_by_id, read_chosen
from duologue.nuc.analysis.comparing import compare_cohorts
from duologue.nuc.analysis.rows import analyse_answers, judged_answers
from duologue.nuc.analysis.tables import pair_rows
from duologue.nuc.questions import question_of
from duologue.nuc.report import NucReport
from duologue.nuc.report.participants import table_1
from duologue.protocols import FORMAT, Half, Provenance, QuestionCounts, read_items
from duologue.reports import (
    AnalysisRequest,
    analyse_file,
    check_file,
    escape_latex,
    report_page,
    write_report,
    write_results,
)
from duologue.studies import draw_items, load_study
from tests.nuc.surveys import next_turn, survey, write_task

Rows = Sequence[Mapping[str, Json]]
REPORT = NucReport()
TABLE_1 = Path(__file__).parents[1] / "golden" / "stats" / "nuc_table_1.csv"


def answers(
    *,
    skills: Mapping[str, float],
    people: int = 8,
    items: int = 10,
    corpora: tuple[str, ...] = ("movies", "ubuntu"),
) -> Rows:
    """Rows of annotators who find the true reply as often as their cohort does."""
    rng, rows = np.random.default_rng(3), []
    for cohort, skill in skills.items():
        for person in range(people):
            for corpus in corpora:
                for number in range(items):
                    truth = number % 5
                    best = truth if rng.random() < skill else (truth + 1) % 5
                    second = truth if best != truth and number % 2 else (truth + 2) % 5
                    rows.append(
                        {
                            "item": f"{corpus}-{number}",
                            "corpus": corpus,
                            "candidates": 5,
                            "truth": truth,
                            "best": best,
                            "second": second,
                            "annotator": f"{cohort}{person}",
                            "cohort": cohort,
                            "seconds": 20.0 + person,
                            "at": f"2026-01-01T00:{number:02}:00+00:00",
                            "excluded": "",
                        }
                    )
    return rows


def analysed(rows: Rows, **asked: object) -> NucResults:
    found = REPORT.analyse_rows(rows, AnalysisRequest(**asked)).results  # type: ignore[arg-type]
    assert isinstance(found, NucResults)
    return found


TWO = answers(skills={"novice": 0.5, "expert": 0.95})


def test_cohorts_that_differ_are_told_apart_and_equal_ones_are_not() -> None:
    results = analysed(TWO)
    assert [(pair.first, pair.second, pair.corpus) for pair in results.recall.pairs] == [
        ("expert", "novice", "movies"),
        ("expert", "novice", "ubuntu"),
    ]
    for pair in results.recall.pairs:
        assert pair.better == "expert"
        assert pair.sentence.startswith(
            "Annotators of cohort expert find the true reply more often than those of cohort novice in"
        )
        assert pair.p_adjusted >= pair.p_value
        assert pair.interval.low <= pair.unadjusted.low
        assert pair.interval.low > 0
    (row, _) = pair_rows(results.recall)
    assert (row["first"], row["n_first"], row["better"]) == ("expert", 80, "expert")
    close = analysed(answers(skills={"a": 0.66, "b": 0.82, "c": 0.74}, corpora=("m", "n", "o")))
    for pair in close.recall.pairs:
        assert (0.0 in pair.interval) == (not pair.better)
    assert any(0.0 not in pair.unadjusted and not pair.better for pair in close.recall.pairs)
    same = analysed(answers(skills={"a": 0.7, "b": 0.7}))
    assert all(not pair.better for pair in same.recall.pairs)
    assert same.recall.pairs[0].sentence.startswith(
        "No difference detected between annotators of cohort a and those of cohort b in movies"
    )


def test_the_order_of_cohorts_mirrors_the_difference() -> None:
    chosen = judged_answers(TWO).answers
    movies = [one for one in chosen if one.corpus == "movies"]
    here = {
        (name, "movies"): [one for one in movies if one.cohort == cohort]
        for name, cohort in (("x", "novice"), ("y", "expert"))
    }
    there = {("x", "movies"): here["y", "movies"], ("y", "movies"): here["x", "movies"]}
    (one,), (other,) = compare_cohorts(here), compare_cohorts(there)
    assert one.interval.low == pytest.approx(-other.interval.high)
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.better, other.better) == ("y", "x")


def test_few_experts_who_hardly_err_are_not_told_apart_by_chance() -> None:
    """Ten annotators without a mistake may be no better than others who are right in 95 %."""
    rng = np.random.default_rng(2)
    novices = [
        ChosenReplies(f"i{n % 30}", "m", f"n{n // 10}", "novice", int(rng.random() > 0.95), 2, 0, 5)
        for n in range(1450)
    ]
    experts = [ChosenReplies(f"i{n % 30}", "m", f"e{n // 10}", "expert", 0, 2, 0, 5) for n in range(100)]
    (found,) = compare_cohorts({("expert", "m"): experts, ("novice", "m"): novices})
    assert found.recall[0] == pytest.approx(1.0)
    assert found.p_value == pytest.approx(min(1.0, 2 * found.recall[1] ** 10))
    assert (found.better, 0.0 in found.interval) == ("", True)
    (mirrored,) = compare_cohorts({("a-novice", "m"): novices, ("expert", "m"): experts})
    assert mirrored.p_value == pytest.approx(found.p_value)
    assert mirrored.interval.low == pytest.approx(-found.interval.high)
    (one_error, *_) = compare_cohorts(
        {("expert", "m"): [replace(experts[0], best=1), *experts[1:]], ("novice", "m"): novices}
    )
    assert one_error.p_value > 0.5
    worse = [replace(one, best=int(rng.random() > 0.5)) for one in novices]
    (apart,) = compare_cohorts({("expert", "m"): experts, ("novice", "m"): worse})
    assert apart.better == "expert"


def test_one_annotator_cannot_be_compared() -> None:
    assert analysed(answers(skills={"a": 0.5, "b": 0.9}, people=1)).recall.pairs == ()


def test_what_is_excluded_is_counted_and_left_out() -> None:
    rows = [
        *TWO,
        *({**row, "excluded": "attention"} for row in TWO[:20]),
        {**TWO[0], "excluded": "attention-check"},
    ]
    results = analysed(rows)
    assert (results.n, results.collected, results.annotators) == (len(TWO), len(TWO) + 21, 16)
    assert [(one.rule, one.judgments, one.annotators) for one in results.excluded] == [
        ("attention", 20, 1),
        ("attention-check", 1, 1),
    ]
    assert results.recall == analysed(TWO).recall
    assert "Excluded by attention: 20 judgments of 1 annotator." in list(REPORT.in_words(results))


def test_few_annotators_and_missing_answers_are_said() -> None:
    warnings = " ".join(analysed(TWO, planned_groups={"movies": 500, "ubuntu": 10}).warnings)
    assert "1 of 2 corpora has not reached the planned number" in warnings
    assert "expert: 8 annotators; intervals by so few are rough." in warnings
    alone = analysed(answers(skills={"": 0.5}, people=1))
    assert alone.warnings == ("people: 1 annotator; intervals by so few are rough.",)
    assert next(iter(REPORT.in_words(alone))) == "20 answers of 1 annotator count, of 20."
    assert analysed(answers(skills={"a": 0.5}, people=12)).warnings == ()


def test_answers_that_nobody_can_have_read_are_said_with_their_seconds() -> None:
    hasty = analysed([{**row, "seconds": 0.25} for row in TWO])
    told = "\n".join(map(str, REPORT.in_words(hasty)))
    assert "expert: 0.25 seconds an item (median)" in told
    assert "Nobody can have read what was shown in 0.25 s, the median." in told


def test_half_of_the_annotators_can_be_analysed() -> None:
    halves = [analysed(TWO, half=Half(number, seed=1)) for number in (0, 1)]
    assert [half.annotators for half in halves] == [8, 8]
    assert sum(half.n for half in halves) == len(TWO)


def scored(folder: Path, skill: float, model: str) -> str:
    rng = np.random.default_rng(1)
    scores = []
    for corpus in ("movies", "tweets", "ubuntu"):
        for n in range(20):
            right = rng.random() < skill
            best = n % 5 if right else (n + 1) % 5
            scores.append(
                CandidateScores(f"{corpus}-{n}", model, tuple(float(place == best) for place in range(5)))
            )
    write_scores(scores, folder / f"{model}.jsonl")
    return f"{model}.jsonl"


def test_people_and_models_are_compared_on_the_same_questions(tmp_path: Path) -> None:
    write_task(tmp_path)
    names = (scored(tmp_path, 0.1, "poor"), scored(tmp_path, 0.97, "good"))
    settings = NucSettings(scores=names, pool={"movies": ("novice", "expert")})
    results = analysed(TWO, settings=settings, folder=tmp_path)
    assert {one.cohort for one in results.recall.people if one.corpus == "movies"} == {"novice+expert"}
    found = {(one.cohort, one.corpus, one.model): one for one in results.recall.against}
    assert found["expert", "ubuntu", "poor"].better == "expert"
    assert found["novice", "ubuntu", "good"].better == "good"
    assert found["novice", "ubuntu", "good"].sentence.startswith(
        "good finds the true reply more often than annotators of cohort novice on the same items of ubuntu"
    )
    assert found["expert", "ubuntu", "good"].better == ""
    assert found["expert", "ubuntu", "good"].sentence.startswith(
        "No difference detected between annotators of cohort expert and good on"
    )
    outcomes = list(REPORT.outcomes(results))
    assert len(outcomes) == len(results.recall.pairs) + len(results.recall.against)
    assert {one.second for one in outcomes} >= {"poor", "good"}
    figures = list(REPORT.figures(results, tmp_path / "figures"))
    assert {path.name for path in figures} == {"recall.svg", "recall.pdf", "difficulty.svg", "difficulty.pdf"}
    assert "Models" not in " ".join(REPORT.left_out(results, ()))


def test_verdicts_without_any_difference_are_not_hidden() -> None:
    corpora = ("a", "b", "c", "d", "e", "f", "g")
    alike = analysed(answers(skills={"expert": 0.6, "novice": 0.6}, corpora=corpora))
    assert not any(pair.better for pair in alike.recall.pairs)
    assert "<details open><summary>7 comparisons without a detected difference" in report_page(alike)


def test_the_report_of_a_study_shows_all_of_it(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", each=20)
    draw_items(study)
    wrong = [{**row, "best": (int(str(row["truth"])) + 1) % 5, "second": (int(str(row["truth"])) + 2) % 5}
             if row["item"] == "movies-0" else row for row in TWO]  # fmt: skip
    results = analysed(wrong, settings=study.settings)
    asked = QuestionCounts("you", "age", "Your age & more?", "one", 4, 1, {"18-20": 1, "21-30": 3})
    number = QuestionCounts("you", "years", "Years?", "number", 4, 1, {})
    assert "Your age \\& more?" in table_1([asked, number])
    assert "25.0\\,\\%" in table_1([asked, number])
    page = report_page(results, study=study)
    assert "False replies that may fit as well" in page
    assert "Annotators of cohort expert find the true reply more often than those of cohort novice" in page
    methods = REPORT.methods(results, study)
    assert (
        "one of 2 versions of a questionnaire with 6 questions, spread over the corpora. Each question was"
        in methods
    )
    assert 'label">No difference' not in page
    assert "Annotators had 40 minutes." in methods
    assert "annotators with fewer than 100 % of them right were excluded." in methods
    files = {path.name for path in write_report(results, tmp_path / "report", study=study)}
    assert {"report.html", "results.json", "methods.txt", "recall.csv", "items.csv", "table_2.tex"} <= files
    record = json.loads((tmp_path / "report" / "results.json").read_text())
    assert (record["protocol"], record["format"]) == ("nuc", FORMAT)
    assert "arXiv:1605.05414" in REPORT.citations()[0]
    assert REPORT.examples((), seed=1, dialogues=lambda keys: ()) == ()


def test_the_texts_of_doubtful_items_are_shown_where_they_are_known(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", each=20)
    wrong = [{**row, "best": 4 - int(str(row["truth"])) // 4, "second": 2} for row in TWO]
    results = analysed(wrong[:0])
    assert REPORT.shown(results, study=study, examples=())["doubtful"] == []
    draw_items(study)
    item = next(item for item in read_items(study.items_path) if item.is_judged)
    question = question_of(item)
    false = (question.truth + 1) % 5
    row = {**TWO[0], "item": question.item, "corpus": question.corpus, "truth": question.truth, "best": false,
           "second": question.truth}  # fmt: skip
    results = analysed([{**row, "annotator": f"a{n}"} for n in range(4)])
    page = report_page(results, study=study)
    assert question.candidates[false] in page
    assert "In 1 item, more than half" in page
    study.items_path.unlink()
    assert question.candidates[false] not in report_page(results, study=study)


def test_table_1_prints_the_percentages_of_the_paper() -> None:
    """Of 147 people (STATS: inferred); the printed 44.5 % of women is no number of them."""
    rows = list(csv.DictReader(TABLE_1.read_text(encoding="utf-8").splitlines()))
    asked = {row["question"]: dict[str, int]() for row in rows}
    for row in rows:
        asked[row["question"]][row["answer"]] = round(float(row["percent"]) / 100 * 147)
    forms = [QuestionCounts("you", name, name, "one", 147, 0, found) for name, found in asked.items()]
    printed = table_1(forms)
    for row in rows:
        line = rf"{escape_latex(row['answer'])} & {float(row['percent']):.1f}\,\%"
        assert (line in printed) == (row["answer"] != "Female"), line


def test_methods_say_what_the_study_says(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    results = analysed(TWO)
    text = study.text.replace("threshold = 1.0", "threshold = 0.5").replace("sitting_minutes = 40", "")
    (study.folder / "study.toml").write_text(text)
    screened = "annotators with fewer than 50 % of them right were excluded"
    assert screened in REPORT.methods(results, load_study(study.folder))
    (study.folder / "study.toml").write_text(text.replace("lease_minutes", "skips = 1\nlease_minutes"))
    skipping = REPORT.methods(results, load_study(study.folder))
    assert "fewer than 50 % right of those that they did not skip were excluded" in skipping
    (study.folder / "study.toml").write_text(text.replace('on_fail = "exclude"', 'on_fail = "flag"'))
    flagging = REPORT.methods(results, load_study(study.folder))
    assert "of them right were flagged, and count" in flagging
    one = [row for row in TWO if row["corpus"] == "movies"]
    per_sitting = REPORT.methods(analysed(one), study)
    assert "with 6 questions. Each" in per_sitting
    assert "came among the items (2 in each sitting)" in per_sitting
    (study.folder / "study.toml").write_text(text.replace("per_sitting = 2", "every = 5"))
    every = REPORT.methods(analysed(one), load_study(study.folder))
    assert "came among the items (one among every 5 items)" in every
    assert "Intervals (95 %)" in every
    assert "minutes" not in REPORT.methods(results, load_study(study.folder))
    assert REPORT.methods(results, None).startswith("The judgments come from a file")


def test_methods_of_one_answer_have_no_plural_and_no_intervals() -> None:
    said = REPORT.methods(analysed(list(TWO)[:1]), None)
    assert "1 answer of 1 annotator was analysed." in said
    assert "Intervals" not in said


def test_nothing_to_show_is_said(tmp_path: Path) -> None:
    empty = analysed([])
    assert (empty.n, empty.recall.alpha) == (0, None)
    assert len(REPORT.left_out(empty, ())) == 2
    assert list(REPORT.figures(empty, tmp_path)) == []


def test_an_export_is_analysed_like_the_study(tmp_path: Path) -> None:
    table = tmp_path / "judgments.csv"
    write_table(TWO, table)
    assert check_file(table) == f"{len(TWO)} answers, {len(TWO)} of them count."
    found = analyse_file(table)
    assert isinstance(found.results, NucResults)
    assert found.results.recall == analysed(TWO).recall
    assert found.span == ("2026-01-01T00:00:00+00:00", "2026-01-01T00:09:00+00:00")
    assert isinstance(found.results.provenance, Provenance)
    written = write_results(found, TWO, tmp_path / "out")
    assert {"judgments.csv", "recall.csv", "cohort_pairs.csv"} <= {path.name for path in written}
    twice = found.results.with_warnings(["one"]).with_warnings(["two"])
    assert twice.warnings[-2:] == ("one", "two")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"best": "x"}, "line 2, best: expected the place of a reply, 0 to 4 and found x"),
        ({"truth": 5}, "line 2, truth: expected the place of a reply, 0 to 4"),
        ({"candidates": ""}, "line 2, candidates: expected a number and found nothing"),
        ({"second": 0, "best": 0}, "line 2, second: expected another reply"),
        ({"seconds": "soon"}, "line 2, seconds: expected a number of seconds and found soon"),
    ],
)
def test_a_row_that_is_no_answer_is_named(tmp_path: Path, changed: dict[str, Json], says: str) -> None:
    table = tmp_path / "judgments.csv"
    write_table([{**TWO[0], **changed}], table)
    with pytest.raises(FormatError, match=says):
        analyse_file(table)


def test_answers_without_name_time_or_cohort_are_taken() -> None:
    bare = {name: TWO[0][name] for name in ("item", "corpus", "candidates", "truth", "best", "second")}
    judged = judged_answers([bare, {**bare, "annotator": "", "seconds": ""}])
    assert [one.annotator for one in judged.answers] == ["row 2", "row 3"]
    assert judged.span == ("", "")
    assert judged.time is None
    results = analyse_answers(judged, alpha=0.05, seed=1)
    assert results.level == pytest.approx(0.95)


def test_a_level_of_ninety_per_cent_is_narrower() -> None:
    narrow, wide = (analysed(TWO, alpha=alpha).recall.people[0] for alpha in (0.1, 0.01))
    for name in ("interval", "wilson", "normal"):
        assert (
            getattr(narrow, name).high - getattr(narrow, name).low
            < getattr(wide, name).high - getattr(wide, name).low
        )


def test_a_table_of_another_kind_is_not_taken() -> None:
    assert not REPORT.reads(["bots", "best", "worst"])
    assert REPORT.reads(TWO[0])


def test_recall_of_a_study_and_of_a_table_of_answers_is_the_same(tmp_path: Path) -> None:
    path = write_task(tmp_path)
    table = tmp_path / "answers.csv"
    write_table([*TWO, {**TWO[0], "excluded": "attention", "annotator": "other"}], table)
    read = list(read_chosen(table, items_by_id(path)))
    assert len(read) == len(TWO)
    chosen = {(one.item, one.annotator): one for one in read}
    assert chosen["movies-3", "novice0"] == ChosenReplies(
        "movies-3",
        "movies",
        "novice0",
        "novice",
        int(str(TWO[3]["best"])),
        int(str(TWO[3]["second"])),
        3,
        5,
        20.0,
    )
    assert next_turn("movies-3", "movies", truth=3).truth == 3
    assert analyse_recall({}, read).people == analysed(TWO).recall.people
