"""LaTeX tables of pairwise judgments."""

from __future__ import annotations

from duologue.protocols.acute import AcuteResults, MatchupResult, Section
from duologue.reports.latex import escape_latex, latex_p, latex_table


def matchups_table(section: Section, results: AcuteResults, *, label: str) -> str:
    """Every matchup: n, win rate with its Wilson interval, p-values, and the clustered interval."""
    head = (
        r"Matchup & $n$ & Win rate (\%) & Wilson & $p$ & $p_{\mathrm{Holm}}$ & Clustered \\",
        r"\midrule",
    )
    body = [_matchup_line(matchup, results.alpha) for matchup in section.matchups if matchup.n]
    caption = (
        f"Pairwise comparisons{_of(section)}. Win rate of the bot named first, with "
        f"{100 * results.level:g}\\% Wilson and cluster-robust intervals; exact two-sided binomial test, "
        f"Holm-adjusted over {sum(1 for m in section.matchups if m.n)} matchups. Bold: Holm-adjusted "
        f"$p \\leq {results.alpha:g}$.{_fixed_number_only(results)}"
    )
    return latex_table("lrrcrrc", (*head, *body), caption=caption, label=label)


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
        f"Bold: {_better_by(results)}."
    )
    return latex_table("l" + "r" * len(bots), lines, caption=caption, label=label)


def _better_by(results: AcuteResults) -> str:
    if results.stopping == "sequential":
        return f"better by the sequential test, $\\alpha = {results.alpha:g}$ over all matchups"
    return f"better at Holm-adjusted $p \\leq {results.alpha:g}$"


def _of(section: Section) -> str:
    title = f" ({escape_latex(section.title)})" if section.title else ""
    question = f" on the question ``{escape_latex(section.question)}''" if section.question else ""
    return title + question


def _matchup_line(matchup: MatchupResult, alpha: float) -> str:
    assert matchup.win_rate is not None  # noqa: S101  only matchups with judgments are printed
    assert matchup.interval is not None  # noqa: S101  and those have all four
    assert matchup.p_value is not None  # noqa: S101  the same
    assert matchup.p_adjusted is not None  # noqa: S101  the same
    rate = f"{100 * matchup.win_rate:.1f}"
    clustered = matchup.clustered
    cells = (
        f"{escape_latex(matchup.first)} v.\\ {escape_latex(matchup.second)}",
        f"{matchup.n}",
        rf"\textbf{{{rate}}}" if matchup.p_adjusted <= alpha else rate,
        f"[{100 * matchup.interval.low:.1f}, {100 * matchup.interval.high:.1f}]",
        latex_p(matchup.p_value),
        latex_p(matchup.p_adjusted),
        f"[{100 * clustered.interval.low:.1f}, {100 * clustered.interval.high:.1f}]" if clustered else "--",
    )
    return " & ".join(cells) + r" \\"
