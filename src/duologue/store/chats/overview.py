"""Reading live chats: one as its annotator sees it, what has changed, and all as the researcher does."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy import Select, bindparam, case, func, select

from duologue.dialogues import Dialogue, Turn, is_cut
from duologue.errors import ChatError, LinkUnknown, NotFound
from duologue.protocols import chat_plan, item_of
from duologue.store.chats.candidates import seen_from
from duologue.store.chats.chat import CHAT_COLUMNS, chat_of
from duologue.store.chats.held_dialogues import (
    BOTS_OF_CHAT,
    HELD_DIALOGUE,
    MORE_THREADS,
    SECOND,
    dialogue_id,
    dialogue_ids,
)
from duologue.store.chats.seats import Seat, seen_by
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import dialogue_of, order_of
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads, streams
from duologue.store.database.schema import (
    annotators,
    assignments,
    chats,
    dialogues,
    items,
    judgment_flags,
    judgments,
    reply_failures,
    wanted_replies,
)
from duologue.store.records import Assignment, Chat, ChatSummary, CutTurns, Flag
from duologue.strict_json import read_json

_SEAT = (
    select(assignments.c.seat, assignments.c.shown, *CHAT_COLUMNS)
    .select_from(
        annotators.join(assignments, assignments.c.annotator == annotators.c.n).outerjoin(
            chats, chats.c.n == assignments.c.chat
        )
    )
    .where(annotators.c.token == bindparam("token"), assignments.c.key == bindparam("assignment"))
)
_ANNOTATOR = select(annotators.c.n).where(annotators.c.token == bindparam("token"))


@reads
def fetch_chat(reading: Reading, token: str, assignment: str) -> Chat:
    """A live chat as its annotator sees it; nothing is handed out and no lease renewed.

    Raises:
        LinkUnknown: No annotator has this link.
        NotFound: They have no such assignment.
        ChatError: It is no live chat.
    """
    row = reading.row(_SEAT, token=token, assignment=assignment)
    if row is None:
        if reading.row(_ANNOTATOR, token=token) is None:
            raise LinkUnknown
        raise NotFound("assignment", assignment)
    if row[2] is None:
        raise ChatError("This is no conversation. Please load the page again.")
    return seen_from(reading, chat_of(row[2:]), seat=row[0], order=order_of(row[1]))


def with_chat(reading: Reading, assignment: Assignment, chat: int, seat: int) -> Assignment:
    """An assignment with its live chat, and once that is over with what was said in it."""
    row = reading.row(_CHAT, chat=chat)
    assert row is not None  # noqa: S101  assignments point to chats that are there
    held = Seat(chat_of(row), seat)
    keys = dialogue_ids(held.chat.id, seat, threads=held.chat.threads) if held.chat.is_over else ()
    said = [body for key in keys if (body := reading.row(HELD_DIALOGUE, dialogue=key)) is not None]
    return replace(
        assignment,
        item=seen_by(held, assignment.item),
        dialogues=tuple(dialogue_of(body) for _n, _hash, body in said),
        chat=seen_from(reading, held.chat, seat=seat, order=assignment.order),
        selections=(
            selections_of(reading, assignment.key) if held.chat.is_over and held.chat.plan.choose else ()
        ),
    )


_CHAT = select(*CHAT_COLUMNS).where(chats.c.n == bindparam("chat"))
_CHANGED = select(assignments.c.key).where(
    assignments.c.chat.in_(select(chats.c.n).where(chats.c.news > bindparam("after")))
)
_NEWEST = select(func.coalesce(func.max(chats.c.news), 0))


@reads
def fetch_chat_changes(reading: Reading, after: int) -> tuple[int, frozenset[str]]:
    """The newest change of any chat, and the assignments whose chats changed since ``after``."""
    newest = reading.row(_NEWEST)
    number = 0 if newest is None else int(newest[0])
    if number <= after:
        return number, frozenset()
    return number, frozenset(key for (key,) in reading.rows(_CHANGED, after=after))


_SUMMARIES = (
    select(
        chats.c.n,
        chats.c.id,
        assignments.c.seat,
        annotators.c.id,
        annotators.c.kind,
        items.c.body,
        chats.c.arm,
        chats.c.state,
        assignments.c.state,
        chats.c.next_seat,
        chats.c.ending,
        chats.c.turns_0,
        chats.c.turns_1,
        chats.c.began_at,
        chats.c.ended_at,
        judgments.c.n,
        judgments.c.id,
        assignments.c.credit,
    )
    .select_from(
        chats.join(items, items.c.n == chats.c.item)
        .join(assignments, assignments.c.chat == chats.c.n)
        .join(annotators, annotators.c.n == assignments.c.annotator)
        .outerjoin(judgments, judgments.c.assignment == assignments.c.n)
    )
    .order_by(chats.c.n, assignments.c.seat)
)
_FAILURES = select(reply_failures.c.chat, reply_failures.c.cause).order_by(reply_failures.c.n)
_FLAGS = select(judgment_flags.c.judgment, judgment_flags.c.rule, judgment_flags.c.detail).order_by(
    judgment_flags.c.n
)


def summaries(reading: Reading, numbers: Select[tuple[int]] | None = None) -> tuple[ChatSummary, ...]:
    """Live chats, once for each annotator in them, in the order they began.

    Args:
        reading: The database.
        numbers: Of the assignments that are chats; all of them when not given.
    """
    query = _SUMMARIES if numbers is None else _SUMMARIES.where(assignments.c.n.in_(numbers))
    rows = reading.rows(query)
    failures: defaultdict[int, list[str]] = defaultdict(list)
    for some in _batches({row[0] for row in rows}):
        for chat, cause in reading.rows(_FAILURES.where(reply_failures.c.chat.in_(some))):
            failures[chat].append(cause)
    flags: defaultdict[int, list[Flag]] = defaultdict(list)
    for some in _batches({row[15] for row in rows if row[15] is not None}):
        for judgment, rule, detail in reading.rows(_FLAGS.where(judgment_flags.c.judgment.in_(some))):
            flags[judgment].append(Flag(rule, detail))
    found = []
    for row in rows:
        n, key, seat, annotator, kind, body, arm, state, lease, next_seat, ending, *rest = row
        turns_0, turns_1, began_at, ended_at, judgment, judgment_id, credit = rest
        item = item_of(body)
        plan = chat_plan(item)
        threads = len(item.bots) if plan is not None and plan.histories == "own" else 1
        if state == "open":
            state = "annotator" if next_seat == seat else "partner"
        found.append(
            ChatSummary(
                id=dialogue_id(key, seat),
                annotator=annotator,
                annotator_kind=kind,
                bots=item.bots,
                arm=arm,
                state="left" if lease == "ended" and state != "ended" else state,
                ending=ending,
                exchanges=min(turns_0, turns_1),
                failures=tuple(failures[n]),
                flags=tuple(flags[judgment]),
                began_at=began_at,
                ended_at=ended_at,
                judgment=judgment_id or "",
                group=item.group,
                credit=credit,
                dialogues=dialogue_ids(key, seat, threads=threads),
            )
        )
    return tuple(found)


@reads
def fetch_chats(reading: Reading) -> tuple[ChatSummary, ...]:
    """Every live chat, once for each annotator in it, in the order they began."""
    return summaries(reading)


def _batches(numbers: set[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    return (ordered[start : start + 500] for start in range(0, len(ordered), 500))


@reads
def fetch_chat_summary(reading: Reading, key: str) -> ChatSummary:
    """A live chat, as the annotator had it whose dialogue has this id.

    Raises:
        NotFound: There is no such chat.
    """
    numbers = (
        select(assignments.c.n)
        .select_from(chats.join(assignments, assignments.c.chat == chats.c.n))
        .where(chats.c.id.in_(_chats_named(key)))
    )
    found = next((chat for chat in summaries(reading, numbers) if key in chat.dialogues), None)
    if found is None:
        raise NotFound("chat", key)
    return found


_HELD_DIALOGUES = (
    select(dialogues.c.body)
    .select_from(
        chats.join(assignments, assignments.c.chat == chats.c.n).join(
            dialogues,
            dialogues.c.id.in_(
                [
                    chats.c.id + case((assignments.c.seat == 1, SECOND), else_=""),
                    *(chats.c.id + suffix for suffix in MORE_THREADS),
                ]
            ),
        )
    )
    .where(chats.c.is_erased.is_(False))
    .order_by(chats.c.n, assignments.c.seat, dialogues.c.id)
)


def _chats_named(dialogue: str) -> tuple[str, ...]:
    """The ids that the chat of a dialogue may have."""
    return dialogue, dialogue.removesuffix(SECOND), dialogue.partition(".")[0]


@reads
def fetch_chat_dialogue(reading: Reading, key: str) -> Dialogue:
    """What was said in a chat that is over, by the dialogue's id.

    Raises:
        NotFound: There is no such chat, it is not over, or its annotator withdrew.
    """
    query = _HELD_DIALOGUES.where(dialogues.c.id == key, chats.c.id.in_(_chats_named(key)))
    row = reading.connection.execute(query).first()
    if row is None:
        raise NotFound("chat", key)
    return dialogue_of(row[0])


_MAYBE_CUT = select(dialogues.c.bot, dialogues.c.body).where(
    dialogues.c.body.like('%"cut"%') | dialogues.c.body.like('%"length"%')
)


_COUNTED = select(dialogues.c.bot, func.count()).group_by(dialogues.c.bot)

# A dialogue in which several bots answered is called by its group, and holds only what it went on with.
_SHARED_CHATS = (
    wanted_replies.join(chats, chats.c.n == wanted_replies.c.chat)
    .join(items, (items.c.n == chats.c.item) & (items.c.group_name != wanted_replies.c.bot))
    .join(dialogues, (dialogues.c.id == chats.c.id) & (dialogues.c.bot == items.c.group_name))
)
_MAYBE_CUT_CANDIDATES = (
    select(wanted_replies.c.bot, chats.c.id, wanted_replies.c.meta)
    .select_from(_SHARED_CHATS)
    .where(wanted_replies.c.meta.like('%"length"%'))
)
_COUNTED_SHARED = (
    select(wanted_replies.c.bot, func.count(chats.c.id.distinct()))
    .select_from(_SHARED_CHATS)
    .group_by(wanted_replies.c.bot)
)


@reads
def count_cut_turns(reading: Reading) -> dict[str, CutTurns]:
    """Turns that were stopped at a bot's limit of tokens, of bots that have such, by name.

    Where several bots answered every message, all replies that were shown count, not only those that the chat
    went on with.
    """
    cut: Counter[tuple[str, str]] = Counter()  # by bot and dialogue
    of: Counter[str] = Counter()
    for bot, body in reading.rows(_MAYBE_CUT):
        dialogue = dialogue_of(body)
        if BOTS_OF_CHAT not in dialogue.extras:
            cut[bot, dialogue.id] += sum(is_cut(turn) for turn in dialogue.turns)
    for bot, chat, meta in reading.rows(_MAYBE_CUT_CANDIDATES):
        cut[bot, chat] += is_cut(Turn("", "", extras=read_json(meta)))
    for counted in (_COUNTED, _COUNTED_SHARED) if cut.total() else ():
        for bot, count in reading.rows(counted):
            of[bot] += count
    found = Counter(bot for (bot, _), turns in cut.items() if turns)
    return {
        bot: CutTurns(sum(turns for (one, _), turns in cut.items() if one == bot), found[bot], of[bot])
        for bot in sorted(found)
    }


@streams
def fetch_chat_dialogues(reading: Reading) -> Iterator[Dialogue]:
    """What was said in the chats that are over, in the order they began.

    Chats of annotators who withdrew are not among them.
    """
    for (body,) in reading.connection.execute(_HELD_DIALOGUES, execution_options={"yield_per": 1_000}):
        yield dialogue_of(body)
