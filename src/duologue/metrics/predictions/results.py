"""The record of a run of metrics: what a leaderboard, a report and a notebook read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

from duologue.errors import FormatError, NewerFormat, UnreadableFile
from duologue.metrics.predictions.records import ExampleSet
from duologue.strict_json import read_json

RESULTS_FORMAT = "duologue.metrics/1"

Better = Literal["higher", "lower", "neither"]
Attack = Literal["parrot", "revised-personas"]


@dataclass(frozen=True, slots=True)
class Change:
    """A difference of two figures on the same examples, with its interval (paired, by dialogue)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One metric of one bot.

    ``metric`` is its short name, under which results are compared ("f1", "hits@1", "perplexity-word");
    ``label`` says what exactly was computed. ``n`` counts the examples that have it, ``dialogues`` theirs.
    ``gain`` is what several references add over the first alone. ``details`` hold what else the number
    depends on: the number of candidates, a signature, words skipped.
    """

    metric: str
    label: str
    value: float
    low: float | None
    high: float | None
    level: float
    n: int
    dialogues: int
    better: Better
    method: str
    gain: Change | None = None
    details: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The same metric without and with an attack, and the change (with minus without)."""

    attack: Attack
    metric: str
    label: str
    before: float
    after: float
    change: Change
    n: int


@dataclass(frozen=True, slots=True)
class ToyBaseline:
    """F1 of one constant reply of frequent words, on the same references, and the bot's F1 minus it."""

    reply: str
    source: str
    value: float
    low: float
    high: float
    lead: Change

    @property
    def is_clearly_beaten(self) -> bool:
        """Whether the whole interval of the bot's lead is above zero."""
        return self.lead.low > 0


@dataclass(frozen=True, slots=True)
class MetricsResults:
    """All metrics of one bot on one test set: what ``duologue metrics run --out`` writes."""

    bot: str
    test_set: ExampleSet
    answered: int
    failed: int
    metrics: tuple[MetricResult, ...]
    attacks: tuple[AttackResult, ...] = ()
    toy: ToyBaseline | None = None
    warnings: tuple[str, ...] = ()
    level: float = 0.95
    draws: int = 1000
    seed: int = 0
    version: str = ""
    format: str = RESULTS_FORMAT

    def metric(self, name: str) -> MetricResult | None:
        """A metric by its short name; None when this bot was not measured by it."""
        return next((one for one in self.metrics if one.metric == name), None)

    def to_json(self) -> str:
        """The results as the text of a file."""
        return str(_adapter().dump_json(self, indent=1).decode()) + "\n"

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The results in a file that ``duologue metrics run`` wrote.

        Raises:
            NewerFormat: A later version of Duologue wrote it.
            FormatError: It is not such a file.
            UnreadableFile: It cannot be opened.
        """
        from pydantic import ValidationError

        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            found = read_json(text).get("format")
        except OSError as error:
            raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
        except (ValueError, AttributeError) as error:
            raise FormatError(path, expected="JSON as `duologue metrics run --out` writes it") from error
        name, _, version = str(found).partition("/")
        if name == RESULTS_FORMAT.partition("/")[0] and version.isdecimal() and int(version) > 1:
            raise NewerFormat(path, str(found), RESULTS_FORMAT)
        try:
            results: Self = _adapter().validate_json(text)
        except ValidationError as error:
            place = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise FormatError(
                path, field=place, expected=f"results in the format {RESULTS_FORMAT}"
            ) from error
        if found != RESULTS_FORMAT:
            raise FormatError(path, field="format", expected=RESULTS_FORMAT)
        return results


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(MetricsResults)
