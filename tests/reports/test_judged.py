"""Judgments of a study on their way to an analysis that reads rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from duologue.errors import AnalysisError, InputError
from duologue.judgments import Row
from duologue.protocols import Half
from duologue.reports import analyse_file, analyse_study, judged
from duologue.reports.base import AnalysisRequest
from duologue.reports.conduct.by_hand import exclusions_by_hand
from duologue.reports.judged import read_judgments
from duologue.reports.protocols import Report, refuse_half, report_of
from duologue.store import fetch_judgments, open_store
from tests.reports.judged_study import load, make_study, prefers_earlier, prefers_later, sit


class RowsOnly:
    """An analysis that keeps the rows it is given."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> None:
        self.rows = list(rows)


def test_every_row_of_a_judgment_has_the_rule_of_its_judgment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(tmp_path / "study", per_matchup=2)
    protocol = type(study.protocol)
    monkeypatch.setattr(protocol, "columns", lambda self, batch: {})
    monkeypatch.setattr(protocol, "as_rows", lambda self, item, one: [self.as_row(item, one)] * 2)
    report = RowsOnly()
    monkeypatch.setattr(judged, "report_of", lambda name: report)
    with open_store(study.database) as store:
        load(study, store)
        sit(study, store, prefers_later())  # fails onboarding: excluded
        sit(study, store, prefers_earlier())
        given = {one.id: one.excluded for one in store.stream(fetch_judgments())}
        found = read_judgments(study, store, exclusions_by_hand(study, store))
        found.analysed(found.declared, AnalysisRequest())
    rows = report.rows
    assert len(rows) == 2 * len(given)
    assert {(row["judgment"], row["excluded"]) for row in rows} == set(given.items())
    assert len(set(given.values())) == 2


def test_a_layout_that_no_protocol_reads_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("winner,loser\na,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"--format parquet-of-mine: there is no such layout.*judgments"):
        analyse_file(tmp_path / "t.csv", layout="parquet-of-mine")


def test_an_analysis_that_does_not_split_is_not_asked_for_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report: Report = report_of("acute")
    refuse_half(report, AnalysisRequest(half=Half(0, 1)))
    monkeypatch.setattr(type(report), "splits", False)
    refuse_half(report, AnalysisRequest())
    (tmp_path / "t.csv").write_text("winner,loser\na,b\n", encoding="utf-8")
    with pytest.raises(AnalysisError, match="cannot analyse one half"):
        analyse_file(tmp_path / "t.csv", half=Half(0, 1))
    study = make_study(tmp_path / "study", per_matchup=2)
    with open_store(study.database) as store:
        load(study, store)
        with pytest.raises(AnalysisError, match="cannot analyse one half"):
            analyse_study(study, store, half=Half(0, 1))
