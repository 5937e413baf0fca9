"""What annotators gave as reasons: records of a report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReasonsFor:
    """Reasons given for one bot, where it won or was rated; or for none, where there is a tie."""

    label: str
    """The bot; empty for a tie."""
    judgments: int
    """With a reason."""
    annotators: int
    drawn: int
    """Annotators whose one reason, drawn by the seed, is for this bot."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DistinctiveWord:
    """A word that reasons for one bot have more often than reasons for another."""

    word: str
    bot: str
    """For which it is used more often."""
    annotators: int
    """Of those whose drawn reason is for this bot: who use the word."""
    of: int
    annotators_otherwise: int
    """Of those whose drawn reason is for the other bot, or for any other."""
    of_otherwise: int
    judgments: int
    """Reasons for this bot with the word, of all annotators and not only the drawn ones."""
    judgments_otherwise: int
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class ReasonsFound:
    """The reasons of one group, by winner; or of all groups of an arm, where bots are rated."""

    arm: str
    group: str
    """Empty for all groups of the arm."""
    name: str
    """In words."""
    sides: tuple[ReasonsFor, ...]
    words: tuple[DistinctiveWord, ...]
    """The most distinctive first."""
    tested: int
    """How many words were tested; p-values are adjusted over all of them (Holm)."""
    left_out: int
    """Reasons that were not read because there are too many."""
    sentence: str
