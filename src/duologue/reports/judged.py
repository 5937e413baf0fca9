"""The judgments of a study, read once: as columns, with the rules by which each is excluded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import Columns, ColumnsBuilder, NameColumn, Row
from duologue.reports.base import Analysis, AnalysisRequest
from duologue.reports.conduct.by_hand import HandExclusions
from duologue.reports.conduct.people import CountedJudgments
from duologue.reports.protocols import report_of
from duologue.store import JudgmentInContext, Store, data_lines, judged_columns, judgment_rows
from duologue.studies import Study

FLAGGED = "flagged"
"""The rule under which flagged judgments are left out in a sensitivity analysis."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyJudgments:
    """The judgments of a study, to be analysed under one set of exclusions or another."""

    study: Study
    store: Store
    columns: Columns
    """As the protocol makes them; none where it has no fast way."""
    data: str
    """A hash of the judgments and of what is excluded of them."""
    counted: CountedJudgments
    stored: NameColumn
    """The rule that excludes each judgment, those made by hand included."""
    declared: NameColumn
    """The rule that excludes each judgment in the verdicts: a declared one."""
    flags: Mapping[str, NDArray[np.bool_]]
    """Which judgments count, although a screening rule flagged them, by the name of the rule."""

    def analysed(self, excluded: NameColumn, asked: AnalysisRequest) -> Analysis:
        """Analyse them, each excluded by the rule that a column says."""
        report = report_of(self.study.protocol.name)
        if self.columns.coded:
            return report.analyse_columns(self.columns.with_coded("excluded", excluded), asked)
        return report.analyse_rows(self._rows(excluded), asked)

    def without(self, flagged: NDArray[np.bool_]) -> NameColumn:
        """The declared rules, and one more for some judgments that were flagged and count."""
        rules = self.declared
        codes = np.where(flagged, np.int32(len(rules.names)), rules.codes)
        return NameColumn((*rules.names, FLAGGED), codes)

    def _rows(self, excluded: NameColumn) -> Iterator[Row]:
        rules, rule = iter(excluded.codes.tolist()), -1

        def go_on(_: JudgmentInContext) -> None:
            nonlocal rule
            rule = next(rules)

        for row in judgment_rows(self.study, self.store, seen=go_on):  # a judgment may be several rows
            yield {**row, "excluded": excluded.name_of(rule)}


def read_judgments(study: Study, store: Store, by_hand: HandExclusions) -> StudyJudgments:
    """Read all judgments of a study, many at a time, in one pass."""
    digest, counted = sha256(), CountedJudgments()
    columns, rules, flags, read = ColumnsBuilder(), ColumnsBuilder(), defaultdict[str, list[int]](list), 0
    has_columns = True
    for batch, made in judged_columns(study, store):
        digest.update(data_lines(batch))
        declared = by_hand.rules_of(batch)
        rules.add(len(batch), {"stored": batch.excluded, "declared": declared})
        has_columns = has_columns and bool(made)  # of every revision: else all are read row by row
        columns = columns if has_columns else ColumnsBuilder()
        columns.add(len(batch), made if has_columns else {})
        for place in (place for place, found in enumerate(batch.flags) if found):
            if not declared[place] and not batch.is_onboarding[place]:
                for flag in batch.flags[place]:
                    flags[flag].append(read + place)
        read += len(batch)
        counted.add(replace(batch, excluded=declared))
    found = rules.columns().completed(("stored", "declared"))
    return StudyJudgments(
        study,
        store,
        columns.columns(),
        digest.hexdigest(),
        counted,
        found["stored"],
        found["declared"],
        {flag: _at(places, read) for flag, places in sorted(flags.items())},
    )


def _at(places: list[int], length: int) -> NDArray[np.bool_]:
    found = np.zeros(length, dtype=np.bool_)
    found[places] = True
    return found
