"""The store: everything a study keeps, behind one object."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Self, TypeVar

from duologue.dialogues import Dialogue
from duologue.errors import DuologueError
from duologue.judgments import Exclusion, Judgment
from duologue.protocols import Answer, Item
from duologue.store import annotators, exclusions, facts, judging, loading, overview
from duologue.store.database import Database
from duologue.store.encoding import Recent
from duologue.store.exclusions import Why
from duologue.store.judging import Submitted
from duologue.store.migrations import bring_up_to_date
from duologue.store.records import (
    AnnotatorEvent,
    AnnotatorState,
    AnnotatorSummary,
    Assignment,
    Clock,
    GroupProgress,
    Health,
    Invitation,
    Lease,
    Loaded,
    Revision,
    Station,
    utc_now,
)
from duologue.store.writer import Operation, Writer
from duologue.studies import Caps

T = TypeVar("T")

RECENT_DIALOGUES = 2_000


def open_store(database: str, *, clock: Clock = utc_now) -> Store:
    """Open a study's database; it is created when there is none, and migrated when it is older.

    Args:
        database: ``sqlite:///path/to/study.db``, or ``postgresql://host/database?study=name``: one
            PostgreSQL database holds several studies, each in a schema of that name.
        clock: Tells the time.

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
    return Store(opened, schema)


class Store:
    """A study's database. Any thread may call it; writes are done by one thread, commits are shared.

    A call that returns has its effects on the disk. A call that raises has had none, and can be repeated.
    """

    def __init__(self, database: Database, schema: int) -> None:
        self._database, self._schema = database, schema
        self._writer = Writer(database)
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
        return self.run(lambda tx: loading.load_dialogues(tx, dialogues)).result()

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

    def mark(self, key: str, value: str) -> None:
        """Note a fact about the study."""
        self.run(lambda tx: facts.mark(tx, key, value)).result()

    def marked(self, key: str) -> str | None:
        """A noted fact; None when there is none."""
        return self.run(lambda tx: facts.marked(tx, key)).result()

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

    def events(self) -> tuple[AnnotatorEvent, ...]:
        """What was done about annotators, in the order it was."""
        with self._database.reading() as connection:
            return overview.events(connection)

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

        Raises:
            LinkUnknown: No annotator has this link.
            LinkRevoked: The researcher withdrew it.
            NotFound: The assignment is not one of this annotator's.
            AnswerError: The reason holds a character that cannot be stored.
        """
        given = Submitted(assignment, answer, seconds, is_correct, key)
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
    ) -> Station:
        """`submit`, without holding up the event loop."""
        given = Submitted(assignment, answer, seconds, is_correct, key)
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
            return overview.progress(connection)

    def annotators(self) -> tuple[AnnotatorSummary, ...]:
        """Every annotator, in the order they were invited."""
        with self._database.reading() as connection:
            return overview.summaries(connection)

    def leases(self) -> tuple[Lease, ...]:
        """The assignments that are kept for somebody, oldest first."""
        with self._database.reading() as connection:
            return overview.leases(connection, self._database.now())

    def release(self, assignment: str, *, by: str) -> bool:
        """Take an assignment back into the pool; whether it was in somebody's hands.

        Raises:
            NotFound: There is no such assignment.
        """
        return self.run(lambda tx: annotators.release(tx, assignment, by=by)).result()

    def judgments(self) -> Iterator[Judgment]:
        """All judgments in the order they came, each with the rule that sets it aside."""
        with self._database.reading() as connection:
            yield from overview.stored_judgments(connection)

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

    def exclusions(self) -> tuple[Exclusion, ...]:
        """Every exclusion and its end, in the order they were written."""
        with self._database.reading() as connection:
            return overview.stored_exclusions(connection)

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

    def revisions(self) -> tuple[Revision, ...]:
        """Every revision of the study's design, oldest first."""
        with self._database.reading() as connection:
            return overview.stored_revisions(connection)

    def healthy(self) -> Health:
        """Whether the database can be written to now."""
        problem = ""
        try:
            self.run(lambda tx: None).result(timeout=2 * self._database.patience)
        except DuologueError as error:
            problem = str(error)
        except TimeoutError:
            problem = f"{self.where}: nothing could be written for {2 * self._database.patience:g} s."
        engine = "sqlite" if self._database.is_sqlite else "postgresql"
        return Health(not problem, engine, self._schema, self._writer.queued, problem)
