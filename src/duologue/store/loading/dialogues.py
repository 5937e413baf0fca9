"""Putting dialogues into the database before they are shown."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, func, select, update

from duologue.dialogues import Dialogue
from duologue.errors import ContentChanged
from duologue.store.chats.held_dialogues import SECOND
from duologue.store.database.encoding import dialogue_text
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import chats, dialogues, seen_dialogues
from duologue.store.loading.batches import RowSet, batches, by_id, found, number_of, one_of_a_batch
from duologue.store.records import LoadCounts

_HIGHEST_DIALOGUE = select(func.coalesce(func.max(dialogues.c.n), 0))
_KNOWN_DIALOGUES = select(dialogues.c.id, dialogues.c.n, dialogues.c.content_hash).where(
    one_of_a_batch(dialogues.c.id)
)
_WAS_DIALOGUE_SHOWN = (
    select(seen_dialogues.c.annotator).where(seen_dialogues.c.dialogue == bindparam("number")).limit(1)
)
_REPLACE_DIALOGUE = (
    update(dialogues)
    .where(dialogues.c.n == bindparam("number"))
    .values(bot=bindparam("new_bot"), content_hash=bindparam("new_hash"), body=bindparam("new_body"))
)


@writes
def load_dialogues(tx: Transaction, given: Iterable[Dialogue]) -> LoadCounts:
    """Store dialogues, all or none; those there already are kept, and changed ones replaced while unseen.

    What was said in live chats of this study is kept as it is, whatever the file says.

    Raises:
        ContentChanged: A dialogue that annotators have seen reads differently now.
        InputError: Two dialogues have the same id.
    """
    noted, added, kept = RowSet("dialogue"), 0, 0
    highest = number_of(tx, _HIGHEST_DIALOGUE)
    for batch in batches(given):
        wanted = by_id("dialogue", batch)
        known = {row[0]: row for row in found(tx, _KNOWN_DIALOGUES, wanted)}
        numbers = {key: int(row[1]) for key, row in known.items()}
        new = [dialogue for dialogue in batch if dialogue.id not in known]
        numbers |= {dialogue.id: highest + place for place, dialogue in enumerate(new, 1)}
        noted.note(numbers)
        rows = [_dialogue_row(numbers[one.id], one) for one in new]
        tx.add_many(dialogues, ("n", "id", "bot", "content_hash", "body"), rows)
        for key, number, content_hash in known.values():
            if wanted[key].content_hash != content_hash:
                _replace_dialogue(tx, number, wanted[key])
        highest += len(new)
        added += len(new)
        kept += len(known)
    return LoadCounts(added, kept)


def _dialogue_row(number: int, dialogue: Dialogue) -> tuple[object, ...]:
    return number, dialogue.id, dialogue.bot, dialogue.content_hash, dialogue_text(dialogue)


_WAS_HELD_HERE = select(chats.c.n).where(chats.c.id == bindparam("chat")).limit(1)


def _replace_dialogue(tx: Transaction, number: int, dialogue: Dialogue) -> None:
    if tx.row(_WAS_HELD_HERE, chat=dialogue.id.removesuffix(SECOND)) is not None:
        return  # a live chat of this study: it may have been erased here since it was collected
    if tx.row(_WAS_DIALOGUE_SHOWN, number=number) is not None:
        raise ContentChanged("dialogue", dialogue.id)
    tx.do(
        _REPLACE_DIALOGUE,
        number=number,
        new_bot=dialogue.bot,
        new_hash=dialogue.content_hash,
        new_body=dialogue_text(dialogue),
    )
