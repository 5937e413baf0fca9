"""Annotators who never give a reason: what they judged is excluded when their sitting ends.

A sitting has ended when nothing is in the annotator's hands any more: they have finished, their lease has
run out, or the researcher took it back. Whoever gives a reason later counts again, where the places of their
judgments are still free.

The rule is applied in the transaction in which a sitting ends. `screening_due` says what is still to be
written: in a database that was last served before a lease ran out.
Those who only read count with it as if it were written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, select

from duologue.judgments import Exclusion
from duologue.screening import NO_REASON
from duologue.store.database.engine import Reading, RowSource, Transaction
from duologue.store.database.schema import (
    annotators,
    assignments,
    exclusions,
    is_running,
    judgments,
    reasons,
    rules_in_force,
)
from duologue.store.researcher.exclusions import (
    ANALYSIS,
    BLOCKED,
    REPLACED,
    THE_RULES,
    WITHDRAWN,
    ExclusionGrounds,
    JudgmentRow,
    exclude,
    restore,
)

_NEVER = ExclusionGrounds(NO_REASON, "The annotator never gave a reason.", THE_RULES)
_SINCE = ExclusionGrounds(NO_REASON, "The annotator has given a reason since.", THE_RULES)
_by_the_study = or_(exclusions.c.by == THE_RULES, exclusions.c.by == ANALYSIS)


@dataclass(frozen=True, slots=True)
class DueExclusion:
    """A judgment of an annotator who never gave a reason, not yet written down as excluded."""

    stored: JudgmentRow
    judgment: str
    annotator: str
    is_counted: bool
    """Whether no other rule excludes it."""


def _by_rule() -> ColumnElement[bool]:
    """Whether a rule of the study, and no person, excludes a judgment; this rule included."""
    of_study = and_(_by_the_study, exclusions.c.rule != BLOCKED)
    named = or_(*(rules_in_force.c.rule == rule for rule in (NO_REASON, WITHDRAWN, REPLACED)))
    in_force = rules_in_force.join(exclusions, exclusions.c.n == rules_in_force.c.exclusion)
    found = select(rules_in_force.c.rule).select_from(in_force)
    return exists(
        found.where(rules_in_force.c.judgment == judgments.c.n, or_(named, of_study)).correlate(judgments)
    )


def _due() -> Select[*tuple[object, ...]]:
    theirs = judgments.alias("theirs")
    gave_one = exists(
        select(reasons.c.judgment)
        .select_from(theirs.join(reasons, reasons.c.judgment == theirs.c.n))
        .where(theirs.c.annotator == annotators.c.n, func.trim(reasons.c.text) != "")
        .correlate(annotators)
    )
    is_here = exists().where(
        assignments.c.annotator == annotators.c.n,
        is_running,
        or_(assignments.c.expires_at.is_(None), assignments.c.expires_at > bindparam("now")),
    )
    is_excluded = exists().where(rules_in_force.c.judgment == judgments.c.n)
    return (
        select(
            judgments.c.n,
            judgments.c.annotator,
            judgments.c.slot,
            judgments.c.quota,
            judgments.c.id,
            annotators.c.id,
            ~is_excluded,
        )
        .select_from(annotators.join(judgments, judgments.c.annotator == annotators.c.n))
        .where(
            annotators.c.judged > 0,
            ~gave_one,
            ~is_here,
            judgments.c.role == "judged",
            judgments.c.occasion == 1,
            ~_by_rule(),
        )
        .order_by(judgments.c.n)
    )


_DUE = _due()
_DUE_OF_ONE = _DUE.where(annotators.c.n == bindparam("annotator"))
_TAKEN_BACK = select(exclusions.c.judgment).where(
    exclusions.c.rule == NO_REASON,
    exclusions.c.action == "restore",
    ~_by_the_study,
)
_EXCLUDED_BY_RULE = (
    select(judgments.c.n, judgments.c.annotator, judgments.c.slot, judgments.c.quota)
    .select_from(
        judgments.join(rules_in_force, rules_in_force.c.judgment == judgments.c.n).join(
            exclusions, exclusions.c.n == rules_in_force.c.exclusion
        )
    )
    .where(
        judgments.c.annotator == bindparam("annotator"),
        rules_in_force.c.rule == NO_REASON,
        _by_the_study,
    )
    .order_by(judgments.c.n)
)


_WRITTEN = select(
    select(func.coalesce(func.sum(annotators.c.judged), 0)).scalar_subquery(),
    select(func.count()).select_from(exclusions).scalar_subquery(),
)


def _written(asked: RowSource) -> tuple[int, int]:
    """How many judgments and exclusions there are: what is due changes with them.

    The highest number of a row would not tell: on PostgreSQL a row with a lower one may come later.
    """
    ((judged, excluded),) = asked.rows(_WRITTEN)
    return int(judged), int(excluded)


def due_exclusions(reading: Reading) -> tuple[DueExclusion, ...]:
    """What is excluded and not written down as such; worked out again after a judgment or exclusion."""
    if not reading.excludes_without_reason:
        return ()
    return reading.unless_changed(_written(reading), screening_due)


def screening_due(asked: RowSource, *, annotator: int | None = None) -> tuple[DueExclusion, ...]:
    """Which judgments the rule excludes that are not written down as excluded, of all annotators or of one.

    What a researcher took back stays with them.
    """
    if annotator is None:
        rows = asked.rows(_DUE, now=asked.now)
    else:
        rows = asked.rows(_DUE_OF_ONE, now=asked.now, annotator=annotator)
    taken_back = {number for (number,) in asked.rows(_TAKEN_BACK)} if rows else set()
    return tuple(
        DueExclusion(JudgmentRow(*row[:4]), row[4], row[5], bool(row[6]))
        for row in rows
        if row[0] not in taken_back
    )


def screen_annotator(tx: Transaction, annotator: int) -> int:
    """Exclude what an annotator judged who never gave a reason, unless they are at it; how many judgments."""
    return exclude(tx, [one.stored for one in screening_due(tx, annotator=annotator)], _NEVER)


def screen_everybody(tx: Transaction) -> int:
    """Exclude what all judged who never gave a reason and are not at it; how many judgments."""
    return exclude(tx, [one.stored for one in screening_due(tx)], _NEVER)


def count_again(tx: Transaction, annotator: int) -> int:
    """Let judgments count again whose annotator has given a reason since; how many do."""
    found = [JudgmentRow(*row) for row in tx.rows(_EXCLUDED_BY_RULE, annotator=annotator)]
    return restore(tx, found, _SINCE)


def as_exclusions(due: Sequence[DueExclusion], now: str) -> tuple[Exclusion, ...]:
    """What is due as it will be written."""
    return tuple(
        Exclusion(
            id="",
            judgment=one.judgment,
            annotator=one.annotator,
            action="exclude",
            rule=NO_REASON,
            reason=_NEVER.reason,
            by=_NEVER.by,
            at=now,
        )
        for one in due
    )
