"""What a researcher reads: progress, annotators, leases, judgments, exclusions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Subquery, and_, case, func, or_, select, true

from duologue.dialogues import Dialogue
from duologue.errors import NotFound
from duologue.judgments import Exclusion
from duologue.protocols import TURN_BY_TURN, Item, addendum_asking, item_of
from duologue.store.chats.overview import with_chat
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import dialogue_of, draft_of, order_of
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads, streams
from duologue.store.database.schema import (
    annotator_events,
    annotators,
    assignments,
    dialogues,
    exclusions,
    is_running,
    is_second,
    item_dialogues,
    items,
    judged_quotas,
    judgment_flags,
    judgments,
    quotas,
    revisions,
    rules_in_force,
    skipped_checks,
    slots,
)
from duologue.store.records import (
    AnnotatorEvent,
    AnnotatorSummary,
    Assignment,
    CohortProgress,
    CohortSize,
    GroupProgress,
    Lease,
    Revision,
)
from duologue.store.sittings.reasons import DueExclusion, as_exclusions, due_exclusions
from duologue.store.sittings.sitting import fetch_assignment_in_hand

_STREAMED = 5_000
"""Rows fetched at a time where there may be a million."""


@reads
def find_groups_judged_again(reading: Reading) -> frozenset[tuple[str, str]]:
    """The arms and names of the groups that some annotator has judged more than once."""
    judged = judged_quotas.join(quotas, quotas.c.n == judged_quotas.c.quota)
    query = select(quotas.c.arm, quotas.c.group_name).select_from(judged).where(judged_quotas.c.judged > 1)
    return frozenset(tuple(row) for row in reading.connection.execute(query.distinct()))


@reads
def find_annotator_kinds(reading: Reading) -> frozenset[str]:
    """How those annotators came who have consented: ``lab``, ``open``, a crowd platform."""
    query = select(annotators.c.kind).where(annotators.c.consented_at.is_not(None)).distinct()
    return frozenset(reading.connection.execute(query).scalars())


def planned_judgments(progress: Iterable[GroupProgress]) -> dict[str, int]:
    """Judgments wanted of each group, in one arm; without those that are asked again and count nowhere."""
    planned: dict[str, int] = {}
    for one in progress:
        if not addendum_asking(one.group):
            planned[one.group] = max(one.wanted, planned.get(one.group, 0))
    return planned


@reads
def fetch_progress(reading: Reading) -> tuple[GroupProgress, ...]:
    """How far each group has come in each arm that is still asked for or has judgments."""
    less = Counter(one.stored.quota for one in due_exclusions(reading) if one.is_counted)
    second = _seconds(reading)
    query = (
        select(
            quotas.c.arm,
            quotas.c.group_name,
            quotas.c.wanted,
            quotas.c.done,
            quotas.c.excluded,
            quotas.c.leased,
            quotas.c.cohort,
            quotas.c.n,
        )
        .where((quotas.c.wanted > 0) | (quotas.c.excluded > 0))
        .order_by(quotas.c.n)
    )
    groups: dict[tuple[str, str], list[CohortProgress]] = {}
    seconds: defaultdict[tuple[str, str], _Seconds] = defaultdict(_Seconds)
    for arm, group, wanted, done, excluded, leased, cohort, n in reading.connection.execute(query):
        own = second[n]
        one = CohortProgress(
            cohort,
            wanted - own.wanted,
            done - own.stored - less[n] + own.due,
            excluded + less[n],
            leased - own.leased,
        )
        groups.setdefault((arm, group), []).append(one)
        seconds[arm, group] += own
    return tuple(_together(arm, group, parts, seconds[arm, group]) for (arm, group), parts in groups.items())


@dataclass(frozen=True, slots=True)
class _Seconds:
    """The places of second judgments in a quota."""

    wanted: int = 0
    stored: int = 0
    due: int = 0
    """Of the stored ones: excluded, and not written down as such."""
    leased: int = 0

    def __add__(self, other: _Seconds) -> _Seconds:
        return _Seconds(
            self.wanted + other.wanted,
            self.stored + other.stored,
            self.due + other.due,
            self.leased + other.leased,
        )


def _seconds(reading: Reading) -> defaultdict[int, _Seconds]:
    query = select(slots.c.n, slots.c.quota, slots.c.state).where(is_second, slots.c.state != "retired")
    rows = reading.connection.execute(query).all()
    due = {one.stored.slot for one in due_exclusions(reading) if one.is_counted} if rows else set()
    found: defaultdict[int, _Seconds] = defaultdict(_Seconds)
    for n, quota, state in rows:
        is_done = state == "done"
        found[quota] += _Seconds(1, int(is_done), int(is_done and n in due), int(state == "leased"))
    return found


def _together(arm: str, group: str, parts: Sequence[CohortProgress], second: _Seconds) -> GroupProgress:
    """A group over all cohorts."""
    return GroupProgress(
        arm,
        group,
        wanted=sum(part.wanted for part in parts),
        done=sum(part.done for part in parts),
        excluded=sum(part.excluded for part in parts),
        leased=sum(part.leased for part in parts),
        cohorts=tuple(part for part in parts if part.cohort),
        second_wanted=second.wanted,
        second_done=second.stored - second.due,
    )


@reads
def fetch_cohorts(reading: Reading) -> tuple[CohortSize, ...]:
    """Every cohort that somebody belongs to, by name; without those who belong to none."""
    people = func.sum(
        case((annotators.c.consented_at.is_not(None) & annotators.c.withdrawn_at.is_(None), 1), else_=0)
    )
    query = (
        select(annotators.c.cohort, people, func.sum(annotators.c.judged), func.sum(annotators.c.excluded))
        .where(annotators.c.cohort != "")
        .group_by(annotators.c.cohort)
        .order_by(annotators.c.cohort)
    )
    return tuple(CohortSize(name, *map(int, rest)) for name, *rest in reading.connection.execute(query))


@reads
def fetch_annotators(reading: Reading) -> tuple[AnnotatorSummary, ...]:
    """Every annotator, in the order they were invited, with the number that reports give them."""
    return tuple(_numbered(reading, summaries(reading, due=due_exclusions(reading))))


_FIRST_JUDGMENTS = select(judgments.c.annotator, func.min(judgments.c.n).label("first")).group_by(
    judgments.c.annotator
)
"""Of everybody who judged, onboarding counted."""


def _numbered(reading: Reading, found: Iterable[AnnotatorSummary]) -> Iterator[AnnotatorSummary]:
    """Annotators with their numbers, which are those of the order of their first judgment."""
    firsts = _FIRST_JUDGMENTS.subquery()
    query = (
        select(annotators.c.id)
        .select_from(firsts.join(annotators, annotators.c.n == firsts.c.annotator))
        .order_by(firsts.c.first)
    )
    numbers = {key: number for number, key in enumerate(reading.connection.execute(query).scalars(), 1)}
    return (replace(one, number=numbers.get(one.id)) for one in found)


def summaries(
    reading: Reading,
    numbers: Select[tuple[int]] | None = None,
    *,
    due: Sequence[DueExclusion] = (),
) -> tuple[AnnotatorSummary, ...]:
    """Annotators in the order they were invited: those of some numbers, or all.

    Args:
        reading: The database.
        numbers: Of which annotators; None for all.
        due: Judgments that are excluded, and not yet written down as such.
    """
    more = Counter(one.annotator for one in due if one.is_counted)
    medians, flagged = _median_seconds(numbers), _flagged(numbers)
    query = select(
        annotators.c.id,
        annotators.c.label,
        annotators.c.kind,
        annotators.c.arm,
        annotators.c.token,
        annotators.c.judged,
        annotators.c.onboarding_right,
        annotators.c.onboarding_asked,
        medians.c.seconds,
        annotators.c.excluded,
        annotators.c.block,
        annotators.c.revoked_at,
        annotators.c.withdrawn_at,
        annotators.c.block_reason,
        annotators.c.consented_at,
        annotators.c.last_seen,
        annotators.c.code,
        annotators.c.cohort,
        func.coalesce(flagged.c.judgments, 0),
        and_(annotators.c.consented_at.is_(None), annotators.c.n.in_(_HAVE_DECLINED)).label("declined"),
        annotators.c.attention_right,
        annotators.c.attention_asked - skipped_checks(annotators.c.n),
        annotators.c.repeated,
        annotators.c.timed_out,
        annotators.c.ending,
        annotators.c.item_block,
        annotators.c.finished_at,
    ).select_from(
        annotators.outerjoin(medians, medians.c.annotator == annotators.c.n).outerjoin(
            flagged, flagged.c.annotator == annotators.c.n
        )
    )
    if numbers is not None:
        query = query.where(annotators.c.n.in_(numbers))
    found = (_summary(row) for row in reading.connection.execute(query.order_by(annotators.c.n)))
    return tuple(replace(one, excluded=one.excluded + more[one.id]) if more else one for one in found)


@reads
def fetch_annotator(reading: Reading, key: str) -> AnnotatorSummary:
    """An annotator by id.

    Raises:
        NotFound: There is none.
    """
    found = summaries(reading, select(annotators.c.n).where(annotators.c.id == key))
    if not found:
        raise NotFound("annotator", key)
    return next(_numbered(reading, found))


_HAVE_DECLINED = select(annotator_events.c.annotator).where(annotator_events.c.action == "decline")


def _flagged(numbers: Select[tuple[int]] | None) -> Subquery:
    """How many judgments of each annotator are flagged."""
    flags = judgment_flags.join(judgments, judgments.c.n == judgment_flags.c.judgment)
    return (
        select(judgments.c.annotator, func.count(judgment_flags.c.judgment.distinct()).label("judgments"))
        .select_from(flags)
        .where(true() if numbers is None else judgments.c.annotator.in_(numbers))
        .group_by(judgments.c.annotator)
        .subquery()
    )


def _median_seconds(numbers: Select[tuple[int]] | None) -> Subquery:
    """The median of each annotator: the middle one of their judgments, or the mean of the middle two."""
    ranked = (
        select(
            judgments.c.annotator,
            judgments.c.seconds,
            func.row_number()
            .over(partition_by=judgments.c.annotator, order_by=judgments.c.seconds)
            .label("place"),
            func.count().over(partition_by=judgments.c.annotator).label("total"),
        )
        .where(
            judgments.c.role == "judged",
            true() if numbers is None else judgments.c.annotator.in_(numbers),
        )
        .subquery()
    )
    twice = ranked.c.place * 2
    return (
        select(ranked.c.annotator, func.avg(ranked.c.seconds).label("seconds"))
        .where(twice.between(ranked.c.total, ranked.c.total + 2))
        .group_by(ranked.c.annotator)
        .subquery()
    )


def _summary(row: Row[*tuple[Any, ...]]) -> AnnotatorSummary:
    fields = list(row)
    fields[10:13] = [bool(row.block), row.revoked_at is not None, row.withdrawn_at is not None]
    return AnnotatorSummary(*fields)


@reads
def fetch_leases(reading: Reading) -> tuple[Lease, ...]:
    """The assignments in progress, onboarding and attention checks included, oldest first."""
    return leases(reading)


def is_in_progress(now: str) -> ColumnElement[bool]:
    """Whether an assignment is kept for somebody, who may still answer it."""
    return and_(
        is_running,
        assignments.c.expires_at > now,
        or_(assignments.c.deadline_at.is_(None), assignments.c.deadline_at > now),
    )


def leases(reading: Reading, numbers: Select[tuple[int]] | None = None) -> tuple[Lease, ...]:
    """Those of some numbers, or all."""
    query = (
        select(
            assignments.c.key,
            annotators.c.id,
            items.c.group_name,
            assignments.c.arm,
            assignments.c.leased_at,
            case(
                (assignments.c.deadline_at < assignments.c.expires_at, assignments.c.deadline_at),
                else_=assignments.c.expires_at,
            ),
        )
        .select_from(
            assignments.join(annotators, annotators.c.n == assignments.c.annotator).join(
                items, items.c.n == assignments.c.item
            )
        )
        .where(is_in_progress(reading.now))
        .order_by(assignments.c.n)
    )
    if numbers is not None:
        query = query.where(assignments.c.n.in_(numbers))
    return tuple(Lease(*row) for row in reading.connection.execute(query))


@streams
def fetch_items(reading: Reading) -> Iterator[Item]:
    """All items that are in use or were judged, in the order they were loaded."""
    query = select(items.c.body).order_by(items.c.n)
    was_judged = select(judgments.c.item)
    for row in _streamed(reading, query.where(items.c.is_retired.is_(False) | items.c.n.in_(was_judged))):
        yield item_of(row.body)


@reads
def fetch_bots_of_groups(reading: Reading) -> dict[str, tuple[str, ...]]:
    """The bots of each group, by its name, from one of its items; onboarding items are in no group's plan."""
    last = select(func.max(items.c.n)).where(items.c.role == "judged").group_by(items.c.group_name)
    found = map(
        item_of, reading.connection.execute(select(items.c.body).where(items.c.n.in_(last))).scalars()
    )
    return {item.group: item.bots for item in found}


