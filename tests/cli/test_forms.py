"""``duologue forms`` and links for a cohort."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import NotFound
from duologue.store import Store, fetch_annotators, fill_in_form, give_consent, invite_annotators
from duologue.studies import Study
from tests.cli.test_annotators import run
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.test_cohorts import REST


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", onboarding=0, rest=REST)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        (one,) = store.run(invite_annotators(cohort="expert"))
        store.run(give_consent(one.token, study.caps))
        answers = {"age": 31, "langs": ["English", "فارسی"], "work": None}
        store.run(fill_in_form(one.token, study.caps, form="you", answers=answers))
        yield store


def test_answers_are_counted(study: Study, store: Store) -> None:
    lines = run("forms", "show", str(study.folder)).splitlines()
    assert lines[:3] == ["you.age: Age", "  1 answered, 0 left it out", "  from 31 to 31, median 31"]
    assert "       1  فارسی" in lines
    counts = json.loads(run("forms", "show", str(study.folder), "--json"))
    assert [one["question"] for one in counts] == ["age", "langs", "work", "notes"]


def test_a_study_without_forms_says_so(tmp_path: Path) -> None:
    plain = make_study(tmp_path / "plain")
    assert run("forms", "show", str(plain.folder)) == "The study has no forms.\n"


def test_forms_are_exported_as_a_table_of_their_own(study: Study, store: Store, tmp_path: Path) -> None:
    (annotator,) = store.run(fetch_annotators())
    printed = run("forms", "export", str(study.folder)).splitlines()
    assert printed[1].startswith(f"{annotator.id},lab,expert,you,1,")
    out = tmp_path / "forms.jsonl"
    assert run("forms", "export", str(study.folder), "--out", str(out)) == f"{out}: 1 forms.\n"
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[-1])
    assert (row["you.age"], json.loads(row["you.langs"])) == (31, ["English", "فارسی"])
    assert json.loads(run("forms", "export", str(study.folder), "--format", "jsonl").splitlines()[-1]) == row
    run("forms", "export", str(study.folder), "--format", "parquet", expected=2)


def test_progress_and_the_list_show_cohorts_where_there_are_some(
    study: Study, store: Store, tmp_path: Path
) -> None:
    heads = [run("annotators", verb, str(study.folder)).split("\n") for verb in ("progress", "list")]
    assert "cohorts" in heads[0][0]
    assert "expert 0/8" in heads[0][1]
    assert "cohort" in heads[1][0]
    assert "expert" in heads[1][1]
    plain = make_study(tmp_path / "plain")
    prepared_store(plain).close()
    run("annotators", "invite", str(plain.folder))
    assert "cohort" not in run("annotators", "progress", str(plain.folder))
    assert "cohort" not in run("annotators", "list", str(plain.folder))


def test_links_are_made_for_a_cohort(study: Study, store: Store) -> None:
    run("annotators", "invite", str(study.folder), "--cohort", "novice")
    assert [one.cohort for one in store.run(fetch_annotators())] == ["expert", "novice"]
    with pytest.raises(NotFound, match="there is no cohort 'novices'") as refused:
        run("annotators", "invite", str(study.folder), "--cohort", "novices")
    assert refused.value.__notes__ == ["The cohorts are: expert, novice."]
    shown = CliRunner().invoke(app, ["study", "keys", str(study.folder), "--json"])
    keys = json.loads(shown.output)
    assert "/open/expert." in keys["open_link_expert"]


def test_serve_says_to_which_cohort_each_link_belongs(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duologue.server.running.serving._run_here", lambda *args, when_ready: when_ready())
    printed = run("serve", str(study.folder), "--port", "0")
    lines = [line.split() for line in printed.splitlines() if line.startswith("  annotator")]
    assert [line[2:] for line in lines] == [[], ["(expert)"], ["(novice)"]]
