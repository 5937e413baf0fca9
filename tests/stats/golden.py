"""The published and independently computed numbers in tests/golden/stats."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "golden" / "stats"

COMPUTED: dict[str, Any] = json.loads((FOLDER / "computed.json").read_text(encoding="utf-8"))


def golden_rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_printed(number: str) -> Any:
    """A number that must come out to the last digit printed: within half a unit of it (and rounding)."""
    digits = Decimal(number)
    half_unit = 0.5 * 10.0 ** int(digits.as_tuple().exponent)
    return pytest.approx(float(digits), rel=0, abs=half_unit * 1.0000001)


def acute_win_matrix(table: int) -> tuple[NDArray[np.float64], list[str]]:
    """Percentages by which the row's bot beats the column's, and the bots in the order of the table."""
    rows = golden_rows(f"acute_table_{table}.csv")
    names = list(dict.fromkeys([row["loser"] for row in rows] + [row["winner"] for row in rows]))
    wins = np.zeros((len(names), len(names)))
    for row in rows:
        wins[names.index(row["winner"]), names.index(row["loser"])] = float(row["percent_wins"])
    return wins, names
