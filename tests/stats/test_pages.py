"""Every test and estimate has a page, and the examples on the pages run."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

from duologue import stats

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tests").glob("*.md"))
PLANNING = {"planning", "stopping"}
"""Inner rooms whose functions docs/planning.md and docs/stopping-early.md tell of."""
"""Rooms of the planner, which has pages of its own."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_on_the_page_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 0 or page.stem == "README"


def test_every_function_stands_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    functions = [
        name
        for name in stats.__all__
        if inspect.isfunction(thing := getattr(stats, name))
        and thing.__module__.split(".")[2] not in PLANNING
    ]
    assert len(functions) > 40
    assert [name for name in functions if f"`{name}(" not in text] == []


def test_every_page_says_what_it_assumes_when_not_to_use_it_and_where_it_comes_from() -> None:
    for page in PAGES:
        if page.stem != "README":
            text = page.read_text(encoding="utf-8")
            assert "**Assumes**" in text, page.stem
            assert "**Not for**" in text, page.stem
            assert "**Source.**" in text, page.stem


def test_the_index_leads_to_every_page() -> None:
    index = next(page for page in PAGES if page.stem == "README").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.stem != "README" and f"({page.name})" not in index] == []