@reads
def fetch_dialogues(reading: Reading, keys: Collection[str]) -> tuple[Dialogue, ...]:
    """Dialogues by their ids, in that order.

    Raises:
        NotFound: There is no such dialogue.
    """
    wanted = list(keys)
    found: dict[str, Dialogue] = {}
    for start in range(0, len(wanted), 500):
        some = select(dialogues.c.id, dialogues.c.body).where(dialogues.c.id.in_(wanted[start : start + 500]))
        found.update((key, dialogue_of(body)) for key, body in reading.connection.execute(some))
    for key in wanted:
        if key not in found:
            raise NotFound("dialogue", key)
    return tuple(found[key] for key in wanted)


@reads
def fetch_exclusions(reading: Reading) -> tuple[Exclusion, ...]:
    """Every exclusion and its end, in the order they were written."""
    return stored_exclusions(reading) + as_exclusions(due_exclusions(reading), reading.now)


def stored_exclusions(reading: Reading, numbers: Select[tuple[int]] | None = None) -> tuple[Exclusion, ...]:
    """Those of some numbers, or all that are written down."""
    query = (
        select(
            exclusions.c.id,
            judgments.c.id,
            annotators.c.id,
            exclusions.c.action,
            exclusions.c.rule,
            exclusions.c.reason,
            exclusions.c.by,
            exclusions.c.at,
        )
        .select_from(
            exclusions.join(judgments, judgments.c.n == exclusions.c.judgment).join(
                annotators, annotators.c.n == judgments.c.annotator
            )
        )
        .order_by(exclusions.c.n)
    )
    if numbers is not None:
        query = query.where(exclusions.c.n.in_(numbers))
    return tuple(Exclusion(*row) for row in reading.connection.execute(query))


