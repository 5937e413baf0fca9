"""Tables of phrasings: as CSV, and for a paper in the form of ACUTE-EVAL's Table 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duologue.acute.report.tables import separation_cells
from duologue.judgments import Row
from duologue.reports import escape_latex, latex_p, latex_table

if TYPE_CHECKING:
    from duologue.acute import QuestionRanking
    from duologue.acute.phrasings.results import PhrasingResult, PhrasingStudyResults


def phrasing_rows(found: PhrasingStudyResults, separated: QuestionRanking | None = None) -> Iterator[Row]:
    """Every phrasing, the clearest of each axis first; and how far each separates the bots."""
    of_part = {
        (one.arm, one.revision, one.annotators): one for one in (separated.questions if separated else ())
    }
    for axis in found.axes:
        for rank, one in enumerate(axis.phrasings, 1):
            yield {
                "axis": axis.axis,
                "revision": axis.revision,
                "annotator_kind": axis.annotators,
                "rank": rank if one.n else None,
                "arm": one.arm,
                "question": one.question,
                "choice_1": one.choice,
                "pairs": len(one.pairs),
                "n": one.n,
                "planned": one.planned,
                "modal": one.modal,
                "agreement": one.agreement,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval else None,
                "level": one.interval.level if one.interval else None,
                "by_chance": one.chance,
                "p": one.p_value,
                "p_holm": one.p_adjusted,
                "is_significant": one.is_significant,
                "krippendorff_alpha": one.alpha,
                "most_chosen": "; ".join(pair.modal or "even" for pair in one.pairs),
                "n_without_exclusions": one.n_without_exclusions,
                "agreement_without_exclusions": one.agreement_without_exclusions,
                "is_best": one.arm == axis.best,
                "p_first_against_second": axis.p_adjusted if one.arm == axis.best else None,
                "is_distinguished": axis.is_distinguished if one.arm == axis.best else None,
                **separation_cells(of_part.get((one.arm, axis.revision, axis.annotators))),
            }


def table_1(found: PhrasingStudyResults) -> str:
    """Question, choice 1 and agreement under a heading for each axis, starred and bold as in the paper."""
    lines = [r"Question & Choice 1 & $n$ & Agrm. & Interval & $p_{\mathrm{Holm}}$ \\"]
    for axis in found.axes:
        lines += [r"\midrule", rf"\multicolumn{{6}}{{c}}{{{escape_latex(axis.title.capitalize())}}} \\"]
        lines += [_line(one, is_best=one.arm == axis.best) for one in axis.phrasings]
    told = [axis.axis for axis in found.axes if axis.is_distinguished]
    which = f" ({', '.join(map(escape_latex, told))})" if told else ""
    family = escape_latex(found.family).replace("≤", r"$\leq$")
    caption = (
        "Phrasings of questions and the share of annotators who gave the most chosen answer, with its "
        f"interval. {family} Bold: the phrasing with the highest lower bound of its axis; it can be told "
        f"from the next in {len(told)} of {len(found.axes)}{which}."
    )
    return latex_table("p{5.2cm}p{3.6cm}rrcr", lines, caption=caption, label="tab:phrasings")


def _line(one: PhrasingResult, *, is_best: bool) -> str:
    words = f"{escape_latex(one.question)} & {escape_latex(one.choice)} & {one.n}"
    if one.agreement is None or one.interval is None or one.p_adjusted is None:
        return rf"{words} & & & \\"
    agreement = rf"{'*' * one.is_significant}{100 * one.agreement:.1f}\%"
    if is_best:
        agreement = rf"\textbf{{{agreement}}}"
    span = f"[{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]"
    return rf"{words} & {agreement} & {span} & {latex_p(one.p_adjusted)} \\"
