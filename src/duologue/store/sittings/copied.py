"""Reasons that were copied: kept as flags of every judgment with that reason, the earlier ones included.

So it does not matter who wrote it first. Beside others on PostgreSQL two people may write the same reason at
the same moment, and neither is seen by the other: reasons are looked at once more when a sitting ends. Where
such a flag excludes, one writes at a time (`judging`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Executable, bindparam, exists, insert, select, text

from duologue.screening import (
    COPIED_REASON,
    LEAST_TIMES,
    REPEATED_REASON,
    SHARED_REASON,
    fingerprint,
    may_be_shared,
    rule_of_flag,
    stands_in,
)
from duologue.store.database.encoding import can_be_stored
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import (
    assignments,
    chat_turns,
    dialogues,
    item_dialogues,
    judgment_flags,
    judgments,
    reason_prints,
)
from duologue.store.researcher.exclusions import THE_RULES, ExclusionGrounds, JudgmentRow, exclude
from duologue.store.sittings.sitting import AssignmentRow
from duologue.studies import StudyRules

_ADD_PRINT = insert(reason_prints)
_SAME = (
    select(judgments.c.n, judgments.c.annotator, judgments.c.slot, judgments.c.quota)
    .select_from(reason_prints.join(judgments, judgments.c.n == reason_prints.c.judgment))
    .where(reason_prints.c.print == bindparam("wanted"))
    .order_by(judgments.c.n)
)
_ADD_FLAG = text(
    "INSERT INTO judgment_flags (judgment, rule, detail) VALUES (:judgment, :rule, :detail) "
    "ON CONFLICT (judgment, rule) DO NOTHING"
)
_SHOWN = (
    select(dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
    .select_from(
        assignments.join(item_dialogues, item_dialogues.c.item == assignments.c.item).join(dialogues)
    )
    .where(assignments.c.key == bindparam("by_key"))
)
_HEARD = select(chat_turns.c.text).where(
    chat_turns.c.chat == bindparam("chat"), chat_turns.c.seat != bindparam("seat")
)


@dataclass(frozen=True, slots=True)
class ComparedReason:
    """A reason, and what it is compared with."""

    text: str
    same: Sequence[JudgmentRow] = ()
    """Earlier judgments with the same reason."""
    shown: Sequence[Row] = ()
    """The dialogues that were shown; none where the reason is too short to be copied from them."""


def ask_about_reason(reason: str, *, assignment: str) -> tuple[tuple[Executable, Mapping[str, object]], ...]:
    """What to ask the database about a reason; the rows are for `reason_given`.

    Args:
        reason: As it was given.
        assignment: The key of what it answers.
    """
    found = fingerprint(reason) if can_be_stored(reason) else ""
    if not found:
        return ()
    same = (_SAME, {"wanted": found})
    return (same, (_SHOWN, {"by_key": assignment})) if may_be_shared(reason) else (same,)


def reason_given(reason: str, found: Sequence[Sequence[Row]]) -> ComparedReason:
    """A reason with the rows that `ask_about_reason` asked for."""
    same, shown = (*found, (), ())[:2]
    return ComparedReason(reason, [JudgmentRow(*row) for row in same], shown)


def flag_reason(
    tx: Transaction, caps: StudyRules, judgment: JudgmentRow, held: AssignmentRow, reason: ComparedReason
) -> None:
    """Compare a reason that was just given with earlier ones and with what was shown, and flag what is alike.

    Args:
        tx: The transaction.
        caps: What to hold to.
        judgment: Just stored.
        held: What it answers.
        reason: As it was given, and what was asked for about it.
    """
    found = fingerprint(reason.text)
    if not found:
        return
    is_long = may_be_shared(reason.text)
    tx.do(_ADD_PRINT, judgment=judgment.n, print=found, may_be_shared=is_long)
    if reason.same:
        _flag_same(tx, caps, [*reason.same, judgment], is_long=is_long, giver=judgment.annotator)
    if is_long and stands_in(reason.text, _shown(tx, held, reason.shown)):
        _flag(tx, caps, COPIED_REASON, "the whole reason is copied from what was shown", [judgment])


def _flag_same(
    tx: Transaction, caps: StudyRules, same: Sequence[JudgmentRow], *, is_long: bool, giver: int
) -> None:
    """Flag judgments with the same reason, where there are enough by one annotator, or by several."""
    own = [one for one in same if one.annotator == giver]
    if len(own) >= LEAST_TIMES:
        _flag(tx, caps, REPEATED_REASON, f"the same reason in {len(own)} judgments of the annotator", own)
    people = len({one.annotator for one in same})
    if is_long and people > 1:
        _flag(tx, caps, SHARED_REASON, f"the same reason by {people} annotators", same)


def _flag(tx: Transaction, caps: StudyRules, rule: str, detail: str, some: Sequence[JudgmentRow]) -> None:
    for one in some:
        tx.do(_ADD_FLAG, judgment=one.n, rule=rule, detail=detail)
    if rule in caps.excluding_flags:
        exclude(tx, some, ExclusionGrounds(rule_of_flag(rule), "Screening flagged the reason.", THE_RULES))


def _shown(tx: Transaction, held: AssignmentRow, shown: Sequence[Row]) -> Iterator[str]:
    """Every turn that the annotator read before they gave a reason; of a live chat, those of the partner."""
    for row in shown:
        yield from (turn.text for turn in tx.dialogue(*row).turns)
    if held.chat is not None:
        for (said,) in tx.rows(_HEARD, chat=held.chat, seat=held.seat):
            yield said


_theirs = judgments.alias("theirs")
_other_print = reason_prints.alias("other_print")
_other = judgments.alias("other")
_UNFLAGGED = (
    select(reason_prints.c.print)
    .select_from(_theirs.join(reason_prints, reason_prints.c.judgment == _theirs.c.n))
    .where(
        _theirs.c.annotator == bindparam("annotator"),
        reason_prints.c.may_be_shared.is_(True),
        ~exists().where(
            judgment_flags.c.judgment == reason_prints.c.judgment, judgment_flags.c.rule == SHARED_REASON
        ),
        exists().where(
            _other_print.c.print == reason_prints.c.print,
            _other.c.n == _other_print.c.judgment,
            _other.c.annotator != _theirs.c.annotator,
        ),
    )
    .distinct()
)


def screen_reasons(tx: Transaction, caps: StudyRules, annotator: int) -> None:
    """Flag what an annotator shares with others and nobody could see when it was given."""
    unflagged = tx.rows(_UNFLAGGED, annotator=annotator)
    if unflagged and SHARED_REASON in caps.excluding_flags:
        tx.shut_others_out()  # it was declared since they were given
    for (wanted,) in unflagged:
        same = [JudgmentRow(*row) for row in tx.rows(_SAME, wanted=wanted)]
        _flag_same(tx, caps, same, is_long=True, giver=annotator)
