from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.preferences import Preferences
from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.errors import AnswerError
from duologue.protocols import Item
from duologue.rehearsal import Kind, SimulatedAnnotator
from duologue.rehearsal.answers import REASONS, Knowledge, fill_form
from duologue.rehearsal.pages import Form
from duologue.store import Assignment
from duologue.studies import Study, load_study, new_study

FORM = Form("/a/x/submit", {"assignment": "k", "seconds": ""}, {"choice": ("1", "2")}, ("reason",))
CERTAIN = Preferences({"a": 0.0, "b": 0.0}, {("a", "b"): 1.0})


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new_study(tmp_path / "study", seed=1)


def asking(study: Study, question: str) -> Study:
    path = study.folder / "study.toml"
    path.write_text(study.text.replace('"engagingness" ', f'"{question}" '), encoding="utf-8")
    return load_study(study.folder)


def item(number: int, *, gold: int | None = None) -> Item:
    return Item(
        id=f"item-{number}",
        group="a__vs__b",
        bots=("a", "b"),
        dialogues=("d1", "d2"),
        judged=("s", "s"),
        role="judged" if gold is None else "onboarding",
        gold=gold,
    )


def assignment(of: Item, order: tuple[int, int]) -> Assignment:
    dialogue = Dialogue("d", "a", "self-chat", "s", (Speaker("s"),), (Turn("s", "Hi"),))
    return Assignment("k", of, (dialogue, dialogue), order, "main", 1, 3, "2026-01-01T00:00:00+00:00")


def choices(
    kind: Kind,
    study: Study,
    preferences: Preferences,
    *,
    order: tuple[int, int] = (0, 1),
    gold: int | None = None,
) -> Counter[str]:
    """How often an annotator of a kind chooses each side over two hundred items."""
    annotator = SimulatedAnnotator(0, kind, has_script=True, seed=7)
    knowledge = Knowledge(study, AcuteRehearsal(), preferences)
    filled = [
        fill_form(annotator, FORM, assignment(item(number, gold=gold), order), knowledge)
        for number in range(200)
    ]
    return Counter(fields["choice"] for fields in filled)


def test_a_careful_annotator_chooses_the_better_bot_wherever_it_is_shown(study: Study) -> None:
    assert choices("careful", study, CERTAIN, order=(0, 1)) == {"1": 200}
    assert choices("careful", study, CERTAIN, order=(1, 0)) == {"2": 200}


def test_a_careful_annotator_says_who_is_more_boring_when_asked_so(study: Study) -> None:
    boring = asking(study, "boring-to-talk-to")
    assert choices("careful", boring, CERTAIN, order=(0, 1)) == {"2": 200}


def test_a_careful_annotator_chooses_as_often_as_the_stated_preference(study: Study) -> None:
    chosen = choices("careful", study, Preferences({}, {("a", "b"): 0.7}))
    assert 118 <= chosen["1"] <= 162  # 0.7 of 200, within 3.5 standard deviations


def test_a_careful_annotator_knows_the_answer_to_onboarding(study: Study) -> None:
    assert choices("careful", study, CERTAIN, gold=1) == {"2": 200}


def test_one_who_fails_onboarding_answers_it_wrongly_and_goes_against_the_preference(study: Study) -> None:
    assert choices("fails-onboarding", study, CERTAIN, gold=1) == {"1": 200}
    assert choices("fails-onboarding", study, CERTAIN) == {"2": 200}


def test_a_careless_annotator_takes_both_sides(study: Study) -> None:
    assert 65 <= choices("careless", study, CERTAIN)["1"] <= 135


def test_one_who_always_takes_the_left_does_so_whatever_is_there(study: Study) -> None:
    assert choices("always-left", study, CERTAIN, order=(1, 0)) == {"1": 200}
    assert choices("always-left", study, CERTAIN, gold=1) == {"1": 200}


def test_the_reason_is_given_by_all_but_one_kind(study: Study) -> None:
    knowledge = Knowledge(study, AcuteRehearsal(), CERTAIN)
    for kind, has_reason in (("careful", True), ("double-clicker", True), ("never-a-reason", False)):
        annotator = SimulatedAnnotator(0, kind, has_script=True, seed=7)
        reason = fill_form(annotator, FORM, assignment(item(1), (0, 1)), knowledge)["reason"]
        assert (str(reason) in REASONS) == has_reason


