"""Setting judgments aside and taking them back: every step a row, with who, what, why and when.

A judgment counts while no rule sets it aside, and then it holds its slot. Setting it aside frees the slot
for somebody else; taking it back needs the slot to be free still, otherwise the judgment stays aside under
the rule ``replaced``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert, select, update

from duologue.errors import NotFound, StoreError
from duologue.judgments import ExclusionAction
from duologue.store.database.encoding import new_id
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import annotators, exclusions, judgments, rules_in_force, slots
from duologue.store.sittings import slots as slot_changes

THE_RULES = "duologue"
"""Who excludes when a rule of the study does."""

ANALYSIS = "analysis"
"""Who did so when annotators without reasons were still screened at analysis, in the rows of exclusions."""

BLOCKED = "blocked"
"""The rule that sets aside the judgments of an annotator whom a researcher blocked."""

LATE = "late"
"""The rule for a judgment whose slot had gone to another by the time it came."""

WITHDRAWN = "withdrawn"
"""The rule that sets aside the judgments of an annotator who took back their consent; it cannot be ended."""

REPLACED = "replaced"
"""The rule under which a judgment stays aside when its slot went to another meanwhile."""


@dataclass(frozen=True, slots=True)
class ExclusionGrounds:
    """What an exclusion (or its end) rests on."""

    rule: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """The numbers of a judgment's row, its annotator, and what it fills (nothing when onboarding)."""

    n: int
    annotator: int
    slot: int | None
    quota: int | None


_JUDGMENT = select(judgments.c.n, judgments.c.annotator, judgments.c.slot, judgments.c.quota)
_JUDGMENT_BY_ID = _JUDGMENT.where(judgments.c.id == bindparam("judgment"))
_JUDGMENTS_OF = _JUDGMENT.where(
    judgments.c.annotator == bindparam("annotator"),
    judgments.c.role == "judged",
    judgments.c.occasion == 1,
).order_by(judgments.c.n)
_RULES = select(rules_in_force.c.rule).where(rules_in_force.c.judgment == bindparam("judgment"))
_ADD_ROW = insert(exclusions).returning(exclusions.c.n)
_PUT_IN_FORCE = insert(rules_in_force)
_END_FORCE = delete(rules_in_force).where(
    rules_in_force.c.judgment == bindparam("judgment"), rules_in_force.c.rule == bindparam("rule")
)
_HOLDS_SLOT = select(slots.c.n).where(
    slots.c.n == bindparam("slot"), slots.c.judgment == bindparam("judgment")
)
_COUNT_OF_ANNOTATOR = (
    update(annotators)
    .where(annotators.c.n == bindparam("annotator"))
    .values(excluded=annotators.c.excluded + bindparam("more"))
)


def judgment_named(tx: Transaction, key: str) -> JudgmentRow:
    """A judgment by its id.

    Raises:
        NotFound: There is none.
    """
    row = tx.row(_JUDGMENT_BY_ID, judgment=key)
    if row is None:
        raise NotFound("judgment", key)
    return JudgmentRow(*row)


def judgments_of(tx: Transaction, annotator: int) -> list[JudgmentRow]:
    """All judgments of an annotator but those that never count: onboarding, attention checks, repeats."""
    return [JudgmentRow(*row) for row in tx.rows(_JUDGMENTS_OF, annotator=annotator)]


def exclude(tx: Transaction, which: Iterable[JudgmentRow], grounds: ExclusionGrounds) -> int:
    """Set judgments aside; how many were not set aside by this rule before."""
    return sum(_set_aside(tx, judgment, grounds) for judgment in which)


def restore(tx: Transaction, which: Iterable[JudgmentRow], grounds: ExclusionGrounds) -> int:
    """End a rule's force over judgments; how many count again for it.

    Raises:
        StoreError: Their annotator has withdrawn.
    """
    if grounds.rule == WITHDRAWN:
        raise StoreError("what an annotator who withdrew has judged cannot be taken back into the study.")
    return sum(_take_back(tx, judgment, grounds) for judgment in which)


@writes
def exclude_judgments(tx: Transaction, judgments: Collection[str], *, rule: str, reason: str, by: str) -> int:
    """Set judgments aside, all or none; how many this rule had not set aside before.

    Raises:
        NotFound: There is no such judgment.
    """
    return exclude(tx, [judgment_named(tx, key) for key in judgments], ExclusionGrounds(rule, reason, by))


@writes
def restore_judgments(tx: Transaction, judgments: Collection[str], *, rule: str, reason: str, by: str) -> int:
    """End a rule's force over judgments, all or none; how many of them count again.

    Raises:
        NotFound: There is no such judgment.
        StoreError: The rule is ``withdrawn``.
    """
    return restore(tx, [judgment_named(tx, key) for key in judgments], ExclusionGrounds(rule, reason, by))


def _set_aside(tx: Transaction, judgment: JudgmentRow, grounds: ExclusionGrounds) -> bool:
    before = _rules(tx, judgment)
    if grounds.rule in before:
        return False
    row = _write_row(tx, judgment, "exclude", grounds)
    tx.do(_PUT_IN_FORCE, judgment=judgment.n, rule=grounds.rule, exclusion=row)
    if not before:
        if judgment.slot is not None and tx.row(_HOLDS_SLOT, slot=judgment.slot, judgment=judgment.n):
            slot_changes.set_free(tx, slot=judgment.slot)
        _count(tx, judgment, 1)
    return True


def _take_back(tx: Transaction, judgment: JudgmentRow, grounds: ExclusionGrounds) -> bool:
    before = _rules(tx, judgment)
    if grounds.rule not in before:
        return False
    _write_row(tx, judgment, "restore", grounds)
    tx.do(_END_FORCE, judgment=judgment.n, rule=grounds.rule)
    if before != {grounds.rule}:
        return False
    _count(tx, judgment, -1)
    if judgment.slot is None or slot_changes.fill_if_free(tx, slot=judgment.slot, judgment=judgment.n):
        return True
    _set_aside(
        tx, judgment, ExclusionGrounds(REPLACED, "Its place went to another judgment meanwhile.", grounds.by)
    )
    return False


def _rules(tx: Transaction, judgment: JudgmentRow) -> set[str]:
    return {rule for (rule,) in tx.rows(_RULES, judgment=judgment.n)}


def _write_row(
    tx: Transaction, judgment: JudgmentRow, action: ExclusionAction, grounds: ExclusionGrounds
) -> int:
    row = tx.row(
        _ADD_ROW,
        id=new_id(),
        judgment=judgment.n,
        action=action,
        rule=grounds.rule,
        reason=grounds.reason,
        by=grounds.by,
        at=tx.now,
    )
    assert row is not None  # noqa: S101  an insert that returns its number
    return int(row[0])


def _count(tx: Transaction, judgment: JudgmentRow, more: int) -> None:
    if judgment.quota is not None:
        slot_changes.count_excluded(tx, quota=judgment.quota, more=more)
        tx.do(_COUNT_OF_ANNOTATOR, annotator=judgment.annotator, more=more)