@reads
def fetch_annotator_events(reading: Reading, annotator: str | None = None) -> tuple[AnnotatorEvent, ...]:
    """What was done about annotators, or about one, in the order it was."""
    query = (
        select(
            annotators.c.id,
            annotator_events.c.action,
            annotator_events.c.reason,
            annotator_events.c.by,
            annotator_events.c.at,
        )
        .select_from(annotator_events.join(annotators))
        .order_by(annotator_events.c.n)
    )
    if annotator is not None:
        query = query.where(annotators.c.id == annotator)
    return tuple(AnnotatorEvent(*row) for row in reading.connection.execute(query))


@reads
def fetch_rules_in_force(reading: Reading) -> tuple[Exclusion, ...]:
    """The exclusions that are in force, in the order they were written; a judgment may have several."""
    written = stored_exclusions(reading, select(rules_in_force.c.exclusion))
    return written + as_exclusions(due_exclusions(reading), reading.now)


@reads
def fetch_revisions(reading: Reading) -> tuple[Revision, ...]:
    """Every revision of the study's design, oldest first."""
    query = select(revisions.c.number, revisions.c.design_hash, revisions.c.text, revisions.c.at)
    return tuple(Revision(*row) for row in reading.connection.execute(query.order_by(revisions.c.number)))


