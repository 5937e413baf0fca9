"""A questionnaire and its frozen plan: which models were declared before anybody answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.nuc import NucResults
from duologue.nuc.report.methods import methods_paragraph
from duologue.nuc.report.view import not_shown
from duologue.protocols import Answer
from duologue.reports import analyse_study
from duologue.store import (
    FormStation,
    ItemStation,
    Store,
    fetch_frozen_plan,
    fill_in_form,
    give_consent,
    invite_annotators,
    record_answer,
    skip_item,
)
from duologue.studies import Study, load_study
from tests.nuc.surveys import survey
from tests.nuc.test_report import analysed, answers, scored
from tests.server.conftest import prepared_store

ABOUT = {
    "gender": "Another", "age": "21-30", "english": "Fluent", "education": "Master's", "knowledge": "Basic",
}  # fmt: skip


def sit(study: Study, store: Store, *, rows: tuple[int, int] = (1, 2), skips: int = 0) -> None:
    """One annotator answers all that there is for them, always by the same rows, or skips the first few."""
    (invitation,) = store.run(invite_annotators(1, labels=["Ada"], cohort="novice"))
    station = store.run(give_consent(invitation.token, study.caps))
    while isinstance(station, ItemStation | FormStation):
        if isinstance(station, FormStation):
            filled = fill_in_form(invitation.token, study.caps, form=station.form, answers=ABOUT)
            station = store.run(filled)
            continue
        work = station.assignment
        if skips and work.item.is_judged:
            station, skips = (
                store.run(skip_item(invitation.token, study.caps, assignment=work.key)),
                skips - 1,
            )
            continue
        best = work.order.index(work.item.gold) + 1 if work.item.gold is not None else rows[0]
        answer = Answer({"best": best, "second": next(row for row in rows if row != best)})
        station = store.run(
            record_answer(
                invitation.token,
                study.caps,
                assignment=work.key,
                answer=answer,
                seconds=20.0,
                is_correct=study.protocol.is_correct(work.asked, answer),
                key=work.key,
            )
        )


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return survey(tmp_path / "s", versions=1, models='["poor", "late"]')


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as opened:
        for rows in ((1, 2), (2, 3), (3, 1)):
            sit(study, opened, rows=rows)
        yield opened


def test_gaps_that_nobody_can_fill_are_no_interim_look(study: Study, store: Store) -> None:
    study = changed(study, "lease_minutes", "skips = 1\nlease_minutes")
    before = analyse_study(study, store).results
    assert any("interim look" in said for said in before.warnings)
    sit(study, store, skips=1)
    after = analyse_study(study, store).results
    assert isinstance(after, NucResults)
    assert after.n == 4 * 6 - 1
    assert not any("interim look" in said for said in after.warnings)
    assert after.conduct is not None
    assert any("number of judgments was not reached" in said for said in after.conduct.deviations)


def changed(study: Study, before: str, after: str) -> Study:
    text = (study.folder / "study.toml").read_text(encoding="utf-8")
    assert before in text
    (study.folder / "study.toml").write_text(text.replace(before, after), encoding="utf-8")
    return load_study(study.folder)


def with_scores(study: Study, *models: str) -> Study:
    names = ", ".join(f'"{scored(study.folder, 0.9, model)}"' for model in models)
    return changed(study, "scores = []", f"scores = [{names}]")


def conducted(study: Study, store: Store) -> tuple[NucResults, str]:
    results = analyse_study(study, store).results
    assert isinstance(results, NucResults)
    assert results.conduct is not None
    return results, " ".join(results.conduct.deviations)


def test_scores_that_come_later_are_no_deviation(study: Study, store: Store) -> None:
    _, before = conducted(study, store)
    _, after = conducted(with_scores(study, "poor", "other"), store)
    assert "scores" not in after
    assert after == before


def test_the_plan_says_which_models_share_an_error_rate(study: Study, store: Store) -> None:
    plan = store.run(fetch_frozen_plan())
    assert plan is not None
    assert "poor and late share one family" in str(plan.content["family"])
    results, _ = conducted(with_scores(study, "poor", "other"), store)
    other, poor = (
        [one for one in results.recall.against if one.model == model] for model in ("other", "poor")
    )
    assert min(one.p_adjusted for one in other) == pytest.approx(
        min(1.0, len(other) * min(one.p_value for one in other))
    )
    assert min(one.p_adjusted for one in poor) == pytest.approx(
        min(1.0, 2 * len(poor) * min(one.p_value for one in poor))
    )


def test_a_model_that_is_declared_later_is_a_deviation_and_changes_no_family(
    study: Study, store: Store
) -> None:
    declared = with_scores(study, "poor", "other")
    before, _ = conducted(declared, store)
    later = changed(declared, '["poor", "late"]', '["poor", "other"]')
    after, deviations = conducted(later, store)
    assert 'The setting nuc.models was ["poor", "late"] and is ["poor", "other"]' in deviations
    assert after.recall.against == before.recall.against


def test_methods_name_the_models_that_were_declared_together(study: Study, store: Store) -> None:
    results, _ = conducted(study, store)
    assert "odels" not in methods_paragraph(results, study)  # there are no scores to compare with yet
    scored_later = with_scores(study, "poor", "other")
    results, _ = conducted(scored_later, store)
    said = methods_paragraph(results, scored_later)
    assert "Models were compared with cohorts on the same questions" in said
    assert "over its comparisons with cohorts (poor and late together)." in said
    assert "Cohorts were compared" not in said  # all are novices


def test_methods_quote_how_people_were_recruited_and_claim_no_population_otherwise(
    study: Study, store: Store
) -> None:
    results, _ = conducted(study, store)
    said = methods_paragraph(results, study)
    assert "How annotators were recruited is not stated" in said
    assert "it is not stated of which people these annotators are a sample." in said
    assert "people like" not in said
    stated = changed(study, "[annotators]\n", '[annotators]\nrecruited = "students of one course"\n')
    said = methods_paragraph(results, stated)
    assert "as the study states it: students of one course." in said
    assert "results are about people like those of the cohort novice and about questions" in said


def test_methods_name_personas_the_time_for_a_question_and_one_version(study: Study, store: Store) -> None:
    results, _ = conducted(study, store)
    plain = methods_paragraph(results, study)
    assert plain.startswith("Annotators answered a questionnaire with 6 questions")
    assert "persona lines" not in plain
    shown = changed(study, "# show_background = true", "show_background = true")
    shown = changed(shown, "[annotators]\n", "[annotators]\nitem_seconds = 90\n")
    said = methods_paragraph(results, shown)
    assert "(persona lines), annotators read it beside the conversation." in said
    assert "An item that took longer than 90 s was taken back" in said
    two = changed(study, "versions = 1\n", "versions = 2\n")
    assert methods_paragraph(results, two).startswith("Annotators answered one of 2 versions of a question")


def test_methods_say_why_so_many_and_claim_no_more_than_the_plan_does(study: Study, store: Store) -> None:
    results, _ = conducted(study, store)
    said = methods_paragraph(results, study)
    each = [f"8 answers to 2 questions in {corpus}" for corpus in ("movies", "tweets", "ubuntu")]
    assert f"The plan asked for {each[0]}, {each[1]} and {each[2]}." in said
    assert (
        "It states a difference of 0.1 in Recall@1 as worth finding with power 0.8 at alpha 0.05, and an "
        "intraclass correlation of 0.1 of answers by one annotator; it states none of answers to one "
        "question, and no other reason for these numbers. The stopping rule was a fixed number." in said
    )
    changed_later = changed(study, "gap = 0.1 ", "gap = 0.3 ")
    assert "a difference of 0.1 in Recall@1" in methods_paragraph(results, changed_later)


def test_methods_of_a_table_claim_no_plan() -> None:
    said = methods_paragraph(analysed(answers(skills={"": 0.6})), None)
    assert "plan" not in said
    assert (
        "about people like these annotators and about questions made like these, of movies and ubuntu" in said
    )
    two = methods_paragraph(analysed(answers(skills={"a": 0.6, "b": 0.6})), None)
    assert "people like those of the cohorts a and b" in two


def test_methods_without_an_answer_that_counts_name_no_interval() -> None:
    none = analysed([{**row, "excluded": "late"} for row in answers(skills={"": 0.6})])
    said = methods_paragraph(none, None)
    assert "No answer counts: there is no recall of people." in said
    assert "Intervals" not in said
    assert "Agreement of annotators: no answer counts." in not_shown(none)
