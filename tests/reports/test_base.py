"""What a report that leaves something out is told."""

from pathlib import Path
from typing import Any

import pytest

from duologue import reports
from duologue.errors import ProtocolError
from duologue.judgments import ColumnsBuilder
from duologue.protocols import protocol_names
from duologue.reports import AnalysisRequest, ProtocolReport, report_of


def test_a_report_that_does_not_analyse_its_columns_is_named() -> None:
    class HalfReport(ProtocolReport[Any, Any]):
        pass

    HalfReport.__abstractmethods__ = frozenset()
    with pytest.raises(ProtocolError, match=r"Write HalfReport\.analyse_columns"):
        HalfReport().analyse_columns(ColumnsBuilder().columns(), AnalysisRequest())  # type: ignore[abstract]  # made whole above


def test_no_template_of_a_protocol_is_hidden_by_one_that_all_reports_share() -> None:
    shared = {path.name for path in (Path(reports.__file__).parent / "templates").glob("*.html")}
    assert shared
    for name in protocol_names():
        own = {path.name for path in report_of(name).templates().glob("*.html")}
        assert own
        assert shared & own == set(), name
