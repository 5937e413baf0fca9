"""Rows of turns analysed: sections, verdicts, what screening changes, and what turns depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from duologue.errors import AnalysisError
from duologue.per_turn.analysis.across import none_rates, pairs_across
from duologue.per_turn.analysis.cost import cost_of, power_of
from duologue.per_turn.analysis.deciding import DecidedComparison
from duologue.per_turn.analysis.independence import (
    anchoring_of,
    cascading_of,
    gathered_ties,
    position_adjusted,
)
from duologue.per_turn.analysis.results import (
    BotSelections,
    PerTurnResults,
    TurnSection,
)
from duologue.per_turn.analysis.screened import AnalysedTurns, TurnQuestion, screening_of
from duologue.per_turn.analysis.screening import Mask, screen_turns
from duologue.per_turn.analysis.sensitivity import mechanisms_compared
from duologue.per_turn.analysis.tables import (
    SectionKey,
    TurnTable,
    is_of,
    limits_of,
    named_annotators,
    tables_of,
)
from duologue.per_turn.analysis.third_party import third_party_of
from duologue.per_turn.analysis.verdicts import against_of, all_bots_of, pair_of
from duologue.per_turn.analysis.whole import answers_of, differences_of
from duologue.per_turn.rows import TurnRow
from duologue.protocols import Family, FamilyWords, families_of, say_families, say_percent
from duologue.stats import AnswerCorrelation, correlate_answers, wilson_interval

WORDS = FamilyWords(comparisons="comparisons", parts="arms", part="arm")


def analyse_turns(rows: Sequence[TurnRow], asked: TurnQuestion) -> PerTurnResults:
    """Analyse turns: who is selected more often, how sure that is, and what it depends on.

    Raises:
        AnalysisError: No turn is complete.
    """
    tables = tables_of(rows)
    if not tables:
        raise AnalysisError(
            "no turn is complete: on each of them some bot failed, or all are third parties'."
        )
    given = np.array([bool(row.excluded) for row in rows], dtype=np.bool_)
    analysis = AnalysedTurns(rows, asked, tables, _families(tables, asked.primary), given)
    masks = screen_turns(rows)
    kept = analysis.kept(masks, asked.rules)
    decided = analysis.decided(kept)
    level = 1 - asked.alpha
    sections = tuple(
        replace(
            _section(analysis, table, own, whole, number),
            correlations=tuple(_correlations(table, kept, level=level)) if not table.key.question else (),
        )
        for number, (table, own, whole) in enumerate(zip(kept, decided, tables, strict=True))
    )
    across = pairs_across(sections, alpha=asked.alpha, power=asked.power)
    return PerTurnResults(
        sections=sections,
        screening=screening_of(analysis, masks, decided),
        across=across,
        power=asked.power,
        mechanisms=mechanisms_compared(across),
        none_rates=none_rates(kept, level=level),
        alpha=asked.alpha,
        level=level,
        seed=asked.seed,
        warnings=tuple(_warnings(rows)),
        family=_say_family(analysis, decided),
        primary=asked.primary,
        whole_differences=differences_of(rows, kept, sections, alpha=asked.alpha),
    )


def _families(tables: Sequence[TurnTable], primary: str | None) -> tuple[Family, ...]:
    """The arms by the main question share alpha, unless one is primary; every other question is secondary."""
    main = [number for number, table in enumerate(tables) if not table.key.question]
    found = [
        replace(one, sections=tuple(main[number] for number in one.sections))
        for one in families_of([tables[number].key.arm for number in main], primary=primary)
    ]
    for question in sorted({table.key.question for table in tables} - {""}):
        own = tuple(number for number, table in enumerate(tables) if table.key.question == question)
        found.append(Family(own, 0, is_secondary=True))
    return tuple(found)


def _say_family(analysis: AnalysedTurns, decided: Sequence[Sequence[DecidedComparison]]) -> str:
    main = [family for family in analysis.families if not _question(analysis, family)]
    sizes = [
        max(
            (one.decision.family for number in family.sections for one in decided[number] if one.decision),
            default=0,
        )
        for family in main
    ]
    arms = [
        table.key.arm
        for table, own in zip(analysis.tables, decided, strict=True)
        if not table.key.question and any(one.decision for one in own)
    ]
    alpha, primary = analysis.asked.alpha, analysis.asked.primary
    said = say_families(sizes, arms, alpha=alpha, primary=primary, words=WORDS)
    further = _decided_questions(analysis, decided)
    families = sum(size > 0 for size in sizes) + further
    if not further or families < 2:
        return said
    others = "the other question" if further == 1 else f"each of the {further} other questions"
    return (
        f"{f'{said} These are the comparisons by the main question.' if said else ''} The comparisons by "
        f"{others} are a family of their own (Holm): over all {families} families a false verdict has a "
        f"chance of up to {say_percent(min(1.0, families * alpha))}."
    ).strip()


def _decided_questions(analysis: AnalysedTurns, decided: Sequence[Sequence[DecidedComparison]]) -> int:
    """How many further questions have a comparison that was decided: each is a family of its own."""
    return sum(
        any(one.decision for number in family.sections for one in decided[number])
        for family in analysis.families
        if _question(analysis, family)
    )


def _question(analysis: AnalysedTurns, family: Family) -> str:
    return analysis.tables[family.sections[0]].key.question


def _section(
    analysis: AnalysedTurns,
    table: TurnTable,
    decided: Sequence[DecidedComparison],
    whole: TurnTable,
    number: int,
) -> TurnSection:
    asked, key, rows = analysis.asked, table.key, analysis.rows
    rng = np.random.default_rng([asked.seed, number])
    level = 1 - asked.alpha
    kinds = {
        kind: [one for one in decided if one.weighed.kind == kind] for kind in ("pair", "all", "against")
    }
    on = [rows[row].continuation for row in table.rows.tolist()]
    is_written = np.array([one is not None and one.by == "annotator" for one in on], dtype=np.bool_)
    family = next(one for one in analysis.families if number in one.sections)
    return TurnSection(
        arm=key.arm,
        mechanism=key.mechanism,
        setting=key.setting,
        revision=key.revision,
        question=key.question,
        dialogues=len(np.unique(table.dialogue)),
        turns=len(table),
        annotators=named_annotators(rows, table),
        incomplete=_incomplete(rows, key),
        excluded=len(whole) - len(table),
        names=key.bots,
        bots=selections_of_bots(table, level) if len(table) else (),
        all_bots=all_bots_of(table, kinds["all"][0]) if kinds["all"] else None,
        pairs=tuple(pair_of(table, one) for one in kinds["pair"]),
        against=tuple(against_of(table, one, null=asked.null, level=level) for one in kinds["against"]),
        cascading=cascading_of(table, rng, draws=asked.draws) if len(table) else (),
        anchoring=anchoring_of(table, level=level, is_randomised=asked.is_randomised),
        ties=gathered_ties(table, rng, draws=asked.draws) if len(table) else None,
        none_rate=_share(table.selected.sum(axis=1) == 0) if key.setting != "soba" else None,
        written_rate=_share(is_written) if key.setting == "sata-user" else None,
        cost=cost_of(rows, key, counted=len(table)),
        power=power_of(
            table,
            decided,
            alpha=asked.alpha,
            null=asked.null,
            gap=asked.gap,
            power=asked.power,
            planned=asked.planned,
        ),
        third_party=third_party_of(rows, key, level=level),
        warnings=tuple(_section_warnings(table, whole)),
        is_secondary=family.is_secondary,
        whole=answers_of(rows, table, asked),
    )


def _correlations(
    main: TurnTable, tables: Sequence[TurnTable], *, level: float
) -> Iterator[AnswerCorrelation]:
    """How far selections by the main question and by others about the same replies correlate."""
    others = [one for one in tables if one.key.question and one.key._replace(question="") == main.key]
    if not others or not len(main):
        return
    answers = {"selected": main.selected.astype(np.float64).reshape(-1)}
    for table in others:
        by_row = dict(zip(table.rows.tolist(), table.selected.astype(np.float64), strict=True))
        unknown = np.full(len(main.key.bots), np.nan)
        answers[table.key.question] = np.concatenate([by_row.get(row, unknown) for row in main.rows.tolist()])
    bots = len(main.key.bots)
    yield from correlate_answers(
        answers, np.tile(np.arange(bots), len(main)), np.repeat(main.annotator, bots), level=level
    )


def _share(values: Mask) -> float | None:
    return float(values.mean()) if len(values) else None


def _incomplete(rows: Sequence[TurnRow], key: SectionKey) -> int:
    return sum(not row.is_complete and not row.is_third_party and is_of(row, key) for row in rows)


def selections_of_bots(table: TurnTable, level: float) -> tuple[BotSelections, ...]:
    """How often each bot was selected, the most often selected first."""
    found = []
    for number, bot in enumerate(table.key.bots):
        chosen = table.selected[:, number]
        rate = table.clustered_rate(chosen, level=level)
        found.append(
            BotSelections(
                bot=bot,
                turns=len(table),
                selected=int(chosen.sum()),
                rate=float(chosen.mean()),
                interval=limits_of(rate),
                naive_interval=wilson_interval(int(chosen.sum()), len(table), level=level),
                position_adjusted=position_adjusted(table, number),
                icc=None if rate is None else rate.icc,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.rate, one.bot)))


ALL_EXCLUDED = "All turns are excluded."
"""The warning of a section of which nothing counts."""
FEW_CLUSTERS = 20
"""With fewer dialogues or annotators than these, clustered tests are cautious and weak."""


def _section_warnings(table: TurnTable, whole: TurnTable) -> Iterator[str]:
    if len(whole) and not len(table):
        yield ALL_EXCLUDED
    for kind, size in table.sizes().items() if not table.only else ():
        if size < FEW_CLUSTERS:
            yield (
                f"The turns are of only {size} {kind}s, and turns of one {kind} are correlated: little is "
                "certain."
            )


def _warnings(rows: Sequence[TurnRow]) -> Iterator[str]:
    if not any(row.annotator for row in rows):
        yield (
            "No annotator is named: turns are clustered by dialogue only, and whether somebody had several "
            "could not be checked."
        )
