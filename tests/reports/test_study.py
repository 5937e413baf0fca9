"""A whole study analysed from its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from duologue.acute import AcuteReport
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import AnalysisError
from duologue.protocols import Answer, FormValues
from duologue.reports import analyse_file, analyse_study, choose_examples, file_rows, write_report
from duologue.store import (
    ItemStation,
    Store,
    fetch_exclusions,
    fetch_judgments,
    fetch_looks,
    fetch_progress,
    give_consent,
    invite_annotators,
    judgment_rows,
    note_fact,
    open_store,
    open_study,
    record_answer,
    record_revision,
)
from duologue.studies import Study, load_study
from tests.alike import assert_alike
from tests.reports.judged_study import BOTS, compared, load, make_study, prefers_earlier, prefers_later, sit

HOWS: tuple[Literal["analyse", "report"], ...] = ("analyse", "report")


def noon() -> datetime:
    return datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database, clock=noon) as opened:
        load(study, opened)
        yield opened


def test_a_report_and_its_methods_name_bots_that_say_the_same(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    plain = analyse_study(study, store, how="report").results
    assert not any("near-identical" in warning for warning in plain.warnings)
    path = study.folder / "dialogues" / "same.jsonl"
    said = tuple(Turn("judged", f"number {number} of the things that both say") for number in range(6))
    both = (
        Dialogue(f"same-{bot}", bot, "live-chat", "judged", (Speaker("judged", bot),), said)
        for bot in BOTS[:2]
    )
    write_dialogues(both, path, format="duologue")
    results = compared(analyse_study(study, store, how="report"))
    (warning,) = (one for one in results.warnings if "near-identical" in one)
    assert warning.startswith(f"Bots {BOTS[0]!r} and {BOTS[1]!r} are near-identical: 7 of 7 different turns")
    assert warning in AcuteReport().methods(results, study)


@pytest.mark.parametrize("how", HOWS)
def test_a_study_without_judgments_is_refused_and_no_look_is_kept(
    study: Study, store: Store, how: Literal["analyse", "report"]
) -> None:
    with pytest.raises(AnalysisError, match=r"has no judgments yet, so there is nothing to analyse"):
        analyse_study(study, store, clock=noon, how=how)
    (invitation,) = store.run(invite_annotators())
    station = store.run(give_consent(invitation.token, study.caps))
    assert isinstance(station, ItemStation)
    assert station.assignment.item.role == "onboarding"
    store.run(
        record_answer(
            invitation.token,
            study.caps,
            assignment=station.assignment.key,
            answer=Answer({"side": 1}, ""),
            seconds=9.0,
            is_correct=True,
            key="first",
        )
    )
    with pytest.raises(AnalysisError, match=r"onboarding and attention checks are not judgments"):
        analyse_study(study, store, clock=noon, how=how)
    assert store.run(fetch_looks()) == ()


def test_a_study_whose_judgments_are_all_excluded_has_a_report(study: Study, store: Store) -> None:
    sit(study, store, prefers_later())
    assert compared(analyse_study(study, store, clock=noon, how="report")).sections


def test_a_judged_study_has_its_verdicts(study: Study, store: Store) -> None:
    for _ in range(12):
        sit(study, store, prefers_earlier())
    analysed = analyse_study(study, store, clock=noon)
    (section,) = compared(analysed).sections
    assert section.question == "Who would you prefer to talk to for a long conversation?"
    assert section.n == 36
    assert [matchup.verdict.better for matchup in section.matchups] == ["ann", "ann", "bob <b>&amp;"]
    assert section.order.groups == tuple((bot,) for bot in BOTS)
    assert section.exclusions.onboarding == 12
    assert [matchup.planned for matchup in section.matchups] == [12, 12, 12]
    assert section.warnings == () or not any("interim" in warning for warning in section.warnings)


def test_provenance_says_what_was_analysed_and_when(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    made = analyse_study(study, store, clock=noon).results.provenance
    assert made is not None
    assert made.study == study.name
    assert made.design_hash == study.design_hash
    assert made.began == made.ended == "2026-05-04T12:00:00+00:00"
    assert set(made.data) == {"judgments", "study.toml"}
    assert not made.is_rehearsal
    again = analyse_study(study, store, clock=noon).results.provenance
    assert again == made
    sit(study, store, prefers_earlier())
    changed = analyse_study(study, store, clock=noon).results.provenance
    assert changed is not None
    assert changed.data["judgments"] != made.data["judgments"]
    assert changed.rows["judgments"] == 2 * made.rows["judgments"] > 0


def test_a_study_before_its_plan_is_called_an_interim_look(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    (section,) = compared(analyse_study(study, store, clock=noon)).sections
    assert "interim look" in section.warnings[0]


def test_ten_of_ten_stay_ten_of_ten_after_the_analysis(tmp_path: Path) -> None:
    """Annotators without a reason are left out at once, and others have taken their places."""
    study = make_study(tmp_path / "ten", per_matchup=10)
    with open_store(study.database, clock=noon) as store:
        load(study, store)
        sit(study, store, prefers_earlier())
        silent = sit(study, store, prefers_earlier(reason=""))
        while any(one.done < one.wanted for one in store.run(fetch_progress())):
            sit(study, store, prefers_earlier())
        before = store.run(fetch_progress())
        assert [(one.done, one.wanted, one.excluded) for one in before] == [(10, 10, 1)] * 3
        rows = [row for row in store.run(fetch_exclusions()) if row.annotator == silent]
        assert {(row.rule, row.action, row.by) for row in rows} == {("no-reason", "exclude", "duologue")}
        (section,) = compared(analyse_study(study, store, clock=noon)).sections
        assert store.run(fetch_progress()) == before
    assert section.n == 30
    assert not any("interim" in warning for warning in section.warnings)
    assert [(rule.rule, rule.judgments) for rule in section.exclusions.rules] == [("no-reason", 3)]


def _all_rows(study: Study) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a study's database."""
    with closing(sqlite3.connect(study.database.removeprefix("sqlite:///"))) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: file.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


