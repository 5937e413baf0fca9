"""How often two annotators agree, in the report: the ceiling for any judge, and that no verdict changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.protocols import Conduct
from duologue.reports import analyse_study, write_report
from duologue.reports.conduct.checks import judged_twice
from duologue.server import prepare_study
from duologue.stats import judge_ceiling, pair_agreement
from duologue.store import Store, fetch_judged_twice, open_store
from duologue.studies import Study
from tests.reports.judged_study import Judge, compared, make_study, prefers_earlier, prefers_later, sit

MORE = """
[annotators]
max_judgments = 6
judged_twice = 0.5
[onboarding]
enabled = false
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", more=MORE)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database) as opened:
        prepare_study(study, opened)
        yield opened


def conduct(study: Study, store: Store) -> Conduct:
    results = compared(analyse_study(study, store))
    assert results.conduct is not None
    return results.conduct


def judged_by(study: Study, store: Store, *judges: Judge) -> None:
    for judge in judges:
        sit(study, store, judge)


def test_a_study_with_second_judgments_counts_each_pairing_once(study: Study, store: Store) -> None:
    judged_by(study, store, *[prefers_earlier()] * 9)
    results = compared(analyse_study(study, store))
    (section,) = results.sections
    assert section.n == 36
    assert all(matchup.n == matchup.planned == 12 for matchup in section.matchups)
    assert {one.rule: one.judgments for one in section.exclusions.rules} == {"second-judgment": 18}
    assert not section.exclusions.effects, "what is apart by design is no exclusion"
    assert section.agreement is None


def test_agreement_and_ceiling_are_those_of_the_pairs(study: Study, store: Store) -> None:
    judged_by(study, store, *[prefers_earlier()] * 4, prefers_later(), *[prefers_earlier()] * 4)
    pairs = store.run(fetch_judged_twice())
    same = [study.protocol.same_answer(one.item, one.judgment, two.judgment) is True for one, two in pairs]
    assert 0 < sum(same) < len(same) == 18
    found = conduct(study, store).judged_twice
    assert found is not None
    people = sorted({given.judgment.annotator for pair in pairs for given in pair})
    first, second = ([people.index(pair[place].judgment.annotator) for pair in pairs] for place in (0, 1))
    agreed = pair_agreement([float(one) for one in same], range(18), first, second)
    ceiling = judge_ceiling(agreed)
    assert (found.items, found.same, found.annotators) == (18, sum(same), len(people))
    assert (found.low, found.high) == pytest.approx((agreed.interval.low, agreed.interval.high))
    assert (found.ceiling, found.ceiling_low) == pytest.approx((ceiling.value, ceiling.interval.low))
    assert f"{sum(same)} of 18 items that two annotators judged" in found.sentence
    assert "The second judgments are in no verdict." in found.sentence


@pytest.mark.usefixtures("undrawn")
def test_the_report_has_the_sentence(study: Study, store: Store, tmp_path: Path) -> None:
    judged_by(study, store, *[prefers_earlier()] * 9)
    write_report(compared(analyse_study(study, store)), tmp_path / "report", study=study)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Agreement of two annotators: 18 of 18 items" in page
    assert "than 100.0\u00a0%" in page, "no line ends between a number and its sign"


def test_ties_are_a_third_answer_with_another_ceiling(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", more=f"ties = true\n{MORE}")
    assert study.protocol.different_answers() == 3


def test_where_nothing_was_judged_twice_there_is_no_agreement(study: Study) -> None:
    assert judged_twice(study, []) is None


def test_where_answers_have_no_fixed_number_there_is_no_ceiling(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_by(study, store, *[prefers_earlier()] * 9)
    monkeypatch.setattr(type(study.protocol), "different_answers", lambda protocol: None)
    found = judged_twice(study, store.run(fetch_judged_twice()))
    assert found is not None
    assert (found.rate, found.ceiling, found.ceiling_low) == (1.0, None, None)
    assert "no judge" not in found.sentence


def test_a_rule_that_is_not_applied_does_not_count_second_judgments(study: Study, store: Store) -> None:
    judged_by(study, store, *[prefers_earlier()] * 3, prefers_earlier(""), *[prefers_earlier()] * 6)
    (section,) = compared(analyse_study(study, store)).sections
    assert section.n == 36
    assert section.robustness is not None
    assert {one.rule for one in section.robustness.rules} == {"no-reason"}