@reads
def fetch_assignment(reading: Reading, token: str, key: str) -> Assignment:
    """An assignment of an annotator, whether or not it is judged already.

    Raises:
        LinkUnknown: No annotator has this link.
        NotFound: The annotator has none of that key.
    """
    fetch_assignment_in_hand.within(reading, token)  # a link nobody has is the better explanation
    query = (
        select(assignments, items.c.body)
        .select_from(
            assignments.join(annotators, annotators.c.n == assignments.c.annotator).join(
                items, items.c.n == assignments.c.item
            )
        )
        .where(assignments.c.key == key, annotators.c.token == token)
    )
    row = reading.connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("assignment", key)
    shown = (
        select(dialogues.c.body)
        .select_from(item_dialogues.join(dialogues))
        .where(item_dialogues.c.item == row.item)
        .order_by(item_dialogues.c.place)
    )
    item = item_of(row.body)
    assignment = Assignment(
        key=row.key,
        item=item,
        dialogues=tuple(dialogue_of(body) for (body,) in reading.connection.execute(shown)),
        order=order_of(row.shown),
        arm=row.arm,
        number=row.number,
        total=row.total,
        leased_at=row.leased_at,
        draft=draft_of(row.draft),
        selections=selections_of(reading, row.key) if TURN_BY_TURN in item.extras else (),
        deadline_at=row.deadline_at,
        annotator=row.annotator,
    )
    if row.chat is None:
        return assignment
    return with_chat(reading, assignment, row.chat, row.seat)


def _streamed(reading: Reading, query: Select[Any]) -> Iterator[Row[Any]]:
    with reading.connection.execution_options(stream_results=True, yield_per=_STREAMED).execute(
        query
    ) as rows:
        yield from rows
