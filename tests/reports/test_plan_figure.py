"""The figures of plans and of peeking: three formats, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import ExportError
from duologue.reports import draw_peeking, draw_plan
from duologue.stats import peeking
from duologue.studies import PlanRequest, make_plan

MAGIC = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.parametrize("kind", MAGIC)
def test_a_plan_is_drawn_the_same_each_time(kind: str, tmp_path: Path) -> None:
    plan = make_plan(PlanRequest(gap=0.4))
    first, second = (draw_plan(plan, tmp_path / f"{name}.{kind}").read_bytes() for name in ("a", "b"))
    assert first.startswith(MAGIC[kind])
    assert first == second


def test_another_plan_is_another_figure(tmp_path: Path) -> None:
    drawings = [
        draw_plan(make_plan(PlanRequest(gap=gap)), tmp_path / f"{gap}.svg").read_bytes() for gap in (0.4, 0.5)
    ]
    assert drawings[0] != drawings[1]


@pytest.mark.parametrize("gap", [0.0, 0.1])
def test_peeking_is_drawn(gap: float, tmp_path: Path) -> None:
    path = draw_peeking(peeking(100, gap=gap), tmp_path / "peeking.svg")
    assert path.read_bytes().startswith(MAGIC["svg"])


def test_an_ending_that_is_no_figure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"\.svg, \.pdf or \.png"):
        draw_plan(make_plan(PlanRequest(gap=0.4)), tmp_path / "plan.docx")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="its folder is not there"):
        draw_plan(make_plan(PlanRequest(gap=0.4)), tmp_path / "nowhere" / "plan.svg")
