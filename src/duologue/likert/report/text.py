"""What the command line says of ratings: the bots, each verdict, and what the ratings are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.likert.report.view import (
    SENTENCES_SHOWN,
    numbers,
    scale_in_words,
    surest_pairs,
    unrated_bots,
)
from duologue.protocols import say_answer_correlations, say_count, say_list, say_why
from duologue.reports import excluded_sentence, own_warnings, shared_warnings
from duologue.screening import CHAT_FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from duologue.likert import FlagCount, LikertResults, QuestionResult, RatingSection


def results_in_words(results: LikertResults) -> Iterator[object]:
    """Every section: lines of text, and tables and rules of rich."""
    from rich.rule import Rule

    shared = shared_warnings(results.sections)
    yield from shared.values()
    for section in results.sections:
        if section.title:
            yield Rule(section.title, align="left", characters="─")
        yield from own_warnings(section, shared)
        for question in section.questions:
            yield (
                f"{question.name}: “{question.text}”, {scale_in_words(question)}"
                if question.text
                else (f"{question.name}, {scale_in_words(question)}")
            )
            yield _bots(question, section)
            yield from _verdicts(question)
            yield ""
            yield from question_sentences(question)
            yield ""
        yield from failures_in_words(section)
        yield from _sentences(section)
        yield ""
    if results.family:
        yield results.family


def _verdicts(question: QuestionResult) -> Iterator[str]:
    """A screenful of verdicts, the surest first where there are more; all are in a file."""
    shown = question.pairs
    if len(shown) > SENTENCES_SHOWN:
        shown = surest_pairs(question.pairs)[:SENTENCES_SHOWN]
    for pair in shown:
        yield f"{'•' if pair.verdict.better else '·'} {pair.verdict.sentence}"
    if len(shown) < len(question.pairs):
        better = sum(1 for pair in question.pairs if pair.verdict.better)
        yield (
            f"… the {len(shown)} surest of {len(question.pairs):,} pairs; {better:,} of all show a "
            "difference. pairs.csv has them all (--out FOLDER, or tables in a study's folder)."
        )


def failures_in_words(section: RatingSection) -> Iterator[str]:
    """Which bots did not answer, and how often; those without any rating are named as such."""
    for row in section.table:
        if row.failed:
            chats = "1 chat was" if row.failed == 1 else f"{row.failed:,} chats were"
            unrated = "" if any(mean is not None for mean in row.ratings) else " No rating of it counts."
            yield f"{row.bot}: {chats} excluded because it did not answer.{unrated}"


def _bots(question: QuestionResult, section: RatingSection) -> Table:
    """The bots, best first; those that nobody could rate because they did not answer come last."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    table.add_column("bot")
    detected = {one.bot: f"{100 * one.rate:.0f} %" for one in section.personas}
    failed = {row.bot: row.failed for row in section.table if row.failed}
    heads = ["n", "mean", "SD", "calibrated"]
    heads += ["persona identified"] if section.personas else []
    for head in (*heads, *(["chats without an answer"] if failed else [])):
        table.add_column(head, justify="right")
    for bot in question.bots:
        cells = [
            f"{bot.n:,}",
            numbers(bot.mean, bot.interval),
            "" if bot.sd is None else f"{bot.sd:.2f}",
            "" if bot.calibrated is None else numbers(bot.calibrated, bot.calibrated_interval),
        ]
        cells += [detected.get(bot.bot, "")] if section.personas else []
        cells += [f"{failed.get(bot.bot, 0):,}"] if failed else []
        table.add_row(Text(bot.bot), *cells)
    for silent in unrated_bots(question, section):
        cells = ["0", *("–" for _ in heads[1:]), f"{silent.failed:,}"]
        table.add_row(Text(silent.bot), *cells)
    return table


def question_sentences(question: QuestionResult) -> Iterator[str]:
    """What stands beside the verdicts of a question: calibration, the ordinal check, agreement, metrics."""
    alone = [bot.bot for bot in question.bots if bot.is_by_one_annotator]
    if 0 < len(alone) < len(question.bots):
        was = (
            "was rated by one annotator only and comes"
            if len(alone) == 1
            else "were each rated by one annotator only and come"
        )
        yield f"{say_list(alone)} {was} last, whatever the mean."
    if question.calibration is not None:
        yield question.calibration.sentence
    elif question.why_not_calibrated:
        yield say_why("Not calibrated", question.why_not_calibrated)
    if question.ordinal is not None:
        yield question.ordinal.sentence
    elif question.why_no_ordinal:
        yield say_why("No ordinal check", question.why_no_ordinal)
    if question.agreement is not None:
        yield question.agreement.sentence
    if question.first_party is not None:
        yield question.first_party.sentence
    yield from (metric.sentence for metric in question.metrics)


def flag_sentence(flag: FlagCount) -> str:
    """What one rule of screening found: in live chats, or in judgments of any study."""
    aside = "none of them" if not flag.excluded else f"{flag.excluded:,} of them"
    what = say_count(flag.judgments, "chat" if flag.rule in CHAT_FLAGS else "judgment")
    return (
        f"Screening flagged {what} of {say_count(flag.annotators, 'annotator')} for {flag.rule}; "
        f"{aside} excluded."
    )


def _sentences(section: RatingSection) -> Iterator[str]:
    if said := say_answer_correlations(section.correlations, within="bot"):
        yield said
    if section.time is not None:
        yield section.time.sentence
    for flag in section.flags:
        yield flag_sentence(flag)
    for rule in section.exclusions.rules:
        yield excluded_sentence(rule.rule, rule.judgments, rule.annotators)
    yield section.exclusions.sentence
