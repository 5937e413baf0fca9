"""The rules of a competition, stated beforehand in a file: what counts, how often, who goes on, who wins."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from duologue.errors import FormatError, UnreadableFile
from duologue.expected import did_you_mean, expected, known_keys


class Rules(BaseModel):
    """The table ``[leaderboard]`` of a file of rules."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: str = "Leaderboard"
    metrics: list[str] = Field(default_factory=list)
    """Those that count, in this order; all that were entered, when empty."""
    lower: list[str] = Field(default_factory=list)
    """Metrics of which less is better, beside perplexity."""
    test_set: str | None = Field(default=None, min_length=12)
    """The hash of the test set, or its first twelve digits, frozen: results on another one are refused."""
    per_period: int | None = Field(default=None, ge=1)
    """How often a team may enter in a period."""
    period_days: int = Field(default=30, ge=1)
    human_round: int | None = Field(default=None, ge=1)
    """How many places go on to the human round."""
    winner: str | None = None
    """``place``, or the human score by which the winner is declared."""


class DeclaredEntry(BaseModel):
    """A table ``[[entries]]``: a submission, and what its team declares."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    team: str = Field(min_length=1)
    results: str
    """The file that ``metrics run --out`` wrote, beside the file of rules."""
    submitted: date | None = None
    sources: list[str] = Field(default_factory=list)
    """What it was trained on."""
    ensemble: bool | None = None


class RulesFile(BaseModel):
    """A whole file of rules."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    leaderboard: Rules = Field(default_factory=Rules)
    entries: list[DeclaredEntry] = Field(default_factory=list)


def read_rules(path: Path) -> RulesFile:
    """Read a file of rules.

    Raises:
        UnreadableFile: It cannot be opened.
        FormatError: It is not TOML, or a setting is not what it should be; says which.
    """
    try:
        return RulesFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        hint = None
        if first["type"] == "extra_forbidden":
            meant = did_you_mean(place.rpartition(".")[2], known_keys(RulesFile, first["loc"][:-1]))
            hint = f"{meant} docs/competition.md has them all.".strip()
        raise FormatError(path, field=place, expected=expected(first), hint=hint) from error
    except (ValueError, RecursionError) as error:  # TOML, UTF-8 and too many digits are ValueErrors
        raise FormatError(path, expected=f"a TOML file ({error})") from error
