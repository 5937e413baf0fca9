"""Ratings as CSV tables: bots, pairs of bots, personas, annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.likert.report.view import unrated_bots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from duologue.judgments import Row
    from duologue.likert import BotRating, LikertResults, QuestionResult, RatingPair, RatingSection
    from duologue.likert.analysis.results import RatedBotAgreement
    from duologue.stats import Interval


def rating_tables(results: LikertResults) -> Iterator[tuple[str, Iterable[Row]]]:
    """Every table that has rows, by the name of its file."""
    found = (
        ("bots.csv", bot_rows(results)),
        ("pairs.csv", pair_rows(results)),
        ("personas.csv", persona_table_rows(results)),
        ("annotators.csv", leniency_rows(results)),
    )
    for name, rows in found:
        if kept := list(rows):
            yield name, kept


def bot_rows(results: LikertResults) -> Iterator[Row]:
    """``bots.csv``: every bot and question of every section: mean, calibrated mean, intervals.

    ``failed`` counts the live chats in which the bot did not answer; a bot without ratings has a row too.
    """
    for section in results.sections:
        failed = {row.bot: row.failed for row in section.table}
        for question in section.questions:
            agreed = {one.bot: one for one in question.agreement.by_bot} if question.agreement else {}
            for bot in question.bots:
                yield {
                    **_of(section, question),
                    "bot": bot.bot,
                    "n": bot.n,
                    **_rating(bot, agreed.get(bot.bot)),
                    "failed": failed.get(bot.bot, 0),
                }
            for silent in unrated_bots(question, section):
                yield {
                    **_of(section, question),
                    "bot": silent.bot,
                    "n": 0,
                    **dict.fromkeys(_RATING),
                    "failed": silent.failed,
                }


def _rating(bot: BotRating, agreed: RatedBotAgreement | None) -> dict[str, object]:
    found = {
        "annotators_known": bot.annotators,
        "mean": bot.mean,
        "sd": bot.sd,
        **_span("clustered", bot.interval),
        **_span("naive", bot.naive_interval),
        "icc": bot.icc,
        "calibrated": bot.calibrated,
        **_span("calibrated", bot.calibrated_interval),
        "counts": "/".join(str(count) for count in bot.counts),
        "alpha": agreed.alpha if agreed else None,
        "dialogues_rated_again": agreed.dialogues if agreed else None,
    }
    return {name: found[name] for name in _RATING}


_RATING = (
    *("annotators_known", "mean", "sd", "clustered_low", "clustered_high", "naive_low", "naive_high", "icc"),
    *("calibrated", "calibrated_low", "calibrated_high", "counts"),
    *("alpha", "dialogues_rated_again"),
)
"""What only a bot with ratings has."""


def pair_rows(results: LikertResults) -> Iterator[Row]:
    """``pairs.csv``: every two bots on every question, with every test, the interval, and the verdict."""
    for section in results.sections:
        for question in section.questions:
            for pair in question.pairs:
                yield _of(section, question) | _pair(pair)


def _pair(pair: RatingPair) -> dict[str, object]:
    clustered, calibrated, alone = pair.clustered, pair.calibrated, pair.interval_unadjusted
    return {
        "first": pair.first,
        "second": pair.second,
        "n_first": pair.n[0],
        "n_second": pair.n[1],
        "mean_first": pair.means[0],
        "mean_second": pair.means[1],
        "difference": pair.difference,
        "p": pair.p_value,
        "decided_by": pair.decided_by,
        "p_holm": pair.p_adjusted,
        "family": pair.family,
        "low": pair.interval.low if pair.interval else None,
        "high": pair.interval.high if pair.interval else None,
        "level": pair.interval.level if pair.interval else None,
        **_span("unadjusted", alone),
        "unadjusted_level": alone.level if alone else None,
        "welch_p": pair.p_welch,
        "hedges_g": pair.effect,
        "clustered_difference": clustered.difference if clustered else None,
        **_span("clustered", clustered.interval if clustered else None),
        "clustered_p": clustered.p_value if clustered else None,
        "clustered_required": clustered.is_required if clustered else None,
        "calibrated_difference": calibrated.difference if calibrated else None,
        **_span("calibrated", calibrated.interval if calibrated else None),
        "calibrated_p": calibrated.p_value if calibrated else None,
        "calibrated_df": calibrated.df if calibrated else None,
        "first_is_better": calibrated.first_is_better if calibrated else None,
        "better": pair.verdict.better,
        "equivalence_p_holm": pair.verdict.equivalence_p,
        "more_per_bot": pair.verdict.more_per_bot,
        "verdict": pair.verdict.sentence,
    }


def persona_table_rows(results: LikertResults) -> Iterator[Row]:
    """``personas.csv``: how often each bot's persona was told from another one."""
    for section in results.sections:
        for one in section.personas:
            yield {
                **_where(section),
                "bot": one.bot,
                "n": one.n,
                "right": one.right,
                "rate": one.rate,
                **_span("wilson", one.interval),
                **_span("clustered", one.clustered_interval),
                "p": one.p_value,
            }


def leniency_rows(results: LikertResults) -> Iterator[Row]:
    """``annotators.csv``: how far above the average each annotator rates."""
    for section in results.sections:
        for question in section.questions:
            for one in question.calibration.leniency if question.calibration else ():
                yield {
                    **_of(section, question),
                    "annotator": one.annotator,
                    "n": one.n,
                    "leniency": one.bias,
                    "deviation": one.deviation,
                }


def _of(section: RatingSection, question: QuestionResult) -> dict[str, object]:
    return _where(section) | {"question": question.name}


def _where(section: RatingSection) -> dict[str, object]:
    return {
        "arm": section.arm,
        "revision": section.revision,
        "source": section.source,
        "annotators": section.annotators,
    }


def _span(name: str, interval: Interval | None) -> dict[str, object]:
    return {
        f"{name}_low": interval.low if interval else None,
        f"{name}_high": interval.high if interval else None,
    }
