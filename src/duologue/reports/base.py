"""The seam between reports and protocols: what is reported alike, and what each protocol says of its own.

A `ProtocolReport` analyses the judgments of one protocol and writes up what was found. It is a part of the
protocol's package; `duologue.reports.protocols` finds it.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, Protocol, Self, TypeVar

from duologue.errors import DesignError, ProtocolError
from duologue.judgments import NO_MAP, ColumnMap, Columns, NameColumn, Row
from duologue.reports.numbering import number_annotators

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic import BaseModel

    from duologue.dialogues import Dialogue
    from duologue.protocols import (
        Addendum,
        AnalysisOptions,
        BotScore,
        Conduct,
        Half,
        Outcome,
        PairAnswers,
        Provenance,
    )
    from duologue.studies import FrozenPlan, Study

Layout = str
"""How the rows of a file of judgments are laid out: ``auto``, or a layout that a protocol reads."""

DEFAULT_ALPHA = 0.05
DEFAULT_GAP = 0.20
DEFAULT_POWER = 0.80


class Results(Protocol):
    """What the results of every protocol have."""

    @property
    def protocol(self) -> str:
        """The protocol by its name in study files."""

    @property
    def seed(self) -> int:
        """Where random choices of the analysis came from."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before the numbers."""

    @property
    def provenance(self) -> Provenance | None:
        """Where the numbers come from."""

    @property
    def conduct(self) -> Conduct | None:
        """How the study was conducted; None for a file."""

    def to_json(self) -> str:
        """The results as the text of a results.json."""

    def with_warnings(self, more: Sequence[str]) -> Self:
        """The same results, with further warnings."""

    def with_provenance(self, provenance: Provenance) -> Self:
        """The same results, saying where they come from."""

    def with_conduct(self, conduct: Conduct) -> Self:
        """The same results, saying how the study was conducted."""


Found = TypeVar("Found", bound=Results)
Options = TypeVar("Options", bound="AnalysisOptions")
Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """What an analysis is asked for, whatever the protocol; each takes what it can use."""

    alpha: float = DEFAULT_ALPHA
    gap: float = DEFAULT_GAP
    """The gap between two win rates that is worth finding."""
    points: float | None = None
    """The gap in points of a scale that is worth finding, where somebody asked for one."""
    power: float = DEFAULT_POWER
    """With what chance it should be found."""
    seed: int = 0
    planned: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    """Judgments wanted of each group in one arm, by the names of its bots in order."""
    planned_groups: Mapping[str, int] = field(default_factory=dict)
    """The same by the name of the group: two groups may have the same bots. Nothing where all blocks of items
    are filled: what is missing then will not come."""
    stopping: Literal["fixed", "sequential", "undeclared"] = "undeclared"
    with_sequential: bool = False
    per_annotator: int | None = None
    """Judgments that one annotator is planned to give in one group, where a study says so."""
    settings: BaseModel | None = None
    """Of the study's protocol, where judgments come from a study."""
    folder: Path | None = None
    """Of the study, for files that its settings name."""
    columns: ColumnMap = field(default_factory=dict)
    """What a table calls columns of ours."""
    primary: str | None = None
    """Of a table: the arm, or the question, that decides by itself; a study's file says it itself."""
    half: Half | None = None
    """Analyse only this half of the annotators."""
    judged_by: str = "people"
    """Of a table: who judged. Models are called by their names, people by a number."""
    exchanges: int = 1
    """Of a study: how many a live chat has at least."""
    pay: float | None = None
    """Of a study: money for a judgment."""
    currency: str = ""
    """Of a study that pays."""
    plan: FrozenPlan | None = None
    """Of a study: as it was frozen with the first judgment."""
    addenda: tuple[Addendum, ...] = ()
    """Of a study: what was added to its plan, the first addendum first."""
    options: AnalysisOptions | None = None
    """What only the protocol's own analysis can be asked for."""
    only_verdicts: bool = False
    """Nobody will look at what stands beside the verdicts: it may be left out where it takes long."""

    def published(self, annotator: NameColumn) -> NameColumn:
        """Annotators as results may name them: people by their numbers, models by their names."""
        return annotator if self.judged_by == "judge" else number_annotators(annotator)

    def options_as(self, kind: type[Options]) -> Options:
        """The options of a protocol, as it has them; those by default where none were given.

        Raises:
            DesignError: They are those of another protocol.
        """
        return kind.taken_from(self.options, of="this analysis")

    def require_primary(self, there: Iterable[str], *, what: str) -> None:
        """Refuse a primary arm (or question) that the judgments do not have.

        Raises:
            DesignError: They do not.
        """
        known = sorted(name for name in there if name)
        if self.primary is not None and self.primary not in known:
            names = f"there are: {', '.join(known)}" if known else f"it names no {what}"
            raise DesignError(f"--primary: {self.primary!r} is no {what} of this table ({names}).")


@dataclass(frozen=True, slots=True)
class Analysis:
    """Results, with what they come from."""

    results: Results
    judged: object = None
    """The judgments as the protocol has read them; only its own `ProtocolReport.tables` gets them again."""
    span: tuple[str, str] = ("", "")
    """When the first and the last judgment came; empty when that is not known."""
    set_aside: Mapping[str, str] = field(default_factory=dict)
    """Annotators of whom the protocol's own screening leaves nothing, with its main rule."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table for a paper: the name of its file, and what stands in it."""

    file: str
    text: str


