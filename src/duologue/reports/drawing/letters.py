"""Letters in figures: fonts that have them, and what a report says where no font does."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

PLAIN_FONT = "DejaVu Sans"
"""It comes with matplotlib, and has Latin, Greek and Cyrillic letters, among others."""

_MISSING = re.compile(r"Glyph (\d+) \(.*\) missing from")
_UNSUPPORTED = "Matplotlib currently does not support"


@contextmanager
def noting_missing(found: set[str]) -> Iterator[None]:
    """Note the letters that matplotlib has no glyph for, and keep its warnings of them to ourselves."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    for warning in said:
        text = str(warning.message)
        if letter := _MISSING.match(text):
            found.add(chr(int(letter[1])))
        elif not text.startswith(_UNSUPPORTED):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def fonts_with(letters: set[str]) -> tuple[str, ...]:
    """Installed fonts that have these letters, as far as any has them; those with most of them first."""
    wanted, fonts = {ord(letter) for letter in letters if not _is_control(letter)}, []
    having = {name: wanted & codes for name, codes in _letters_of_fonts().items()}
    while wanted and having:
        best = max(sorted(having), key=lambda name: len(having[name] & wanted))
        if not having[best] & wanted:
            break
        fonts.append(best)
        wanted -= having.pop(best)
    return tuple(fonts)


@cache
def _letters_of_fonts() -> dict[str, frozenset[int]]:
    """What each installed font can draw, by its name. Reading all fonts takes seconds: it is done once."""
    from matplotlib.font_manager import fontManager
    from matplotlib.ft2font import FT2Font

    found: dict[str, frozenset[int]] = {}
    for font in fontManager.ttflist:
        if font.name == PLAIN_FONT or font.name.startswith("Last Resort") or font.style != "normal":
            continue
        try:
            found[font.name] = found.get(font.name, frozenset()) | FT2Font(font.fname).get_charmap().keys()
        except (OSError, RuntimeError):  # it is gone, or is no font after all
            continue
    return found


_collected: ContextVar[set[str] | None] = ContextVar("_collected", default=None)


@contextmanager
def collecting_missing() -> Iterator[set[str]]:
    """The letters that figures drawn meanwhile lack, because no installed font has them."""
    missing: set[str] = set()
    token = _collected.set(missing)
    try:
        yield missing
    finally:
        _collected.reset(token)


def report_missing(letters: set[str]) -> None:
    """Tell whoever collects them that figures lack these letters; control characters are none."""
    missing = _collected.get()
    if missing is not None:
        missing |= {letter for letter in letters if not _is_control(letter)}


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) == "Cc"


def say_missing(letters: Set[str]) -> tuple[str, ...]:
    """One sentence for a report about letters that its figures lack; none where they lack none.

    Example:
        >>> say_missing(set()), "fonts-noto-cjk" in say_missing({"小"})[0]
        ((), True)
    """
    if not letters:
        return ()
    shown: Sequence[str] = sorted(letters)
    named = " ".join(shown[:_MOST]) + (f" and {len(shown) - _MOST} more" if len(shown) > _MOST else "")
    package = "fonts-noto-cjk" if any(_CJK.match(letter) for letter in shown) else "fonts-noto-core"
    return (
        f"Figures show boxes in place of the letters {named}: no installed font has them. Install one, "
        f"such as the package {package}, and write the report again.",
    )


_MOST = 10
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
