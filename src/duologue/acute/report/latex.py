"""LaTeX tables of pairwise judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.reports import escape_latex, latex_p, latex_table

if TYPE_CHECKING:
    from duologue.acute import AcuteResults, MatchupResult, Section
    from duologue.stats import Interval


def matchups_table(section: Section, results: AcuteResults, *, label: str) -> str:
    """Every matchup: n, win rate and the interval that agrees with the verdict, p-values, unadjusted."""
    pooled = section.pooled if section.pooled is not None and section.pooled.decides else None
    adjusted = r"$p_{\mathrm{Holm}}$" if pooled is None else r"$p_{\mathrm{adj}}$"
    head = (
        rf"Matchup & $n$ & Win rate (\%) & Interval & Level (\%) & $p$ & {adjusted} & Unadjusted \\",
        r"\midrule",
    )
    body = [_matchup_line(matchup) for matchup in section.matchups if matchup.estimate is not None]
    if pooled is not None:
        caption = f"Pairwise comparisons{_of(section)}. {_pooled_caption(section, level=pooled.level)}"
        return latex_table("lrrcrrrc", (*head, *body), caption=caption, label=label)
    clustered = any(matchup.clustered for matchup in section.matchups)
    larger = " or, where annotators or dialogues repeat, the larger of it and the clustered one (CR3)"
    caption = (
        f"Pairwise comparisons{_of(section)}. {_what(section)} of the bot named first, ties left out, with "
        f"the Holm-compatible interval, which excludes 50\\% exactly when a difference is detected, and the "
        f"unadjusted {100 * results.level:g}\\% interval; $p$ of the exact two-sided binomial test"
        f"{larger if clustered else ''}; Holm over {_family(section)} matchups. Bold: Holm-adjusted "
        f"$p \\leq {results.alpha:g}$.{_fixed_number_only(results)}"
    )
    return latex_table("lrrcrrrc", (*head, *body), caption=caption, label=label)


def _pooled_caption(section: Section, *, level: float) -> str:
    """What stands under a table of pairs that pooled strengths decide."""
    is_cut = any(one.interval is not None and one.interval.is_cut for one in section.matchups)
    cut = r" ($^{\dagger}$: of a decided pair, cut at 50\%)" if is_cut else ""
    return (
        f"Win rate of the bot named first by strengths pooled over all matchups, with the simultaneous "
        f"interval{cut}, which excludes 50\\% exactly when a difference is detected, and the unadjusted "
        f"{100 * level:.4g}\\% interval; $p$ by Student's $t$, adjusted over all pairs of bots. Bold: "
        f"{_better_by_pooled(level)}."
    )


def leaderboard_table(section: Section, results: AcuteResults, *, label: str) -> str:
    """Every bot: its rank set, its strength with an interval, and its record."""
    pooled = section.pooled
    assert pooled is not None  # noqa: S101  the caller saw it
    head = (r"Bot & Ranks & Strength & Interval & Won & Lost & Tied & $n$ \\", r"\midrule")
    body = [
        f"{escape_latex(one.bot)} & {one.ranks.replace('–', '--')} & {_number(one.strength)} & "
        f"[{_number(one.low)}, {_number(one.high)}] & {one.wins} & {one.losses} & {one.ties} & {one.n} \\\\"
        for one in pooled.leaderboard
    ]
    ties = " with Davidson's term for ties" if pooled.model == "davidson" else ""
    caption = (
        f"Leaderboard{_of(section)}: Bradley--Terry strengths{ties} (log-odds against an average bot) pooled "
        f"over all matchups, clustered by annotator and dialogue, with {100 * pooled.level:.4g}\\% "
        f"intervals; rank sets hold together with {100 * pooled.level:.4g}\\% confidence."
    )
    return latex_table("lcrcrrrr", (*head, *body), caption=caption, label=label)


def _number(value: float) -> str:
    return f"${round(value, 2) + 0.0:.2f}$"


def _what(section: Section) -> str:
    is_graded = any(matchup.preference is not None for matchup in section.matchups)
    return "Mean preference" if is_graded else "Win rate"


def _family(section: Section) -> int:
    return max((matchup.family for matchup in section.matchups), default=0)


def _fixed_number_only(results: AcuteResults) -> str:
    if results.stopping != "sequential":
        return ""
    return " All for a fixed number of judgments, while the verdicts rest on the sequential test."


def win_matrix_table(section: Section, results: AcuteResults, *, label: str) -> str:
    """Winners across, losers down, percentages; verdicts in bold."""
    better = {
        frozenset((matchup.first, matchup.second)): matchup.verdict.better for matchup in section.matchups
    }
    bots = section.bots[::-1]
    place = {bot: number for number, bot in enumerate(section.bots)}
    names = " & ".join(escape_latex(bot) for bot in bots)

    def cell(loser: str, winner: str) -> str:
        won = section.wins[place[winner]][place[loser]]
        total = won + section.wins[place[loser]][place[winner]]
        if loser == winner or not total:
            return ""
        text = f"{100 * won / total:.0f}"
        return rf"\textbf{{{text}}}" if better.get(frozenset((loser, winner))) == winner else text

    lines = [
        f"Loser & {names} \\\\",
        r"\midrule",
        *(
            f"{escape_latex(loser)} & " + " & ".join(cell(loser, winner) for winner in bots) + r" \\"
            for loser in bots
        ),
    ]
    caption = (
        f"Per cent of judgments won by the bot in the column against the bot in the row{_of(section)}. "
        f"Bold: {_better_by(section, results)}."
    )
    return latex_table("l" + "r" * len(bots), lines, caption=caption, label=label)


def _better_by(section: Section, results: AcuteResults) -> str:
    if section.pooled is not None and section.pooled.decides:
        return _better_by_pooled(section.pooled.level)
    if results.stopping == "sequential":
        return f"better by the sequential test, $\\alpha = {results.alpha:g}$ over all matchups"
    return f"better at Holm-adjusted $p \\leq {results.alpha:g}$"


def _better_by_pooled(level: float) -> str:
    return f"better at adjusted $p \\leq {1 - level:.3g}$"


def _of(section: Section) -> str:
    title = f" ({escape_latex(section.title)})" if section.title else ""
    question = f" on the question ``{escape_latex(section.question)}''" if section.question else ""
    return title + question


def _matchup_line(matchup: MatchupResult) -> str:
    assert matchup.estimate is not None  # noqa: S101  only matchups with judgments are printed
    rate, span, alone = f"{100 * matchup.estimate:.1f}", matchup.interval, matchup.interval_unadjusted
    is_different = span is not None and 0.5 not in span
    cells = (
        f"{escape_latex(matchup.first)} v.\\ {escape_latex(matchup.second)}",
        f"{matchup.n}",
        rf"\textbf{{{rate}}}" if is_different else rate,
        _percents(span),
        f"{100 * span.level:.4g}" if span else "--",
        "--" if matchup.p_value is None else latex_p(matchup.p_value),
        "--" if matchup.p_adjusted is None else latex_p(matchup.p_adjusted),
        _percents(alone),
    )
    return " & ".join(cells) + r" \\"


def _percents(interval: Interval | None) -> str:
    if interval is None:
        return "--"
    cut = r"$^{\dagger}$" if interval.is_cut else ""
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]{cut}"