def test_careless_annotators_take_no_time_and_careful_ones_time_to_read(study: Study) -> None:
    knowledge = Knowledge(study, AcuteRehearsal(), CERTAIN)

    def seconds(kind: str) -> float:
        annotator = SimulatedAnnotator(0, kind, has_script=True, seed=7)
        return float(fill_form(annotator, FORM, assignment(item(1), (0, 1)), knowledge)["seconds"])

    assert max(map(seconds, ("careless", "always-left", "spammer"))) <= 0.5
    assert seconds("careful") >= 2.0


def test_seconds_are_stated_without_script_too(study: Study) -> None:
    knowledge = Knowledge(study, AcuteRehearsal(), CERTAIN)
    with_script, without = (
        fill_form(
            SimulatedAnnotator(0, "careful", script, 7),
            FORM,
            assignment(item(1), (0, 1)),
            knowledge,
        )
        for script in (True, False)
    )
    assert float(with_script["seconds"]) >= 2.0
    assert without["seconds"] == with_script["seconds"]
    assert with_script["assignment"] == without["assignment"] == "k"


def test_the_same_annotator_fills_in_the_same_item_the_same_way(study: Study) -> None:
    assert choices("careless", study, CERTAIN) == choices("careless", study, CERTAIN)


def answers(kind: Kind, study: Study, preferences: Preferences, *, gold: int | None = None) -> Counter[str]:
    """How often each answer is given where they are graded and ties are offered, over two thousand items."""
    path = study.folder / "study.toml"
    text = study.text.replace('answer = "choice"', 'answer = "graded"').replace("ties = false", "ties = true")
    path.write_text(text, encoding="utf-8")
    knowledge = Knowledge(load_study(study.folder), AcuteRehearsal(), preferences)
    values = ("clearly-1", "slightly-1", "tie", "slightly-2", "clearly-2")
    form = Form("/a/x/submit", {}, {"choice": values}, ())
    filled = [
        fill_form(
            SimulatedAnnotator(number, kind, has_script=False, seed=7),
            form,
            assignment(item(number, gold=gold), (0, 1)),
            knowledge,
        )
        for number in range(2000)
    ]
    return Counter(str(fields["choice"]) for fields in filled)


def test_careful_annotators_of_equal_bots_say_clearly_half_of_the_time_and_tie_a_fifth(study: Study) -> None:
    given = answers("careful", study, Preferences({}, {("a", "b"): 0.5}))
    assert 320 <= given["tie"] <= 480
    decided = 2000 - given["tie"]
    assert 0.42 <= (given["clearly-1"] + given["clearly-2"]) / decided <= 0.58


def test_ties_and_grades_leave_the_rate_of_the_others_as_it_is(study: Study) -> None:
    given = answers("careful", study, Preferences({}, {("a", "b"): 0.7}))
    first, second = (given[f"clearly-{side}"] + given[f"slightly-{side}"] for side in (1, 2))
    assert 0.66 <= first / (first + second) <= 0.74
    assert given["clearly-1"] > given["slightly-1"] * 0.9
    assert given["clearly-2"] < given["slightly-2"]


def test_a_certain_preference_and_a_known_answer_are_clear_and_never_a_tie(study: Study) -> None:
    assert answers("careful", study, CERTAIN) == {"clearly-1": 2000}
    assert answers("careful", study, Preferences({}, {("a", "b"): 0.5}), gold=1) == {"clearly-2": 2000}
    assert answers("fails-onboarding", study, CERTAIN, gold=1) == {"clearly-1": 2000}


def test_careless_annotators_use_the_whole_scale(study: Study) -> None:
    given = answers("careless", study, CERTAIN)
    assert min(given[f"{how}-{side}"] for how in ("clearly", "slightly") for side in (1, 2)) > 400


def test_a_page_that_offers_no_answer_for_the_bot_is_told(study: Study) -> None:
    knowledge = Knowledge(study, AcuteRehearsal(), CERTAIN)
    annotator = SimulatedAnnotator(0, "careful", has_script=True, seed=7)
    form = Form("/a/x/submit", {}, {"choice": ("2",)}, ())
    with pytest.raises(AnswerError, match="speaks for slot 0"):
        fill_form(annotator, form, assignment(item(1), (0, 1)), knowledge)
