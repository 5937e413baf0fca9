"""The report of nuc: recall of people and models, what is hard, and what may fit as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from duologue.judgments import NO_MAP, ColumnMap, Row, table_rows
from duologue.nuc.analysis.results import NucResults
from duologue.nuc.analysis.rows import COLUMNS, analyse_answers, judged_answers
from duologue.nuc.analysis.tables import against_rows, in_words, item_rows, pair_rows, recall_rows, table_2
from duologue.nuc.report.figures import FIGURES
from duologue.nuc.report.methods import CITATIONS, methods_paragraph
from duologue.nuc.report.participants import table_1
from duologue.nuc.report.view import not_shown, shown_results
from duologue.nuc.settings import NucSettings
from duologue.protocols import Outcome, say_count
from duologue.reports import (
    Analysis,
    AnalysisRequest,
    Layout,
    PaperTable,
    ProtocolReport,
    excluded_sentence,
    write_figures,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from duologue.studies import Study

__all__ = ["NucReport"]


class NucReport(ProtocolReport[NucResults, str]):
    """How answers to a questionnaire are analysed and written up."""

    layouts: ClassVar[tuple[Layout, ...]] = ("nuc",)
    shapes: ClassVar[tuple[str, ...]] = (
        "  nuc         item,corpus,candidates,truth,best,second,annotator,cohort\n"
        "              m-17,movies,5,2,2,0,ann,novice",
    )
    estimate: ClassVar[str] = "difference of Recall@1"
    even: ClassVar[float] = 0.0
    splits: ClassVar[bool] = True

    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table has the best and second-best reply of each answer."""
        return set(columns) >= set(COLUMNS)

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the answers of a study."""
        return self._analysed(rows, asked, None)

    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse an exported table; scores of models need the study."""
        return self._analysed(self.table_rows(path, layout=layout, columns=asked.columns), asked, path)

    def _analysed(self, rows: Iterable[Row], asked: AnalysisRequest, source: Path | None) -> Analysis:
        judged = judged_answers(rows, half=asked.half, source=source)
        results = analyse_answers(
            judged,
            alpha=asked.alpha,
            seed=asked.seed,
            planned=asked.planned_groups,
            settings=_settings(asked),
            folder=asked.folder,
        )
        return Analysis(results, span=judged.span)

    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """How many answers there are, and how many count."""
        judged = judged_answers(self.table_rows(path, layout=layout, columns=columns), source=path)
        count = "counts" if len(judged.answers) == 1 else "count"
        return f"{say_count(judged.collected, 'answer')}, {len(judged.answers):,} of them {count}."

    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The rows of a table."""
        return table_rows(path, columns)

    def outcomes(self, results: NucResults) -> Iterator[Outcome]:
        """Every two cohorts, and every cohort with every model, in each corpus."""
        for pair in results.recall.pairs:
            yield Outcome(
                part=pair.corpus,
                first=pair.first,
                second=pair.second,
                n=sum(pair.n),
                estimate=pair.recall[0] - pair.recall[1],
                interval=pair.interval,
                better=pair.better or None,
                has_verdict=True,
            )
        for one in results.recall.against:
            yield Outcome(
                part=one.corpus,
                first=one.cohort or "people",
                second=one.model,
                n=one.n,
                estimate=one.people - one.machine,
                interval=one.interval,
                better=one.better or None,
                has_verdict=True,
            )

    def in_words(self, results: NucResults) -> Iterator[object]:
        """What was found, line by line."""
        people = "annotator" if results.annotators == 1 else "annotators"
        yield f"{results.n:,} answers of {results.annotators:,} {people} count, of {results.collected:,}."
        for one in results.excluded:
            yield excluded_sentence(one.rule, one.judgments, one.annotators)
        yield from in_words(results.recall)
        if results.time is not None and results.time.note:
            yield results.time.note

    def tables(
        self, results: NucResults, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """The tables of the report, and the answers themselves."""
        yield from self.report_tables(results)
        yield "judgments.csv", rows

    def report_tables(self, results: NucResults) -> Iterator[tuple[str, Iterable[Row]]]:
        """Recall, comparisons, and every item."""
        yield "recall.csv", recall_rows(results.recall)
        yield "cohort_pairs.csv", pair_rows(results.recall)
        yield "against.csv", against_rows(results.recall)
        yield "items.csv", item_rows(results.recall)

    def paper_tables(self, results: NucResults) -> Iterator[PaperTable]:
        """Tables 1 and 2 of the paper."""
        if results.conduct is not None and results.conduct.forms:
            yield PaperTable("table_1.tex", table_1(results.conduct.forms))
        yield PaperTable("table_2.tex", table_2(results.recall))

    def figures(self, results: NucResults, folder: Path) -> Iterator[Path]:
        """Recall with intervals, and how hard the items are."""
        return write_figures(results, FIGURES, folder)

    def methods(self, results: NucResults, study: Study | None) -> str:
        """How it was asked, screened and tested."""
        return methods_paragraph(results, study)

    def shown(
        self, results: NucResults, *, study: Study | None, examples: Sequence[str]
    ) -> Mapping[str, object]:
        """Table 2 with all intervals, and the texts of replies that may fit as well."""
        return shown_results(results, study)

    def left_out(self, results: NucResults, examples: Sequence[str]) -> tuple[str, ...]:
        """What there was nothing to say about."""
        return not_shown(results)

    def citations(self) -> tuple[str, ...]:
        """The paper, and the rule of thumb."""
        return CITATIONS


def _settings(asked: AnalysisRequest) -> NucSettings | None:
    """The settings of the study, with the models that its plan declared: later ones change no family."""
    if not isinstance(asked.settings, NucSettings):
        return None
    if asked.plan is None:
        return asked.settings
    planned = cast("Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]", asked.plan.content)["settings"]
    return asked.settings.model_copy(update={"models": tuple(planned["nuc"].get("models", ()))})
