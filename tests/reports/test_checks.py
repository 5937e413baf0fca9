"""Attention checks, deadlines and agreement of annotators with themselves in the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.acute import AcuteResults
from duologue.acute.report.methods import methods_paragraph
from duologue.protocols import Conduct
from duologue.reports import analyse_study, asked_besides, write_report
from duologue.reports.conduct.checks import attention_checks, self_agreement, time_outs
from duologue.server import prepare_study
from duologue.stats import clustered_rate, wilson_interval
from duologue.store import (
    JudgmentInContext,
    Store,
    TimeOutCounts,
    exclude_judgments,
    fetch_annotators,
    fetch_judged,
    fetch_judgments,
    fetch_repeats,
    judgment_rows,
    open_store,
)
from duologue.studies import Study, load_study
from tests.reports.judged_study import BOTS, Judge, compared, make_study, prefers_earlier, sit

MORE = """
[annotators]
max_judgments = 6
repeat = 0.5
repeat_after = 2
[onboarding]
enabled = false
[attention]
per_sitting = 1
on_fail = "exclude"
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = make_study(tmp_path / "study", more=MORE)
    text = made.items_path.read_text(encoding="utf-8")
    made.items_path.write_text(text.replace('"role":"onboarding"', '"role":"attention"'), encoding="utf-8")
    return load_study(made.folder)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database) as opened:
        prepare_study(study, opened)
        yield opened


def prefers_left() -> Judge:
    """Takes the bot on the left, whichever it is."""
    return lambda work: (work.item.bots[work.order[0]], "so")


def prefers_later_and_fails() -> Judge:
    return lambda work: (max(work.item.bots, key=BOTS.index), "so")


def conduct(study: Study, store: Store) -> tuple[AcuteResults, Conduct]:
    results = compared(analyse_study(study, store))
    assert results.conduct is not None
    return results, results.conduct


def test_checks_and_repeats_are_told_and_enter_no_verdict(study: Study, store: Store) -> None:
    for judge in (prefers_earlier(), prefers_earlier(), prefers_later_and_fails()):
        sit(study, store, judge)
    results, found = conduct(study, store)
    assert found.attention is not None
    assert (found.attention.annotators, found.attention.asked, found.attention.right) == (3, 3, 2)
    assert found.attention.failed == 1
    assert "those with fewer than 50 % right (1 annotator) are excluded" in found.attention.sentence
    assert found.self_agreement is not None
    assert (found.self_agreement.asked, found.self_agreement.same) == (9, 9)
    (section,) = results.sections
    assert section.n == 12
    rules = {one.rule: one.judgments for one in section.exclusions.rules}
    assert rules == {"attention": 6, "attention-check": 3, "repeat": 9}
    assert ("excluded: failed attention checks", 1) in [
        (one.name, one.annotators) for one in found.participants
    ]
    methods = methods_paragraph(results, study)
    assert "Attention checks with a known answer came among the items (1 in each sitting)" in methods
    assert "annotators with fewer than 50 % of them right were excluded." in methods
    assert "50 % of what an annotator had judged, rounded, came a second time" in methods
    assert "could skip" not in methods
    assert "Attention checks: 2 of 3 that 3 annotators had were right" in found.attention.sentence
    with_skips = attention_checks(store.run(fetch_annotators()), replace(study.caps, skips=1))
    assert with_skips is not None
    assert "2 of 3 that 3 annotators did not skip were right" in with_skips.sentence
    assert "deception" not in methods


def test_who_was_stopped_is_counted(study: Study, store: Store) -> None:
    attention = study.file.attention.model_copy(update={"stop_after": 1, "on_fail": "flag"})
    stopping = replace(study, file=study.file.model_copy(update={"attention": attention}))
    for judge in (prefers_earlier(), prefers_later_and_fails()):
        sit(stopping, store, judge)
    results, found = conduct(stopping, store)
    assert found.attention is not None
    assert (found.attention.failed, found.attention.stopped) == (1, 1)
    assert found.attention.sentence.endswith(" 1 annotator was stopped after 1 was not right.")
    methods = methods_paragraph(results, stopping)
    assert "A sitting ended early when 1 of them was not right, which happened to 1 annotator." in methods
    assert "judged (1 of them until stopped after failed attention checks)" in [
        one.name for one in found.participants
    ]


def test_skips_and_deception_are_told_where_they_were_set(study: Study, store: Store) -> None:
    approval = {"deception": True, "approval": "Ethics Board of Nowhere, 2026-03."}
    consent = study.file.consent.model_copy(update=approval)
    annotators = study.file.annotators.model_copy(update={"skips": 2})
    told = replace(study, file=study.file.model_copy(update={"consent": consent, "annotators": annotators}))
    sit(study, store, prefers_earlier())
    results, _ = conduct(study, store)
    skips, deception = asked_besides(results, told)[-2:]
    assert skips.startswith("Each annotator could skip up to 2 items")
    assert (
        "(deception, approved: Ethics Board of Nowhere, 2026-03); whoever came to an end read a debriefing"
        in deception
    )


def test_exports_say_what_was_a_check_by_its_exclusion_and_what_was_asked_again(
    study: Study, store: Store
) -> None:
    sit(study, store, prefers_earlier())
    rows = list(judgment_rows(study, store))
    judgments = list(store.stream(fetch_judgments()))
    assert [row["occasion"] for row in rows] == [one.occasion for one in judgments]
    assert [row["excluded"] == "attention-check" for row in rows] == [
        one.role == "attention" for one in judgments
    ]
    assert {"attention-check", "repeat"} <= {row["excluded"] for row in rows}
    assert all("role" not in row for row in rows)


