"""Everything that the analysis of a questionnaire finds, as it stands in results.json."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter

from duologue.nuc.analysis.recall import RecallResults
from duologue.protocols import FORMAT, Conduct, Provenance, RuleCount, TimeSpent


@dataclass(frozen=True, slots=True)
class NucResults:
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

    def to_json(self) -> str:
        """The results as the text of a results.json."""
        return _adapter().dump_json(self, indent=2).decode() + "\n"

    def with_warnings(self, more: Sequence[str]) -> NucResults:
        """The same results, with further warnings."""
        return replace(self, warnings=(*self.warnings, *more))

    def with_conduct(self, conduct: Conduct) -> NucResults:
        """The same results, saying how the study was conducted."""
        return replace(self, conduct=conduct)

    def with_provenance(self, provenance: Provenance) -> NucResults:
        """The same results, saying where they come from."""
        return replace(self, provenance=provenance)


@cache
def _adapter() -> TypeAdapter[NucResults]:
    return TypeAdapter(NucResults)
