"""Attention checks, repeated items, deadlines and arms in the study file."""

from pathlib import Path

import pytest

from duologue.acute import change_pairing, make_pairings
from duologue.errors import StudyFileError
from duologue.studies import (
    PlanRequest,
    check_study,
    describe_study,
    load_study,
    make_plan,
    new_study,
    request_from_study,
)
from duologue.studies.frozen_plan import exclusion_rules
from tests.studies.conftest import write_dialogues


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new_study(tmp_path / "my study", seed=5).folder


def test_checks_repeats_and_deadlines_are_off_by_default_and_leave_the_design_as_it_was(folder: Path) -> None:
    study = load_study(folder)
    caps = study.caps
    assert (caps.attention.is_on, caps.repeat, caps.sees_each_arm) == (False, 0.0, False)
    assert (caps.sitting_seconds, caps.item_seconds) == (None, None)
    path = study.folder / "study.toml"
    written = '\n[attention]\nthreshold = 0.5\n[arms]\nper_annotator = "one"\n'
    path.write_text(path.read_text(encoding="utf-8") + written, encoding="utf-8")
    assert load_study(study.folder).design_hash == study.design_hash


def test_checks_repeats_and_deadlines_are_read_and_described(folder: Path) -> None:
    study = load_study(folder)
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace(
        "lease_minutes = 30", "lease_minutes = 30\nrepeat = 0.1\nsitting_minutes = 40\nitem_seconds = 90"
    )
    for place, words in (("every = 10", "one in every 10 items"), ("per_sitting = 2", "2 in a sitting")):
        path.write_text(f'{text}\n[attention]\n{place}\non_fail = "exclude"\n', encoding="utf-8")
        read = load_study(study.folder)
        assert (read.caps.sitting_seconds, read.caps.item_seconds, read.caps.repeat) == (2400, 90, 0.1)
        said = describe_study(read)
        assert words in said
        assert "fewer than 50 % right are excluded" in said
        assert "10 % of what an annotator judged, rounded, comes a second time" in said
        assert "A sitting ends after 40 minutes" in said
        assert "longer than 90 s" in said
        rules = [rule.partition(":")[0] for rule in exclusion_rules(read, onboarding_items=0)]
        assert {"attention", "attention-check", "repeat"} <= set(rules)
        assert read.design_hash != study.design_hash


@pytest.mark.parametrize(("minutes", "is_false"), [(40, False), (60, True)])
def test_a_duration_that_is_longer_than_a_sitting_is_refused(
    folder: Path, minutes: int, is_false: bool
) -> None:
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace('duration = ""', f'duration = "30 to {minutes} minutes"')
    path.write_text(text, encoding="utf-8")
    said = f'[consent] duration says "30 to {minutes} minutes", and a sitting ends after 40 minutes'
    assert not any(said in problem for problem in check_study(folder).problems)  # no limit is set
    limited = text.replace("lease_minutes = 30", "lease_minutes = 30\nsitting_minutes = 40")
    path.write_text(limited, encoding="utf-8")
    assert any(said in problem for problem in check_study(folder).problems) == is_false


def test_arms_can_be_seen_by_everybody(folder: Path) -> None:
    study = load_study(folder)
    path = study.folder / "study.toml"
    arms = "".join(f'[[acute.questions]]\nname = "{name}"\n' for name in ("a", "b"))
    path.write_text(
        f'{path.read_text(encoding="utf-8")}\n{arms}[arms]\nper_annotator = "each"\n', encoding="utf-8"
    )
    read = load_study(study.folder)
    assert read.caps.sees_each_arm
    assert "Every annotator goes through all 2 arms" in describe_study(read)


def test_attention_checks_without_items_for_them_are_odd(folder: Path) -> None:
    study = load_study(folder)
    write_dialogues(study.folder, "ann", 3)
    write_dialogues(study.folder, "bob", 3)
    path = study.folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n[attention]\nevery = 5\n", encoding="utf-8")
    wanted: dict[str, object] = {"per_matchup": 1, "onboarding": ["ann", "bob"]}
    study = load_study(study.folder)
    make_pairings(study, settings=change_pairing(study, wanted))
    assert any("no item has the role attention" in said for said in check_study(study.folder).warnings)
    make_pairings(study, settings=change_pairing(study, wanted | {"attention_count": 2}))
    assert not any("role attention" in said for said in check_study(study.folder).warnings)


def test_places_of_attention_checks_are_said_in_one_way(folder: Path) -> None:
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8") + "\n[attention]\nevery = 5\nper_sitting = 2\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyFileError, match=r"\[attention\] per_sitting: give this or `every`, not both"):
        load_study(folder)


TWICE = "lease_minutes = 30\njudged_twice = 0.25"


