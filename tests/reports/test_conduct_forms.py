"""What annotators said about themselves and their cohorts, from the store to the report."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest

from duologue.acute import AcuteResults
from duologue.protocols import Conduct
from duologue.reports import analyse_study, report_page, write_report
from duologue.reports.conduct.people import CountedJudgments, cohorts_of, participant_flow
from duologue.server import prepare_study
from duologue.store import (
    AnnotatorSummary,
    exported_rows,
    find_through_forms,
    give_consent,
    invite_annotators,
    judged_columns,
    judgment_rows,
    open_study,
    withdraw_annotator,
)
from duologue.studies import load_study
from tests.reports.judged_study import compared, make_study, prefers_earlier, prefers_later, sit

MORE = """
[[forms]]
name = "you"
when = "before"
title = "You"

[[forms.questions]]
name = "age"
kind = "number"
label = "How old <are> you?"

[[forms.questions]]
name = "work"
kind = "one"
label = "Work"
choices = ["yes", "no"]

[[forms.questions]]
name = "notes"
kind = "text"
label = "Notes"

[[cohorts]]
name = "expert"
annotations_per_item = 2

[[cohorts]]
name = "novice"
"""


@pytest.mark.usefixtures("undrawn")
def test_forms_and_cohorts_reach_the_report_as_counts(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        for number in range(4):
            about = {"age": 20 + number, "work": "yes", "notes": "Grace Hopper wrote this."}
            sit(study, store, prefers_earlier(), cohort="expert", about=about)
        sit(study, store, prefers_earlier(), cohort="novice", about={"age": None, "work": "no"})
        sit(study, store, prefers_later(), about={"age": 24, "work": "no"})
        gone = sit(study, store, prefers_earlier(), about={"work": "yes"})
        store.run(withdraw_annotator(gone, reason="asked to"))
        results = compared(analyse_study(study, store))
        page, *_ = write_report(results, tmp_path / "report", study=study)
    found = results.conduct
    assert isinstance(found, Conduct)
    assert [(one.cohort, one.annotators, one.judgments) for one in found.cohorts] == [
        ("expert", 4, 12),
        ("novice", 1, 3),
    ]
    age, work, notes = found.forms
    assert age.numbers is not None
    assert (age.answered, age.unanswered, age.numbers.median) == (5, 1, 22)
    assert (work.choices, notes.answered) == ({"yes": 4, "no": 2}, 4)
    assert found.plan is not None
    assert [(one.planned, one.counted) for one in found.plan.numbers] == [(6, 5)] * 3
    assert AcuteResults.read(tmp_path / "report" / "results.json").conduct == found
    html = page.read_text(encoding="utf-8")
    assert "How old &lt;are&gt; you?" in html
    assert "yes: 4; no: 2" in html
    assert "Grace Hopper" not in html
    with (tmp_path / "report" / "tables" / "cohorts.csv").open(encoding="utf-8") as file:
        assert [row["judgments"] for row in csv.DictReader(file)] == ["12", "3"]
    with (tmp_path / "report" / "tables" / "forms.csv").open(encoding="utf-8") as file:
        values = {(row["question"], row["answer"]): row["value"] for row in csv.DictReader(file)}
    assert (values["age", "(median)"], values["work", "no"], values["notes", "(left out)"]) == (
        "22.0",
        "2",
        "0",
    )


def test_numbers_of_few_people_are_not_summarised(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        for number in range(4):
            sit(study, store, prefers_earlier(), cohort="expert", about={"age": 33 + number, "work": "yes"})
        results = compared(analyse_study(study, store))
    assert results.conduct is not None
    age, work, _notes = results.conduct.forms
    assert (age.answered, age.numbers, work.choices) == (4, None, {"yes": 4, "no": 0})
    assert "fewer than 5 numbers: not summarised" in report_page(results, study=study)


def test_a_cohort_that_is_asked_for_later_is_a_deviation_from_the_plan(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier(), cohort="expert")
        text = study.text.replace("annotations_per_item = 2", "annotations_per_item = 3")
        (study.folder / "study.toml").write_text(text, encoding="utf-8")
        changed = load_study(study.folder)
        prepare_study(changed, store)
        conduct = compared(analyse_study(changed, store)).conduct
    assert conduct is not None
    assert any("was planned with 6 judgments and is now asked for 8" in said for said in conduct.deviations)
    assert any(said.startswith("The setting cohorts was") for said in conduct.deviations)


def test_judgments_are_exported_and_analysed_with_the_cohort_of_their_annotator(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier(), cohort="expert")
        sit(study, store, prefers_earlier())
        rows = [row["cohort"] for row in exported_rows(study, store)]
        assert rows == ["expert"] * 4 + [""] * 4
        columns = [list(made["cohort"]) for _batch, made in judged_columns(study, store)]
        assert columns == [rows]
        plain = study.text.partition("[[cohorts]]")[0]
        (study.folder / "study.toml").write_text(plain, encoding="utf-8")
        without = load_study(study.folder)
        assert all("cohort" not in row for row in judgment_rows(without, store))
        assert all("cohort" not in made for _batch, made in judged_columns(without, store))


def test_forms_are_in_no_export_of_judgments(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier(), about={"notes": "Grace Hopper"})
        assert "Grace Hopper" not in json.dumps(list(judgment_rows(study, store)))


def test_a_study_without_cohorts_counts_none() -> None:
    assert cohorts_of(CountedJudgments(), []) == ()


def somebody(key: str, **facts: Any) -> AnnotatorSummary:
    given: dict[str, Any] = {"arm": "main", "consented_at": "2026-05-01", **facts}
    known = {one.name for one in fields(AnnotatorSummary) if one.default is MISSING}
    blank: dict[str, Any] = dict.fromkeys(known, 0) | {"id": key, "kind": "lab"}
    return AnnotatorSummary(**(blank | given))


def test_who_left_at_a_form_found_no_place_or_ran_out_of_time_is_lost_there(tmp_path: Path) -> None:
    caps = replace(make_study(tmp_path / "study", per_matchup=2, more=MORE).caps, onboarding_comparisons=0)
    people = [
        somebody("judged"),
        somebody("left", ending="left"),
        somebody("late", timed_out=2),
        somebody("over", ending="timed-out"),
        somebody("stopped", ending="stopped"),
        somebody("blocked", is_blocked=True),
        somebody("late and blocked", is_blocked=True, timed_out=1),
        somebody("at a form", arm=""),
        somebody("no place", arm=""),
        somebody("declined", consented_at=None, has_declined=True),
    ]
    counted = CountedJudgments(judged={"judged"}, counts=Counter({"judged": 3}))
    steps = participant_flow(
        people, counted, caps, through_forms={one.id for one in people} - {"at a form", "declined"}
    )
    assert [(one.name, one.annotators, one.is_loss) for one in steps] == [
        ("invited", 10, False),
        ("declined to take part", 1, True),
        ("consented", 9, False),
        ("left at a form", 1, True),
        ("filled in the forms", 8, False),
        ("found no place after the forms", 1, True),
        ("ran out of time without a judgment", 2, True),
        ("stopped after failed attention checks without a judgment", 1, True),
        ("blocked by the researcher without a judgment", 2, True),
        ("left without a judgment", 1, True),
        ("judged", 1, False),
        ("analysed", 1, False),
    ]


def test_who_filled_in_all_forms_before_is_known(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", per_matchup=2, more=MORE)
    with open_study(study) as store:
        prepare_study(study, store)
        through = sit(study, store, prefers_earlier(), about={"work": "no"})
        (link,) = store.run(invite_annotators())
        store.run(give_consent(link.token, study.caps))
        assert store.run(find_through_forms(study.caps)) == {through}
        found = compared(analyse_study(study, store)).conduct
    assert found is not None
    assert ("left at a form", 1) in [(one.name, one.annotators) for one in found.participants]