def test_what_never_counts_does_not_count_when_it_was_excluded_by_hand(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    before, _ = conduct(study, store)
    apart = [one.id for one in store.stream(fetch_judgments()) if one.role == "attention" or one.occasion > 1]
    store.run(exclude_judgments(apart, rule="rude", reason="I do not like it", by="ada"))
    after, found = conduct(study, store)
    assert (len(apart), after.sections[0].n) == (4, before.sections[0].n)
    assert found.by_hand_sentence.endswith(
        "(rude: I do not like it). The plan declares no such rule: they do not count anyway, "
        "because another rule excludes them or they were never meant to count."
    )
    assert found.sensitivities == ()
    first = next(one.id for one in store.stream(fetch_judgments()) if not one.excluded)
    store.run(exclude_judgments([first], rule="rude", reason="I do not like it", by="ada"))
    _, found = conduct(study, store)
    assert found.by_hand_sentence.endswith(
        "The plan declares no such rule: 1 counts in the verdicts, and the verdicts without it "
        "are a sensitivity analysis; 4 do not count anyway, because another rule excludes them or they were "
        "never meant to count."
    )
    (beside,) = found.sensitivities
    assert beside.judgments == 1


@pytest.mark.usefixtures("undrawn")
def test_the_report_has_the_sentences(study: Study, store: Store, tmp_path: Path) -> None:
    sit(study, store, prefers_earlier())
    sit(study, store, prefers_left())
    results, _found = conduct(study, store)
    write_report(results, tmp_path / "report", study=study)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Attention checks: " in page
    assert " that 2 annotators had were right; " in page
    assert "Agreement of annotators with themselves: 3 of 6 items" in page


def test_who_always_takes_the_left_side_does_not_agree_with_themselves(study: Study, store: Store) -> None:
    sit(study, store, prefers_left())
    found = self_agreement(study, store.run(fetch_repeats()))
    assert found is not None
    assert (found.asked, found.same, found.method) == (3, 0, "Wilson")
    assert found.high == wilson_interval(0, 3, level=0.95).high


def test_the_interval_is_clustered_by_annotator(study: Study, store: Store) -> None:
    for judge in (prefers_earlier(), prefers_left(), prefers_earlier()):
        sit(study, store, judge)
    found = self_agreement(study, store.run(fetch_repeats()))
    assert found is not None
    naive = clustered_rate([1.0] * 3 + [0.0] * 3 + [1.0] * 3, [[0] * 3 + [1] * 3 + [2] * 3])
    assert (found.low, found.high) == (naive.interval.low, naive.interval.high)
    assert (found.annotators, found.same) == (3, 6)


def test_where_the_protocol_cannot_say_there_is_no_agreement(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    pairs: list[tuple[JudgmentInContext, JudgmentInContext]] = list(store.run(fetch_repeats()))
    assert len(pairs) == 3
    assert self_agreement(study, []) is None
    first, second = pairs[0]
    assert first.judgment.occasion < second.judgment.occasion
    assert study.protocol.same_answer(first.item, first.judgment, second.judgment)
    turned = replace(second.judgment, order=second.judgment.order[::-1])
    assert not study.protocol.same_answer(first.item, first.judgment, turned)


def test_a_study_without_repeats_has_none_to_fetch(store: Store) -> None:
    assert store.run(fetch_repeats()) == ()
    assert not list(store.stream(fetch_judged()))


def told_of(counts: TimeOutCounts, *, excluded: frozenset[str] = frozenset()) -> str:
    found = time_outs(counts, excluded=excluded)
    assert found is not None
    return found.sentence


def test_what_came_too_late_is_told() -> None:
    late = TimeOutCounts(items=2, annotators=1, sittings=1)
    assert time_outs(TimeOutCounts(0, 0, 0)) is None
    assert told_of(late) == (
        "Deadlines: 2 items of 1 annotator took too long, and their places are open to others again. "
        "1 sitting ended because the time was over, and what was judged before counts."
    )
    assert told_of(late, excluded=frozenset({"late", "unfinished"})).endswith(
        "; what was judged before counts, unless it is excluded as unfinished."
    )


def test_what_became_of_late_items_and_checks_is_told_and_nothing_of_what_there_is_none_of() -> None:
    gap = "nobody else is asked about it as long as the sitting counts."
    assert told_of(TimeOutCounts(1, 1, 0, in_blocks=1)) == (
        f"Deadlines: 1 item of 1 annotator took too long; {gap}"
    )
    assert told_of(TimeOutCounts(2, 1, 0, in_blocks=1)) == (
        "Deadlines: 2 items of 1 annotator took too long."
    ), "some go to others, some do not"
    for onboarding, attention, told in (
        (0, 1, "1 attention check was not answered in time and counts"),
        (1, 0, "1 onboarding item was not answered in time and counts"),
        (1, 2, "1 onboarding item and 2 attention checks were not answered in time and count"),
    ):
        counts = TimeOutCounts(0, 0, 0, onboarding=onboarding, attention=attention)
        assert told_of(counts) == f"Deadlines: {told} as not right."
