"""Records of what verdicts depend on besides the bots: single rules of exclusion, single annotators."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlternativeVerdict:
    """A matchup whose verdict would change."""

    first: str
    second: str
    better: str | None
    """As it is; None where no difference is detected."""
    better_otherwise: str | None
    said: str = ""
    """As it is, in a few words."""
    said_otherwise: str = ""
    why_none: str = ""
    """Why there is no verdict on one of the two occasions, where that is so."""


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What would be said if one rule of exclusion had not been applied, and all others had."""

    rule: str
    judgments: int
    """That it excluded."""
    changed: tuple[AlternativeVerdict, ...]
    not_comparable: tuple[AlternativeVerdict, ...] = ()
    """Where there is no verdict with the rule, or none without it."""


@dataclass(frozen=True, slots=True)
class AnnotatorInfluence:
    """The annotator without whom a matchup's estimate moves most."""

    first: str
    second: str
    annotator: str
    judgments: int
    """Of this annotator in the matchup."""
    estimate: float
    """Of the first bot: its win rate, or the preference for it."""
    estimate_without: float
    better: str | None
    better_without: str | None
    """At the level at which the matchup was decided, the other matchups as they are."""
    said: str = ""
    """The verdict with them, in a few words."""
    said_without: str = ""
    is_changed: bool = False
    """Whether both are verdicts, and different ones."""


@dataclass(frozen=True, slots=True)
class Robustness:
    """Verdicts with one rule or one annotator left out: by the direct test for a fixed number, or by the
    sequential test where that decides."""

    rules: tuple[RuleEffect, ...]
    annotators: tuple[AnnotatorInfluence, ...]
    """Of each matchup, the largest influence first; a change of the verdict before any other."""
    sentence: str
