"""Reading judgments, one by one however many there are: each with the rule that sets it aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Row, Select, and_, exists, func, null, select, tuple_

from duologue.judgments import Judgment, Role
from duologue.protocols import Item, chat_plan, item_of, rule_asked_again
from duologue.screening import ATTENTION_CHECK, NO_REASON, REPEAT, SECOND_JUDGMENT
from duologue.store.chats.held_dialogues import dialogue_id, dialogue_ids
from duologue.store.database.encoding import answer_of, order_of
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads, streams
from duologue.store.database.schema import (
    annotators,
    assignments,
    chats,
    is_second,
    items,
    judgment_flags,
    judgments,
    quotas,
    reasons,
    rules_in_force,
    slots,
    tallies,
)
from duologue.store.sittings.reasons import DueExclusion, due_exclusions

_Row = Row[*tuple[Any, ...]]

_STREAMED = 2_000
"""Rows fetched at a time where there may be a million."""


class JudgmentInContext(NamedTuple):
    """A judgment with the item it is about, and what is known of its live chat, if it was one."""

    judgment: Judgment
    item: Item
    exchanges: int | None
    flags: tuple[str, ...]
    """The rules that flagged the chat."""
    cohort: str
    """Of the annotator; empty for none."""


class Tally(NamedTuple):
    """So many judgments that count are like this one; it may itself have been set aside since."""

    example: JudgmentInContext
    done: int


_NAMED_AT_A_TIME = 5_000
Numbers = Sequence[int] | None
"""Of which judgments; None for all."""


@streams
def fetch_judgments(reading: Reading) -> Iterator[Judgment]:
    """All judgments in the order they came, each with the rule that sets it aside."""
    has_chats, silent = has_judged_chats.within(reading), _numbers(due_exclusions(reading))
    return (_judgment(row, silent) for row in _streamed(reading, _query(has_chats=has_chats)))


def _numbers(due: Sequence[DueExclusion]) -> frozenset[int]:
    return frozenset(one.stored.n for one in due)


@streams
def fetch_judged(reading: Reading) -> Iterator[JudgmentInContext]:
    """All judgments in the order they came, each with its item and what is known of its live chat."""
    return _judged(reading, due=due_exclusions(reading))


def _judged(
    reading: Reading, numbers: Numbers = None, *, due: Sequence[DueExclusion] = ()
) -> Iterator[JudgmentInContext]:
    """Judgments with their items in the order they came.

    Args:
        reading: The database.
        numbers: Of which; None for all.
        due: Those that are excluded, and not yet written down as such.
    """
    silent = _numbers(due)
    has_chats = has_judged_chats.within(reading)
    flagged = _FlaggedChats(reading, numbers)
    for row in _streamed(
        reading, _query(items.c.body, annotators.c.cohort, has_chats=has_chats, numbers=numbers)
    ):
        chat, body, cohort = row[18], row[-2], row[-1]
        exchanges = None if chat is None else min(row[19], row[20])
        flags = flagged.of(row[0])
        judgment = _judgment(row, silent)
        yield JudgmentInContext(judgment, _as_judged(item_of(body), judgment), exchanges, flags, cohort)


def _as_judged(item: Item, judgment: Judgment) -> Item:
    """The item with the dialogues that came of its live chat, where each bot had a history of its own."""
    plan = chat_plan(item) if judgment.dialogue else None
    if plan is None or plan.histories != "own":
        return item
    return replace(item, dialogues=dialogue_ids(judgment.dialogue, 0, threads=len(item.bots)))


def tally_alike(reading: Reading, numbers: Select[tuple[int]]) -> tuple[Tally, ...]:
    """Some judgments by their numbers, all that are alike as one example and how many they are.

    They are alike as in `duologue.store.researcher.tallies`, whether they count or not.
    """
    query = (
        select(
            judgments.c.n,
            judgments.c.arm,
            judgments.c.revision,
            judgments.c.role,
            judgments.c.shown,
            judgments.c.answer,
            items.c.group_name,
            items.c.body,
        )
        .select_from(judgments.join(items, items.c.n == judgments.c.item))
        .where(
            judgments.c.n.in_(numbers),
            judgments.c.role != "attention",
            judgments.c.occasion == 1,
            ~exists().where(slots.c.n == judgments.c.slot, is_second),
        )
    )
    counts, examples = Counter[Hashable](), dict[Hashable, int]()
    for number, *facts, body in _streamed(reading, query):
        bots = body.partition('"bots":')[2].partition("]")[0]  # the text is as good a name for them
        kind = (*facts, bots)
        examples.setdefault(kind, number)
        counts[kind] += 1
    done = {number: counts[kind] for kind, number in examples.items()}
    return tuple(_tallies(reading, done))


@reads
def has_checks_or_repeats(reading: Reading) -> bool:
    """Whether somebody has met an attention check, or an item a second time."""
    query = select(annotators.c.n).where((annotators.c.attention_asked > 0) | (annotators.c.repeated > 0))
    return reading.connection.execute(query.limit(1)).first() is not None


@reads
def fetch_repeats(reading: Reading) -> tuple[tuple[JudgmentInContext, JudgmentInContext], ...]:
    """What annotators answered to the same item on two occasions, in the order of the second answers."""
    if not has_checks_or_repeats.within(reading):
        return ()
    first = judgments.alias("first")
    is_first = and_(
        first.c.annotator == judgments.c.annotator, first.c.item == judgments.c.item, first.c.occasion == 1
    )
    query = (
        select(first.c.n, judgments.c.n)
        .select_from(judgments.join(first, is_first))
        .where(judgments.c.occasion > 1)
        .order_by(judgments.c.n)
    )
    return _in_context(reading, [(one, two) for one, two in reading.connection.execute(query)])


def _in_context(
    reading: Reading, pairs: Sequence[tuple[int, int]]
) -> tuple[tuple[JudgmentInContext, JudgmentInContext], ...]:
    """Judgments by their numbers, two and two."""
    found = iter(fetch_in_context.within(reading, [number for pair in pairs for number in pair]))
    return tuple(zip(found, found, strict=True))


@reads
def fetch_judged_twice(reading: Reading) -> tuple[tuple[JudgmentInContext, JudgmentInContext], ...]:
    """First and second judgment of every item that two annotators judged, in the order of their items.

    Both hold their places: what any rule excludes is not among them.
    """
    silent = _numbers(due_exclusions(reading))
    first = slots.alias("first")
    is_first = and_(first.c.item == slots.c.item, first.c.quota == slots.c.quota, first.c.copy == 0)
    query = (
        select(first.c.judgment, slots.c.judgment)
        .select_from(slots.join(first, is_first))
        .where(is_second, slots.c.judgment.is_not(None), first.c.judgment.is_not(None))
        .order_by(slots.c.item, slots.c.quota)
    )
    pairs = [(one, two) for one, two in reading.connection.execute(query) if not {one, two} & silent]
    return _in_context(reading, pairs)


@reads
def fetch_in_context(reading: Reading, numbers: Sequence[int]) -> tuple[JudgmentInContext, ...]:
    """Judgments by the numbers of their rows, in that order."""
    found: dict[int, JudgmentInContext] = {}
    wanted = sorted(set(numbers))
    for begin in range(0, len(wanted), _NAMED_AT_A_TIME):
        some = wanted[begin : begin + _NAMED_AT_A_TIME]
        found.update(zip(some, _judged(reading, some), strict=True))
    return tuple(found[number] for number in numbers)


@reads
def has_judged_chats(reading: Reading) -> bool:
    """Whether a live chat has been judged."""
    query = (
        select(judgments.c.n)
        .select_from(assignments.join(judgments, judgments.c.assignment == assignments.c.n))
        .where(assignments.c.chat.is_not(None))
        .limit(1)
    )
    return reading.connection.execute(query).first() is not None


@reads
def count_flags(reading: Reading) -> dict[str, int]:
    """How many judgments each screening rule has flagged, by its name."""
    query = (
        select(judgment_flags.c.rule, func.count())
        .group_by(judgment_flags.c.rule)
        .order_by(judgment_flags.c.rule)
    )
    return {str(rule): int(count) for rule, count in reading.connection.execute(query)}


@reads
def has_flags(reading: Reading) -> bool:
    """Whether screening has flagged a judgment."""
    return reading.connection.execute(select(judgment_flags.c.n).limit(1)).first() is not None


@reads
def fetch_last_of_each_revision(reading: Reading) -> tuple[JudgmentInContext, ...]:
    """The last judgment of each revision, those revisions first that were judged first."""
    query = (
        select(judgments.c.revision, func.max(judgments.c.n))
        .group_by(judgments.c.revision)
        .order_by(func.min(judgments.c.n))
    )
    last: dict[int, int] = dict(tuple(row) for row in reading.connection.execute(query))
    found = {one.judgment.revision: one for one in _judged(reading, sorted(last.values()))}
    return tuple(found[revision] for revision in last)


@reads
def fetch_tallies(reading: Reading, groups: Collection[tuple[str, str]]) -> tuple[Tally, ...]:
    """How the judgments that count were answered in some groups, given by arm and name."""
    query = (
        select(tallies.c.example, tallies.c.done)
        .select_from(tallies.join(quotas, quotas.c.n == tallies.c.quota))
        .where(tallies.c.done > 0, tuple_(quotas.c.arm, quotas.c.group_name).in_(list(groups)))
    )
    return tuple(_tallies(reading, dict(tuple(row) for row in reading.connection.execute(query))))


def _tallies(reading: Reading, done: Mapping[int, int]) -> Iterator[Tally]:
    """Examples by their numbers, with how many each stands for."""
    numbers = sorted(done)
    for start in range(0, len(numbers), 500):
        some = numbers[start : start + 500]
        for number, one in zip(some, _judged(reading, some), strict=True):
            yield Tally(one, done[number])


def _query(*more: ColumnElement[str], has_chats: bool, numbers: Numbers = None) -> Select[Any]:
    """Asks for rows as `_judgment` takes them."""
    rule = (
        select(rules_in_force.c.rule)
        .where(rules_in_force.c.judgment == judgments.c.n)
        .order_by(rules_in_force.c.exclusion)
        .limit(1)
        .scalar_subquery()
    )
    joined: FromClause = (
        judgments.join(assignments, assignments.c.n == judgments.c.assignment)
        .join(annotators, annotators.c.n == judgments.c.annotator)
        .join(items, items.c.n == judgments.c.item)
        .outerjoin(reasons, reasons.c.judgment == judgments.c.n)
        .outerjoin(slots, slots.c.n == judgments.c.slot)
    )
    of_chat: tuple[ColumnElement[Any], ...] = (null(),)
    if has_chats:
        joined = joined.outerjoin(chats, chats.c.n == assignments.c.chat)
        of_chat = (chats.c.id, chats.c.turns_0, chats.c.turns_1, chats.c.state, assignments.c.seat)
    query = (
        select(
            judgments.c.n,
            judgments.c.id,
            assignments.c.key,
            annotators.c.id,
            annotators.c.kind,
            judgments.c.arm,
            items.c.id,
            items.c.group_name,
            judgments.c.answer,
            judgments.c.shown,
            reasons.c.text,
            judgments.c.seconds,
            judgments.c.seconds_kind,
            judgments.c.at,
            judgments.c.revision,
            judgments.c.role,
            judgments.c.is_correct,
            rule,
            *of_chat,
            judgments.c.occasion,
            is_second.label("is_second"),
            *more,
        )
        .select_from(joined)
        .order_by(judgments.c.n)
    )
    return query if numbers is None else query.where(judgments.c.n.in_(numbers))


def _judgment(row: _Row, silent: Collection[int] = ()) -> Judgment:
    """A judgment, its fields in the order in which `_query` asks for them."""
    fields: list[Any] = list(row[1:18])
    fields[7], fields[8] = answer_of(row[8]), order_of(row[9])
    rule = (
        never_counted(row.role, row.occasion, is_second=row.is_second)
        or row[17]
        or (NO_REASON if row[0] in silent else "")
        or rule_asked_again(row[7])
    )
    fields[9], fields[16] = row[10] or "", rule
    fields.append("" if row[18] is None else _dialogue(*row[18:23]))
    fields.append(row.occasion)
    return Judgment(*fields)


def never_counted(role: Role, occasion: int, *, is_second: bool | None) -> str:
    """Why a judgment was never meant to count, by the name of a rule; empty where it was.

    Onboarding has a mark of its own.
    """
    if role == "attention":
        return ATTENTION_CHECK
    if occasion > 1:
        return REPEAT
    return SECOND_JUDGMENT if is_second else ""


def _dialogue(chat: str, turns_0: int, turns_1: int, state: str, seat: int) -> str:
    """The id of the dialogue that came of a live chat; empty when none did."""
    return dialogue_id(chat, seat) if state == "ended" and turns_0 + turns_1 > 0 else ""


class _FlaggedChats:
    """Which rules flagged chats, read beside the judgments that came of them, in the same order."""

    def __init__(self, reading: Reading, numbers: Numbers) -> None:
        query = select(judgment_flags.c.judgment, judgment_flags.c.rule).order_by(
            judgment_flags.c.judgment, judgment_flags.c.n
        )
        if numbers is not None:
            query = query.where(judgment_flags.c.judgment.in_(numbers))
        self._rows = _streamed(reading, query)
        self._next = next(self._rows, None)

    def of(self, judgment: int) -> tuple[str, ...]:
        """The rules that flagged the chat of a judgment; each judgment is asked for once, in order."""
        found = []
        while self._next is not None and self._next[0] <= judgment:
            found.append(self._next[1])
            self._next = next(self._rows, None)
        return tuple(found)


def _streamed(reading: Reading, query: Select[Any]) -> Iterator[_Row]:
    with reading.connection.execute(query, execution_options={"yield_per": _STREAMED}) as rows:
        yield from rows
