"""Everything that the analysis of a questionnaire finds, as it stands in results.json."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.nuc.analysis.recall import RecallResults
from duologue.protocols import FORMAT, Conduct, Provenance, RuleCount, SavedResults, TimeSpent


@dataclass(frozen=True, slots=True)
class NucResults(SavedResults):
    """Recall of people and models, and what the answers come from."""

    recall: RecallResults
    n: int
    """Answers that count."""
    annotators: int
    collected: int
    """All answers, attention checks too."""
    excluded: tuple[RuleCount, ...]
    """Attention checks and repeated questions are among them: they never count."""
    time: TimeSpent | None
    alpha: float
    seed: int
    warnings: tuple[str, ...] = ()
    provenance: Provenance | None = None
    conduct: Conduct | None = None
    protocol: str = "nuc"
    format: str = FORMAT

    @property
    def level(self) -> float:
        """Of intervals."""
        return 1 - self.alpha
