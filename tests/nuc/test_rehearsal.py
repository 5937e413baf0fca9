"""Simulated annotators: their skill is what the analysis finds, and the careless fail the checks."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import DesignError
from duologue.nuc import NucProtocol, NucSettings
from duologue.nuc.questions import QUESTION, NextTurnQuestion
from duologue.nuc.rehearsal import NucRehearsal, Skills
from duologue.protocols import ONLY_ARM, AskedItem, Item
from duologue.rehearsal import SimulatedAnnotator, rehearse
from tests.nuc.surveys import LAB, next_turn, survey
from tests.nuc.test_report import analysed, answers

pytestmark = pytest.mark.usefixtures("forked_servers")

PART = NucRehearsal()
NUC = NucProtocol(NucSettings())
CHOICES = {"best": ("1", "2", "3", "4", "5"), "second": ("1", "2", "3", "4", "5")}
ORDER = (2, 0, 4, 1, 3)


def asked(number: int, **more: object) -> AskedItem:
    question = NextTurnQuestion.of(next_turn(f"i{number}", "ubuntu", truth=4)).record()
    item = Item(f"1: i{number}", "ubuntu", (), (), (), slots=5, extras={QUESTION: question}, **more)  # type: ignore[arg-type]
    return AskedItem(ONLY_ARM, item, ORDER)


def chosen(kind: str, skill: float, *, n: int = 200, **more: object) -> list[tuple[int, int]]:
    """The places of the best and second-best reply, of one annotator."""
    one = SimulatedAnnotator(1, kind, has_script=True, seed=3, cohort="expert")
    truth = Skills({("expert", "ubuntu"): skill}, 0.0)
    sent = [PART.simulate(one, asked(k, **more), CHOICES, protocol=NUC, truth=truth) for k in range(n)]
    return [(ORDER[int(str(form["best"])) - 1], ORDER[int(str(form["second"])) - 1]) for form in sent]


def test_careful_annotators_find_the_true_reply_as_often_as_their_cohort() -> None:
    found = chosen("careful", 0.7)
    assert np.mean([best == 4 for best, _ in found]) == pytest.approx(0.7, abs=0.08)
    assert all(best != second for best, second in found)
    missed = [second == 4 for best, second in found if best != 4]
    assert 0.3 < np.mean(missed) < 0.7
    assert all(best == 4 for best, _ in chosen("double-clicker", 0.0, role="attention", gold=4))


def test_the_careless_choose_at_random_and_others_the_first_row() -> None:
    assert np.mean([best == 4 for best, _ in chosen("careless", 1.0, gold=4)]) == pytest.approx(0.2, abs=0.08)
    assert Counter(chosen("always-left", 1.0)) == {(2, 0): 200}


def test_skills_are_stated_by_cohort_and_corpus() -> None:
    items = [asked(1).item]
    stated = {"skill": ["expert=0.8", "expert:ubuntu=0.9", "0.4"]}
    truth = PART.truth(items, stated, rng=np.random.default_rng(1))
    assert (truth.of("expert", "ubuntu"), truth.of("expert", "x"), truth.of("y", "ubuntu")) == (0.9, 0.8, 0.4)
    assert 0.5 <= PART.truth(items, {}, rng=np.random.default_rng(1)).others <= 0.8
    assert PART.noun(items) == "question"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("expert:films=0.8", "corpora of this study are ubuntu"),
        ("expert=1.2", "from 0 to 1"),
        ("x", "a number"),
    ],
)
def test_a_skill_that_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(DesignError, match=says):
        PART.truth([asked(1).item], {"skill": [text]}, rng=np.random.default_rng(1))


def test_what_was_found_is_held_against_what_is_true() -> None:
    results = analysed(answers(skills={"expert": 0.95, "novice": 0.5, "worse": 0.0}, people=20, items=20))

    def findings(skills: Skills) -> dict[str, str]:
        return {
            one.said.split(" (")[0].split(":")[0]: one.finding for one in PART.recoveries(results, skills)
        }

    true = {("expert", ""): 0.95, ("novice", ""): 0.5, ("worse", ""): 0.0, ("nobody", ""): 0.5}
    right = findings(Skills(true, 0.5))
    assert right["expert in movies"] == right["worse in movies"] == right["expert"] == "recovered"
    assert right["nobody"] == "undecided"
    wrong = findings(Skills({("expert", ""): 0.1, ("novice", ""): 0.5, ("worse", ""): 0.9}, 0.5))
    assert wrong["expert in movies"] == wrong["worse in movies"] == wrong["expert"] == "wrong"
    few = analysed(answers(skills={"expert": 0.6}, people=2, items=2))
    assert {one.finding for one in PART.recoveries(few, Skills({}, 0.6))} == {"undecided"}
    said = [one.sentence for one in PART.recoveries(few, Skills({}, 0.6))]
    assert said[0].startswith(
        "Whether annotators of cohort expert find the true reply in movies more often than"
    )
    said = [one.sentence for one in PART.recoveries(results, Skills(true, 0.5))]
    assert "Annotators of cohort expert find the true reply in movies more often than chance." in said
    alike = analysed(answers(skills={"a": 0.7, "b": 0.7}))
    pairs = [one for one in PART.recoveries(alike, Skills({}, 0.7)) if one.said.startswith("a (")]
    assert {one.finding for one in pairs} == {"recovered"}
    undecided = [
        one for one in PART.recoveries(alike, Skills({("a", ""): 0.9}, 0.7)) if one.said.startswith("a (")
    ]
    assert {one.finding for one in undecided} == {"undecided"}


def test_a_study_is_rehearsed_from_its_items_to_the_report(tmp_path: Path) -> None:
    rest = LAB.replace("per_annotator = 8", "per_annotator = 4")
    pool = '{ movies = ["novice", "expert"] }'
    study = survey(tmp_path / "s", rest=rest, pool=pool, per_annotator=3, annotations_per_item=2)
    found = rehearse(study.folder, annotators=14, seed=3, stated={"skill": ["lab-expert=1", "novice=0", "0"]})
    assert all(rule.has_held for rule in found.rules), found.rules
    kinds = {one.kind: one for one in found.kinds}
    assert kinds["careless"].counted == 0
    assert found.report is not None
    page = found.report.read_text(encoding="utf-8")
    assert "lab-expert" in page
    assert "novice+expert" in page
    people = json.loads((found.report.parent / "results.json").read_text())["recall"]["people"]
    assert {one["cohort"] for one in people if one["recall"] > 0.5 and one["k"] == 1} == {"lab-expert"}
    tables = found.report.parent / "tables"
    assert "What is your gender?" in (tables / "table_1.tex").read_text()
    assert "lab-expert &" in (tables / "table_2.tex").read_text()
