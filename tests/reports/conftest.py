"""Reports without their pictures: rendering figures takes most of the time that writing a report takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.reports import drawing


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure of a report is made, and saved as files that are empty."""

    def saved(_figure: object, stem: Path) -> Iterator[Path]:
        for kind in ("svg", "pdf"):
            path = stem.with_name(f"{stem.name}.{kind}")
            path.touch()
            yield path

    monkeypatch.setattr(drawing, "_saved", saved)
