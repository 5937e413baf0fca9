"""The store: everything a study keeps, behind one object."""

from __future__ import annotations

import asyncio
import math
import secrets
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection

from duologue.clock import Clock, utc_now
from duologue.dialogues import Dialogue, Json
from duologue.errors import DuologueError
from duologue.judgments import Exclusion, Judgment
from duologue.protocols import Answer, FieldValue, Item, JudgedBatch
from duologue.store.chats import chatting, replies, stale_chats
from duologue.store.chats import overview as chat_overview
from duologue.store.chats.chatting import Said
from duologue.store.database import facts
from duologue.store.database.encoding import Recent
from duologue.store.database.engine import Database, Reading
from duologue.store.database.migrations import bring_up_to_date
from duologue.store.database.writer import Operation, Writer
from duologue.store.records import (
    AnnotatorEvent,
    AnnotatorState,
    AnnotatorSummary,
    Assignment,
    Chat,
    ChatSummary,
    CutTurns,
    Flag,
    GivenReply,
    GroupProgress,
    Health,
    Invitation,
    Lease,
    Loaded,
    Revision,
    Station,
    WantedReply,
)
from duologue.store.researcher import (
    annotators,
    by_hand,
    exclusions,
    judged,
    judged_columns,
    lists,
    overview,
    plans,
)
from duologue.store.researcher.exclusions import Why
from duologue.store.researcher.judged import Judged, Tally
from duologue.store.researcher.lists import EVERYTHING, Listed, Wanted
from duologue.store.researcher.plans import StoredLook
from duologue.store.sittings import judging, leases, loading, loading_dialogues, reasons
from duologue.store.sittings.judging import Submitted
from duologue.store.sittings.reasons import DueExclusion
from duologue.studies import Caps, FrozenPlan

T = TypeVar("T")

RECENT_DIALOGUES = 2_000
HEALTH_SECONDS = 1.0
"""How long the answer to whether the database can be written to is good for."""
HEALTH_BYTES = 32 * 1024
"""What is written to find out: about as much as an answer needs. A disk without room for one is full."""
HEALTH_MARK = "healthy-at"
"""Under which the store notes when it was last found to be healthy."""


def open_store(database: str, *, clock: Clock = utc_now, excludes_without_reason: bool = False) -> Store:
    """Open a study's database; it is created when there is none, and migrated when it is older.

    Args:
        database: ``sqlite:///path/to/study.db``, or ``postgresql://host/database?study=name``: one
            PostgreSQL database holds several studies, each in a schema of that name.
        clock: Tells the time.
        excludes_without_reason: Read judgments of annotators who never gave a reason as excluded, also where
            that is still to be written down (`Store.screen_annotators`).

    Raises:
        StoreError: The database cannot be used.
        MissingExtra: It is PostgreSQL, and its driver is not installed.
    """
    opened = Database(database, clock=clock)
    try:
        schema = bring_up_to_date(opened)
    except BaseException:
        opened.close()
        raise
    return Store(opened, schema, excludes_without_reason=excludes_without_reason)


