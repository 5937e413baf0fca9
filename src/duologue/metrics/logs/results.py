"""The statistics of logs, what each is called, and the record of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from duologue.metrics.logs.counting import SIDES, Count, Side
from duologue.metrics.logs.meaning import MeaningModels
from duologue.metrics.logs.tally import LogTally, SideTally
from duologue.metrics.texts.distinct import leave_one_out_interval
from duologue.stats import FEW_CLUSTERS, ratio_interval

LOGS_FORMAT = "duologue.log_statistics/1"


@dataclass(frozen=True, slots=True)
class LogStatistic:
    """What is reported: a ratio of two counts; a share is given in percent, as in the paper."""

    name: str
    label: str
    x: Count
    n: Count
    is_share: bool = True
    is_heuristic: bool = False


UNIQUE, PARAPHRASED, CONTRADICTING = "unique", "paraphrased", "self-contradicting"
LOG_STATISTICS = (
    LogStatistic("words", "words per reply", Count.WORDS, Count.REPLIES, is_share=False),
    LogStatistic("characters", "characters per reply", Count.CHARACTERS, Count.REPLIES, is_share=False),
    LogStatistic("freq1h", "words seen fewer than 100 times in the reference", Count.RARE_100, Count.WORDS),
    LogStatistic(
        "freq1k", "words seen fewer than 1,000 times in the reference", Count.RARE_1000, Count.WORDS
    ),
    LogStatistic("unigram-own", "words the speaker said before", Count.OWN_1, Count.RUNS_1),
    LogStatistic("bigram-own", "pairs of words the speaker said before", Count.OWN_2, Count.RUNS_2),
    LogStatistic("trigram-own", "runs of three words the speaker said before", Count.OWN_3, Count.RUNS_3),
    LogStatistic("unigram-partner", "words the partner said before", Count.PARTNER_1, Count.RUNS_1),
    LogStatistic("bigram-partner", "pairs of words the partner said before", Count.PARTNER_2, Count.RUNS_2),
    LogStatistic(
        "trigram-partner", "runs of three words the partner said before", Count.PARTNER_3, Count.RUNS_3
    ),
    LogStatistic(UNIQUE, "replies said once in all logs", Count.REPLIES, Count.REPLIES),
    LogStatistic(
        "question-word", "replies that begin with a question word", Count.QUESTION_WORD, Count.REPLIES
    ),
    LogStatistic("question-mark", "replies with a question mark", Count.QUESTION_MARK, Count.REPLIES),
    LogStatistic(
        "asked-again",
        "questions asked again after an answer (heuristic)",
        Count.ASKED_AGAIN,
        Count.QUESTIONS,
        is_heuristic=True,
    ),
    LogStatistic(
        "persona-copied", "persona lines copied word for word", Count.PERSONA_COPIED, Count.PERSONA_LINES
    ),
    LogStatistic(
        PARAPHRASED,
        "replies that say an earlier own one in other words (heuristic)",
        Count.PARAPHRASED,
        Count.FOLLOWING,
        is_heuristic=True,
    ),
    LogStatistic(
        CONTRADICTING,
        "replies that contradict an earlier own one (heuristic)",
        Count.CONTRADICTING,
        Count.FOLLOWING,
        is_heuristic=True,
    ),
)
NO_EMBEDDINGS = (
    "Repetition by paraphrase is left out: it needs a model of what replies mean. Name one with --embeddings."
)
NO_ENTAILMENT = (
    "Self-contradiction is left out: it needs a model of natural language inference. "
    "Name one with --entailment."
)


@dataclass(frozen=True, slots=True)
class LogFigure:
    """One statistic of one side: ``count`` of ``of``, in percent where it is a share.

    ``low`` and ``high`` are None where fewer than two dialogues have it, or all have the same.
    """

    statistic: str
    label: str
    side: Side
    value: float
    low: float | None
    high: float | None
    count: int
    of: int
    dialogues: int
    unit: str
    heuristic: bool
    method: str


@dataclass(frozen=True, slots=True)
class BotLogs:
    """The statistics of one bot and of the humans who talked to it."""

    bot: str
    dialogues: int
    figures: tuple[LogFigure, ...]

    def figure(self, statistic: str, side: Side = "bot") -> LogFigure | None:
        """A figure by its name; None where the logs do not have it."""
        return next((one for one in self.figures if (one.statistic, one.side) == (statistic, side)), None)


@dataclass(frozen=True, slots=True)
class LogResults:
    """All statistics of some logs: what ``duologue metrics logs --json`` prints."""

    bots: tuple[BotLogs, ...]
    turns: int
    level: float
    reference: str | None
    warnings: tuple[str, ...]
    format: str = LOGS_FORMAT

    def record(self) -> dict[str, object]:
        """For a JSON file."""
        return asdict(self)

    def rows(self) -> list[Mapping[str, str | float | None]]:
        """A table in the form of Tables 6 to 8 of the paper: a row for each bot, each figure with limits."""
        rows: list[Mapping[str, str | float | None]] = []
        for bot in self.bots:
            row: dict[str, str | float | None] = {"bot": bot.bot, "dialogues": bot.dialogues}
            for statistic in LOG_STATISTICS:
                for side in SIDES:
                    found = bot.figure(statistic.name, side)
                    column = f"{statistic.name}_{side}".replace("-", "_")
                    row[column] = found.value if found else None
                    row[f"{column}_low"] = found.low if found else None
                    row[f"{column}_high"] = found.high if found else None
            rows.append(row)
        return rows


def log_results(tally: LogTally, *, level: float = 0.95) -> LogResults:
    """The statistics of what was looked at, with intervals clustered by dialogue.

    Args:
        tally: What was counted.
        level: Confidence of the intervals.
    """
    bots = tuple(
        BotLogs(
            bot,
            dialogues,
            tuple(
                figure
                for statistic in LOG_STATISTICS
                for side in SIDES
                if (bot, side) in tally.sides
                and _is_known(statistic, tally)
                and (figure := _figure(statistic, side, tally.sides[bot, side], level)) is not None
            ),
        )
        for bot, dialogues in sorted(tally.dialogues.items())
    )
    reference = tally.common.source if tally.common is not None else None
    return LogResults(bots, tally.turns, level, reference, tuple(_warnings(tally)))


def _is_known(statistic: LogStatistic, tally: LogTally) -> bool:
    if statistic.name.startswith("freq"):
        return tally.common is not None
    if statistic.name == PARAPHRASED:
        return tally.meaning is not None and tally.meaning.embeddings is not None
    if statistic.name == CONTRADICTING:
        return tally.meaning is not None and tally.meaning.entailment is not None
    return True


def _figure(statistic: LogStatistic, side: Side, tally: SideTally, level: float) -> LogFigure | None:
    sums = tally.ratio(statistic.x, statistic.n)
    if sums.n == 0:
        return None
    if statistic.name == UNIQUE:
        count, fewer, replies = tally.unique()
        method = "jackknife by dialogue"
        interval = leave_one_out_interval(count, sums.n, fewer, replies, level) if len(replies) > 1 else None
    else:
        count, method = sums.x, "linearised ratio by dialogue"
        bounds = (0.0, 1.0 if statistic.is_share else float("inf"))
        interval = ratio_interval(sums, level=level, bounds=bounds) if sums.clusters > 1 else None
    low, high = interval.limits if interval and interval.low < interval.high else (None, None)
    times = 100 if statistic.is_share else 1
    return LogFigure(
        statistic.name,
        statistic.label,
        side,
        times * count / sums.n,
        None if low is None else times * low,
        None if high is None else times * high,
        count,
        sums.n,
        sums.clusters,
        "percent" if statistic.is_share else "mean",
        statistic.is_heuristic,
        method,
    )


def _warnings(tally: LogTally) -> list[str]:
    said = []
    if tally.common is None:
        said.append("Rare words are left out: name the corpus they are rare in with --reference.")
    elif tally.common.words < 1_000_000:
        said.append(
            f"The reference has only {tally.common.words:,} words: most words are rare in it, and Freq1h and "
            "Freq1k compare with nothing measured by another reference."
        )
    few = sorted(bot for bot, count in tally.dialogues.items() if count < FEW_CLUSTERS)
    if few:
        said.append(f"Fewer than {FEW_CLUSTERS} dialogues: {', '.join(few)}. Intervals are rough.")
    models = tally.meaning or MeaningModels()
    said += [] if models.embeddings is not None else [NO_EMBEDDINGS]
    said += [] if models.entailment is not None else [NO_ENTAILMENT]
    return [*said, *models.notes()]
