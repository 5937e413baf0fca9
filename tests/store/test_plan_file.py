"""plan.json is a copy of the frozen plan: written once, and a file that is not it is noticed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.server import prepare_study
from duologue.store import (
    ItemStation,
    Store,
    add_addendum,
    fetch_frozen_plan,
    give_consent,
    invite_annotators,
    keep_plan_file,
    move_study,
    note_fact,
    open_store,
)
from duologue.studies import PLAN_FILE, Study, load_study, plan_hash
from tests.reports.judged_study import make_study, prefers_earlier, sit


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database) as opened:
        prepare_study(study, opened)
        yield opened


def test_nothing_is_written_before_the_first_judgment(study: Study, store: Store) -> None:
    assert keep_plan_file(study, store) == ""
    assert not (study.folder / PLAN_FILE).exists()


def test_the_file_is_what_was_frozen(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    assert keep_plan_file(study, store) == ""
    plan = store.run(fetch_frozen_plan())
    written = json.loads((study.folder / PLAN_FILE).read_text(encoding="utf-8"))
    assert plan is not None
    assert written == plan.content
    assert plan_hash(written) == written["hash"]
    assert (written["alpha"], written["gap"], written["power"], written["icc"]) == (0.05, 0.2, 0.8, 0.1)
    assert [row["judgments"] for row in written["n"]] == [12, 12, 12]
    assert "exact two-sided binomial" in written["test"]
    assert written["family"] == "Holm over all matchups"
    assert written["exclusions"][0].startswith("onboarding:")
    assert written["settings"]["acute"]["reason"] == "encouraged"


def test_a_crash_between_judgment_and_file_is_made_up_for(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    assert not (study.folder / PLAN_FILE).exists()
    prepare_study(study, store)
    assert (study.folder / PLAN_FILE).exists()


def test_an_edited_file_is_noticed_and_left_alone(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    keep_plan_file(study, store)
    path = study.folder / PLAN_FILE
    path.write_text(path.read_text(encoding="utf-8").replace("0.05", "0.5"), encoding="utf-8")
    said = keep_plan_file(study, store)
    assert "plan.json was changed after it was frozen" in said
    assert "0.5" in path.read_text(encoding="utf-8")
    plan = store.run(fetch_frozen_plan())
    assert plan is not None
    assert plan.content["alpha"] == 0.05


def test_a_missing_file_is_said_and_written_again(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    keep_plan_file(study, store)
    (study.folder / PLAN_FILE).unlink()
    assert "plan.json was missing" in keep_plan_file(study, store)
    assert keep_plan_file(study, store) == ""


def test_a_folder_that_cannot_be_written_to_is_said(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    (study.folder / PLAN_FILE).mkdir()
    assert "plan.json cannot be read" in keep_plan_file(study, store)


def test_a_rehearsal_freezes_nothing(study: Study) -> None:
    with open_store(study.database) as store:
        store.run(note_fact("rehearsal", "{}"))
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        assert store.run(fetch_frozen_plan()) is None


def test_the_plan_moves_with_the_study(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    before = store.run(fetch_frozen_plan())
    store.close()
    move_study(load_study(study.folder), "moved.db")
    with open_store(f"sqlite:///{study.folder / 'moved.db'}") as moved:
        assert moved.run(fetch_frozen_plan()) == before


def test_a_changed_setting_after_the_first_judgment_changes_no_plan(study: Study, store: Store) -> None:
    (invitation,) = store.run(invite_annotators())
    station = store.run(give_consent(invitation.token, study.caps))
    assert isinstance(station, ItemStation)
    sit(study, store, prefers_earlier())
    before = store.run(fetch_frozen_plan())
    path = study.folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n[stopping]\nalpha = 0.2\n", encoding="utf-8")
    prepare_study(load_study(study.folder), store)
    sit(study, store, prefers_earlier())
    assert store.run(fetch_frozen_plan()) == before


def test_an_addendum_has_a_file_that_is_written_again_and_noticed_when_changed(
    study: Study, store: Store
) -> None:
    store.run(add_addendum({"adds": ["dee"]}))
    path = study.folder / "plan-addendum-1.json"
    assert keep_plan_file(study, store) == ""
    assert json.loads(path.read_text(encoding="utf-8"))["adds"] == ["dee"]
    path.unlink()
    assert keep_plan_file(study, store).startswith("plan-addendum-1.json was missing")
    path.write_text("{}", encoding="utf-8")
    said = keep_plan_file(study, store)
    assert "plan-addendum-1.json was changed after it was frozen" in said
    assert "The addendum in the database is unchanged" in said
