"""LaTeX tables of ratings: the bots as in the ConvAI2 paper's Table 5, and every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.reports import escape_latex, latex_p, latex_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duologue.likert import (
        BotRating,
        LikertResults,
        PersonaDetection,
        QuestionResult,
        RatingPair,
        RatingSection,
    )
    from duologue.likert.analysis.results import TableRow
    from duologue.stats import Interval


def ratings_table(section: RatingSection, results: LikertResults, *, label: str) -> str:
    """The bots best first: the calibrated mean of each question with its interval, persona detection last."""
    heads = [
        f"{escape_latex(question.name)} ({question.low} to {question.high})" for question in section.questions
    ]
    heads += ["Persona detection"] if section.personas else []
    means = [{bot.bot: bot for bot in question.bots} for question in section.questions]
    detected = {one.bot: one for one in section.personas}
    lines = [" & ".join(["Bot", *heads]) + r" \\", r"\midrule"]
    silent = [row for row in section.table if row.failed and row.bot not in section.bots]
    for bot in (*section.bots, *(row.bot for row in silent)):
        cells = [escape_latex(bot), *(_mean(of.get(bot)) for of in means)]
        cells += [_rate(detected.get(bot))] if section.personas else []
        lines.append(" & ".join(cells) + r" \\")
    caption = (
        f"Human evaluation{_of(section)}. Mean ratings by the average annotator (annotators' leniency "
        f"removed, posterior {100 * results.level:g}\\% intervals; the plain mean with a cluster-robust "
        f"interval where marked $^*$){_detection(section, results)}.{_silence(silent)}"
    )
    return latex_table("l" + "c" * len(heads), lines, caption=caption, label=label)


def _silence(silent: Sequence[TableRow]) -> str:
    """Why bots have no ratings."""
    named = ", ".join(f"{escape_latex(row.bot)} ({row.failed:,})" for row in silent)
    return f" Without ratings, since they did not answer (chats): {named}." if named else ""


def _mean(bot: BotRating | None) -> str:
    if bot is None:
        return "--"
    if bot.calibrated is None:
        return f"{bot.mean:.2f}$^*$ {_span(bot.interval)}".rstrip()
    return f"{bot.calibrated:.2f} {_span(bot.calibrated_interval)}".rstrip()


def _rate(found: PersonaDetection | None) -> str:
    return "--" if found is None else f"{found.rate:.2f} {_span(found.interval)}"


def _detection(section: RatingSection, results: LikertResults) -> str:
    if not section.personas:
        return ""
    return (
        "; persona detection is the share of annotators who identified the bot's persona, with "
        f"{100 * results.level:g}\\% Wilson intervals (one half is chance)"
    )


def pairs_table(
    section: RatingSection, question: QuestionResult, results: LikertResults, *, label: str
) -> str:
    """Every pair of a question: difference, interval and p-value of the verdict, and what decided."""
    head = (
        r"Pair & $n$ & Difference & Interval & Level & $p$ & $p_{\mathrm{Holm}}$ & Test & Welch's $p$ \\",
        r"\midrule",
    )
    body = [_pair_line(pair) for pair in question.pairs]
    family = question.pairs[0].family if question.pairs else 0
    caption = (
        f"Differences of mean ratings of {escape_latex(question.name)}{_of(section)}. The test is the one "
        "with the larger $p$ of those that a verdict must pass; intervals invert them at the level at which "
        f"Holm's method decided over {family} pair{'s' * (family != 1)}, and exclude 0 exactly where a "
        f"difference was found. Bold: Holm-adjusted $p \\leq {results.alpha:g}$. Welch's $p$ is as if all "
        "ratings were independent."
    )
    return latex_table("lrrcrrrlr", (*head, *body), caption=caption, label=label)


def _pair_line(pair: RatingPair) -> str:
    difference = f"{pair.difference:.2f}"
    first, second = pair.n
    cells = (
        f"{escape_latex(pair.first)} v.\\ {escape_latex(pair.second)}",
        f"{first}" if first == second else f"{first}/{second}",
        rf"\textbf{{{difference}}}" if pair.verdict.better else difference,
        _span(pair.interval) or "--",
        f"{100 * pair.interval.level:.4g}\\%" if pair.interval else "--",
        "--" if pair.p_value is None else latex_p(pair.p_value),
        "--" if pair.p_adjusted is None else latex_p(pair.p_adjusted),
        pair.decided_by or "--",
        "--" if pair.p_welch is None else latex_p(pair.p_welch),
    )
    return " & ".join(cells) + r" \\"


def _span(interval: Interval | None) -> str:
    return f"[{interval.low:.2f}, {interval.high:.2f}]" if interval is not None else ""


def _of(section: RatingSection) -> str:
    return f" ({escape_latex(section.title)})" if section.title else ""