def test_second_judgments_are_described_priced_and_planned(folder: Path) -> None:
    for bot in ("ann", "bob"):
        write_dialogues(folder, bot, 8)
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("lease_minutes = 30", TWICE), encoding="utf-8")
    study = load_study(folder)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 8}))
    said = describe_study(study)
    assert "Judgments: 8 (1 per pairing), at most 1 per annotator: at least 10 annotators." in said
    assert "Second judgments: 2, of pairings that two annotators judge." in said
    assert "A second annotator judges 25 % of the items too" in said
    assert any(rule.startswith("second-judgment: ") for rule in exclusion_rules(study, onboarding_items=0))
    work = make_plan(request_from_study(study)).work
    assert (work.judgments, work.second_judgments, work.annotators) == (210, 53, 263)
    assert not any("judged_twice" in one for one in check_study(folder).warnings)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            "annotations_per_pairing = 1",
            "annotations_per_pairing = 3",
            "judged 3 times already",
        ),
        (
            "\n[consent]",
            '\n[[cohorts]]\nname = "a"\nannotations_per_item = 1\n[consent]',
            "cohorts with",
        ),
        ("\n[acute]\n", '\n[acute]\ncollect = "parallel"\n', "a live chat is judged by who held it"),
        ("judged_twice = 0.25", "judged_twice = 0.01", "less than one"),
    ],
)
def test_what_cannot_be_judged_twice_is_said(folder: Path, old: str, new: str, why: str) -> None:
    for bot in ("ann", "bob"):
        write_dialogues(folder, bot, 8)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace("lease_minutes = 30", TWICE)
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    if "parallel" in new:
        bots = "".join(f'[[bots]]\nname = "{name}"\nkind = "builtin"\n' for name in ("parrot", "companion"))
        path.write_text(f"{path.read_text(encoding='utf-8')}\n{bots}", encoding="utf-8")
    else:
        study = load_study(folder)
        make_pairings(study, settings=change_pairing(study, {"per_matchup": 8}))
    found = check_study(folder)
    assert any("judged_twice" in one and why in one for one in found.warnings), found
    if "0.01" not in new:
        assert load_study(folder).caps.judged_twice == 0


@pytest.mark.parametrize(
    ("place", "checks", "planned"),
    [
        ("every = 4", 2, (0, 0.25)),
        ("per_sitting = 1", 1, (1, 0)),
        ("per_sitting = 9", 3, (3, 0)),
        ("", 0, (0, 0)),
    ],
)
def test_attention_checks_and_repeats_are_priced(
    folder: Path, place: str, checks: int, planned: tuple[float, float]
) -> None:
    for bot in ("ann", "bob"):
        write_dialogues(folder, bot, 8)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace("per_judgment = 0.0", "per_judgment = 1.0")
    text = text.replace("# max_judgments = 3", "max_judgments = 8\nrepeat = 0.25")
    path.write_text(f"{text}\n[attention]\n{place}\n", encoding="utf-8")
    study = load_study(folder)
    made: dict[str, object] = {"per_matchup": 8, "onboarding": ["ann", "bob"], "attention_count": 3}
    make_pairings(study, settings=change_pairing(study, made))
    said = describe_study(study)
    assert f"Cost: {8 + 1 + 2 + checks}.00 USD at 1 a comparison" in said, "1 onboarding, 2 repeats"
    kinds = "onboarding, attention checks and repeated items" if checks else "onboarding and repeated items"
    assert f"{kinds} included." in said
    request = request_from_study(study)
    assert (request.checks, request.checked, request.repeat) == (*planned, 0.25)
    work = make_plan(PlanRequest(gap=0.2, per_annotator=6, repeat=0.2)).work
    assert (work.annotators, work.besides) == (35, 35), "one of the six of each, rounded, and no fifth of all"
    make_pairings(study, settings=change_pairing(study, {**made, "attention_count": 0}))
    without = request_from_study(load_study(folder))
    assert (without.checks, without.checked) == (0, 0), "no item is an attention check"


def test_live_chats_are_not_held_again_and_second_judgments_bring_checks_too(tmp_path: Path) -> None:
    chats = new_study(tmp_path / "chats", protocol="likert", seed=5)
    path = chats.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("lease_minutes = 30", "lease_minutes = 30\nrepeat = 0.25"), encoding="utf-8")
    assert request_from_study(load_study(chats.folder)).repeat == 0
    work = make_plan(PlanRequest(gap=0.2, per_annotator=10, judged_twice=0.25, checked=0.2)).work
    assert (work.answers, work.second_judgments) == (210, 53)
    assert work.besides == 53, "a fifth of 263"


@pytest.mark.parametrize(
    ("onboarding", "place", "said"),
    [
        (None, "", "they count as done.\n"),
        (["ann", "bob"], "", "they count as done. A skipped onboarding item counts as not right.\n"),
        (
            ["ann", "bob"],
            "every = 4",
            "counts as not right. A skipped attention check counts as neither right nor wrong.\n",
        ),
    ],
)
def test_what_skipping_a_check_does_is_said_where_there_are_checks(
    folder: Path, onboarding: list[str] | None, place: str, said: str
) -> None:
    for bot in ("ann", "bob"):
        write_dialogues(folder, bot, 8)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace("lease_minutes = 30", "lease_minutes = 30\nskips = 2")
    path.write_text(f"{text}\n[attention]\n{place}\n", encoding="utf-8")
    study = load_study(folder)
    made = {"per_matchup": 4, "onboarding": onboarding, "attention_count": 3 if place else 0}
    make_pairings(study, settings=change_pairing(study, made))
    assert said in describe_study(study)
    path.write_text(path.read_text(encoding="utf-8").replace("skips = 2", "skips = 1"), encoding="utf-8")
    one = describe_study(load_study(folder))
    assert "may skip one item: nothing is judged in it, and it counts as done." in one


@pytest.mark.parametrize(("reason", "is_said"), [("encouraged", True), ("required", False), ("off", False)])
def test_annotators_without_reasons_are_excluded_where_a_reason_may_be_left_out(
    folder: Path, reason: str, is_said: bool
) -> None:
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace('reason = "encouraged"', f'reason = "{reason}"')
    path.write_text(text, encoding="utf-8")
    assert ("Annotators who never give a reason" in describe_study(load_study(folder))) == is_said