@pytest.mark.usefixtures("undrawn")
def test_analysing_and_reporting_change_nothing_but_the_looks(study: Study, tmp_path: Path) -> None:
    """Nor do they where a version that screened at analysis has left something to be written."""
    with open_store(study.database, clock=noon) as store:
        load(study, store)
        asks_no_reasons = replace(study.caps, excludes_without_reason=False)
        sit(study, store, prefers_earlier())
        sit(study, store, prefers_earlier(reason=""), caps=asks_no_reasons)
    with open_study(study, clock=noon) as store:
        before = _all_rows(study)
        for how in HOWS:
            analysed = analyse_study(study, store, clock=noon, how=how)
            write_report(
                analysed.results, tmp_path / how, study=study, examples=choose_examples(study, store)
            )
    after = _all_rows(study)
    assert len(after.pop("looks")) == 1 + len(before.pop("looks"))
    assert after == before
    (section,) = compared(analysed).sections
    assert section.n == 3
    assert [(rule.rule, rule.judgments) for rule in section.exclusions.rules] == [("no-reason", 3)]


def test_reasons_are_not_demanded_where_the_study_does_not(tmp_path: Path) -> None:
    study = make_study(tmp_path / "free", more="\n[annotators]\nexclude_without_reason = false\n")
    with open_study(study, clock=noon) as store:
        load(study, store)
        sit(study, store, prefers_earlier(reason=""))
        assert all(not judgment.excluded for judgment in store.stream(fetch_judgments()))


def test_judgments_of_those_who_failed_onboarding_are_shown_to_be_excluded(
    study: Study, store: Store
) -> None:
    for _ in range(4):
        sit(study, store, prefers_earlier())
    sit(study, store, prefers_later())
    (section,) = compared(analyse_study(study, store, clock=noon)).sections
    assert section.n == 12
    assert [(rule.rule, rule.annotators) for rule in section.exclusions.rules] == [("onboarding", 1)]


def test_open_link_annotators_are_reported_apart(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier(), kind="lab")
    sit(study, store, prefers_earlier(), kind="open")
    sections = compared(analyse_study(study, store, clock=noon)).sections
    assert [section.annotators for section in sections] == ["invited", "open-link"]


def test_an_answer_is_read_with_the_question_of_its_own_revision(study: Study, store: Store) -> None:
    """Two annotators choose alike, but the second was asked who is more boring."""
    sit(study, store, prefers_earlier())
    text = study.text.replace('"engagingness"', '"boring-to-talk-to"')
    (study.folder / "study.toml").write_text(text)
    changed = load_study(study.folder)
    assert store.run(record_revision(changed.design_hash, changed.text)) == 2
    sit(changed, store, prefers_later())  # the choice speaks for the other one
    results = compared(analyse_study(changed, store, clock=noon))
    assert [section.revision for section in results.sections] == [1, 2]
    assert results.sections[0].question.startswith("Who would you prefer")
    assert results.sections[1].question.startswith("Which speaker is more boring")
    assert all(matchup.verdict for section in results.sections for matchup in section.matchups)
    for section in results.sections:
        of_ann = [matchup for matchup in section.matchups if matchup.first == "ann"]
        assert [(matchup.wins_first > 0, matchup.wins_second) for matchup in of_ann] == [(True, 0)] * 2
    assert any("not pooled" in warning for warning in results.warnings)
    said = AcuteReport().methods(results, changed)
    assert "The study was changed after its first judgment: it is described here as its file is now" in said


