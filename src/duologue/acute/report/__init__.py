"""The report of ACUTE: two dialogues compared, and who won.

What writes pages, tables and figures is loaded where it is used: verdicts on a table need none of it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from duologue.acute import AcuteResults, AcuteSettings, analyse_votes
from duologue.acute.analysis.answers import matchup_answers, part_name
from duologue.acute.analysis.parts import parts_of
from duologue.acute.analysis.separating import rank_questions, say_times
from duologue.acute.analysis.sides import propose_not_recorded
from duologue.acute.options import AcuteAnalysisOptions
from duologue.acute.phrasings.results import phrasing_outcomes
from duologue.dialogues import study_dialogues
from duologue.errors import DesignError
from duologue.judgments import (
    NO_MAP,
    ColumnMap,
    Columns,
    DialogueCovariates,
    Row,
    Votes,
    VotesFormat,
    judgment_chunks,
    read_votes,
    rows_of_chunks,
    votes_from_rows,
    votes_from_study,
)
from duologue.protocols import BotScore, Outcome, PairAnswers, say_count, say_p
from duologue.reports import (
    Analysis,
    AnalysisRequest,
    Layout,
    PaperTable,
    ProtocolReport,
    file_endings,
    write_figures,
)
from duologue.stats import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from duologue.acute.report.examples import Example
    from duologue.dialogues import Dialogue
    from duologue.studies import Study

_LAYOUTS: dict[Layout, VotesFormat] = {"auto": "auto", "judgments": "judgments", "arena": "arena"}


class AcuteReport(ProtocolReport[AcuteResults, "Example"]):
    """How comparisons are analysed and written up."""

    layouts: ClassVar[tuple[Layout, ...]] = ("judgments", "arena")
    estimate: ClassVar[str] = "win rate"
    splits: ClassVar[bool] = True

    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns holds comparisons."""
        return "winner" in columns or "preference" in columns

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the comparisons of a study."""
        return _analysed(votes_from_rows(rows), asked)

    def analyse_columns(self, columns: Columns, asked: AnalysisRequest) -> Analysis:
        """Analyse the comparisons of a study."""
        return _analysed(votes_from_study(columns), asked)

    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse a table of judgments or Arena-style votes."""
        return _analysed(read_votes(path, layout=_LAYOUTS[layout], columns=asked.columns), asked)

    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """How many bots and ties there are."""
        votes = read_votes(path, layout=_LAYOUTS[layout], columns=columns)
        holds = f"{len(votes.bots)} bots, {int(votes.is_tie.sum()):,} ties"
        if votes.ranked is not None:
            of_rankings = votes.ranked.is_ranked
            holds += f", {int(of_rankings.sum()):,} of them pairs of rankings"
        return "\n".join((f"{say_count(len(votes), 'judgment')} of {holds}.", *votes.notes))

    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The rows of a table of judgments or Arena-style votes, under our own column names."""
        return rows_of_chunks(judgment_chunks(path, layout=_LAYOUTS[layout], columns=columns))

    def outcomes(self, results: AcuteResults) -> Iterator[Outcome]:
        """Every matchup: the win rate (or preference) of the first bot, and who is better.

        Where phrasings were compared, every two of an axis: the best is better where it can be told from the
        next, and so from all others.
        """
        if results.phrasings is not None:
            yield from phrasing_outcomes(results.phrasings)
        for section in results.sections:
            for matchup in section.matchups:
                yield Outcome(
                    part=part_name(section),
                    first=matchup.first,
                    second=matchup.second,
                    n=matchup.n,
                    estimate=matchup.estimate,
                    interval=matchup.interval,
                    better=matchup.verdict.better,
                    has_verdict=not matchup.verdict.why_none,
                    is_open=matchup.verdict.is_sequential,
                )

    def bot_scores(self, results: AcuteResults) -> Iterator[BotScore]:
        """Every bot's strength pooled over its matchups, with the ranks that it may have."""
        for section in results.sections:
            if section.pooled is not None:
                part = ", ".join(filter(None, ("strength", section.title, section.question)))
                for one in section.pooled.leaderboard:
                    interval = Interval(one.low, one.high, section.pooled.level, section.pooled.model)
                    ranks = (one.best_rank, one.worst_rank)
                    yield BotScore(part, one.bot, one.strength, interval, one.n, ranks)

    def answers_about(
        self, results: AcuteResults, judged: object, first: str, second: str, *, part: str
    ) -> PairAnswers | None:
        """Every judgment of a matchup that counts, ties left out."""
        assert isinstance(judged, Votes)  # noqa: S101  every analysis of comparisons gives them
        return matchup_answers(results, judged, first, second, part=part)

    def in_words(self, results: AcuteResults) -> Iterator[object]:
        """Win matrix, verdicts and quality of each section."""
        from duologue.acute.phrasings.report.text import phrasings_in_words
        from duologue.acute.report.text import questions_in_words, results_in_words

        if results.phrasings is not None:
            return chain(phrasings_in_words(results.phrasings), questions_in_words(results))
        return chain(results_in_words(results), questions_in_words(results))

    def tables(
        self, results: AcuteResults, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """Matchups, leaderboard, and the CSV files that ParlAI's ACUTE-Eval analysis writes."""
        from duologue.acute.phrasings.report.tables import phrasing_rows
        from duologue.acute.report.tables import parlai_tables

        if results.phrasings is not None:
            return iter([("phrasings.csv", phrasing_rows(results.phrasings, results.questions))])
        assert isinstance(judged, Votes)  # noqa: S101  every analysis of comparisons gives them
        return parlai_tables(results, judged, rows)

    def report_tables(self, results: AcuteResults) -> Iterator[tuple[str, Iterable[Row]]]:
        """``matchups.csv``; of pooled strengths ``leaderboard.csv``, of graded answers ``graded.csv``."""
        from duologue.acute.phrasings.report.tables import phrasing_rows
        from duologue.acute.report.tables import (
            drift_rows,
            graded_rows,
            leaderboard_rows,
            matchup_rows,
            question_rows,
        )

        if results.phrasings is not None:
            yield "phrasings.csv", phrasing_rows(results.phrasings, results.questions)
            return
        yield "matchups.csv", matchup_rows(results)
        if results.questions is not None:
            yield "questions.csv", question_rows(results.questions)
        if any(section.pooled for section in results.sections):
            yield "leaderboard.csv", leaderboard_rows(results)
        if any(section.graded for section in results.sections):
            yield "graded.csv", graded_rows(results)
        if any(section.drift for section in results.sections):
            yield "drift.csv", drift_rows(results)

    def paper_tables(self, results: AcuteResults) -> Iterator[PaperTable]:
        """The matchups, the win matrix and the leaderboard of each section."""
        from duologue.acute.phrasings.report.tables import table_1
        from duologue.acute.report.latex import leaderboard_table, matchups_table, win_matrix_table

        if results.phrasings is not None:
            yield PaperTable("phrasings.tex", table_1(results.phrasings))
        for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
            label = ending.removeprefix(".") or "main"
            drawn = [("matchups", matchups_table), ("win-matrix", win_matrix_table)]
            drawn += [("leaderboard", leaderboard_table)] if section.pooled else []
            for name, draw in drawn:
                yield PaperTable(f"{name}{ending}.tex", draw(section, results, label=f"tab:{name}-{label}"))

    def figures(self, results: AcuteResults, folder: Path) -> Iterator[Path]:
        """Every figure of each section."""
        from duologue.acute.phrasings.report.figure import agreement_figure
        from duologue.acute.report.figures import FIGURES

        if results.phrasings is not None:
            yield from write_figures(results.phrasings, {"phrasings": agreement_figure}, folder)
        for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
            yield from write_figures(section, FIGURES, folder, ending=ending)

    def methods(self, results: AcuteResults, study: Study | None) -> str:
        """How the comparisons were asked for, screened and tested."""
        from duologue.acute.phrasings.report.methods import phrasings_paragraph
        from duologue.acute.report.methods import methods_paragraph

        if results.phrasings is not None:
            return phrasings_paragraph(results, results.phrasings, study)
        return methods_paragraph(results, study)

    def shown(
        self, results: AcuteResults, *, study: Study | None, examples: Sequence[Example]
    ) -> Mapping[str, object]:
        """Every section with its matrix, forest, steps and curve."""
        from duologue.acute.phrasings.report.view import view_phrasings
        from duologue.acute.report.sections import view_section
        from duologue.acute.report.view import BOTS_SHOWN, MATCHUPS_SHOWN, say_other

        phrasings = results.phrasings
        return {
            "phrasings_view": None if phrasings is None else view_phrasings(phrasings),
            "views": tuple(view_section(section) for section in results.sections),
            "matchups_shown": MATCHUPS_SHOWN,
            "bots_shown": BOTS_SHOWN,
            "say_other": say_other,
            "say_times": say_times,
            "say_p": say_p,
        }

    def left_out(self, results: AcuteResults, examples: Sequence[Example]) -> tuple[str, ...]:
        """What the report does not show, and why."""
        from duologue.acute.report.sections import not_shown

        return not_shown(results, examples)

    def citations(self) -> tuple[str, ...]:
        """The paper of the protocol."""
        from duologue.acute.report.methods import CITATION

        return (CITATION,)

    def examples(
        self,
        rows: Iterable[Row],
        *,
        seed: int,
        dialogues: Callable[[Sequence[str]], Sequence[Dialogue]],
    ) -> tuple[Example, ...]:
        """One comparison with a reason for each matchup."""
        from duologue.acute.report.examples import compared_examples

        return compared_examples(rows, seed=seed, dialogues=dialogues)


def _analysed(votes: Votes, asked: AnalysisRequest) -> Analysis:
    if asked.gap > 1:
        raise DesignError(
            f"a gap between two win rates is at most 1 (60 % v 40 % is 0.2); got {asked.gap:g}."
        )
    published = replace(votes, annotator=asked.published(votes.annotator))
    votes = published if asked.half is None else published.select(asked.half.rows_of(votes.annotator))
    settings = asked.settings if isinstance(asked.settings, AcuteSettings) else None
    options = asked.options_as(AcuteAnalysisOptions)
    if options.shown_order is not None:
        if settings is not None:
            raise DesignError(
                "--shown-order is for tables: a study records on which side it showed each bot."
            )
        votes = votes.without_sides()
    if votes.phrasings or (settings is not None and settings.compares_phrasings):
        return Analysis(_of_phrasings(votes, settings, asked), votes, span=_span(votes))
    if settings is not None and settings.is_graded:
        votes = replace(votes, on_a_scale=True)
    asked.require_primary(votes.arm.names, what="arm")
    votes = replace(votes, covariates=_covariates(votes, settings, options, asked))
    results = analyse_votes(
        votes,
        alpha=asked.alpha,
        gap=asked.gap,
        power=asked.power,
        seed=asked.seed,
        planned=planned_pairs(asked.planned),
        stopping=asked.stopping,
        with_sequential=asked.with_sequential,
        arms=[arm.name for arm in settings.questions] if settings else (),
        primary=settings.primary if settings else asked.primary,
        verdicts=settings.verdicts if settings else options.verdicts,
        per_annotator=asked.per_annotator,
        addenda=asked.addenda,
    )
    said = () if settings is not None else propose_not_recorded(results.sections)
    results = replace(results, warnings=(*results.warnings, *said, *votes.notes))
    return Analysis(results, votes, span=_span(votes))


def _covariates(
    votes: Votes, settings: AcuteSettings | None, options: AcuteAnalysisOptions, asked: AnalysisRequest
) -> DialogueCovariates | None:
    """What is known of all dialogues, as the study declared it, or from a table; None where nothing is."""
    from duologue.acute.analysis.covariates import covariates_of_dialogues, read_covariates

    if options.covariates is not None:
        return read_covariates(options.covariates, votes)
    if settings is None or not settings.covariates or asked.folder is None:
        return None
    kinds = (settings.pairings.kind, "human-human")
    shown = (
        dialogue
        for dialogue in study_dialogues(asked.folder)
        if settings.pairings.kind is None or dialogue.kind in kinds
    )
    return covariates_of_dialogues(shown, settings.covariates)


def _of_phrasings(votes: Votes, settings: AcuteSettings | None, asked: AnalysisRequest) -> AcuteResults:
    """What was found about phrasings, which the study names, or the table; nothing is said about bots."""
    from duologue.acute.phrasings.analysis import analyse_phrasings, phrasings_of_study, phrasings_of_table

    phrasings = phrasings_of_table(votes.phrasings) if settings is None else phrasings_of_study(settings)
    found = analyse_phrasings(
        votes,
        phrasings,
        alpha=asked.alpha,
        seed=asked.seed,
        annotators_planned=None if asked.half or settings is None else settings.annotations_per_pairing,
    )
    return AcuteResults(
        sections=(),
        alpha=asked.alpha,
        level=1 - asked.alpha,
        gap=asked.gap,
        power=asked.power,
        seed=asked.seed,
        warnings=votes.notes,
        stopping=asked.stopping,
        phrasings=found,
        questions=rank_questions(
            tuple(parts_of(votes)),
            level=1 - asked.alpha,
            axes={one.arm: one.axis for one in phrasings},
        ),
    )


def planned_pairs(planned: Mapping[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """Judgments planned for every two bots: those of a ranking of three are in three matchups.

    Example:
        >>> planned_pairs({("a", "b"): 5, ("a", "b", "c"): 10})
        {('a', 'b'): 15, ('a', 'c'): 10, ('b', 'c'): 10}
    """
    found: dict[tuple[str, str], int] = {}
    for bots, wanted in planned.items():
        for pair in combinations(bots, 2):
            found[pair] = found.get(pair, 0) + wanted
    return found


def _span(votes: Votes) -> tuple[str, str]:
    known = votes.at[~np.isnat(votes.at)]
    return (f"{known.min()}+00:00", f"{known.max()}+00:00") if len(known) else ("", "")
