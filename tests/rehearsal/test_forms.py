"""Simulated annotators fill in forms about themselves: legal answers by kind of question and seed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.demo import make_demo
from duologue.rehearsal.forms import fill_in_answers
from duologue.rehearsal.kinds import CARELESS, NEVER_A_REASON, SimulatedAnnotator
from duologue.store import fetch_annotators, fetch_filled_forms, open_store
from duologue.studies import FormSettings, WordingTable, load_study, read_answers
from tests.about_annotators import forms_and_cohorts
from tests.rehearsal.test_rehearsing import rehearsed

pytestmark = pytest.mark.usefixtures("forked_servers")

QUESTIONS = [
    {"name": "age", "kind": "number", "label": "Age", "min": 18, "max": 99, "required": True},
    {"name": "share", "kind": "number", "label": "Share", "min": 0.2, "max": 0.4},
    {"name": "below", "kind": "number", "label": "Below", "max": 3},
    {"name": "any", "kind": "number", "label": "Any"},
    {"name": "work", "kind": "one", "label": "Work", "choices": ["no", "yes"], "required": True},
    {"name": "langs", "kind": "several", "label": "Languages", "choices": ["en", "de", "fa"]},
    {"name": "notes", "kind": "text", "label": "Notes", "max_chars": 3, "required": True},
    {"name": "more", "kind": "text", "label": "More"},
]
FORM = FormSettings.model_validate({"name": "you", "when": "before", "title": "You", "questions": QUESTIONS})


def somebody(kind: str = "careful", number: int = 1, seed: int = 7) -> SimulatedAnnotator:
    return SimulatedAnnotator(number, kind, False, seed)


@given(st.sampled_from(["careful", CARELESS, NEVER_A_REASON]), st.integers(0, 500), st.integers(0, 99))
def test_whatever_is_filled_in_is_legal(kind: str, number: int, seed: int) -> None:
    read = read_answers(FORM, fill_in_answers(somebody(kind, number, seed), FORM), WordingTable())
    assert dict(read.problems) == {}


def test_the_same_annotator_answers_the_same() -> None:
    assert fill_in_answers(somebody(), FORM) == fill_in_answers(somebody(), FORM)
    sent = {fill_in_answers(somebody(number=number), FORM).pairs() for number in range(20)}
    assert len(sent) == 20


def test_the_careless_answer_what_they_must_with_what_stands_first() -> None:
    sent = fill_in_answers(somebody(CARELESS), FORM)
    assert sorted(sent) == ["form", "q.age", "q.notes", "q.work"]
    assert (sent["q.work"], sent["q.notes"]) == ("no", "x")


@pytest.fixture
def forms_study(tmp_path: Path) -> Path:
    study = make_demo(tmp_path / "demo").study
    (study.folder / "study.toml").write_text(study.text + forms_and_cohorts(), encoding="utf-8")
    return study.folder


def test_a_rehearsal_goes_through_forms_and_cohorts(forms_study: Path) -> None:
    found = rehearsed(load_study(forms_study))
    assert all(rule.has_held for rule in found.rules), [rule for rule in found.rules if not rule.has_held]
    assert any(rule.rule.startswith("forms acknowledged") for rule in found.rules)
    with open_store(load_study(found.folder).database) as store:
        filled = list(store.stream(fetch_filled_forms()))
        people = store.run(fetch_annotators())
    assert {one.form for one in filled} == {"you", "end"}
    assert sum(walk.forms for walk in found.walks) == len(filled)
    several = [one.answers["langs"] for one in filled if one.answers and one.form == "you"]
    assert any(isinstance(langs, list) and len(langs) > 1 for langs in several)
    assert {one.cohort for one in people} == {"", "expert", "novice"}