def test_one_question_and_then_several_asked_together_are_analysed_side_by_side(
    study: Study, store: Store
) -> None:
    sit(study, store, prefers_earlier())
    several = '[acute]\nask = "together"\n'
    for name in ("engagingness", "humanness"):
        several += f'[[acute.questions]]\nname = "{name}"\nquestion = "{name}"\n'
    (study.folder / "study.toml").write_text(study.text.partition("[acute]")[0] + several)
    changed = load_study(study.folder)
    assert store.run(record_revision(changed.design_hash, changed.text)) == 2
    (invited,) = store.run(invite_annotators())
    station = store.run(give_consent(invited.token, changed.caps))
    while isinstance(station, ItemStation):
        work = station.assignment
        side = str(work.order.index(work.item.bots.index(min(work.item.bots, key=BOTS.index))) + 1)
        given = FormValues({"choice-1": side, "choice-2": side, "reason": "so"})
        answer = changed.protocol.read(work.asked, given)
        assert isinstance(answer, Answer)
        recorded = record_answer(
            invited.token,
            changed.caps,
            assignment=work.key,
            answer=answer,
            seconds=30.0,
            is_correct=changed.protocol.is_correct(work.asked, answer),
            key=work.key,
        )
        station = store.run(recorded)
    sections = compared(analyse_study(changed, store, clock=noon)).sections
    assert {(section.arm, section.revision, section.n) for section in sections} == {
        ("main", 1, 3), ("engagingness", 2, 3), ("humanness", 2, 3),
    }  # fmt: skip


def test_a_rehearsal_is_marked_as_one(study: Study, store: Store) -> None:
    store.run(note_fact("rehearsal", "yes"))
    made = analyse_study(study, store, clock=noon).results.provenance
    assert made is not None
    assert made.is_rehearsal


def test_an_exported_table_gives_the_same_verdicts_as_the_study(
    study: Study, store: Store, tmp_path: Path
) -> None:
    from duologue.judgments import write_table

    for _ in range(6):
        sit(study, store, prefers_earlier())
    sit(study, store, prefers_earlier(reason=""))
    from_study = compared(analyse_study(study, store, clock=noon)).sections
    for ending in ("csv", "jsonl", "json", "parquet"):
        path = tmp_path / f"judgments.{ending}"
        write_table(judgment_rows(study, store), path)
        (section,) = compared(analyse_file(path, seed=study.seed, clock=noon)).sections
        assert_alike(
            [(matchup.name, matchup.verdict.better, matchup.p_adjusted) for matchup in section.matchups],
            [(m.name, m.verdict.better, m.p_adjusted) for m in from_study[0].matchups],
        )
        assert section.exclusions == from_study[0].exclusions
        assert len(list(file_rows(path))) == len(list(judgment_rows(study, store)))


def test_a_study_that_declared_sequential_stopping_has_sequential_verdicts(tmp_path: Path) -> None:
    """Twelve of twelve is p < 0.001 at a fixed number, and not yet enough at any look."""
    made = make_study(tmp_path / "sequential", per_matchup=12, more='[stopping]\nrule = "sequential"\n')
    with open_store(made.database, clock=noon) as store:
        load(made, store)
        for _ in range(6):
            sit(made, store, prefers_earlier())
        interim = compared(analyse_study(made, store, clock=noon))
        for _ in range(6):
            sit(made, store, prefers_earlier())
        final = compared(analyse_study(made, store, clock=noon))
    assert interim.stopping == "sequential"
    decisions = [one.sequential.decision for one in interim.sections[0].matchups if one.sequential]
    assert decisions == ["continue"] * 3
    assert not any("interim look" in warning for warning in interim.sections[0].warnings)
    for matchup in final.sections[0].matchups:
        assert matchup.sequential is not None
        assert matchup.sequential.decision == "stop: the planned number is reached"
        assert matchup.sequential.e_value == pytest.approx((1.2**12 + 0.8**12) / 2)
        assert matchup.sequential.needed == pytest.approx(60)
        assert matchup.verdict.better is None
        assert matchup.p_adjusted is not None
        assert matchup.p_adjusted < 0.01


def test_the_gap_worth_finding_comes_from_the_study_unless_another_is_asked_for(tmp_path: Path) -> None:
    made = make_study(tmp_path / "gap", per_matchup=2, more="[stopping]\ngap = 0.3\n")
    with open_store(made.database, clock=noon) as store:
        load(made, store)
        sit(made, store, prefers_earlier())
        assert compared(analyse_study(made, store, clock=noon)).gap == 0.3
        assert compared(analyse_study(made, store, clock=noon, gap=0.1)).gap == 0.1


def test_sequential_decisions_of_a_study_with_a_fixed_number_leave_its_verdicts_alone(
    study: Study, store: Store
) -> None:
    for _ in range(12):
        sit(study, store, prefers_earlier())
    plain = compared(analyse_study(study, store, clock=noon))
    asked = compared(analyse_study(study, store, clock=noon, with_sequential=True))
    ours, theirs = asked.sections[0].matchups, plain.sections[0].matchups
    assert [one.verdict for one in ours] == [one.verdict for one in theirs]
    assert all(one.sequential is not None for one in ours)
    assert all(one.sequential is None for one in theirs)
    assert any("declared a fixed number" in warning for warning in asked.warnings)
