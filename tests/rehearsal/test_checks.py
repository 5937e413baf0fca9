from __future__ import annotations

from dataclasses import replace

import pytest

from duologue.judgments import Judgment
from duologue.protocols import Item
from duologue.rehearsal.checks import check_rules
from duologue.rehearsal.kinds import SimulatedAnnotator
from duologue.rehearsal.walk import Walk
from duologue.studies import StudyRules

CAPS = StudyRules(
    arms=("main",),
    max_judgments=None,
    lease_seconds=1800,
    annotations_per_item=1,
    onboarding_comparisons=1,
    onboarding_threshold=1.0,
    block="soft",
    seed=1,
)
ITEMS = {
    name: Item(name, group, bots, dialogues, ("s", "s"), role="onboarding" if name == "gold" else "judged")
    for name, group, bots, dialogues in (
        ("one", "a__vs__b", ("a", "b"), ("a1", "b1")),
        ("two", "a__vs__c", ("a", "c"), ("a2", "c1")),
        ("again", "a__vs__c", ("a", "c"), ("a1", "c2")),
        ("gold", "a__vs__h", ("a", "h"), ("a3", "h1")),
    )
}


def judgment(
    annotator: str, item: str, *, assignment: str = "", arm: str = "main", excluded: str = ""
) -> Judgment:
    return Judgment(
        id=f"{annotator}-{item}-{assignment}",
        assignment=assignment or f"{annotator}-{item}",
        annotator=annotator,
        annotator_kind="lab",
        arm=arm,
        item=item,
        group=ITEMS[item].group,
        answer={"side": 1},
        order=(0, 1),
        reason="",
        seconds=1.0,
        seconds_kind="wall",
        at="2026-01-01T00:00:00+00:00",
        revision=1,
        role=ITEMS[item].role,
        is_correct=None,
        excluded=excluded,
    )


def walk(annotator: str, saved: int) -> Walk:
    return Walk(SimulatedAnnotator(0, "careful", True, 7), annotator, saved, saved, "thanks", "code")


GOOD = [judgment("x", "gold"), judgment("x", "one"), judgment("x", "two"), judgment("y", "gold")]
WALKS = [walk("x", 3), walk("y", 1)]


def broken(judgments: list[Judgment], walks: list[Walk] = WALKS, caps: StudyRules = CAPS) -> list[str]:
    return [check.rule for check in check_rules(judgments, ITEMS, walks, caps) if not check.has_held]


def test_all_rules_hold_when_they_do() -> None:
    assert broken(GOOD) == []
    rules = {check.rule for check in check_rules(GOOD, ITEMS, WALKS, CAPS)}
    assert "arms per annotator" not in rules, "there is one arm only"
    assert "times one annotator saw a dialogue" in rules
    repeating = {check.rule for check in check_rules(GOOD, ITEMS, WALKS, replace(CAPS, repeat=0.2))}
    assert "times one annotator saw a dialogue (items that come a second time apart)" in repeating
    questions = {key: replace(item, bots=(), dialogues=(), judged=(), slots=4) for key, item in ITEMS.items()}
    rules = {check.rule for check in check_rules(GOOD, questions, WALKS, CAPS)}
    assert "times one annotator saw a dialogue" not in rules, "questions and live chats show none"


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        (judgment("y", "one"), "counted judgments per item"),
        (judgment("x", "one", assignment="second"), "times one annotator judged the same item"),
        (judgment("x", "again", excluded="late"), "times one annotator saw a dialogue"),
        (judgment("y", "two", assignment="x-one", excluded="late"), "judgments per assignment"),
        (judgment("y", "one", arm="other"), "arms per annotator"),
    ],
)
def test_a_rule_that_was_broken_is_named(more: Judgment, rule: str) -> None:
    assert rule in broken([*GOOD, more])


def test_arms_are_a_rule_only_where_there_are_several() -> None:
    def rules(judgments: list[Judgment]) -> list[str]:
        return [check.rule for check in check_rules(judgments, ITEMS, WALKS, CAPS)]

    assert "arms per annotator" not in rules(GOOD)
    assert "arms per annotator" in rules([*GOOD, judgment("z", "two", arm="other")])


def test_an_excluded_judgment_leaves_its_pairing_open() -> None:
    again = [*GOOD, judgment("y", "one", excluded="onboarding")]
    assert broken(again, [walk("x", 3), walk("y", 2)]) == []


def test_the_cap_per_annotator_is_the_number_of_matchups_unless_set() -> None:
    assert broken(GOOD, caps=replace(CAPS, max_judgments=1)) == ["judgments per annotator"]
    assert broken(GOOD, caps=replace(CAPS, max_judgments=2)) == []


@pytest.mark.parametrize("saved", [2, 4])
def test_an_answer_lost_or_stored_twice_is_noticed(saved: int) -> None:
    assert broken(GOOD, [walk("x", saved), walk("y", 1)]) == [
        "answers acknowledged and not stored, or stored and not acknowledged"
    ]
