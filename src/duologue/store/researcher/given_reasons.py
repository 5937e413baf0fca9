"""What annotators wrote as reasons: all of them one by one, and a page at a time for the researcher.

Who won is for the protocol to say, from the answer, the order in which things were shown and the bots.
Reasons with the same of all these are of one *kind*, and it is asked once for each kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, func, select

from duologue.protocols import rule_asked_again
from duologue.screening import NO_REASON
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads, streams
from duologue.store.database.schema import (
    annotators,
    is_second,
    items,
    judgment_flags,
    judgments,
    reasons,
    rules_in_force,
    slots,
)
from duologue.store.researcher.judged import (
    JudgmentInContext,
    fetch_in_context,
    never_counted,
)
from duologue.store.researcher.lists import ListRows
from duologue.store.sittings.reasons import due_exclusions

Kind = tuple[object, ...]
"""What decides who won, of a judgment: arm, revision, shown order, answer and bots."""

_STREAMED = 5_000


class GivenReason(NamedTuple):
    """A reason as it was given, with what it is about."""

    n: int
    """The number of its judgment."""
    judgment: str
    annotator: str
    arm: str
    group: str
    kind: Kind
    at: str
    text: str
    excluded: str
    """The rule that excludes the judgment; empty when it counts."""
    role: str


@dataclass(frozen=True, slots=True)
class ReasonQuery:
    """Which reasons are wanted."""

    search: str = ""
    """Text that they hold; large and small letters (A to Z) are the same."""
    arm: str | None = None
    group: str | None = None


ALL_REASONS = ReasonQuery()


def _query(wanted: ReasonQuery) -> Select[Any]:
    rule = (
        select(rules_in_force.c.rule)
        .where(rules_in_force.c.judgment == judgments.c.n)
        .order_by(rules_in_force.c.exclusion)
        .limit(1)
        .scalar_subquery()
    )
    query: Select[Any] = (
        select(
            judgments.c.n,
            judgments.c.id,
            annotators.c.id.label("annotator"),
            judgments.c.arm,
            items.c.group_name,
            judgments.c.revision,
            judgments.c.shown,
            judgments.c.answer,
            items.c.body,
            judgments.c.at,
            reasons.c.text,
            rule.label("rule"),
            judgments.c.role,
            judgments.c.occasion,
            is_second.label("is_second"),
        )
        .select_from(_joined())
        .where(func.trim(reasons.c.text) != "")
        .order_by(judgments.c.n)
    )
    return _narrowed(query, wanted)


def _joined() -> Any:
    return (
        reasons.join(judgments, judgments.c.n == reasons.c.judgment)
        .join(annotators, annotators.c.n == judgments.c.annotator)
        .join(items, items.c.n == judgments.c.item)
        .outerjoin(slots, slots.c.n == judgments.c.slot)
    )


def _narrowed(query: Select[Any], wanted: ReasonQuery) -> Select[Any]:
    if wanted.search:
        query = query.where(reasons.c.text.icontains(wanted.search, autoescape=True))
    if wanted.arm is not None:
        query = query.where(judgments.c.arm == wanted.arm)
    if wanted.group is not None:
        query = query.where(items.c.group_name == wanted.group)
    return query


@streams
def fetch_reasons(reading: Reading, wanted: ReasonQuery = ALL_REASONS) -> Iterator[GivenReason]:
    """Reasons in the order they were given, those of excluded judgments too."""
    return _given(reading, _query(wanted))


def _given(reading: Reading, query: Select[Any]) -> Iterator[GivenReason]:
    silent = {one.stored.n for one in due_exclusions(reading)}
    with reading.connection.execute(query, execution_options={"yield_per": _STREAMED}) as rows:
        for row in rows:
            yield GivenReason(
                row.n,
                row.id,
                row.annotator,
                row.arm,
                row.group_name,
                _kind(row),
                row.at,
                row.text,
                never_counted(row.role, row.occasion, is_second=row.is_second)
                or row.rule
                or (NO_REASON if row.n in silent else "")
                or rule_asked_again(row.group_name),
                row.role,
            )


def _kind(row: Row[Any]) -> Kind:
    bots = row.body.partition('"bots":')[2].partition("]")[0]  # the text is as good a name for them
    return row.arm, row.revision, row.shown, row.answer, bots


@reads
def list_reasons(
    reading: Reading, wanted: ReasonQuery = ALL_REASONS, *, first: int = 0, most: int | None = None
) -> ListRows[GivenReason]:
    """Reasons of judgments that are no checks, the newest first, a page at a time."""
    query = _narrowed(
        select(judgments.c.n).select_from(_joined()).where(func.trim(reasons.c.text) != ""), wanted
    ).where(judgments.c.role == "judged")
    page = query.order_by(judgments.c.n.desc()).limit(most).offset(first)
    total = reading.connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    rows = _given(reading, _query(ALL_REASONS).where(judgments.c.n.in_(page)))
    return ListRows(tuple(rows)[::-1], int(total))


@reads
def fetch_flags_of(reading: Reading, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """What screening flagged in some judgments, by their numbers."""
    found: dict[int, tuple[str, ...]] = {}
    query = select(judgment_flags.c.judgment, judgment_flags.c.rule).order_by(judgment_flags.c.n)
    for begin in range(0, len(numbers), _STREAMED):
        some = numbers[begin : begin + _STREAMED]
        for number, rule in reading.connection.execute(query.where(judgment_flags.c.judgment.in_(some))):
            found[number] = (*found.get(number, ()), rule)
    return found


@reads
def fetch_examples(reading: Reading, numbers: Mapping[Kind, int]) -> dict[Kind, JudgmentInContext]:
    """One judgment of each kind, by the number of one."""
    return dict(zip(numbers, fetch_in_context.within(reading, list(numbers.values())), strict=True))
