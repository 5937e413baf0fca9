"""Leaving a block of items before its end, and coming back: a place there is a whole sitting.

Who leaves gives the whole place back. What they judged counts if all attention checks of the sitting had been
asked, and as long as nobody else takes the place: it is then excluded, so that no item of the block is judged
by more people than the study says.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, func, literal_column, select, update

from duologue.screening import UNFINISHED
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, judgments, rules_in_force, slots
from duologue.store.researcher.exclusions import THE_RULES, ExclusionGrounds, exclude, judgments_of, restore
from duologue.store.schedule.attention import checks_in_all
from duologue.store.schedule.deadlines import TIMED_OUT
from duologue.store.schedule.item_blocks import (
    BlockPlaces,
    left_answers,
    most_in_sitting,
    places_in_blocks,
    too_many,
)
from duologue.store.sittings.claiming.gold_items import checks_there
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules

LEFT = "left"
"""The ending of a sitting in a block that was left before its end; who comes back may yet go on."""

STOPPED = "stopped"
"""The ending of a sitting in which too many attention checks were not right, where the study stops there."""

_REPLACED = ExclusionGrounds(
    UNFINISHED, "The sitting ended early, and its place went to another annotator.", THE_RULES
)
_BACK = ExclusionGrounds(UNFINISHED, "The annotator came back to the sitting.", THE_RULES)

_is_in_block = annotators.c.item_block != literal_column("''")
_IN_BLOCK = select(
    annotators.c.id,
    annotators.c.item_block,
    annotators.c.judged + annotators.c.credited + annotators.c.timed_out,
    annotators.c.attention_asked,
).where(
    annotators.c.n == bindparam("annotator"),
    _is_in_block,
    annotators.c.ending == literal_column("''"),
    annotators.c.finished_at.is_(None),
)
_SET_ENDING = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(ending=bindparam("new_ending"))
)
_LEAVE = _SET_ENDING.where(
    _is_in_block, annotators.c.finished_at.is_(None), annotators.c.ending == literal_column("''")
)


def leave(tx: Transaction, caps: StudyRules, annotator: int) -> None:
    """The annotator left what they had in hand; in a block, that is the end of their sitting for now."""
    row = tx.row(_IN_BLOCK, annotator=annotator)
    if row is None:
        return
    _id, block, done, _asked = row
    if done < whole_sitting(tx, caps, block):
        end_early(tx, caps, annotator)
        mark_as_left(tx, annotator)


def mark_as_left(tx: Transaction, annotator: int) -> None:
    """The annotator has no place in their block any more, unless they finished."""
    tx.do(_LEAVE, number=annotator, new_ending=LEFT)


def end_sitting(tx: Transaction, sitting: Sitting, caps: StudyRules, ending: str) -> Sitting:
    """A sitting has ended for good (see ``ending``), unless all of its block was judged."""
    if sitting.finished_at is not None or sitting.ending in (TIMED_OUT, STOPPED):
        return sitting
    if sitting.item_block and sitting.done >= whole_sitting(tx, caps, sitting.item_block):
        return sitting
    end_early(tx, caps, sitting.n)
    tx.do(_SET_ENDING, number=sitting.n, new_ending=ending)
    return replace(sitting, ending=ending)


_STOPPED = select(func.count()).select_from(annotators).where(annotators.c.ending == STOPPED)


@reads
def count_stopped(reading: Reading) -> int:
    """How many annotators were stopped as so many attention checks were not right."""
    return int(reading.connection.execute(_STOPPED).scalar_one())


def whole_sitting(tx: Transaction, caps: StudyRules, block: str) -> int:
    """How many items an annotator of a block judges in all."""
    return most_in_sitting(tx, caps, block) * caps.arms_per_annotator


def end_early(tx: Transaction, caps: StudyRules, annotator: int) -> None:
    """Exclude what was judged in a block by who left it before all its attention checks were asked."""
    row = tx.row(_IN_BLOCK, annotator=annotator)
    if row is None or caps.attention.on_fail != "exclude":
        return
    key, block, done, asked = row
    in_all = whole_sitting(tx, caps, block)
    wanted = min(checks_there(tx), checks_in_all(caps.attention, seed=caps.seed, annotator=key, cap=in_all))
    if asked < wanted:
        reason = f"The sitting ended after {done} of {in_all} items and {asked} of {wanted} attention checks."
        exclude(tx, judgments_of(tx, annotator), ExclusionGrounds(UNFINISHED, reason, THE_RULES))


_NOT_FREE = (
    select(judgments.c.n)
    .select_from(judgments.join(slots, slots.c.n == judgments.c.slot))
    .where(
        judgments.c.annotator == bindparam("annotator"),
        judgments.c.n.in_(
            select(rules_in_force.c.judgment).where(
                rules_in_force.c.rule == literal_column(f"'{UNFINISHED}'")
            )
        ),
        slots.c.state != literal_column("'free'"),
    )
    .limit(1)
)


def come_back(tx: Transaction, sitting: Sitting, caps: StudyRules) -> Sitting:
    """Somebody who left a block is in it again, if there is still a place; as they are afterwards.

    There is none for them where somebody else has an item that they had judged.
    """
    if sitting.ending != LEFT or sitting.finished_at is not None:
        return sitting
    tx.shut_others_out()
    place = _place_of(tx, sitting, caps)
    if place is None or not place.free or tx.row(_NOT_FREE, annotator=sitting.n) is not None:
        return sitting
    tx.do(_SET_ENDING, number=sitting.n, new_ending="")
    make_room(tx, caps, place)
    restore(tx, judgments_of(tx, sitting.n), _BACK)
    return replace(sitting, ending="")


def _place_of(tx: Transaction, sitting: Sitting, caps: StudyRules) -> BlockPlaces | None:
    key = sitting.item_block, sitting.annotator.arm, caps.places_of(sitting.annotator.cohort)
    return next((one for one in places_in_blocks(tx, caps) if (one.name, one.arm, one.cohort) == key), None)


_LEFT_ANSWERS = (
    select(annotators.c.n, annotators.c.arm, annotators.c.cohort)
    .where(left_answers, annotators.c.item_block == bindparam("by_name"))
    .order_by(annotators.c.judged - annotators.c.excluded, annotators.c.n)
)


def make_room(tx: Transaction, caps: StudyRules, place: BlockPlaces) -> None:
    """Somebody takes a place: exclude what was judged by those who left it, the fewest answers first.

    Args:
        tx: The transaction.
        caps: What to hold to.
        place: The block as it was before.
    """
    left = [
        number
        for number, arm, cohort in tx.rows(_LEFT_ANSWERS, by_name=place.name)
        if caps.places_of(cohort) == place.cohort and (arm == place.arm or caps.arms_per_annotator > 1)
    ]
    for number in left[: too_many(place.sittings, there=place.there + 1, left=len(left))]:
        exclude(tx, judgments_of(tx, number), _REPLACED)
