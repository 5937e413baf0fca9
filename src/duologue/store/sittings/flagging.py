"""What screening finds in a judgment: kept as flags, and a reason to set it aside where the study says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select

from duologue.protocols import Answer
from duologue.screening import (
    ANNOTATOR_FLAGS,
    CHAT_FLAGS,
    LEAST_CHOICES,
    TOO_FAST,
    find_pattern,
    least_seconds,
    rule_of_flag,
)
from duologue.store.database.encoding import answer_of
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import judgment_flags, judgments
from duologue.store.records import Flag
from duologue.store.researcher.exclusions import (
    THE_RULES,
    ExclusionGrounds,
    JudgmentRow,
    exclude,
    judgments_of,
)
from duologue.studies import StudyRules

PositionOf = Callable[[Answer], int | None]
"""The position that an answer chose, as a protocol says it."""


@dataclass(frozen=True, slots=True)
class ScreeningFacts:
    """What is to be looked at in a judgment beside its answer."""

    flags: tuple[Flag, ...] = ()
    """What was found in the live chat."""
    words: int = 0
    """How many were shown."""
    position_of: PositionOf | None = None


_ADD_FLAG = insert(judgment_flags)


def flag_judgment(
    tx: Transaction,
    caps: StudyRules,
    judgment: JudgmentRow,
    screened: ScreeningFacts,
    *,
    seconds: float,
    judged: int,
) -> None:
    """Keep what screening finds, and set aside what the study's rules exclude for it.

    Args:
        tx: The transaction.
        caps: What to hold to.
        judgment: Just stored.
        screened: What to look at.
        seconds: How long it took.
        judged: How many judgments the annotator has given, this one included.
    """
    found = {flag.rule: flag.detail for flag in screened.flags}
    found |= dict(_too_fast(screened.words, seconds, caps.words_per_second))
    if screened.position_of is not None and judged >= LEAST_CHOICES:
        found |= dict(_pattern(tx, judgment.annotator, screened.position_of))
    for rule, detail in found.items():
        tx.do(_ADD_FLAG, judgment=judgment.n, rule=rule, detail=detail)
        if rule in caps.excluding_flags:
            whose = [judgment]
            if rule in ANNOTATOR_FLAGS:
                whose = judgments_of(tx, judgment.annotator)
            exclude(tx, whose, _grounds(rule))


def _grounds(rule: str) -> ExclusionGrounds:
    """Why; words of a chat stay in the flag, where they can be erased."""
    what = "the live chat" if rule in CHAT_FLAGS else "the judgment"
    if rule in ANNOTATOR_FLAGS:
        what = "the annotator"
    return ExclusionGrounds(rule_of_flag(rule), f"Screening flagged {what}.", THE_RULES)


def _too_fast(words: int, seconds: float, words_per_second: float) -> Iterator[tuple[str, str]]:
    least = least_seconds(words, words_per_second=words_per_second)
    if seconds < least:
        yield TOO_FAST, f"{seconds:.3g} s for {words} words; reading them takes {least:.3g} s at least"


_ANSWERS = (
    select(judgments.c.answer)
    .where(
        judgments.c.annotator == bindparam("annotator"),
        judgments.c.role == "judged",
        judgments.c.occasion == 1,
    )
    .order_by(judgments.c.n)
)


def _pattern(tx: Transaction, annotator: int, position_of: PositionOf) -> Iterator[tuple[str, str]]:
    """The pattern in all that the annotator chose; ties and the like have no position and are left out."""
    given = tx.rows(_ANSWERS, annotator=annotator)
    position_in = {row: position_of(Answer(answer_of(row[0]))) for row in set(given)}  # few are different
    flag = find_pattern([position for row in given if (position := position_in[row]) is not None])
    if flag is not None:
        yield flag.rule, flag.detail
