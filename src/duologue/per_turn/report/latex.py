"""LaTeX tables in the form of Tables 2 to 6 of the per-turn paper, with clustered p-values and intervals.

What the paper says of written replies in a sentence is a table too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.per_turn.report.tables import mechanism_totals
from duologue.protocols import say_arm
from duologue.reports import PaperTable, escape_latex, latex_p, latex_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duologue.per_turn import PerTurnResults, TurnSection
    from duologue.stats import Interval

_NAMES = {"pairwise": "Pairwise", "multi": "Multiple", "single": "Single", "total": "Total"}
_STAR = (
    "An asterisk marks a difference: the larger of the p-values of the test that takes turns as independent "
    "and of the one clustered by dialogue and annotator, adjusted by Holm's method, is at most {alpha:g}."
)


def turn_paper_tables(results: PerTurnResults) -> Iterator[PaperTable]:
    """Those that there are data for."""
    main = [section for section in results.sections if _is_compared(section)]
    of = {name: [one for one in main if one.mechanism == name] for name in ("pairwise", "multi", "single")}
    yield PaperTable("dialogues.tex", _dialogues(results))
    if of["pairwise"]:
        yield PaperTable("pairwise.tex", _pairwise(of["pairwise"], results))
    if of["multi"]:
        yield PaperTable("multi.tex", _multi(of["multi"], results))
    if any(section.pairs for section in of["multi"]):
        yield PaperTable("comparisons.tex", _comparisons(of["multi"], results))
    if of["single"]:
        yield PaperTable("single.tex", _single(of["single"], results))
    if any(section.written for section in results.sections):
        yield PaperTable("written.tex", _written(results))


def _is_compared(section: TurnSection) -> bool:
    return bool(section.turns) and not section.question and not section.is_read


def _dialogues(results: PerTurnResults) -> str:
    lines = [r"Mechanism & Dialogues & Turns & Turns per dialogue \\", r"\midrule"]
    for name, (dialogues, turns) in mechanism_totals(results).items():
        if name != "total":
            lines.append(_row(_NAMES[name], f"{dialogues:,}", f"{turns:,}", _mean(turns, dialogues)))
    dialogues, turns = mechanism_totals(results).get("total", (0, 0))
    lines += [r"\midrule", _row("Total", f"{dialogues:,}", f"{turns:,}", _mean(turns, dialogues))]
    caption = "Dialogues and turns after screening."
    return latex_table("lrrr", lines, caption=caption, label="tab:dialogues")


def _pairwise(sections: Sequence[TurnSection], results: PerTurnResults) -> str:
    head = r"Bots & Setting & Dialogues & Turns & \multicolumn{2}{c}{Win rate} & Tie-win & Tie-loss \\"
    lines = [head, r"\midrule"]
    for section in sections:
        (pair,) = section.pairs
        rates = {bot.bot: bot.rate for bot in section.bots}
        star = "*" if pair.verdict.is_different else ""
        cells = [_percent(rates[bot]) + (star if bot == pair.verdict.better else "") for bot in section.names]
        ties = ["--", "--"]
        if section.setting != "soba":
            ties = [_percent(pair.tie_win_rate), _percent(pair.tie_loss_rate)]
        bots = " v ".join(map(escape_latex, section.names))
        lines.append(
            _row(bots, _setting(section), f"{section.dialogues:,}", f"{section.turns:,}", *cells, *ties)
        )
    caption = (
        f"Pairwise evaluation: win rates of the two bots in each setting. {_STAR.format(alpha=results.alpha)}"
    )
    return latex_table("llrrrrrr", lines, caption=caption, label="tab:pairwise")


def _multi(sections: Sequence[TurnSection], results: PerTurnResults) -> str:
    bots = sorted({bot for section in sections for bot in section.names})
    heads = ["Setting", "Dialogues", "Turns", *map(escape_latex, bots), "$p$"]
    lines = [_row(*heads), r"\midrule"]
    for section in sections:
        rates = {bot.bot: bot.rate for bot in section.bots}
        cells = [_percent(rates[bot]) if bot in rates else "--" for bot in bots]
        p = section.all_bots.tested.p_value if section.all_bots else None
        lines.append(_row(_setting(section), f"{section.dialogues:,}", f"{section.turns:,}", *cells, _p(p)))
    caption = (
        "Several bots at once: win rates. $p$ is the larger of Pearson's chi-square (select one best) or "
        "Cochran's $Q$ (select all that apply), and of the clustered $T^2$."
    )
    return latex_table("lrr" + "r" * len(bots) + "r", lines, caption=caption, label="tab:multi")


def _comparisons(sections: Sequence[TurnSection], results: PerTurnResults) -> str:
    head = (
        r"Setting & Comparison & $|p_i - p_j|$ & $Q$ or $\chi^2$ & $p$, naive & $p$, clustered & $p$, Holm \\"
    )
    lines = [head, r"\midrule"]
    for section in sections:
        if not section.pairs or section.all_bots is None:
            continue
        whole = section.all_bots
        tested = whole.tested
        lines.append(
            _row(
                _setting(section),
                "all",
                "--",
                "--" if whole.statistic is None else f"{whole.statistic:.2f}",
                _p(tested.p_naive),
                _p(tested.p_clustered),
                "--",
            )
        )
        for pair in section.pairs:
            star = "*" if pair.verdict.is_different else ""
            lines.append(
                _row(
                    _setting(section),
                    f"{escape_latex(pair.first)} v {escape_latex(pair.second)}",
                    f"{abs(pair.difference):.3f}{star}",
                    "--" if pair.chi_square is None else f"{pair.chi_square:.2f}",
                    _p(pair.p_chi_square),
                    _p(pair.tested.p_clustered),
                    _p(pair.tested.p_adjusted),
                )
            )
    caption = (
        "Every pair of several bots: McNemar's chi-square without correction and its $p$ (naive), as in the "
        f"paper; the clustered $p$; and the larger of mid-p McNemar and clustered after Holm. "
        f"{_STAR.format(alpha=results.alpha)}"
    )
    return latex_table("llrrrrr", lines, caption=caption, label="tab:comparisons")


def _single(sections: Sequence[TurnSection], results: PerTurnResults) -> str:
    lines = [r"Bot & Dialogues/turns & Win rate & Clustered & Normal \\", r"\midrule"]
    for section in sections:
        (bot,), (against,) = section.bots, section.against
        star = "*" if against.verdict.is_different else ""
        where = f"{section.dialogues:,}/{section.turns:,}"
        clustered, normal = _span(bot.interval), _span(against.normal_interval)
        lines.append(_row(escape_latex(bot.bot), where, f"{_percent(bot.rate)}{star}", clustered, normal))
    null = f"{100 * sections[0].against[0].null:g}"
    caption = (
        f"One bot at a time: win rates with {100 * results.level:g}\\% intervals; the normal one, as the "
        f"paper prints it, takes turns as independent. Tested against {null}\\%. "
        f"{_STAR.format(alpha=results.alpha)}"
    )
    return latex_table("lrrrr", lines, caption=caption, label="tab:single")


def _written(results: PerTurnResults) -> str:
    rates = (r"\multicolumn{2}{c}{At least as good}", r"\multicolumn{2}{c}{Better}")
    lines = [_row("Compared with", "Replies", "Judgments", *rates)]
    for section in results.sections:
        lines += [r"\midrule"]
        for one in section.written:
            rival = escape_latex(one.bot) if one.bot else "all replies of bots"
            where = f"{escape_latex(section.arm)}: {rival}" if section.arm else rival
            counts = (f"{one.replies:,}", f"{one.judgments:,}")
            at_least = (_percent(one.at_least), _span(one.at_least_interval))
            better = (_percent(one.better), _span(one.better_interval))
            lines.append(_row(where, *counts, *at_least, *better))
    caption = (
        "Replies that annotators wrote, beside those of the bots, as readers selected them. Better: the "
        "written reply was selected and the other was not; at least as good: unless the other was selected "
        f"and the written one was not. Intervals ({100 * results.level:g}\\%) are clustered by dialogue and "
        "annotator."
    )
    return latex_table("lrrrrrr", lines, caption=caption, label="tab:written")


def _row(*cells: str) -> str:
    return " & ".join(cells) + r" \\"


def _setting(section: TurnSection) -> str:
    named = section.design.partition("-")[2] or section.design
    return f"{escape_latex(section.arm)} ({named})" if say_arm(section.arm) else named


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\\%"


def _mean(turns: int, dialogues: int) -> str:
    return f"{turns / dialogues:.1f}" if dialogues else "--"


def _p(p_value: float | None) -> str:
    return "--" if p_value is None else latex_p(p_value)


def _span(interval: Interval | None) -> str:
    return "--" if interval is None else f"[{interval.low:.2f}, {interval.high:.2f}]"
