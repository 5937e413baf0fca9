"""Records of what verdicts depend on besides the bots: single rules of exclusion, single annotators."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlternativeVerdict:
    """A matchup whose verdict would be another one."""

    first: str
    second: str
    better: str | None
    """As it is; None where no difference is detected."""
    better_otherwise: str | None


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What would be said if one rule of exclusion had not been applied, and all others had."""

    rule: str
    judgments: int
    """That it excluded."""
    changed: tuple[AlternativeVerdict, ...]


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
    """At the level at which Holm's method decided the matchup, the other matchups as they are."""


@dataclass(frozen=True, slots=True)
class Robustness:
    """Verdicts by the direct test for a fixed number, with one rule or one annotator left out."""

    rules: tuple[RuleEffect, ...]
    annotators: tuple[AnnotatorInfluence, ...]
    """Of each matchup, the largest influence first; a change of the verdict before any other."""
    sentence: str
