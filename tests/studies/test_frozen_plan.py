"""What a plan holds, its hash, and how a study deviates from it."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Json
from duologue.studies import Study, changes_since, draft_plan, freeze, load_study, plan_hash

WANTED = {("main", "ann__vs__bob"): 210}


def deviations(frozen: Mapping[str, Json], now: Mapping[str, Json]) -> list[str]:
    return list(changes_since(frozen, now, say_group=lambda group: group.replace("__vs__", " against ")))


def drafted(
    study: Study, wanted: Mapping[tuple[str, str], int] = WANTED, *, onboarding: int = 3
) -> dict[str, Json]:
    return draft_plan(study, wanted, onboarding_items=onboarding)


def changed(study: Study, before: str, after: str) -> Study:
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    return load_study(study.folder)


def test_a_study_that_stays_as_it_is_deviates_in_nothing(study: Study) -> None:
    frozen = freeze(drafted(study), at="2026-05-01T12:00:00+00:00")
    assert deviations(frozen.content, drafted(study)) == []


def test_title_and_description_are_those_that_annotators_see(study: Study) -> None:
    folder = study.folder.parent / "chats"
    folder.mkdir()
    bots = "".join(f'[[bots]]\nname = "{name}"\nkind = "builtin"\n' for name in ("companion", "parrot"))
    (folder / "study.toml").write_text(
        f'[study]\nname = "chats"\nprotocol = "per-turn"\nseed = 1\n{bots}', encoding="utf-8"
    )
    chats = load_study(folder)
    for one in (study, chats):
        said = drafted(one)["settings"]
        assert isinstance(said, dict)
        assert (said["study"]["title"], said["study"]["description"]) == (
            one.heading.title,
            one.heading.description,
        )
        assert "database" not in said["study"]
        assert deviations(freeze(drafted(one), at="2026-05-01").content, drafted(one)) == []
    assert chats.heading.title == "Have a conversation and judge the replies"


def test_every_change_is_a_deviation(study: Study) -> None:
    frozen = freeze(drafted(study), at="2026-05-01T12:00:00+00:00").content
    later = changed(study, "alpha = 0.05", "alpha = 0.1")
    assert deviations(frozen, drafted(later)) == ["alpha was planned as 0.05 and is 0.1."]
    later = changed(later, 'reason = "encouraged"', 'reason = "required"')
    assert any("acute.reason" in said for said in deviations(frozen, drafted(later)))


def test_numbers_and_matchups_that_change_are_deviations(study: Study) -> None:
    frozen = freeze(drafted(study), at="2026-05-01T12:00:00+00:00").content
    now = drafted(study, {("main", "ann__vs__bob"): 90, ("main", "ann__vs__cy"): 7})
    assert deviations(frozen, now) == [
        "ann against bob was planned with 210 judgments and is now asked for 90.",
        "ann against cy was added after the first judgment, with 7 judgments.",
    ]
    assert deviations(frozen, drafted(study, {})) == [
        "ann against bob was planned with 210 judgments and is asked for no longer."
    ]


@pytest.mark.parametrize(
    ("there", "rule"),
    [
        (0, None),
        (1, "onboarding: annotators with fewer than 100 % of 1 onboarding judgment right"),
        (2, "onboarding: annotators with fewer than 100 % of 2 onboarding judgments right"),
        (9, "onboarding: annotators with fewer than 100 % of 3 onboarding judgments right"),
    ],
)
def test_onboarding_is_a_rule_of_the_plan_as_far_as_there_are_items_for_it(
    study: Study, there: int, rule: str | None
) -> None:
    asks_three = changed(study, "comparisons = 1\n", "comparisons = 3\n")
    rules = drafted(asks_three, onboarding=there)["exclusions"]
    assert isinstance(rules, list)
    assert [one for one in rules if str(one).startswith("onboarding")] == ([rule] if rule else [])


def test_a_setting_of_a_later_version_is_no_deviation(study: Study) -> None:
    frozen = copy.deepcopy(dict(freeze(drafted(study), at="now").content))
    settings = frozen["settings"]
    assert isinstance(settings, dict)
    del settings["stopping"]["icc"], settings["acute"]["ties"], settings["chat"]
    assert deviations(frozen, drafted(study)) == []


def test_the_draft_names_no_secret_and_no_place(study: Study) -> None:
    later = changed(study, "[acute]", 'database = "postgresql://ada:secret@host/x"\n[acute]')
    assert "secret" not in json.dumps(drafted(later))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@given(content=st.dictionaries(st.text(), json_values, max_size=4), key=st.text(), value=json_values)
def test_any_change_changes_the_hash(content: dict[str, object], key: str, value: object) -> None:
    frozen = freeze(content, at="2026-05-01").content
    assert plan_hash(frozen) == frozen["hash"]
    edited = {**frozen, key: value}
    same = key == "hash" or (key in frozen and json.dumps(frozen[key]) == json.dumps(value))
    assert (plan_hash(edited) == frozen["hash"]) == same
