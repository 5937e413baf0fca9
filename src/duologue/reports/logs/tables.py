"""Tables 6 to 8 of the ConvAI2 paper, and the numbers of its Figure 5: for each bot, beside human scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from duologue.judgments import Row
from duologue.metrics import BotLogs, LogFigure, LogResults, Side
from duologue.protocols import BotScore
from duologue.reports.latex import escape_latex, latex_table


@dataclass(frozen=True, slots=True)
class LogTable:
    """Which statistics of which side stand in a table, under which heads."""

    name: str
    caption: str
    columns: tuple[tuple[str, Side, str], ...]


LOG_TABLES = (
    LogTable(
        "table_6_lengths",
        "Mean length of replies",
        (
            ("words", "bot", "words, bot"),
            ("words", "human", "words, human"),
            ("characters", "bot", "characters, bot"),
            ("characters", "human", "characters, human"),
        ),
    ),
    LogTable(
        "table_7_rare_words",
        "Percentage of words seen fewer than 100 (Freq1h) and 1,000 times (Freq1k) in the reference",
        (
            ("freq1h", "bot", "Freq1h, bot"),
            ("freq1h", "human", "Freq1h, human"),
            ("freq1k", "bot", "Freq1k, bot"),
            ("freq1k", "human", "Freq1k, human"),
        ),
    ),
    LogTable(
        "table_8_repeats",
        "Percentage of words, pairs and runs of three that the bot said before in the dialogue, and of its "
        "replies that are unique in all logs",
        (
            ("unigram-own", "bot", "unigram repeats"),
            ("bigram-own", "bot", "bigram repeats"),
            ("trigram-own", "bot", "trigram repeats"),
            ("unique", "bot", "unique"),
        ),
    ),
    LogTable(
        "figure_5_questions",
        "Percentage of replies that begin with a question word, and that have a question mark",
        (
            ("question-word", "bot", "question word, bot"),
            ("question-word", "human", "question word, human"),
            ("question-mark", "bot", "question mark, bot"),
            ("question-mark", "human", "question mark, human"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class RatedLogs:
    """Statistics of logs with what people gave the bots: the best liked first, as the paper has it."""

    results: LogResults
    scores: tuple[BotScore, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The human scores that some bot of the logs has."""
        bots = {bot.bot for bot in self.results.bots}
        return tuple(dict.fromkeys(score.part for score in self.scores if score.bot in bots))

    def score(self, bot: str, part: str) -> BotScore | None:
        """What people gave a bot."""
        return next((one for one in self.scores if (one.bot, one.part) == (bot, part)), None)

    @property
    def bots(self) -> tuple[BotLogs, ...]:
        """Ordered by the first human score; those without one come last, by name."""

        def place(bot: BotLogs) -> tuple[bool, float, str]:
            score = self.score(bot.bot, self.parts[0]) if self.parts else None
            return score is None, -score.value if score else 0.0, bot.bot

        return tuple(sorted(self.results.bots, key=place))


def has_table(rated: RatedLogs, table: LogTable) -> bool:
    """Whether the logs have anything of a table."""
    return any(bot.figure(name, side) for bot in rated.results.bots for name, side, _ in table.columns)


def log_table_rows(rated: RatedLogs, table: LogTable) -> Iterator[Row]:
    """A row for each bot: human scores, and each figure with the limits of its interval."""
    for bot in rated.bots:
        row: dict[str, object] = {"bot": bot.bot, "dialogues": bot.dialogues}
        for part in rated.parts:
            score = rated.score(bot.bot, part)
            row[part] = score.value if score else None
        for name, side, _ in table.columns:
            found = bot.figure(name, side)
            column = f"{name}_{side}".replace("-", "_")
            row[column] = found.value if found else None
            row[f"{column}_low"] = found.low if found else None
            row[f"{column}_high"] = found.high if found else None
        yield row


def log_table_latex(rated: RatedLogs, table: LogTable) -> str:
    """The table for a paper."""
    heads = ["Bot", *rated.parts, *(head for _, _, head in table.columns)]
    lines = [" & ".join(map(escape_latex, heads)) + r" \\", r"\midrule"]
    for bot in rated.bots:
        scores = [rated.score(bot.bot, part) for part in rated.parts]
        cells = [escape_latex(bot.bot), *("--" if one is None else f"{one.value:.2f}" for one in scores)]
        cells += [_latex_cell(bot.figure(name, side)) for name, side, _ in table.columns]
        lines.append(" & ".join(cells) + r" \\")
    caption = f"{table.caption}; {rated.results.level * 100:g} % intervals clustered by dialogue."
    return latex_table(
        "l" + "r" * (len(heads) - 1), lines, caption=escape_latex(caption), label=f"tab:{table.name}"
    )


def _latex_cell(figure: LogFigure | None) -> str:
    if figure is None:
        return "--"
    limits = "" if figure.low is None else rf" {{\small [{figure.low:.1f}, {figure.high:.1f}]}}"
    return f"{figure.value:.1f}{limits}"
