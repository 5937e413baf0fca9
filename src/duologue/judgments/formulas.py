"""Cells that a spreadsheet would run as a formula, and the mark that keeps it from doing so.

Much of a table is written by strangers: reasons, names of annotators, names of bots. A spreadsheet takes a
cell of CSV that begins with ``=``, ``+``, ``-``, ``@`` (or the full-width form of one), a tab, a carriage
return or a line feed for a formula. Such a text gets an apostrophe in front when it is written and loses it
when it is read. A text that already looks guarded gets one more, so that every text comes back as it was.
Numbers of ours are never guarded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

GUARD = "'"
FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"

_RISKY_STARTS = frozenset(FORMULA_STARTS + GUARD)
_RISKY = re.compile(f"{GUARD}*[{re.escape(FORMULA_STARTS)}]")
_GUARDED = re.compile(f"{GUARD}+[{re.escape(FORMULA_STARTS)}]")


def guarded(text: str) -> str:
    """A text as it is written into a cell of CSV.

    Example:
        >>> guarded("=1+1"), guarded("'=1+1"), guarded("'twas good"), guarded("fine")
        ("'=1+1", "''=1+1", "'twas good", 'fine')
    """
    return GUARD + text if text[:1] in _RISKY_STARTS and _RISKY.match(text) else text


def unguarded(cell: str) -> str:
    """The text that a cell of CSV stands for.

    Example:
        >>> unguarded("'=1+1"), unguarded("''=1+1"), unguarded("'twas good"), unguarded("=1+1")
        ('=1+1', "'=1+1", "'twas good", '=1+1')
    """
    return cell[1:] if cell[:1] == GUARD and _GUARDED.match(cell) else cell


def unguarded_cells(cells: Sequence[str]) -> Sequence[str]:
    """The texts that many cells stand for; those without any apostrophe cost next to nothing."""
    return list(map(unguarded, cells)) if GUARD in "".join(cells) else cells
