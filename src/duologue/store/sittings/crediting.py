"""Assignments that end with credit: nothing was judged, and the annotator's time counts.

A live chat could not go on, or the annotator skipped the item. What counts is the time from when it was
handed out until the chat was over or the item was skipped, by the clock.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from sqlalchemy import Select, and_, bindparam, case, func, select, update

from duologue.protocols import SkippedBot, SkippedItem, Skips, item_of
from duologue.store.chats.chat import SKIPPED
from duologue.store.database.encoding import seconds_between
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, assignments, chats, items, judgments
from duologue.store.records import CreditedChats
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.sitting import AssignmentRow, Sitting
from duologue.studies import StudyRules

_CREDIT = (
    update(assignments)
    .where(assignments.c.n == bindparam("number"))
    .values(state="credited", credit=bindparam("why"), expires_at=bindparam("ended_at"), draft="")
)
_COUNT = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        credited=annotators.c.credited + 1,
        assignment=bindparam("still_in_hand"),
        last_seen=bindparam("now"),
    )
)


def credit(tx: Transaction, sitting: Sitting, held: AssignmentRow, why: str) -> Sitting:
    """End an assignment with credit; its place is free again, and the sitting as it is afterwards."""
    mark_as_credited(tx, held, why)
    in_hand = None if sitting.assignment == held.n else sitting.assignment
    tx.do(_COUNT, number=sitting.n, still_in_hand=in_hand, now=tx.now)
    if held.state == "running" and held.slot is not None:
        slot_changes.set_free(tx, slot=held.slot)
    return replace(sitting, assignment=in_hand, credited=sitting.credited + 1)


def mark_as_credited(tx: Transaction, held: AssignmentRow, why: str) -> None:
    """Write down that an assignment ended with credit, and when; its lease ends with it."""
    tx.do(_CREDIT, number=held.n, why=why, ended_at=min(tx.now, held.expires_at or tx.now))


_is_credited = assignments.c.state == "credited"
_is_skipped = and_(_is_credited, assignments.c.credit == SKIPPED)
_with_chat = assignments.outerjoin(chats, chats.c.n == assignments.c.chat)
_ended_at = case((assignments.c.credit == SKIPPED, assignments.c.expires_at), else_=chats.c.ended_at)
_CREDITED = (
    select(
        assignments.c.arm,
        items.c.group_name,
        assignments.c.credit,
        assignments.c.annotator,
        assignments.c.leased_at,
        _ended_at,
    )
    .select_from(_with_chat.join(items, items.c.n == assignments.c.item))
    .where(_is_credited, assignments.c.credit != SKIPPED)
    .order_by(assignments.c.arm, items.c.group_name, assignments.c.credit, assignments.c.n)
)


@dataclass(slots=True)
class _Credited:
    """Live chats of one arm and group that ended for one reason."""

    annotators: list[int] = field(default_factory=list)
    seconds: float = 0.0


@reads
def fetch_credited(reading: Reading) -> tuple[CreditedChats, ...]:
    """Live chats that could not go on, by arm, group and why, with the time that they took."""
    found: defaultdict[tuple[str, str, str], _Credited] = defaultdict(_Credited)
    for arm, group, why, annotator, leased_at, ended_at in reading.rows(_CREDITED):
        one = found[arm, group, why]
        one.annotators.append(annotator)
        one.seconds += seconds_between(leased_at, ended_at)
    return tuple(
        CreditedChats(*which, len(one.annotators), len(set(one.annotators)), one.seconds)
        for which, one in found.items()
    )


def credited_seconds(reading: Reading, numbers: Select[tuple[int]]) -> dict[int, float]:
    """The seconds that annotators spent on what ended with credit, of those who had any."""
    query = (
        select(assignments.c.annotator, assignments.c.leased_at, _ended_at)
        .select_from(_with_chat)
        .where(assignments.c.annotator.in_(numbers), _is_credited)
    )
    found: defaultdict[int, float] = defaultdict(float)
    for annotator, leased_at, ended_at in reading.connection.execute(query):
        found[annotator] += seconds_between(leased_at, ended_at)
    return dict(found)


_SKIPPED_BY = select(func.count()).where(assignments.c.annotator == bindparam("annotator"), _is_skipped)


def skips_left(tx: Transaction, sitting: Sitting, caps: StudyRules) -> int:
    """How many items an annotator may still skip."""
    if not caps.skips:
        return 0
    ((skipped,),) = tx.rows(_SKIPPED_BY, annotator=sitting.n)
    return max(0, caps.skips - int(skipped))


_SKIPPED = (
    select(
        items.c.body,
        items.c.role,
        assignments.c.arm,
        assignments.c.annotator,
        assignments.c.leased_at,
        assignments.c.expires_at,
    )
    .select_from(assignments.join(items, items.c.n == assignments.c.item))
    .where(_is_skipped)
    .order_by(assignments.c.n)
)
_JUDGED = (
    select(items.c.body, func.count())
    .select_from(judgments.join(items, items.c.n == judgments.c.item))
    .where(judgments.c.role == "judged")
    .group_by(items.c.n, items.c.body)
)


@reads
def fetch_skips(reading: Reading) -> Skips | None:
    """What annotators skipped, by item and by bot; None where they skipped nothing."""
    rows = reading.rows(_SKIPPED)
    if not rows:
        return None
    found: Counter[SkippedItem] = Counter()
    skipped: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for body, role, arm, *_rest in rows:
        item = item_of(body)
        found[SkippedItem(item.id, arm, item.bots, role, 0)] += 1
        if role == "judged":
            skipped.update(set(item.bots))
            of.update(set(item.bots))
    for body, count in reading.rows(_JUDGED):
        of.update(dict.fromkeys(item_of(body).bots, int(count)))
    bots = [SkippedBot(bot, skipped[bot], number) for bot, number in of.items()]
    return Skips(
        annotators=len({row[3] for row in rows}),
        seconds=sum(seconds_between(*row[4:]) for row in rows),
        bots=tuple(sorted(bots, key=lambda one: (-one.skipped / one.of, one.bot))),
        items=tuple(
            sorted(
                (replace(one, skipped=number) for one, number in found.items()),
                key=lambda one: (-one.skipped, one.item, one.arm),
            )
        ),
    )