class Store:
    """A study's database. Any thread may call it; writes are done by one thread, commits are shared.

    A call that returns has its effects on the disk. A call that raises has had none, and can be repeated.
    """

    def __init__(self, database: Database, schema: int, *, excludes_without_reason: bool = False) -> None:
        self._database, self._schema = database, schema
        self._excludes_without_reason = excludes_without_reason
        self._known_due: tuple[tuple[int, int], tuple[DueExclusion, ...]] | None = None
        self._writer = Writer(database)
        self._health = (-math.inf, "")
        self._health_lock = threading.Lock()
        self._dialogues: Recent[tuple[int, str], Dialogue] = Recent(RECENT_DIALOGUES)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def where(self) -> str:
        """The database, as it may be shown: a file, or an address without its password."""
        return self._database.where

    def close(self) -> None:
        """Finish what is queued and close the database."""
        self._writer.close()
        self._database.close()

    def run(self, operation: Operation[T]) -> Future[T]:
        """Queue an operation of this room; the future is resolved once its effects are on the disk."""
        return self._writer.run(operation)

    # Set-up

    def record_revision(self, design_hash: str, text: str) -> int:
        """The number of this design; a new one when judgments were asked for under another."""
        return self.run(lambda tx: facts.record_revision(tx, design_hash, text)).result()

    def load_dialogues(self, dialogues: Iterable[Dialogue]) -> Loaded:
        """Store dialogues, all or none; those that are there already are kept.

        Raises:
            ContentChanged: A dialogue that annotators have seen reads differently now.
        """
        return self.run(lambda tx: loading_dialogues.load_dialogues(tx, dialogues)).result()

    def load_items(self, items: Iterable[Item], caps: Caps) -> Loaded:
        """Store items, all or none, with a slot for every judgment wanted; retire what is not among them.

        Raises:
            ContentChanged: An item that annotators have seen is a different one now.
            NotFound: An item names a dialogue that is not loaded.
        """
        return self.run(lambda tx: loading.load_items(tx, items, caps)).result()

    def secret(self, name: str) -> str:
        """A secret of the study, made once and kept with it."""
        return self.run(lambda tx: facts.secret(tx, name)).result()

    def new_secret(self, name: str) -> str:
        """Another secret in the place of one. Every process that serves the study honours it at once."""
        return self.run(lambda tx: facts.new_secret(tx, name)).result()

    def secrets(self) -> dict[str, str]:
        """All secrets of the study that there are, as they are now."""
        with self._database.reading() as connection:
            return facts.secrets(Reading(connection))

    def mark(self, key: str, value: str) -> None:
        """Note a fact about the study."""
        self.run(lambda tx: facts.mark(tx, key, value)).result()

    def marked(self, key: str) -> str | None:
        """A noted fact; None when there is none."""
        return self.run(lambda tx: facts.marked(tx, key)).result()

    # The plan

    def draft_plan(self, plan: Mapping[str, Json]) -> bool:
        """Keep the plan that the first judgment will freeze; False when it is too late for that."""
        return self.run(lambda tx: plans.draft_plan(tx, plan)).result()

    def frozen_plan(self) -> FrozenPlan | None:
        """The plan as it was frozen with the first judgment; None when it was not."""
        with self._database.reading() as connection:
            return plans.frozen_plan(Reading(connection))

    def record_look(
        self, how: str, *, judgments: int, planned: int, short: int, data: str, rest_seconds: float = 0.0
    ) -> bool:
        """Note that somebody saw results; False when they had been seen before.

        Args:
            how: By which command or page.
            judgments: How many counted.
            planned: How many were wanted.
            short: Groups that had not reached their number.
            data: A hash of what was seen.
            rest_seconds: How long after a look of this kind no further one is noted.
        """
        return self.run(
            lambda tx: plans.record_look(
                tx,
                how=how,
                judgments=judgments,
                planned=planned,
                short=short,
                data=data,
                rest_seconds=rest_seconds,
            )
        ).result()

    def looks(self) -> tuple[StoredLook, ...]:
        """When somebody saw results, in the order they did."""
        with self._database.reading() as connection:
            return plans.stored_looks(Reading(connection))

    # Annotators

    def invite(
        self, count: int = 1, *, kind: str = "lab", labels: Sequence[str] = ()
    ) -> tuple[Invitation, ...]:
        """Make links for new annotators: one for each label, or ``count`` without."""
        return self.run(lambda tx: annotators.invite(tx, count=count, kind=kind, labels=labels)).result()

    def revoke(self, annotator: str) -> None:
        """Withdraw an annotator's link; what they have in hand goes back to the pool."""
        self.run(lambda tx: annotators.revoke(tx, annotator)).result()

    def unrevoke(self, annotator: str) -> None:
        """Let a withdrawn link work again."""
        self.run(lambda tx: annotators.unrevoke(tx, annotator)).result()

    def block(self, annotator: str, *, reason: str, by: str) -> None:
        """Hand out nothing more to an annotator, and set aside what they judged."""
        self.run(lambda tx: annotators.block(tx, annotator, reason=reason, by=by)).result()

    def unblock(self, annotator: str, *, reason: str, by: str) -> None:
        """Let a blocked annotator go on; their judgments count again where their places are still free."""
        self.run(lambda tx: annotators.unblock(tx, annotator, reason=reason, by=by)).result()

    def withdraw(self, annotator: str, *, reason: str) -> None:
        """Erase what an annotator wrote and who they are; that they withdrew is kept and counted."""
        self.run(lambda tx: annotators.withdraw(tx, annotator, reason=reason)).result()
        self._database.forget_erased()

    def events(self, annotator: str | None = None) -> tuple[AnnotatorEvent, ...]:
        """What was done about annotators, or about one, in the order it was."""
        with self._database.reading() as connection:
            return overview.events(connection, annotator)

    # Judging

    def arrive(self, token: str, caps: Caps) -> Station:
        """Where the annotator stands; one without an assignment is handed the next.

        Raises:
            LinkUnknown: No annotator has this link.
            LinkRevoked: The researcher withdrew it.
        """
        return self._arriving(token, caps).result()

    def consent(self, token: str, caps: Caps) -> Station:
        """The annotator agrees to take part, joins an arm, and is handed the first assignment."""
        return self._consenting(token, caps).result()

    def submit(
        self,
        token: str,
        caps: Caps,
        *,
        assignment: str,
        answer: Answer,
        seconds: float | None,
        is_correct: bool | None,
        key: str,
        flags: Sequence[Flag] = (),
        broken_rules: Mapping[str, str] | None = None,
    ) -> Station:
        """Store an answer and hand out the next item. Repeating it changes nothing: the first one stays.

        Args:
            token: The capability in the annotator's link.
            caps: What to hold to.
            assignment: The key of the assignment.
            answer: What was answered.
            seconds: How long the page was visible; None where it could not tell.
            is_correct: Whether an onboarding item was answered as it should be.
            key: The idempotency key of the form, kept with the judgment.
            flags: What screening found in the live chat; some set the judgment aside, as the caps say.
            broken_rules: The rules of the protocol that exclude the judgment, and why.

        Raises:
            LinkUnknown: No annotator has this link.
            LinkRevoked: The researcher withdrew it.
            NotFound: The assignment is not one of this annotator's.
            AnswerError: The reason holds a character that cannot be stored.
            ChatError: It is a live chat that is not over, or too short to be judged.
        """
        aside = judging.by_rules(broken_rules or {})
        given = Submitted(assignment, answer, seconds, is_correct, key, tuple(flags), aside)
        return self._submitting(token, caps, given).result()

    async def arrive_async(self, token: str, caps: Caps) -> Station:
        """`arrive`, without holding up the event loop."""
        return await asyncio.wrap_future(self._arriving(token, caps))

    async def consent_async(self, token: str, caps: Caps) -> Station:
        """`consent`, without holding up the event loop."""
        return await asyncio.wrap_future(self._consenting(token, caps))

    async def submit_async(
        self,
        token: str,
        caps: Caps,
        *,
        assignment: str,
        answer: Answer,
        seconds: float | None,
        is_correct: bool | None,
        key: str,
        flags: Sequence[Flag] = (),
        broken_rules: Mapping[str, str] | None = None,
    ) -> Station:
        """`submit`, without holding up the event loop."""
        aside = judging.by_rules(broken_rules or {})
        given = Submitted(assignment, answer, seconds, is_correct, key, tuple(flags), aside)
        return await asyncio.wrap_future(self._submitting(token, caps, given))

    async def invite_async(
        self, count: int = 1, *, kind: str = "lab", labels: Sequence[str] = ()
    ) -> tuple[Invitation, ...]:
        """`invite`, without holding up the event loop."""
        future = self.run(lambda tx: annotators.invite(tx, count=count, kind=kind, labels=labels))
        return await asyncio.wrap_future(future)

    def peek(self, token: str) -> AnnotatorState:
        """Where an annotator stands; nothing is handed out.

        Raises:
            LinkUnknown: No annotator has this link.
        """
        with self._database.reading() as connection:
            return overview.peek(connection, token)

    def assignment(self, token: str, key: str) -> Assignment:
        """An assignment of an annotator, whether or not it is judged already.

        Raises:
            LinkUnknown: No annotator has this link.
            NotFound: The annotator has none of that key.
        """
        with self._database.reading() as connection:
            return overview.assignment_named(connection, token, key)

    # Live chats

    def say(
        self,
        token: str,
        caps: Caps,
        *,
        assignment: str,
        text: str,
        key: str,
        seconds: float | None = None,
    ) -> Station:
        """Store what the annotator says, and that a reply to it is wanted. Repeating it changes nothing.

        Args:
            token: The capability in the annotator's link.
            caps: What to hold to.
            assignment: The key of the assignment.
            text: What they wrote.
            key: The idempotency key of the form.
            seconds: How long it took to write; None where the page could not tell.

        Raises:
            LinkUnknown: No annotator has this link.
            LinkRevoked: The researcher withdrew it.
            NotFound: The assignment is not one of this annotator's.
            NotYourTurn: The partner is to speak.
            ChatOver: The chat is over, or has gone to somebody else.
            AnswerError: There is no text, too much of it, or a character that cannot be stored.
        """
        return self._saying(token, caps, Said(assignment, text, key, seconds)).result()

    def end_chat(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """The annotator ends the chat; one that is over stays as it is.

        Raises:
            ChatError: It may not be ended yet.
        """
        return self._ending(token, caps, assignment).result()

    def try_again(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """Want the reply again that a bot failed to give; where none is missing nothing changes.

        Raises:
            ChatOver: The chat is over.
        """
        return self._retrying(token, caps, assignment).result()

    def leave_chat(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """Leave a chat that cannot go on, with credit, and get the next assignment.

        Raises:
            ChatError: The chat can go on, or can be judged.
        """
        return self._leaving(token, caps, assignment).result()

    def keep_draft(
        self, token: str, caps: Caps, *, assignment: str, fields: Mapping[str, FieldValue]
    ) -> Station:
        """Keep what was answered on the screens so far.

        Raises:
            NotFound: The assignment is not one of this annotator's.
            AnswerError: A field holds a character that cannot be stored.
        """
        return self._drafting(token, caps, assignment, fields).result()

    async def say_async(
        self,
        token: str,
        caps: Caps,
        *,
        assignment: str,
        text: str,
        key: str,
        seconds: float | None = None,
    ) -> Station:
        """`say`, without holding up the event loop."""
        return await asyncio.wrap_future(self._saying(token, caps, Said(assignment, text, key, seconds)))

    async def end_chat_async(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """`end_chat`, without holding up the event loop."""
        return await asyncio.wrap_future(self._ending(token, caps, assignment))

    async def try_again_async(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """`try_again`, without holding up the event loop."""
        return await asyncio.wrap_future(self._retrying(token, caps, assignment))

    async def leave_chat_async(self, token: str, caps: Caps, *, assignment: str) -> Station:
        """`leave_chat`, without holding up the event loop."""
        return await asyncio.wrap_future(self._leaving(token, caps, assignment))

    async def keep_draft_async(
        self, token: str, caps: Caps, *, assignment: str, fields: Mapping[str, FieldValue]
    ) -> Station:
        """`keep_draft`, without holding up the event loop."""
        return await asyncio.wrap_future(self._drafting(token, caps, assignment, fields))

    def chat(self, token: str, assignment: str) -> Chat:
        """A live chat as its annotator sees it; nothing is handed out and no lease renewed.

        Raises:
            LinkUnknown: No annotator has this link.
            NotFound: They have no such assignment.
            ChatError: It is no live chat.
        """
        with self._database.reading() as connection:
            return chat_overview.chat_named(connection, token, assignment)

    async def chat_async(self, token: str, assignment: str) -> Chat:
        """`chat`, without holding up the event loop."""
        return await asyncio.to_thread(self.chat, token, assignment)

    def chat_changes(self, after: int) -> tuple[int, frozenset[str]]:
        """The newest change of any chat, and the assignments whose chats changed since ``after``.

        Args:
            after: The number that the last call gave; 0 at first.
        """
        with self._database.reading() as connection:
            return chat_overview.chat_changes(connection, after)

    async def chat_changes_async(self, after: int) -> tuple[int, frozenset[str]]:
        """`chat_changes`, without holding up the event loop."""
        return await asyncio.to_thread(self.chat_changes, after)

    def end_stale_chats(self) -> int:
        """End the chats for which no partner came, and those that one of two people left; how many."""
        with self._database.reading() as connection:
            if not stale_chats.is_any_stale(Reading(connection), self._database.now()):
                return 0
        return self.run(stale_chats.end_stale_chats).result()

    async def end_stale_chats_async(self) -> int:
        """`end_stale_chats`, without holding up the event loop."""
        return await asyncio.to_thread(self.end_stale_chats)

    def take_replies(
        self, *, bots: Collection[str], lease_seconds: float, limit: int = 32
    ) -> tuple[WantedReply, ...]:
        """Take replies that are wanted of these bots, oldest first; nobody else gets them meanwhile.

        Args:
            bots: Whose replies can be got here.
            lease_seconds: How long they are ours; then they are to be had again.
            limit: How many at most.
        """
        with self._database.reading() as connection:
            if not replies.is_any_due(Reading(connection), bots, self._database.now()):
                return ()
        return self.run(
            lambda tx: replies.take_replies(tx, bots=bots, lease_seconds=lease_seconds, limit=limit)
        ).result()

    async def take_replies_async(
        self, *, bots: Collection[str], lease_seconds: float, limit: int = 32
    ) -> tuple[WantedReply, ...]:
        """`take_replies`, without holding up the event loop."""
        return await asyncio.to_thread(self.take_replies, bots=bots, lease_seconds=lease_seconds, limit=limit)

    def fail_overdue_replies(self, *, bots: Collection[str], wait_seconds: float) -> bool:
        """Let replies of these bots fail that nobody could ask for in this time; whether there were any."""
        with self._database.reading() as connection:
            asked = Reading(connection)
            if not replies.overdue_replies(asked, bots, self._database.now(), wait_seconds):
                return False
        self.run(lambda tx: replies.fail_overdue(tx, bots, wait_seconds)).result()
        return True

    async def fail_overdue_replies_async(self, *, bots: Collection[str], wait_seconds: float) -> bool:
        """`fail_overdue_replies`, without holding up the event loop."""
        return await asyncio.to_thread(self.fail_overdue_replies, bots=bots, wait_seconds=wait_seconds)

    def renew_replies(self, wanted: Collection[str], *, lease_seconds: float) -> None:
        """Keep replies that were taken for a further lease; those that nobody waits for stay as they are."""
        self.run(lambda tx: replies.renew_replies(tx, wanted, lease_seconds=lease_seconds)).result()

    async def renew_replies_async(self, wanted: Collection[str], *, lease_seconds: float) -> None:
        """`renew_replies`, without holding up the event loop."""
        future = self.run(lambda tx: replies.renew_replies(tx, wanted, lease_seconds=lease_seconds))
        await asyncio.wrap_future(future)

    def store_reply(self, wanted: str, given: GivenReply) -> bool:
        """Store what a bot answered; False when there was a reply already, or the chat is over.

        An empty reply, or one that no database can hold, is recorded as a failure.

        Raises:
            NotFound: There is no such wanted reply.
        """
        return self.run(lambda tx: replies.store_reply(tx, wanted, given)).result()

    async def store_reply_async(self, wanted: str, given: GivenReply) -> bool:
        """`store_reply`, without holding up the event loop."""
        return await asyncio.wrap_future(self.run(lambda tx: replies.store_reply(tx, wanted, given)))

    def fail_reply(self, wanted: str, cause: str) -> None:
        """Record that a bot did not answer, and why.

        Raises:
            NotFound: There is no such wanted reply.
        """
        self.run(lambda tx: replies.fail_reply(tx, wanted, cause)).result()

    async def fail_reply_async(self, wanted: str, cause: str) -> None:
        """`fail_reply`, without holding up the event loop."""
        await asyncio.wrap_future(self.run(lambda tx: replies.fail_reply(tx, wanted, cause)))

    def _saying(self, token: str, caps: Caps, said: Said) -> Future[Station]:
        return self.run(lambda tx: chatting.say(tx, token, caps, said, self._dialogues))

    def _ending(self, token: str, caps: Caps, key: str) -> Future[Station]:
        return self.run(lambda tx: chatting.end_chat(tx, token, caps, key, self._dialogues))

    def _retrying(self, token: str, caps: Caps, key: str) -> Future[Station]:
        return self.run(lambda tx: chatting.try_again(tx, token, caps, key, self._dialogues))

    def _leaving(self, token: str, caps: Caps, key: str) -> Future[Station]:
        return self.run(lambda tx: chatting.leave_chat(tx, token, caps, key, self._dialogues))

    def _drafting(
        self, token: str, caps: Caps, key: str, fields: Mapping[str, FieldValue]
    ) -> Future[Station]:
        return self.run(lambda tx: chatting.keep_draft(tx, token, caps, key, fields, self._dialogues))

    def _arriving(self, token: str, caps: Caps) -> Future[Station]:
        return self.run(lambda tx: judging.arrive(tx, token, caps, self._dialogues))

    def _consenting(self, token: str, caps: Caps) -> Future[Station]:
        return self.run(lambda tx: judging.consent(tx, token, caps, self._dialogues))

    def _submitting(self, token: str, caps: Caps, given: Submitted) -> Future[Station]:
        return self.run(lambda tx: judging.submit(tx, token, caps, given, self._dialogues))

    # The researcher

    def progress(self) -> tuple[GroupProgress, ...]:
        """How far each group has come in each arm."""
        with self._database.reading() as connection:
            return overview.progress(connection, self._due(connection))

    def screen_annotators(self, caps: Caps) -> int:
        """Take back leases that have run out, and apply the rules for those whose sitting has ended.

        Judgments of annotators who never gave a reason are set aside, where the caps say so; how many now.
        """
        with self._database.reading() as connection:
            asked, now = Reading(connection), self._database.now()
            is_due = leases.is_any_expired(asked, now) or (
                caps.excludes_without_reason and bool(reasons.screening_due(asked, now))
            )
        return self.run(lambda tx: leases.screen_the_absent(tx, caps)).result() if is_due else 0

    def groups_judged_again(self) -> frozenset[tuple[str, str]]:
        """The arms and names of the groups that some annotator has judged more than once."""
        with self._database.reading() as connection:
            return overview.groups_judged_again(connection)

    def annotators(self) -> tuple[AnnotatorSummary, ...]:
        """Every annotator, in the order they were invited."""
        with self._database.reading() as connection:
            return overview.summaries(connection, due=self._due(connection))

    def annotators_listed(
        self, wanted: Wanted = EVERYTHING, *, kind: str | None = None
    ) -> Listed[AnnotatorSummary]:
        """Some annotators, in the order they were invited; of one kind, only those not withdrawn."""
        with self._database.reading() as connection:
            return lists.annotators_listed(connection, wanted, kind=kind)

    def annotator(self, key: str) -> AnnotatorSummary:
        """An annotator by id.

        Raises:
            NotFound: There is none.
        """
        with self._database.reading() as connection:
            return overview.summary_of(connection, key)

    def labels(self, annotators: Iterable[str]) -> dict[str, str]:
        """The names a researcher gave some annotators, by their ids."""
        with self._database.reading() as connection:
            return lists.labels_of(connection, tuple(annotators))

    def leases(self) -> tuple[Lease, ...]:
        """The assignments that are kept for somebody, oldest first."""
        with self._database.reading() as connection:
            return overview.leases(connection, self._database.now())

    def leases_listed(self, wanted: Wanted = EVERYTHING) -> Listed[Lease]:
        """Some of the assignments that are kept for somebody, oldest first."""
        with self._database.reading() as connection:
            return lists.leases_listed(connection, wanted, self._database.now())

    def release(self, assignment: str, *, by: str) -> bool:
        """Take an assignment back into the pool; whether it was in somebody's hands.

        Raises:
            NotFound: There is no such assignment.
        """
        return self.run(lambda tx: annotators.release(tx, assignment, by=by)).result()

    def judgments(self) -> Iterator[Judgment]:
        """All judgments in the order they came, each with the rule that sets it aside."""
        with self._database.reading() as connection:
            yield from judged.stored_judgments(connection, self._due(connection))

    def judged(self) -> Iterator[Judged]:
        """All judgments in the order they came, each with its item and what is known of its live chat."""
        with self._database.reading() as connection:
            yield from judged.stored_judged(connection, due=self._due(connection))

    def judged_batches(self) -> Iterator[JudgedBatch]:
        """All judgments in the order they came, many at a time."""
        with self._database.reading() as connection:
            yield from judged_columns.judged_batches(connection, due=self._due(connection))

    def alike(self, keys: Collection[str]) -> tuple[Tally, ...]:
        """Some judgments by their ids, all that are alike as one example and how many they are."""
        with self._database.reading() as connection:
            return tuple(judged.alike(connection, keys))

    def last_of_each_revision(self) -> tuple[Judged, ...]:
        """The last judgment of each revision of the study, those revisions first that were judged first."""
        with self._database.reading() as connection:
            return judged.last_of_each_revision(connection)

    def has_judged_chats(self) -> bool:
        """Whether a live chat has been judged."""
        with self._database.reading() as connection:
            return judged.has_judged_chats(connection)

    def tallies(self, groups: Collection[tuple[str, str]]) -> tuple[Tally, ...]:
        """How the judgments that count were answered in some groups, given by arm and name."""
        with self._database.reading() as connection:
            return tuple(judged.stored_tallies(connection, groups))

    def bots_of_groups(self) -> dict[str, tuple[str, ...]]:
        """The bots of each group that is asked for, by its name."""
        with self._database.reading() as connection:
            return overview.bots_of_groups(connection)

    def items(self) -> Iterator[Item]:
        """All items that are in use or were judged."""
        with self._database.reading() as connection:
            yield from overview.stored_items(connection)

    def dialogue(self, key: str) -> Dialogue:
        """A dialogue by its id.

        Raises:
            NotFound: There is none.
        """
        return self.dialogues([key])[0]

    def dialogues(self, keys: Iterable[str]) -> tuple[Dialogue, ...]:
        """Dialogues by their ids, in that order.

        Raises:
            NotFound: There is no such dialogue.
        """
        with self._database.reading() as connection:
            return overview.dialogues_named(connection, keys)

    def cut_turns(self) -> dict[str, CutTurns]:
        """How many turns were stopped at a bot's limit of tokens, of bots that have such, by name."""
        with self._database.reading() as connection:
            return chat_overview.cut_turns(connection)

    def chats(self) -> tuple[ChatSummary, ...]:
        """Every live chat, once for each annotator in it, in the order they began."""
        with self._database.reading() as connection:
            return chat_overview.summaries(connection)

    def chats_listed(self, wanted: Wanted = EVERYTHING) -> Listed[ChatSummary]:
        """Some live chats, once for each annotator in them, in the order they began."""
        with self._database.reading() as connection:
            return lists.chats_listed(connection, wanted)

    def chat_dialogues(self) -> Iterator[Dialogue]:
        """What was said in the live chats that are over, but for those of annotators who withdrew."""
        with self._database.reading() as connection:
            yield from chat_overview.held_dialogues(connection)

    def chat_dialogue(self, key: str) -> Dialogue:
        """What was said in a live chat that is over, by the dialogue's id.

        Raises:
            NotFound: There is no such chat, it is not over, or its annotator withdrew.
        """
        with self._database.reading() as connection:
            return chat_overview.held_dialogue(connection, key)

    def chat_summary(self, key: str) -> ChatSummary:
        """A live chat, as the annotator had it whose dialogue has this id.

        Raises:
            NotFound: There is no such chat.
        """
        with self._database.reading() as connection:
            return chat_overview.summary_of(connection, key)

    def exclusions(self) -> tuple[Exclusion, ...]:
        """Every exclusion and its end, in the order they were written."""
        with self._database.reading() as connection:
            written = overview.stored_exclusions(connection)
            return written + reasons.as_exclusions(self._due(connection), self._database.now())

    def rules_in_force(self) -> tuple[Exclusion, ...]:
        """The exclusions that are in force, in the order they were written; a judgment may have several."""
        with self._database.reading() as connection:
            written = overview.rules_now(connection)
            return written + reasons.as_exclusions(self._due(connection), self._database.now())

    def in_force_by_hand(self) -> tuple[Exclusion, ...]:
        """The exclusions in force of the judgments that a person excluded."""
        with self._database.reading() as connection:
            return by_hand.in_force_by_hand(connection)

    def exclusions_listed(self, wanted: Wanted = EVERYTHING) -> Listed[Exclusion]:
        """Some exclusions and their ends, in the order they were written."""
        with self._database.reading() as connection:
            return lists.exclusions_listed(connection, wanted)

    def exclude(self, judgments: Iterable[str], *, rule: str, reason: str, by: str) -> int:
        """Set judgments aside, all or none; how many this rule had not set aside before.

        Raises:
            NotFound: There is no such judgment.
        """
        keys, why = tuple(judgments), Why(rule, reason, by)
        return self.run(
            lambda tx: exclusions.exclude(tx, [exclusions.judgment_named(tx, key) for key in keys], why)
        ).result()

    def restore(self, judgments: Iterable[str], *, rule: str, reason: str, by: str) -> int:
        """End a rule's force over judgments, all or none; how many of them count again.

        Raises:
            NotFound: There is no such judgment.
            StoreError: The rule is ``withdrawn``.
        """
        keys, why = tuple(judgments), Why(rule, reason, by)
        return self.run(
            lambda tx: exclusions.restore(tx, [exclusions.judgment_named(tx, key) for key in keys], why)
        ).result()

    def _due(self, connection: Connection) -> tuple[DueExclusion, ...]:
        """What is excluded and not written down as such; worked out again after a judgment or exclusion."""
        if not self._excludes_without_reason:
            return ()
        asked = Reading(connection)
        written = reasons.last_written(asked)
        if self._known_due is None or self._known_due[0] != written:
            self._known_due = written, reasons.screening_due(asked, self._database.now())
        return self._known_due[1]

    def revisions(self) -> tuple[Revision, ...]:
        """Every revision of the study's design, oldest first."""
        with self._database.reading() as connection:
            return overview.stored_revisions(connection)

    def healthy(self) -> Health:
        """Whether the database can be written to now: something is written, and waited for until it is safe.

        A good answer is good for a second, however often it is asked for; who asks while somebody finds out
        gets the same answer.
        """
        asked = time.monotonic()
        with self._health_lock:
            found_at, problem = self._health
            is_new = asked <= found_at or (not problem and asked - found_at < HEALTH_SECONDS)
            if not is_new:
                problem = self._written()
                self._health = (time.monotonic(), problem)
        engine = "sqlite" if self._database.is_sqlite else "postgresql"
        return Health(not problem, engine, self._schema, self._writer.queued, problem)

    def _written(self) -> str:
        """Why nothing can be written; empty when something was."""
        problem = ""
        try:
            ballast = secrets.token_hex(HEALTH_BYTES // 2)
            written = self.run(lambda tx: facts.mark(tx, HEALTH_MARK, f"{tx.now} {ballast}"))
            written.result(timeout=2 * self._database.patience)
        except DuologueError as error:
            problem = str(error)
        except TimeoutError:
            problem = f"{self.where}: nothing could be written for {2 * self._database.patience:g} s."
        return problem
