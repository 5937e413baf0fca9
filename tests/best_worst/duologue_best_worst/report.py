"""How best–worst judgments are analysed and written up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from duologue.judgments import NO_MAP, ColumnMap, Row, table_rows
from duologue.protocols import Outcome
from duologue.reports import (
    Analysis,
    AnalysisRequest,
    Layout,
    PaperTable,
    ProtocolReport,
    analysed_with,
    escape_latex,
    judged_material,
    latex_p,
    latex_table,
    plain_axes,
    planned_before,
    took_part,
    write_figures,
)
from duologue.studies import Study
from duologue_best_worst.analysis import BestWorstResults, analyse_rows
from duologue_best_worst.options import BestWorstOptions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = frozenset({"bots", "best", "worst"})
CITATION = (
    "Jordan J. Louviere, Terry N. Flynn and A. A. J. Marley. 2015. Best-Worst Scaling: Theory, Methods and "
    "Applications. Cambridge University Press."
)


class BestWorstReport(ProtocolReport[BestWorstResults, str]):
    """Scores, pairs, and a figure of both."""

    layouts: ClassVar[tuple[Layout, ...]] = ("best-worst",)
    shapes: ClassVar[tuple[str, ...]] = (
        "  best-worst  bots,best,worst,annotator\n              a|b|c,b,c,ann",
    )
    estimate: ClassVar[str] = "share of annotators who placed the first bot above the second"
    splits: ClassVar[bool] = True

    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table says which of some bots was best and which worst."""
        return set(columns) >= COLUMNS

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the judgments of a study."""
        least = asked.options_as(BestWorstOptions).least
        results, span = analyse_rows(rows, alpha=asked.alpha, seed=asked.seed, half=asked.half, least=least)
        return Analysis(results, span=span)

    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse an exported table."""
        return self.analyse_rows(self.table_rows(path, layout=layout, columns=asked.columns), asked)

    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """How many judgments there are."""
        return f"{sum(1 for _ in self.table_rows(path, layout=layout, columns=columns)):,} judgments."

    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The rows of a table."""
        return table_rows(path, columns)

    def outcomes(self, results: BestWorstResults) -> Iterator[Outcome]:
        """Every two bots."""
        for pair in results.pairs:
            n = pair.above + pair.below
            yield Outcome(
                part="",
                first=pair.first,
                second=pair.second,
                n=n,
                estimate=pair.above / n if n else None,
                interval=pair.interval,
                better=pair.better,
                has_verdict=n > 0,
            )

    def in_words(self, results: BestWorstResults) -> Iterator[object]:
        """Scores and verdicts, line by line."""
        yield f"{results.n} judgments, {results.ties} without a best one."
        for rule, count in results.excluded.items():
            yield f"{count} judgments are excluded by {rule}."
        for bot in results.bots:
            yield f"{bot.bot}: best {bot.best}, worst {bot.worst} of {bot.n}; score {bot.score:+.2f}"
        for pair in results.pairs:
            yield pair.sentence

    def tables(
        self, results: BestWorstResults, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """Scores, pairs and the judgments themselves."""
        yield from self.report_tables(results)
        yield "judgments.csv", rows

    def report_tables(self, results: BestWorstResults) -> Iterator[tuple[str, Iterable[Row]]]:
        """Scores and pairs."""
        yield (
            "scores.csv",
            [
                {"bot": one.bot, "n": one.n, "best": one.best, "worst": one.worst, "score": one.score}
                for one in results.bots
            ],
        )
        yield (
            "pairs.csv",
            [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "above": pair.above,
                    "below": pair.below,
                    "even": pair.even,
                    "p": pair.p_value,
                    "p_holm": pair.p_adjusted,
                    "better": pair.better or "",
                }
                for pair in results.pairs
            ],
        )

    def paper_tables(self, results: BestWorstResults) -> Iterator[PaperTable]:
        """The pairs."""
        lines = [r"Pair & above & below & $p$ (Holm) \\", r"\midrule"]
        lines += [
            f"{escape_latex(pair.first)} over {escape_latex(pair.second)} & {pair.above} & {pair.below} & "
            rf"{latex_p(1.0 if pair.p_adjusted is None else pair.p_adjusted)} \\"
            for pair in results.pairs
        ]
        caption = "Annotators who placed the first bot above and below the second one."
        yield PaperTable("pairs.tex", latex_table("lrrr", lines, caption=caption, label="tab:best-worst"))

    def figures(self, results: BestWorstResults, folder: Path) -> Iterator[Path]:
        """How often each bot was best and worst."""
        return write_figures(results, {"best-worst": draw_scores}, folder)

    def methods(self, results: BestWorstResults, study: Study | None) -> str:
        """How it was asked, screened and tested."""
        said = [
            "Annotators read three conversations and named the best and the worst one, or said that there is "
            "no difference (best–worst scaling).",
            "Judgments of annotators who could not say which conversation ended with a certain message were "
            "excluded.",
            "Two bots were compared by the exact sign test over annotators: did each place one bot above the "
            "other more often than below it? P-values were adjusted by Holm's method.",
            *judged_material(results),
            *took_part(results),
            *planned_before(results),
            *analysed_with(results),
        ]
        return " ".join(said)

    def shown(
        self, results: BestWorstResults, *, study: Study | None, examples: Sequence[str]
    ) -> Mapping[str, object]:
        """Nothing that the results do not say."""
        return {}

    def left_out(self, results: BestWorstResults, examples: Sequence[str]) -> tuple[str, ...]:
        """There are no examples."""
        return ("Examples: a study of threes shows none.",)

    def citations(self) -> tuple[str, ...]:
        """The book."""
        return (CITATION,)


def draw_scores(results: BestWorstResults) -> Figure | None:
    """A bar to the right for every time a bot was best, and one to the left for every time it was worst."""
    if not results.bots:
        return None
    figure, axes = plain_axes(4.6, 0.4 * len(results.bots) + 0.5)
    bots = sorted(results.bots, key=lambda one: one.score)
    for number, one in enumerate(bots):
        axes.barh(number, one.best / one.n, height=0.6, color="#0f6f78")
        axes.barh(number, -one.worst / one.n, height=0.6, color="#b4561b")
    axes.axvline(0, color="#6b7280", linewidth=0.6)
    axes.set(xlim=(-1, 1), xlabel="worst · best (share of judgments)")
    axes.set_yticks(range(len(bots)), [one.bot for one in bots])
    return figure
