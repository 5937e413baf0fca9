"""Table 1 of Lowe et al. (2016): who took part, by what they said of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duologue.protocols import QuestionCounts
from duologue.reports import escape_latex, latex_table


def table_1(forms: Sequence[QuestionCounts]) -> str:
    """Each question with choices, and how many per cent of those who answered chose what.

    Example:
        >>> asked = QuestionCounts("you", "age", "Your age?", "one", 4, 0, {"18-20": 1, "21-30": 3})
        >>> print(*table_1([asked]).splitlines()[5:8], sep="\\n")
        \\multicolumn{2}{l}{Your age?} \\\\
        \\quad 18-20 & 25.0\\,\\% \\\\
        \\quad 21-30 & 75.0\\,\\% \\\\
    """
    most = max((one.answered for one in forms), default=0)
    caption = f"What {most:,} participants said of themselves; per cent of those who answered the question."
    return latex_table("lr", list(_lines(forms)), caption=caption, label="tab:participants")


def _lines(forms: Sequence[QuestionCounts]) -> Iterator[str]:
    for one in forms:
        if not one.choices or not one.answered:
            continue
        yield rf"\multicolumn{{2}}{{l}}{{{escape_latex(one.label)}}} \\"
        for choice, count in one.choices.items():
            yield rf"\quad {escape_latex(choice)} & {100 * count / one.answered:.1f}\,\% \\"
