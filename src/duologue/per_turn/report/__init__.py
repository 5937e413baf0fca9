"""The report of per-turn: turns with their candidate replies, analysed and written up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from duologue.dialogues import Source, json_objects
from duologue.errors import DesignError
from duologue.judgments import NO_MAP, ColumnMap, NameColumn, Row
from duologue.per_turn import (
    NULL,
    RULES,
    PerTurnResults,
    PerTurnSettings,
    TurnQuestion,
    TurnRow,
    analyse_readers,
    analyse_turns,
    read_turns,
    turn_of,
    turn_record,
    unused_fields,
    without_positions,
)
from duologue.per_turn.analysis.readers import readers_set_aside
from duologue.per_turn.analysis.screened import annotators_set_aside
from duologue.per_turn.options import PerTurnAnalysisOptions
from duologue.per_turn.report.figures import RESULT_FIGURES, SECTION_FIGURES
from duologue.per_turn.report.latex import turn_paper_tables
from duologue.per_turn.report.methods import CITATIONS, methods_paragraph
from duologue.per_turn.report.tables import turn_tables
from duologue.per_turn.report.text import results_in_words
from duologue.per_turn.report.view import (
    mechanisms_sentence,
    not_shown,
    rules_that_apply,
    view_section,
    whole_levels,
)
from duologue.per_turn.rules import FIRST_TURN, rules_named
from duologue.protocols import BotScore, Outcome, say_count
from duologue.reports import (
    Analysis,
    AnalysisRequest,
    Layout,
    PaperTable,
    ProtocolReport,
    file_endings,
    published_rows,
    write_figures,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from duologue.studies import Study

__all__ = ["PerTurnReport"]

COLUMNS = frozenset({"dialogue", "turn", "mechanism", "candidates"})
"""Of a file of turns."""
CHAT_COLUMNS = frozenset({"judgment", "dialogue", "mechanism", "turns"})
"""Of chats with their turns, as `duologue judgments export` writes them."""


UNRECORDED = "Where replies were shown is not recorded: whether positions favour a bot could not be checked."


class PerTurnReport(ProtocolReport[PerTurnResults, str]):
    """How turns are analysed and written up."""

    layouts: ClassVar[tuple[Layout, ...]] = ("turns",)
    shapes: ClassVar[tuple[str, ...]] = (
        '  turns       {"dialogue": "d1", "turn": 1, "mechanism": "pairwise", "setting": "soba",\n'
        '               "message": …, "candidates": […]}: JSON lines, see docs/per-turn.md',
    )
    estimate: ClassVar[str] = "lead in win rate (share of turns on which a bot was selected)"
    splits: ClassVar[bool] = True
    even: ClassVar[float] = 0.0

    def reads(self, columns: Collection[str]) -> bool:
        """Whether a table has turns with their candidate replies, or chats with their turns."""
        return set(columns) >= COLUMNS or set(columns) >= CHAT_COLUMNS

    def analyse_rows(self, rows: Iterable[Row], asked: AnalysisRequest) -> Analysis:
        """Analyse the chats of a study, each with its turns."""
        own = Counter[str]()
        found = _analysed(tuple(_turns_of(rows, asked.pay, own)), asked)
        if not own:
            return found
        said = f"{own.total():,} turns were read by the annotator who had the chat; they are not used."
        return replace(found, results=found.results.with_warnings((said,)))

    def analyse_table(self, path: Path, asked: AnalysisRequest, *, layout: Layout) -> Analysis:
        """Analyse a file of turns."""
        if asked.columns:
            raise DesignError("turns have their own names for everything: leave --columns out.")
        chats = _exported(path)
        return self.analyse_rows(chats, asked) if chats else _analysed(read_turns(path), asked)

    def checked(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> str:
        """How many dialogues and turns there are."""
        rows = _read(path)
        bots = ", ".join(sorted({bot for row in rows for bot in row.bots}))
        dialogues = len({row.dialogue for row in rows})
        unused = () if _exported(path) else unused_fields(path)
        said = f"{say_count(len(rows), 'turn')} of {say_count(dialogues, 'dialogue')} with {bots}."
        return f"{said}\nNot used: {', '.join(unused)}." if unused else said

    def table_rows(self, path: Path, *, layout: Layout, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
        """The turns of a file."""
        return (turn_record(row) for row in _read(path))

    def outcomes(self, results: PerTurnResults) -> Iterator[Outcome]:
        """Every two bots of every section, and a single bot with its standard."""
        for section in results.sections:
            part = section.title if len(results.sections) > 1 else ""
            for pair in section.pairs:
                yield Outcome(
                    part=part,
                    first=pair.first,
                    second=pair.second,
                    n=pair.turns,
                    estimate=pair.difference,
                    interval=pair.interval,
                    better=pair.verdict.better,
                    has_verdict=not pair.verdict.why_none,
                )

    def bot_scores(self, results: PerTurnResults) -> Iterator[BotScore]:
        """Every bot's win rate in every section, but for those of chats that others read."""
        sections = [section for section in results.sections if not section.is_read]
        for section in sections:
            part = "win rate" if len(sections) == 1 else f"win rate, {section.title}"
            for one in section.bots:
                yield BotScore(part, one.bot, one.rate, one.interval, one.turns)

    def in_words(self, results: PerTurnResults) -> Iterator[object]:
        """Win rates, verdicts and checks of each section."""
        return results_in_words(results)

    def tables(
        self, results: PerTurnResults, rows: Iterable[Row], *, judged: object
    ) -> Iterator[tuple[str, Iterable[Row]]]:
        """The tables of a report, and the turns themselves."""
        yield from turn_tables(results)
        turns = judged if isinstance(judged, tuple) else ()
        yield "turns.jsonl", published_rows(map(turn_record, turns), results.provenance)

    def report_tables(self, results: PerTurnResults) -> Iterator[tuple[str, Iterable[Row]]]:
        """Dialogues, bots, comparisons, positions, cascading, screening and costs, those that there are."""
        return turn_tables(results)

    def paper_tables(self, results: PerTurnResults) -> Iterator[PaperTable]:
        """Tables in the form of Tables 2 to 6 of the paper, those that there are data for."""
        return turn_paper_tables(results)

    def figures(self, results: PerTurnResults, folder: Path) -> Iterator[Path]:
        """Win rates over all sections; positions and cascading of each."""
        yield from write_figures(results, RESULT_FIGURES, folder)
        for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
            yield from write_figures(section, SECTION_FIGURES, folder, ending=ending)

    def methods(self, results: PerTurnResults, study: Study | None) -> str:
        """How turns were judged, screened and tested."""
        return methods_paragraph(results, study)

    def shown(
        self, results: PerTurnResults, *, study: Study | None, examples: Sequence[str]
    ) -> Mapping[str, object]:
        """Every section with its figures."""
        return {
            "views": tuple(view_section(one, currency=results.currency) for one in results.sections),
            "rules_applied": rules_that_apply(results),
            "mechanisms": tuple(map(mechanisms_sentence, results.mechanisms)),
            "rules": RULES,
            "whole_levels": whole_levels(results),
        }

    def left_out(self, results: PerTurnResults, examples: Sequence[str]) -> tuple[str, ...]:
        """What the report does not show, and why."""
        return not_shown(results)

    def citations(self) -> tuple[str, ...]:
        """The papers of the protocol."""
        return CITATIONS


