"""Names in any script: figures have their letters where a font has them; the report says where none has."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from duologue.reports import analyse_file, write_figures, write_report
from duologue.reports.drawing import letters

LETTERS = "\U000f1234\U000f1235"
"""For private use: no font on any machine has them."""


def titled(text: str) -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.suptitle(text)
    return figure


@pytest.fixture
def font(tmp_path: Path) -> Iterator[str]:
    """A font with the first of the letters, a filled square, as if it were installed."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "square"])
    builder.setupCharacterMap({ord(LETTERS[0]): "square"})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (700, 700), (700, 0)):
        pen.lineTo(corner)
    pen.closePath()
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "square": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (800, 0), "square": (800, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable(
        {"familyName": "Squares of a Test", "styleName": "Regular", "psName": "SquaresOfATest"}
    )
    builder.setupOS2()
    builder.setupPost()
    path = tmp_path / "squares.ttf"
    builder.save(path)
    before = list(fontManager.ttflist)
    fontManager.addfont(path)
    letters._letters_of_fonts.cache_clear()
    yield "Squares of a Test"
    fontManager.ttflist[:] = before
    letters._letters_of_fonts.cache_clear()


def test_letters_are_drawn_with_a_font_that_has_them(tmp_path: Path, font: str) -> None:
    with letters.collecting_missing() as missing:
        paths = list(write_figures(f"mint {LETTERS[0]}", {"title": titled}, tmp_path))
    assert [path.suffix for path in paths] == [".svg", ".pdf"]
    assert missing == set()
    assert letters.fonts_with(set(LETTERS)) == (font,)
    assert "SquaresOfATest" in paths[0].read_text(), "its outline is among those of the drawing"


def test_letters_of_no_font_are_told_and_warn_nobody(tmp_path: Path) -> None:
    with warnings.catch_warnings(), letters.collecting_missing() as missing:
        warnings.simplefilter("error")
        paths = list(write_figures("小明", {"title": titled}, tmp_path))
    assert len(paths) == 2
    assert missing <= {"小", "明"}  # a machine with a Chinese font has them


@pytest.mark.parametrize("name", ["a\tb", "a\rb"])
def test_a_tab_or_a_return_in_a_name_warns_nobody(tmp_path: Path, name: str) -> None:
    with warnings.catch_warnings(), letters.collecting_missing() as missing:
        warnings.simplefilter("error")
        assert len(list(write_figures(name, {"title": titled}, tmp_path))) == 2
    assert missing == set()


def test_other_warnings_are_still_heard() -> None:
    with pytest.warns(UserWarning, match="something else"), letters.noting_missing(set()):
        warnings.warn("something else", UserWarning, stacklevel=1)


def test_a_font_that_fits_into_no_file_leaves_boxes(tmp_path: Path, font: str) -> None:
    calls = []

    def drawn(text: str) -> Figure:
        calls.append(text)
        if len(calls) == 2:
            raise RuntimeError("a font without outlines")
        return titled(text)

    with letters.collecting_missing() as missing:
        assert len(list(write_figures(LETTERS[0], {"title": drawn}, tmp_path))) == 2
    assert len(calls) == 3
    assert missing == {LETTERS[0]}


def test_the_report_says_which_letters_its_figures_lack(tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    rows = f"mint{LETTERS},sage\n" * 30 + f"sage,mint{LETTERS}\n" * 10
    votes.write_text("winner,loser\n" + rows, encoding="utf-8")
    write_report(analyse_file(votes).results, tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert page.count(f"Figures show boxes in place of the letters {LETTERS[0]} {LETTERS[1]}") == 1


def test_many_letters_are_not_all_named() -> None:
    (sentence,) = letters.say_missing(set("अआइईउऊऋऌएऐओऔ"))
    assert "and 2 more" in sentence
    assert "fonts-noto-core" in sentence
    assert letters.say_missing(set()) == ()
