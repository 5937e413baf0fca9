"""What a report that leaves something out is told."""

from typing import Any

import pytest

from duologue.errors import ProtocolError
from duologue.judgments import ColumnsBuilder
from duologue.reports import AnalysisRequest, ProtocolReport


def test_a_report_that_does_not_analyse_its_columns_is_named() -> None:
    class HalfReport(ProtocolReport[Any, Any]):
        pass

    HalfReport.__abstractmethods__ = frozenset()
    with pytest.raises(ProtocolError, match=r"Write HalfReport\.analyse_columns"):
        HalfReport().analyse_columns(ColumnsBuilder().columns(), AnalysisRequest())  # type: ignore[abstract]  # made whole above
