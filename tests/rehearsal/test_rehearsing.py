"""Simulated annotators walk real pages; the server runs in this process, but for one test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from duologue.acute.rehearsal import AcuteRehearsal
from duologue.demo import PREFERENCES, make_demo
from duologue.errors import DesignError, RehearsalError, StudyNotFound
from duologue.judgments import Judgment
from duologue.rehearsal import KindResult, Rehearsal, SimulatedAnnotator, browser, rehearse, rehearsing
from duologue.rehearsal.copy import copy_study
from duologue.rehearsal.walk import Walk, walk_pages
from duologue.server import create_app, prepare_study, served
from duologue.store import (
    REHEARSAL,
    Invitation,
    fetch_annotators,
    fetch_assignment_in_hand,
    fetch_fact,
    fetch_judgments,
    note_fact,
    open_store,
    release_assignment,
)
from duologue.studies import Study, load_study

pytestmark = pytest.mark.usefixtures("forked_servers")

ANNOTATORS = 20
"""Enough for one of every kind."""


@contextmanager
def serving(study: Study) -> Iterator[str]:
    """A copy of the study, served for a rehearsal."""
    copy = copy_study(study, seed=7, annotators=ANNOTATORS)
    with open_store(copy.database) as store:
        store.run(note_fact(REHEARSAL, "{}"))
        prepare_study(copy, store)
        with served(create_app(copy, store)) as address:
            yield address


def rehearsed(study: Study, *, concurrency: int = 6) -> Rehearsal:
    with serving(study) as address:
        return rehearse(
            study.folder,
            annotators=ANNOTATORS,
            stated={"prefer": [f"{one}:{other}={rate}" for (one, other), rate in PREFERENCES.items()]},
            concurrency=concurrency,
            base_url=address,
            with_report=False,
        )


def judgments_of(folder: Path) -> list[Judgment]:
    with open_store(load_study(folder).database) as store:
        return list(store.stream(fetch_judgments()))


def given(folder: Path) -> list[tuple[object, ...]]:
    """The judgments but for what is never the same twice: random ids and times."""
    with open_store(load_study(folder).database) as store:
        labels = {annotator.id: annotator.label for annotator in store.run(fetch_annotators())}
        return [
            (labels[one.annotator], one.item, one.order, one.answer, one.reason, one.is_correct, one.excluded)
            for one in store.stream(fetch_judgments())
        ]


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    return rehearsed(make_demo(tmp_path_factory.mktemp("rehearsal") / "study").study)


def kind(rehearsal: Rehearsal, name: str) -> KindResult:
    return next(result for result in rehearsal.kinds if result.kind == name)


def test_every_kind_came_and_the_rules_held(rehearsal: Rehearsal) -> None:
    assert [result.kind for result in rehearsal.kinds] == list(AcuteRehearsal.mix)
    assert [rule for rule in rehearsal.rules if not rule.has_held] == []
    assert rehearsal.rules_have_held


def test_careful_annotators_finish_and_all_they_judged_counts(rehearsal: Rehearsal) -> None:
    careful = kind(rehearsal, "careful")
    assert careful.endings == {"thanks": careful.annotators}
    assert careful.judgments == careful.counted == 3 * careful.annotators


def test_those_who_fail_onboarding_notice_nothing_and_count_nothing(rehearsal: Rehearsal) -> None:
    failing = kind(rehearsal, "fails-onboarding")
    assert failing.endings == {"thanks": failing.annotators}
    assert failing.judgments == failing.excluded["onboarding"] > 0


def test_nobody_comes_to_fail_an_onboarding_that_is_not_there(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    kept = [line for line in study.items_path.read_text().splitlines() if '"role":"onboarding"' not in line]
    study.items_path.write_text("\n".join(kept) + "\n")
    kinds = {result.kind for result in rehearsed(study).kinds}
    assert kinds == AcuteRehearsal.mix.keys() - {"fails-onboarding"}


@pytest.mark.parametrize("reason", ["off", "required"])
def test_what_is_done_about_reasons_is_what_the_study_asks_for(reason: str, tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert 'reason = "encouraged"' in text
    path.write_text(text.replace('reason = "encouraged"', f'reason = "{reason}"'), encoding="utf-8")
    done = rehearsed(load_study(study.folder))
    kinds = {result.kind for result in done.kinds}
    if reason == "off":
        assert kinds == AcuteRehearsal.mix.keys() - {"never-a-reason"}
        assert kind(done, "careful").does == "choose by their true preference"
        return
    assert kind(done, "careful").does == "choose by their true preference and say why"
    assert set(kind(done, "never-a-reason").endings) == {"refused"}
    copy = load_study(done.folder)
    with open_store(copy.database) as store:
        last = [held for walk in done.walks if (held := store.run(fetch_assignment_in_hand(walk.token)))]
        kept = [held for held in last if store.run(release_assignment(held, copy.caps, by="test"))]
    assert last
    assert kept == []  # no place is kept for those who gave up


def test_one_who_leaves_half_way_keeps_the_judgments_given_so_far(rehearsal: Rehearsal) -> None:
    leaving = kind(rehearsal, "leaves-half-way")
    assert leaving.endings == {"left": leaving.annotators}
    assert leaving.judgments == leaving.counted == leaving.annotators  # onboarding, then one of three


def test_what_was_sent_twice_is_there_once(rehearsal: Rehearsal) -> None:
    clicking = [walk for walk in rehearsal.walks if walk.annotator.kind == "double-clicker"]
    stored = Counter(judgment.annotator for judgment in judgments_of(rehearsal.folder))
    assert [walk.sent for walk in clicking] == [2 * walk.saved for walk in clicking]
    assert [stored[walk.id] for walk in clicking] == [walk.saved for walk in clicking]


def test_the_completion_codes_differ(rehearsal: Rehearsal) -> None:
    codes = [walk.code for walk in rehearsal.walks if walk.ending == "thanks"]
    assert None not in codes
    assert len(set(codes)) == len(codes)


def test_seconds_are_those_that_people_would_take_with_script_and_without(rehearsal: Rehearsal) -> None:
    annotators = {walk.id: walk.annotator for walk in rehearsal.walks}
    judgments = [(annotators[one.annotator], one) for one in judgments_of(rehearsal.folder)]
    assert {(who.has_script, one.seconds_kind) for who, one in judgments} == {
        (True, "visible"),
        (False, "visible"),
    }
    careful = [one.seconds for who, one in judgments if who.kind == "careful" and not who.has_script]
    assert min(careful) >= 2


def test_the_rehearsal_is_marked_and_the_study_has_no_database(rehearsal: Rehearsal) -> None:
    with open_store(load_study(rehearsal.folder).database) as store:
        assert store.run(fetch_fact("rehearsal"))
    assert not (rehearsal.folder.parent / "study.db").exists()


def test_one_annotator_at_a_time_the_same_seed_gives_the_same_judgments(tmp_path: Path) -> None:
    folders = [rehearsed(make_demo(tmp_path / name).study, concurrency=1).folder for name in ("a", "b")]
    assert given(folders[0]) == given(folders[1])


def test_a_study_that_requires_reasons_refuses_those_who_never_give_one(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    strict = study.text.replace('reason = "encouraged"', 'reason = "required"')
    (study.folder / "study.toml").write_text(strict, encoding="utf-8")
    silent = kind(rehearsed(load_study(study.folder)), "never-a-reason")
    assert (silent.endings, silent.judgments) == ({"refused": 1}, 0)
    assert silent.problems == (load_study(study.folder).file.wording.reason_missing,)


def test_a_question_that_credits_the_other_side_is_rehearsed_alike(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    boring = study.text.replace('question = "engagingness"', 'question = "boring-to-talk-to"', 1)
    (study.folder / "study.toml").write_text(boring, encoding="utf-8")
    result = rehearsed(load_study(study.folder))
    right = [one.is_correct for one in judgments_of(result.folder) if one.is_onboarding]
    assert right.count(True) > right.count(False)
    assert kind(result, "careful").counted == 3 * kind(result, "careful").annotators


def test_arms_ties_grades_and_several_judgments_a_pairing_are_rehearsed_alike(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    arms = "".join(
        f'[[acute.questions]]\nname = "{name}"\nquestion = "{name}"\n' for name in ("humanness", "fun")
    )
    text = study.text.replace("ties = false", "ties = true").replace('answer = "choice"', 'answer = "graded"')
    text = text.replace("annotations_per_pairing = 1", "annotations_per_pairing = 2")
    text = text.replace("[acute.pairings]", f"{arms}[acute.pairings]")
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    result = rehearsed(load_study(study.folder))
    assert result.rules_have_held
    judgments = judgments_of(result.folder)
    assert Counter(one.arm for one in judgments).keys() == {"humanness", "fun"}
    assert {one.answer["lead"] for one in judgments} == {0, 0.5, 1}


def test_the_server_of_another_study_is_noticed(tmp_path: Path) -> None:
    one, other = (make_demo(tmp_path / name).study for name in ("one", "other"))
    copy_study(one, seed=7, annotators=1)
    with serving(other) as address, pytest.raises(RehearsalError, match="404"):
        rehearse(one.folder, annotators=1, base_url=address)


def test_a_server_that_cannot_be_reached_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "RESTART_SECONDS", 0.0)
    study = make_demo(tmp_path / "study").study
    copy_study(study, seed=7, annotators=1)
    with pytest.raises(RehearsalError, match="cannot be reached"):
        rehearse(study.folder, annotators=1, base_url="http://127.0.0.1:1")


def test_a_rehearsal_reaches_its_own_server_on_a_machine_behind_a_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    study = make_demo(tmp_path / "study").study
    assert sum(kind.annotators for kind in rehearse(study.folder, annotators=2, with_report=False).kinds) == 2


def test_a_study_that_cannot_be_served_stops_the_rehearsal_and_says_why(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    (study.folder / "dialogues" / "parrot.jsonl").unlink()
    with pytest.raises(RehearsalError, match=r"no dialogue .* server's log is .*server\.log"):
        rehearse(study.folder, annotators=1)


def test_a_wrong_preference_leaves_an_earlier_rehearsal_alone(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    earlier = copy_study(study, seed=7, annotators=1).folder / "study.db"
    earlier.write_bytes(b"")
    with pytest.raises(DesignError, match="'oracle'"):
        rehearse(study.folder, stated={"prefer": ["oracle:parrot=0.5"]})
    assert earlier.exists()


def test_a_folder_without_a_study_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyNotFound):
        rehearse(tmp_path)


def test_careless_annotators_are_flagged_as_too_fast_and_careful_ones_are_not(rehearsal: Rehearsal) -> None:
    kinds = {kind.kind: kind for kind in rehearsal.kinds}
    assert kinds["careless"].flagged == kinds["careless"].judgments > 0
    assert kinds["always-left"].flagged == kinds["always-left"].judgments > 0
    assert kinds["careful"].flagged == 0


@pytest.mark.parametrize("turned_away", [1, 9], ids=["once", "always"])
def test_who_found_no_work_looks_again_when_all_have_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turned_away: int
) -> None:
    study = make_demo(tmp_path / "study").study
    visits: Counter[int] = Counter()
    counted: list[tuple[int, int]] = []

    async def at_the_door(annotator: SimulatedAnnotator, invitation: Invitation, **more: Any) -> Walk:
        visits[annotator.number] += 1
        if annotator.number == 0 and visits[0] <= turned_away:
            return Walk(annotator, invitation.annotator, 0, 0, "no-work", None)
        return await walk_pages(annotator, invitation, **more)

    monkeypatch.setattr(rehearsing, "walk_pages", at_the_door)
    with serving(study) as address:
        found = rehearse(
            study.folder,
            annotators=3,
            base_url=address,
            with_report=False,
            on_progress=lambda *done: counted.append(done),
        )
    assert visits == {0: 2, 1: 1, 2: 1}
    assert counted == [(1, 3), (2, 3), (3, 3)]
    endings = sum((Counter(result.endings) for result in found.kinds), Counter[str]())
    assert endings["no-work"] == (turned_away > 1)


def test_what_was_done_in_two_visits_is_added_up() -> None:
    one = SimulatedAnnotator(0, "careful", has_script=True, seed=1)
    first = Walk(one, "a", 1, 2, "no-work", None, said={"x": ("hi",)}, forms=1)
    again = Walk(one, "a", 3, 3, "thanks", "ABC", said={"y": ("ho",)})
    both = first.then(again)
    assert (both.saved, both.sent, both.forms, both.ending, both.code) == (4, 5, 1, "thanks", "ABC")
    assert both.said == {"x": ("hi",), "y": ("ho",)}
