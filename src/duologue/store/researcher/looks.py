"""Looks at a study's results: who sees its judgments is noted, once for the same judgments."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Protocol

from duologue.store.researcher.rows import Row, judgment_rows
from duologue.store.store import Store
from duologue.studies import Study

REHEARSAL = "rehearsal"
"""The mark of a study whose annotators are simulated: nobody learns anything about its bots."""


class Digest(Protocol):
    """What rows are hashed into."""

    def update(self, data: bytes, /) -> None:
        """Take some more."""


def hashed_rows(rows: Iterable[Row], digest: Digest) -> Iterator[Row]:
    """The rows as they are, hashed on the way: the hash tells whether the same ones are seen again."""
    for row in rows:
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"))
        yield row


def note_look(store: Store, how: str, *, data: str) -> None:
    """Keep that somebody sees results now, of so many judgments; not in a rehearsal.

    Args:
        store: The study's database.
        how: By which command.
        data: The hash of the judgments that are seen.
    """
    if store.marked(REHEARSAL) is not None:
        return
    groups = store.progress()
    store.record_look(
        how,
        judgments=sum(one.done for one in groups),
        planned=sum(one.wanted for one in groups),
        short=sum(one.done < one.wanted for one in groups),
        data=data,
    )


def exported_rows(study: Study, store: Store) -> Iterator[Row]:
    """Every judgment of a study as a flat row, to be written out: that is a look, once any judgment counts.

    Whoever has the table can work out every result, and nobody can tell afterwards whether they did.
    """
    digest = hashlib.sha256()
    yield from hashed_rows(judgment_rows(study, store), digest)
    if any(one.done for one in store.progress()):
        note_look(store, "export", data=digest.hexdigest())
