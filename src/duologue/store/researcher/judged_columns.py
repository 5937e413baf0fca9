"""Reading judgments many at a time, column by column: for a million of them, rows one by one are too slow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, FromClause, func, null, select

from duologue.protocols import CHAT, JudgedBatch, rule_asked_again
from duologue.screening import NO_REASON
from duologue.store.chats.held_dialogues import dialogue_ids
from duologue.store.database.encoding import answer_of, order_of
from duologue.store.database.engine import Reading
from duologue.store.database.operations import streams
from duologue.store.database.schema import (
    annotators,
    assignments,
    chats,
    is_second,
    items,
    judgment_flags,
    judgments,
    reasons,
    rules_in_force,
    slots,
)
from duologue.store.researcher.judged import has_judged_chats, never_counted
from duologue.store.sittings.reasons import DueExclusion, due_exclusions
from duologue.strict_json import read_json

AT_A_TIME = 10_000
"""Judgments in a batch."""


@streams
def fetch_judged_batches(reading: Reading, *, at_a_time: int = AT_A_TIME) -> Iterator[JudgedBatch]:
    """All judgments in the order they came, many at a time.

    Args:
        reading: The database.
        at_a_time: How many are in a batch.
    """
    has_chats = has_judged_chats.within(reading)
    known = _Lookups(reading, due_exclusions(reading))
    query = _query(has_chats=has_chats)
    with reading.connection.execute(query, execution_options={"yield_per": at_a_time}) as rows:
        for some in rows.partitions():
            yield known.batch(list(zip(*some, strict=True)))


def _query(*, has_chats: bool) -> Any:
    joined: FromClause = judgments.join(items, items.c.n == judgments.c.item).outerjoin(
        reasons, reasons.c.judgment == judgments.c.n
    )
    joined = joined.outerjoin(slots, slots.c.n == judgments.c.slot)
    of_chat: tuple[ColumnElement[Any], ...] = (null(),) * 5
    if has_chats:
        joined = joined.join(assignments, assignments.c.n == judgments.c.assignment)
        joined = joined.outerjoin(chats, chats.c.n == assignments.c.chat)
        of_chat = (chats.c.id, chats.c.turns_0, chats.c.turns_1, chats.c.state, assignments.c.seat)
    columns = (
        judgments.c.n,
        judgments.c.id,
        judgments.c.annotator,
        judgments.c.arm,
        items.c.id,
        items.c.n.label("item_number"),
        items.c.group_name,
        items.c.body,
        judgments.c.answer,
        judgments.c.shown,
        func.length(func.trim(reasons.c.text)),
        judgments.c.seconds,
        judgments.c.at,
        judgments.c.revision,
        judgments.c.role,
        judgments.c.occasion,
        is_second.label("is_second"),
        *(column.label(f"chat_{place}") for place, column in enumerate(of_chat)),
    )
    return select(*columns).select_from(joined).order_by(judgments.c.n)


class _Lookups:
    """What is looked up for many judgments: annotators, rules in force, flags."""

    def __init__(self, reading: Reading, due: Sequence[DueExclusion]) -> None:
        people = select(annotators.c.n, annotators.c.id, annotators.c.kind, annotators.c.cohort)
        self._ids: dict[int, str] = {}
        self._kinds: dict[int, str] = {}
        self._cohorts: dict[int, str] = {}
        for number, key, kind, cohort in reading.connection.execute(people):
            self._ids[number], self._kinds[number] = key, kind
            if cohort:
                self._cohorts[number] = cohort
        self._rules: dict[int, str] = {one.stored.n: NO_REASON for one in due}
        written = select(rules_in_force.c.judgment, rules_in_force.c.rule)
        for number, rule in reading.connection.execute(written.order_by(rules_in_force.c.exclusion.desc())):
            self._rules[number] = rule  # the first that was written stays
        self._flags: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
        flagged = select(judgment_flags.c.judgment, judgment_flags.c.rule).order_by(judgment_flags.c.n)
        for number, rule in reading.connection.execute(flagged):
            self._flags[number] += (rule,)

    def batch(self, columns: Sequence[Sequence[Any]]) -> JudgedBatch:
        numbers, ids, people, arms, keys, places, groups, bodies, answers, shown, *rest = columns
        letters, seconds, at, revisions, roles, occasions, second, *of_chat = rest
        fields: list[dict[str, Any]] = read_json(f"[{','.join(bodies)}]")
        dialogues = [tuple(one["dialogues"]) for one in fields]
        if of_chat[0].count(None) < len(ids):
            held = zip(dialogues, fields, *of_chat, strict=True)
            dialogues = [own or _held(item, *chat) for own, item, *chat in held]
        asked_again = {group: rule_asked_again(group) for group in set(groups)}
        return JudgedBatch(
            ids=ids,
            annotators=[self._ids[number] for number in people],
            annotator_kinds=[self._kinds[number] for number in people],
            arms=arms,
            items=keys,
            item_numbers=places,
            groups=groups,
            bots=[tuple(one["bots"]) for one in fields],
            dialogues=dialogues,
            answers=[answer_of(text) for text in answers],
            orders=[order_of(text) for text in shown],
            has_reason=[bool(length) for length in letters],
            seconds=seconds,
            at=at,
            revisions=revisions,
            is_onboarding=[role == "onboarding" for role in roles],
            excluded=[
                never_counted(role, occasion, is_second=is_second)
                or self._rules.get(number, "")
                or asked_again[group]
                for number, role, occasion, is_second, group in zip(
                    numbers, roles, occasions, second, groups, strict=True
                )
            ],
            flags=[self._flags[number] for number in numbers] if self._flags else [()] * len(ids),
            cohorts=[self._cohorts.get(number, "") for number in people],
        )


def _held(
    item: Mapping[str, Any], chat: str | None, turns_0: int, turns_1: int, state: str, seat: int
) -> tuple[str, ...]:
    """The dialogues that came of a live chat, one for each of its threads; none when none did."""
    if chat is None or state != "ended" or turns_0 + turns_1 == 0:
        return ()
    is_own = item["extras"][CHAT].get("histories") == "own"
    return dialogue_ids(chat, seat, threads=len(item["bots"]) if is_own else 1)
