"""The report of likert: dialogues rated on scales, and personas told apart."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from duologue.judgments import (
    NO_MAP,
    ColumnMap,
    Columns,
    Ratings,
    Row,
    composite_ratings,
    is_rating_column,
    rating_chunks,
    ratings_from_columns,
    ratings_from_rows,
    read_ratings,
    rows_of_chunks,
    standardise_ratings,
    table_columns,
    table_rows,
)
from duologue.likert import LikertResults, LikertSettings, RatingPair, analyse_ratings
from duologue.likert.analysis.answers import rating_answers
from duologue.likert.analysis.controls import exclude_by_controls
from duologue.likert.analysis.first_party import read_first_party
from duologue.likert.options import LikertAnalysisOptions
from duologue.likert.report.examples import RatedExample, rated_examples
from duologue.likert.report.figures import QUESTION_FIGURES, SECTION_FIGURES
from duologue.likert.report.flags import FLAGS, FlagTally
from duologue.likert.report.latex import pairs_table, ratings_table
from duologue.likert.report.sections import not_shown, view_section
from duologue.likert.report.tables import rating_tables
from duologue.likert.report.text import results_in_words
from duologue.protocols import BotScore, Outcome, PairAnswers, say_answer_correlations, say_count
from duologue.reports import (
    Analysis,
    AnalysisRequest,
    Layout,
    PaperTable,
    ProtocolReport,
    file_endings,
    left_out,
    plain_names,
    read_metrics,
    write_figures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from duologue.dialogues import Dialogue
    from duologue.studies import Study

__all__ = ["LikertReport", "RatedExample"]


class LikertReport(ProtocolReport[LikertResults, RatedExample]):
    """How ratings are analysed and written up."""

    layouts: ClassVar[tuple[Layout, ...]] = ("ratings",)
    estimate: ClassVar[str] = "difference in points"
    splits: ClassVar[bool] = True
    even: ClassVar[float] = 0.0

    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns holds ratings."""
        return any(is_rating_column(column) for column in columns)

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the ratings of a study."""
        flags = FlagTally()
        ratings = ratings_from_rows(flags.watching(rows))
        return _analysed(ratings, asked, flags)

    def analyse_columns(self, columns: Columns, asked: AnalysisRequest) -> Analysis:
        """Analyse the ratings of a study."""
        ratings = ratings_from_columns(columns)
        return _analysed(ratings, asked, FlagTally.of(ratings, columns[FLAGS]))

    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse a table of ratings."""
        flags = FlagTally()
        if FLAGS in table_columns(path, asked.columns):
            deque(flags.watching(table_rows(path, asked.columns)), maxlen=0)
        return _analysed(read_ratings(path, columns=asked.columns), asked, flags)

    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """How many bots and questions there are."""
        ratings = read_ratings(path, columns=columns)
        holds = f"{say_count(len(ratings.bot.names), 'bot')} on {say_count(len(ratings.points), 'question')}"
        return "\n".join((f"{say_count(len(ratings), 'judgment')} of {holds}.", *ratings.notes))

    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The rows of a table of ratings, under our own column names."""
        return rows_of_chunks(rating_chunks(path, columns=columns))

    def outcomes(self, results: LikertResults) -> Iterator[Outcome]:
        """Every pair on every question: how far the first bot is rated above the second."""
        for section in results.sections:
            for question in section.questions:
                part = results.part_name(section, question)
                yield from (_outcome(pair, part) for pair in question.pairs)

    def bot_scores(self, results: LikertResults) -> Iterator[BotScore]:
        """Every bot's mean on every question, calibrated where it can be; how often its persona was told."""
        for section in results.sections:
            for question in section.questions:
                part = ", ".join(filter(None, (question.name, section.title)))
                for one in question.bots:
                    value, interval = one.mean, one.interval
                    if one.calibrated is not None:
                        value, interval = one.calibrated, one.calibrated_interval
                    yield BotScore(part, one.bot, value, interval, one.n)
            part = ", ".join(filter(None, ("persona detection", section.title)))
            for found in section.personas:
                yield BotScore(part, found.bot, found.rate, found.interval, found.n)

    def answers_about(
        self, results: LikertResults, judged: object, first: str, second: str, *, part: str
    ) -> PairAnswers | None:
        """Every rating of the two bots that counts."""
        assert isinstance(judged, Ratings)  # noqa: S101  every analysis of ratings gives them
        return rating_answers(results, judged, first, second, part=part)

    def in_words(self, results: LikertResults) -> Iterator[object]:
        """Means, verdicts and quality of each section."""
        return results_in_words(results)

    def tables(
        self, results: LikertResults, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """The tables of a report, and the judgments themselves."""
        yield from rating_tables(results)
        yield "judgments.csv", rows

    def report_tables(self, results: LikertResults) -> Iterator[tuple[str, Iterable[Row]]]:
        """Bots, pairs, personas and annotators, those of them that there are."""
        return rating_tables(results)

    def paper_tables(self, results: LikertResults) -> Iterator[PaperTable]:
        """The bots as in Table 5 of the paper, and the pairs of each question, of each section."""
        for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
            label = ending.removeprefix(".") or "main"
            yield PaperTable(
                f"ratings{ending}.tex", ratings_table(section, results, label=f"tab:ratings-{label}")
            )
            names = plain_names([question.name for question in section.questions])
            for question, name in zip(section.questions, names, strict=True):
                yield PaperTable(
                    f"pairs{ending}.{name}.tex",
                    pairs_table(section, question, results, label=f"tab:pairs-{label}-{name}"),
                )

    def figures(self, results: LikertResults, folder: Path) -> Iterator[Path]:
        """Every figure of each section and question."""
        for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
            yield from write_figures(section, SECTION_FIGURES, folder, ending=ending)
            names = plain_names([question.name for question in section.questions])
            for question, name in zip(section.questions, names, strict=True):
                yield from write_figures(question, QUESTION_FIGURES, folder, ending=f"{ending}.{name}")

    def methods(self, results: LikertResults, study: Study | None) -> str:
        """How the ratings were asked for, screened and tested."""
        from duologue.likert.report.methods import methods_paragraph  # a file has no study to read

        return methods_paragraph(results, study)

    def shown(
        self, results: LikertResults, *, study: Study | None, examples: Sequence[RatedExample]
    ) -> Mapping[str, object]:
        """Every section with its questions, personas, steps and curve."""
        return {
            "views": tuple(view_section(section) for section in results.sections),
            "say_answer_correlations": say_answer_correlations,
        }

    def left_out(self, results: LikertResults, examples: Sequence[RatedExample]) -> tuple[str, ...]:
        """What the report does not show, and why."""
        return not_shown(results, examples)

    def citations(self) -> tuple[str, ...]:
        """The paper of the protocol, and that of the calibration."""
        from duologue.likert.report.methods import CITATIONS

        return CITATIONS

    def examples(
        self,
        rows: Iterable[Row],
        *,
        seed: int,
        dialogues: Callable[[Sequence[str]], Sequence[Dialogue]],
    ) -> tuple[RatedExample, ...]:
        """One rated dialogue for each bot."""
        return rated_examples(rows, seed=seed, dialogues=dialogues)


def _outcome(pair: RatingPair, part: str) -> Outcome:
    """A pair with its names in the order of the alphabet."""
    is_turned = pair.first > pair.second
    first, second = (pair.second, pair.first) if is_turned else (pair.first, pair.second)
    interval = pair.interval
    if interval is not None and is_turned:
        interval = replace(interval, low=-interval.high, high=-interval.low)
    return Outcome(
        part=part,
        first=first,
        second=second,
        n=sum(pair.n),
        estimate=-pair.difference if is_turned else pair.difference,
        interval=interval,
        better=pair.verdict.better,
        has_verdict=not pair.verdict.why_none,
    )


def _analysed(ratings: Ratings, asked: AnalysisRequest, flags: FlagTally) -> Analysis:
    settings = asked.settings
    published = asked.published(ratings.annotator)
    if asked.half is not None:
        ratings = ratings.select(asked.half.rows_of(ratings.annotator))
    options = asked.options_as(LikertAnalysisOptions)
    if options.controls is not None:
        ratings = exclude_by_controls(ratings, options.controls)
    ratings = replace(ratings, annotator=replace(published, codes=ratings.annotator.codes))
    if options.standardise:
        ratings = standardise_ratings(ratings)
    if options.composite:
        ratings = composite_ratings(ratings)
    study = settings if isinstance(settings, LikertSettings) else None
    asked.require_primary(ratings.points, what="question")
    planned_gap = study.gap if study is not None else None
    results = analyse_ratings(
        ratings,
        questions=study.questions if study is not None else (),
        alpha=asked.alpha,
        gap=planned_gap if asked.points is None else asked.points,
        power=asked.power,
        seed=asked.seed,
        planned={bot: wanted for (bot,), wanted in asked.planned.items()},
        primary=study.primary if study is not None else asked.primary,
        first_party=None if options.first_party is None else read_first_party(options.first_party),
        metrics={} if options.metrics is None else read_metrics(options.metrics),
        with_ordinal=not asked.only_verdicts,
    )
    aside = () if options.metrics is None else left_out(options.metrics)
    results = replace(results, warnings=(*results.warnings, *ratings.notes, *aside))
    known = np.sort(ratings.at[~np.isnat(ratings.at)])
    span = (f"{known[0]}+00:00", f"{known[-1]}+00:00") if len(known) else ("", "")
    return Analysis(flags.added_to(results), ratings, span=span)