def _read(path: Path) -> tuple[TurnRow, ...]:
    chats = _exported(path)
    return tuple(_turns_of(chats, None, Counter())) if chats else read_turns(path)


def _exported(path: Path) -> tuple[Row, ...]:
    """The chats of a file that `duologue judgments export` wrote; none where it is a file of turns."""
    records = json_objects(Source(path))
    first = next(records, None)
    if first is None or not first[1].keys() >= CHAT_COLUMNS:
        return ()
    return (first[1], *(record for _, record in records))


def _turns_of(rows: Iterable[Row], pay: float | None, own: Counter[str]) -> Iterator[TurnRow]:
    """The turns of judged chats, each excluded as its chat is.

    Of chats that others read, the turns of those who had them too: they come once, and as they were selected.
    Turns that somebody read of their own chat are left out, and counted in ``own``.
    """
    source, known = Source(Path("study")), set()
    for row in rows:
        turns, had = row.get("turns"), row.get("participant_turns")
        for record in turns if isinstance(turns, list) and not row.get("is_onboarding") else ():
            of_all = {
                "excluded": row.get("excluded") or "",
                "pay": row.get("pay") if pay is None else pay,
                "dialogue_seconds": row.get("seconds"),
            }
            turn = turn_of({**record, **of_all}, source)
            if turn.participant is not None and not turn.is_third_party:
                own[turn.annotator] += 1
            else:
                yield turn
        if isinstance(had, list) and row.get("dialogue") not in known:
            known.add(row.get("dialogue"))
            yield from (turn_of(record, source) for record in had)


def _analysed(rows: tuple[TurnRow, ...], asked: AnalysisRequest) -> Analysis:
    settings = asked.settings if isinstance(asked.settings, PerTurnSettings) else None
    if asked.half is not None:
        is_in = asked.half.rows_of(_annotators(rows))
        rows = tuple(row for row, is_kept in zip(rows, is_in.tolist(), strict=True) if is_kept)
    asked.require_primary((row.arm for row in rows), what="arm")
    options = asked.options_as(PerTurnAnalysisOptions)
    rules = settings.rules if settings else rules_named(options.rules)
    counted = max(1, asked.exchanges - (FIRST_TURN in rules))
    null = NULL if options.null is None else options.null
    question = TurnQuestion(
        alpha=asked.alpha,
        seed=asked.seed,
        rules=rules,
        is_randomised=settings is not None,
        null=settings.null if settings else null,
        gap=settings.gap if settings and asked.points is None else asked.points,
        power=asked.power,
        planned={arm: chats * counted for arm, chats in asked.planned_groups.items()},
        primary=settings.primary if settings else asked.primary,
        whole={one.name: (one.text, one.labels) for one in settings.questions} if settings else {},
    )
    times = sorted(row.at for row in rows if row.at is not None)
    span = (times[0].isoformat(), times[-1].isoformat()) if times else ("", "")
    is_read = settings.collect != "live" if settings else all(row.is_third_party for row in rows)
    seen = rows if options.shown_order is None else tuple(map(without_positions, rows))
    results = analyse_readers(seen, question) if is_read else analyse_turns(seen, question)
    results = replace(results, currency=asked.currency)
    if options.shown_order is not None:
        results = results.with_warnings((UNRECORDED,))
    unused = readers_set_aside(seen, rules) if is_read else annotators_set_aside(seen, rules)
    return Analysis(results, judged=rows, span=span, set_aside=unused)


def _annotators(rows: Sequence[TurnRow]) -> NameColumn:
    """Who had the chat; whole dialogues stay together where that is not known."""
    names: dict[str, int] = {}
    codes = [
        names.setdefault(row.participant or row.annotator or f"\0{row.dialogue}", len(names)) for row in rows
    ]
    return NameColumn(tuple(names), np.array(codes, dtype=np.int32))