class ProtocolReport(ABC, Generic[Found, Shown]):
    """How judgments of one protocol are analysed and written up.

    ``Found`` are its results, ``Shown`` its examples.
    """

    part: ClassVar[str] = "report"
    layouts: ClassVar[tuple[Layout, ...]]
    """The layouts of files that this protocol reads."""
    shapes: ClassVar[tuple[str, ...]] = ()
    """The tables that it reads and no other room does, for whoever has another one: a name and two lines."""
    template: ClassVar[str] = "report.html"
    """The page, in the folder ``templates`` of the protocol's package."""
    estimate: ClassVar[str]
    """What the estimates of its outcomes are, in words."""
    even: ClassVar[float] = 0.5
    """The estimate of two equal bots."""
    splits: ClassVar[bool] = False
    """Whether its analyses keep to `AnalysisRequest.half`; if not, half of the annotators is refused."""

    @classmethod
    def templates(cls) -> Path:
        """The folder of its page: ``templates`` beside its module, or beside the package that it is."""
        from pathlib import Path

        file = sys.modules[cls.__module__].__file__
        assert file is not None  # noqa: S101  a class is defined in a file
        beside = Path(file).parent / "templates"
        return beside if beside.is_dir() else Path(file).parent.parent / "templates"

    @abstractmethod
    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns holds judgments of this protocol."""

    @abstractmethod
    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the judgments of a study, as the protocol's ``as_rows`` gives them."""

    def analyse_columns(self, columns: Columns, asked: AnalysisRequest) -> Analysis:
        """Analyse the judgments of a study, as the protocol's ``columns`` gives them.

        Only a protocol that gives columns is asked for it.

        Raises:
            ProtocolError: It gives columns, and its report does not analyse them.
        """
        kind = type(self)
        raise ProtocolError(
            kind.__name__, "gives columns that it does not analyse", f"Write {kind.__name__}.analyse_columns."
        )

    @abstractmethod
    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse a table.

        Raises:
            InputError: The file cannot be used; says which line and why.
        """

    @abstractmethod
    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """What a table holds, in a few words and with what is not used, every cell of it checked.

        Raises:
            InputError: The file cannot be used; says which line and why.
        """

    @abstractmethod
    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The rows of a table, under our own column names."""

    @abstractmethod
    def outcomes(self, results: Found) -> Iterator[Outcome]:
        """What was found out about every two bots, in words that all protocols share."""

    def bot_scores(self, results: Found) -> Iterator[BotScore]:
        """What every bot was given by itself, for a leaderboard; nothing where bots are only compared."""
        yield from ()

    def answers_about(
        self, results: Found, judged: object, first: str, second: str, *, part: str
    ) -> PairAnswers | None:
        """Every answer about two bots that counts; None where the protocol has no single answers.

        Args:
            results: The results.
            judged: The judgments as `Analysis.judged` gave them.
            first: One bot.
            second: The other.
            part: The section and question, as the outcomes name them.
        """
        return None

    @abstractmethod
    def in_words(self, results: Found) -> Iterator[object]:
        """What the command line prints: lines of text, and tables and rules of rich."""

    @abstractmethod
    def tables(
        self, results: Found, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """The CSV files of an analysis, by name, from its results and the judgments it was made from.

        Args:
            results: The results.
            rows: The judgments, one by one.
            judged: The same as `Analysis.judged` gave them.
        """

    @abstractmethod
    def report_tables(self, results: Found) -> Iterator[tuple[str, Iterable[Row]]]:
        """The CSV files of a report, by name."""

    @abstractmethod
    def paper_tables(self, results: Found) -> Iterator[PaperTable]:
        """The LaTeX tables of a report."""

    @abstractmethod
    def figures(self, results: Found, folder: Path) -> Iterator[Path]:
        """Draw the figures of a report into a folder."""

    @abstractmethod
    def methods(self, results: Found, study: Study | None) -> str:
        """How the judgments were asked for, screened and tested, in sentences for a paper."""

    @abstractmethod
    def shown(
        self, results: Found, *, study: Study | None, examples: Sequence[Shown]
    ) -> Mapping[str, object]:
        """What the template shows beyond what every report shows: ``views`` and more."""

    @abstractmethod
    def left_out(self, results: Found, examples: Sequence[Shown]) -> tuple[str, ...]:
        """What the report does not show, and why."""

    @abstractmethod
    def citations(self) -> tuple[str, ...]:
        """What a paper that uses the protocol cites."""

    def examples(
        self,
        rows: Iterable[Row],
        *,
        seed: int,
        dialogues: Callable[[Sequence[str]], Sequence[Dialogue]],
    ) -> tuple[Shown, ...]:
        """Some judgments to show, chosen by the seed; none, unless a protocol chooses some.

        Args:
            rows: Every judgment of the study.
            seed: The study's.
            dialogues: Gives dialogues by their ids, in the same order.
        """
        return ()
