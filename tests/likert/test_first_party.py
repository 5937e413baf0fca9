"""Ratings by those who had the chats, beside ratings by those who read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import AnalysisError, FormatError
from duologue.judgments import Row, write_table
from duologue.likert import LikertAnalysisOptions, LikertResults
from duologue.likert.analysis.first_party import read_first_party
from duologue.likert.report import LikertReport
from duologue.reports import AnalysisRequest, analyse_file, report_page
from duologue.store import open_store
from tests.reports.judged_study import load, make_study
from tests.reports.rated import rated_rows


def test_first_parties_and_metrics_are_read_and_compared(tmp_path: Path) -> None:
    write_table(rated_rows(), tmp_path / "first.csv")
    (tmp_path / "metrics.csv").write_text("bot,f1,length\nmint,0.3,9\nsage <b>,0.2,8\ndill_1,0.1,\n")
    options = LikertAnalysisOptions(first_party=tmp_path / "first.csv", metrics=tmp_path / "metrics.csv")
    results = LikertReport().analyse_rows(rated_rows(), AnalysisRequest(options=options)).results
    assert isinstance(results, LikertResults)
    question = results.sections[0].questions[0]
    assert question.first_party is not None
    assert question.first_party.difference == pytest.approx(0)
    assert [metric.metric for metric in question.metrics] == ["f1"]
    page = report_page(results)
    assert "who had them" in page
    assert "f1 is correlated with the ratings of 3 bots" in page


def test_first_parties_can_be_a_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(tmp_path / "study", per_matchup=1)
    with open_store(study.database) as store:
        load(study, store)
    with pytest.raises(AnalysisError, match="no judgment of the study holds ratings"):
        read_first_party(study.folder)
    monkeypatch.setattr(
        "duologue.store.judgment_rows", lambda study, store: iter(rated_rows()), raising=False
    )
    assert set(read_first_party(study.folder).points) == {"enjoyment", "fluency"}


def test_controls_of_one_table_exclude_annotators_of_another(tmp_path: Path) -> None:
    gold: list[Row] = [
        {"bot": "Q", "annotator": who, "rating": points, "gold": "1 to 2"}
        for who, points in (("p1", 1), ("p2", 5))
    ]
    write_table([*gold, {"bot": "A", "annotator": "p2", "rating": 5, "gold": ""}], tmp_path / "controls.csv")
    rows = [
        {"bot": bot, "annotator": who, "rating": points}
        for who in ("p1", "p2", "p3", "p4")
        for bot, points in (("A", 3), ("B", 4))
    ]
    options = LikertAnalysisOptions(controls=tmp_path / "controls.csv")
    results = LikertReport().analyse_rows(rows, AnalysisRequest(options=options)).results
    assert isinstance(results, LikertResults)
    (section,) = results.sections
    assert (section.n, section.annotator_count) == (6, 3)
    assert [(rule.rule, rule.judgments) for rule in section.exclusions.rules] == [("control-items", 2)]
    said = "2 of 4 annotators answered them; 1 failed and is excluded (2 judgments)."
    assert f"Control items of controls.csv: {said}" in results.warnings
    write_table(rows, tmp_path / "ratings.csv")
    made = analyse_file(tmp_path / "ratings.csv", options=options).results.provenance
    assert made is not None
    assert list(made.data) == ["ratings.csv", str(tmp_path / "controls.csv")]
    assert made.rows == {"ratings.csv": 8}


def test_a_table_without_control_items_excludes_nobody_and_is_refused(tmp_path: Path) -> None:
    write_table([{"bot": "A", "annotator": "p1", "rating": 1}], tmp_path / "plain.csv")
    options = LikertAnalysisOptions(controls=tmp_path / "plain.csv")
    with pytest.raises(FormatError, match="control items"):
        LikertReport().analyse_rows(rated_rows(), AnalysisRequest(options=options))
