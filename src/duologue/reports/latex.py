"""Tables to paste into a paper: LaTeX with booktabs, whatever the protocol."""

from __future__ import annotations

from collections.abc import Sequence

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\n": " ",
}


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    Example:
        >>> escape_latex("bot_1 & 50%")
        'bot\\_1 \\& 50\\%'
    """
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def latex_p(p_value: float) -> str:
    """A p-value as tables print it."""
    return "$<$.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0")


MANY_COLUMNS = 7
"""A table with so many is wider than the text of an article in the usual size."""


def latex_table(columns: str, lines: Sequence[str], *, caption: str, label: str) -> str:
    """A whole table; ``columns`` are LaTeX's letters for them. Wide ones are set smaller."""
    is_wide = sum(letter.isalpha() for letter in columns) >= MANY_COLUMNS
    small = (r"\footnotesize", r"\setlength{\tabcolsep}{3pt}") if is_wide else ()
    return "\n".join(
        (
            r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}",
            r"\begin{table}",
            r"\centering",
            *small,
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{caption}}}",
            rf"\label{{{label}}}",
            r"\end{table}",
            "",
        )
    )
