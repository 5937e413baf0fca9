"""The judgments of a study, read once: as columns, with the rules by which each is excluded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import Coded, Columns, ColumnsBuilder, Row
from duologue.reports.base import Analysed, AnalysisRequest
from duologue.reports.conduct.by_hand import HandExclusions
from duologue.reports.conduct.people import Counted
from duologue.reports.protocols import report_of
from duologue.store import Store, data_lines, judged_columns, judgment_rows
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
    counted: Counted
    stored: Coded
    """The rule that excludes each judgment, those made by hand included."""
    declared: Coded
    """The rule that excludes each judgment in the verdicts: a declared one."""
    flagged: NDArray[np.bool_]
    """Which judgments count, although screening flagged them."""

    def analysed(self, excluded: Coded, asked: AnalysisRequest) -> Analysed:
        """Analyse them, each excluded by the rule that a column says."""
        report = report_of(self.study.protocol.name)
        if self.columns.coded:
            return report.analyse_columns(self.columns.with_coded("excluded", excluded), asked)
        return report.analyse_rows(self._rows(excluded), asked)

    @property
    def without_flagged(self) -> Coded:
        """The declared rules, and one more for what was flagged and counts."""
        rules = self.declared
        codes = np.where(self.flagged, np.int32(len(rules.names)), rules.codes)
        return Coded((*rules.names, FLAGGED), codes)

    def _rows(self, excluded: Coded) -> Iterator[Row]:
        rules = map(excluded.name_of, excluded.codes.tolist())
        for row, rule in zip(judgment_rows(self.study, self.store), rules, strict=False):
            yield {**row, "excluded": rule}


def read_judgments(study: Study, store: Store, by_hand: HandExclusions) -> StudyJudgments:
    """Read all judgments of a study, many at a time, in one pass."""
    digest, counted = sha256(), Counted()
    columns, rules, flagged = ColumnsBuilder(), ColumnsBuilder(), [np.zeros(0, dtype=np.bool_)]
    for batch, made in judged_columns(study, store):
        digest.update(data_lines(batch))
        declared = by_hand.rules_of(batch)
        rules.add(len(batch), {"stored": batch.excluded, "declared": declared})
        columns.add(len(batch), made)
        is_flagged = [bool(flags) for flags in batch.flags]
        counts = np.array([not rule for rule in declared]) & ~np.array(batch.is_onboarding)
        flagged.append(counts & np.array(is_flagged))
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
        np.concatenate(flagged),
    )
