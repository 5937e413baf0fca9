"""The researcher's lists, a page at a time, with what is searched for found by the database.

Of a page only the numbers of its rows are looked for; what is told of each is read for those alone. So the
last page of a million rows costs as little as the first.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement, FromClause, Select, exists, func, or_, select

from duologue.judgments import Exclusion
from duologue.store.chats import overview as chat_overview
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import (
    annotators,
    assignments,
    chats,
    exclusions,
    items,
    judgment_flags,
    judgments,
)
from duologue.store.records import AnnotatorSummary, ChatSummary, Lease
from duologue.store.researcher import overview
from duologue.store.researcher.codes import CompletionCode, codes_of, spelled

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which rows of a list are wanted."""

    search: str = ""
    """Text that one of the columns holds; large and small letters (A to Z) are the same."""
    first: int = 0
    """How many rows to leave out before."""
    most: int | None = None
    """How many rows at most; None for all."""
    newest_first: bool = False


EVERYTHING = ListQuery()


@dataclass(frozen=True, slots=True)
class ListRows(Generic[T]):
    """The rows of a list that were wanted, and how many there are of its kind."""

    rows: tuple[T, ...]
    total: int


@reads
def list_annotators(
    reading: Reading, wanted: ListQuery = EVERYTHING, *, kind: str | None = None
) -> ListRows[AnnotatorSummary]:
    """Annotators in the order they were invited; of one kind, only those who have not withdrawn."""
    query = select(annotators.c.n)
    if kind is not None:
        query = query.where(annotators.c.kind == kind, annotators.c.withdrawn_at.is_(None))
    if wanted.search:
        who = (
            annotators.c.label,
            annotators.c.id,
            annotators.c.kind,
            annotators.c.arm,
            annotators.c.cohort,
            annotators.c.code,
        )
        link = wanted.search.rstrip("/").rpartition("/")[2]
        query = query.where(or_(_holds(wanted.search, *who), annotators.c.token == link))
    rows = overview.summaries(reading, _numbers(query, wanted, annotators.c.n))
    return _listed(reading, query, wanted, rows)


@reads
def list_leases(reading: Reading, wanted: ListQuery = EVERYTHING) -> ListRows[Lease]:
    """Assignments in progress, onboarding and attention checks included, oldest first."""
    query = select(assignments.c.n).where(overview.is_in_progress(reading.now))
    if wanted.search:
        joined = assignments.join(annotators, annotators.c.n == assignments.c.annotator).join(
            items, items.c.n == assignments.c.item
        )
        columns = (annotators.c.label, annotators.c.id, items.c.group_name, assignments.c.arm)
        query = _searched(query, joined, wanted, *columns, assignments.c.key)
    order = (
        assignments.c.n + 0
    )  # by the bare column SQLite would walk through all assignments there ever were
    rows = overview.leases(reading, _numbers(query, wanted, order))
    return _listed(reading, query, wanted, rows)


@reads
def list_exclusions(reading: Reading, wanted: ListQuery = EVERYTHING) -> ListRows[Exclusion]:
    """Exclusions and their ends, in the order they were written."""
    query = select(exclusions.c.n)
    if wanted.search:
        joined = exclusions.join(judgments, judgments.c.n == exclusions.c.judgment).join(
            annotators, annotators.c.n == judgments.c.annotator
        )
        columns = (annotators.c.label, annotators.c.id, judgments.c.id)
        query = _searched(
            query, joined, wanted, *columns, exclusions.c.rule, exclusions.c.reason, exclusions.c.by
        )
    rows = overview.stored_exclusions(reading, _numbers(query, wanted, exclusions.c.n))
    return _listed(reading, query, wanted, rows)


@reads
def list_chats(reading: Reading, wanted: ListQuery = EVERYTHING) -> ListRows[ChatSummary]:
    """Live chats, once for each annotator in them, in the order they began."""
    joined = assignments.join(chats, chats.c.n == assignments.c.chat)
    query = select(assignments.c.n).select_from(joined).where(assignments.c.chat.is_not(None))
    if wanted.search:
        was_flagged = exists().where(
            judgments.c.assignment == assignments.c.n,
            judgment_flags.c.judgment == judgments.c.n,
            _holds(wanted.search, judgment_flags.c.rule),
        )
        columns = (
            annotators.c.label,
            annotators.c.id,
            items.c.group_name,
            chats.c.id,
            chats.c.arm,
            chats.c.ending,
        )
        query = (
            select(assignments.c.n)
            .select_from(
                joined.join(annotators, annotators.c.n == assignments.c.annotator).join(
                    items, items.c.n == chats.c.item
                )
            )
            .where(assignments.c.chat.is_not(None), or_(_holds(wanted.search, *columns), was_flagged))
        )
    numbers = _numbers(query, wanted, assignments.c.chat, assignments.c.seat)
    return _listed(reading, query, wanted, chat_overview.summaries(reading, numbers))


@reads
def list_codes(reading: Reading, wanted: ListQuery = EVERYTHING) -> ListRows[CompletionCode]:
    """The completion codes that were shown, in the order people were invited."""
    query = select(annotators.c.n).where(annotators.c.finished_at.is_not(None), annotators.c.code != "")
    if wanted.search:
        who = (annotators.c.code, annotators.c.label, annotators.c.id, annotators.c.kind)
        query = query.where(or_(_holds(wanted.search, *who), annotators.c.code == spelled(wanted.search)))
    return _listed(reading, query, wanted, codes_of(reading, _numbers(query, wanted, annotators.c.n)))


@reads
def fetch_labels(reading: Reading, keys: Collection[str]) -> dict[str, str]:
    """The names a researcher gave some annotators, by their ids."""
    query = select(annotators.c.id, annotators.c.label).where(annotators.c.id.in_(set(keys)))
    return dict(tuple(row) for row in reading.connection.execute(query))


def _searched(
    query: Select[tuple[int]], joined: FromClause, wanted: ListQuery, *columns: ColumnElement[str]
) -> Select[tuple[int]]:
    return query.select_from(joined).where(_holds(wanted.search, *columns))


def _holds(search: str, *columns: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether one of the columns holds the text."""
    return or_(*(column.icontains(search, autoescape=True) for column in columns))


def _numbers(query: Select[tuple[int]], wanted: ListQuery, *order: ColumnElement[int]) -> Select[tuple[int]]:
    """The numbers of the rows that are wanted."""
    ordered = query.order_by(*(column.desc() if wanted.newest_first else column for column in order))
    return ordered.limit(wanted.most).offset(wanted.first)


def _listed(
    reading: Reading, query: Select[tuple[int]], wanted: ListQuery, rows: tuple[T, ...]
) -> ListRows[T]:
    total = reading.connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    return ListRows(rows[::-1] if wanted.newest_first else rows, total)
