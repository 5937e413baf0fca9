"""Looks at a study's results: who sees its judgments is noted, once for the same judgments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from duologue.protocols import JudgedBatch
from duologue.store.database.encoding import json_text, order_text
from duologue.store.database.facts import fetch_fact
from duologue.store.researcher.judged import JudgmentInContext
from duologue.store.researcher.overview import fetch_progress
from duologue.store.researcher.plans import record_look
from duologue.store.researcher.rows import Row, judgment_rows
from duologue.store.store import Store
from duologue.studies import Study

ANSWERS_KEPT = 1_000
"""So many different answers have their text kept."""

REHEARSAL = "rehearsal"
"""The fact that a study's annotators are simulated, and how: nobody learns anything about its bots."""


def data_lines(batch: JudgedBatch) -> bytes:
    """What is hashed of judgments: a line each, with all that decides a result.

    These are id, annotator, item, shown order, answer, seconds, time, whether there is a reason, and the rule
    that excludes it, with tabs between them.
    """
    texts = {id(answer): json_text(dict(answer)) for answer in batch.answers}
    fields = zip(
        batch.ids,
        batch.annotators,
        batch.items,
        map(order_text, batch.orders),
        [texts[id(answer)] for answer in batch.answers],
        map(repr, map(float, batch.seconds)),
        batch.at,
        ["reason" if given else "" for given in batch.has_reason],
        batch.excluded,
        strict=True,
    )
    return "".join(f"{line}\n" for line in map("\t".join, fields)).encode("utf-8", "surrogatepass")


class DataHash:
    """The hash of the same lines, made of one judgment after the other."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._texts: dict[int, tuple[object, str]] = {}
        """Of answers that were met: equal ones are one object, which is kept so that no other gets its id."""

    def add(self, judged: JudgmentInContext) -> None:
        """Go on with this judgment."""
        one = judged.judgment
        known = self._texts.get(id(one.answer))
        if known is None:
            if len(self._texts) >= ANSWERS_KEPT:
                self._texts.clear()
            known = self._texts[id(one.answer)] = one.answer, json_text(dict(one.answer))
        reason = "reason" if one.reason.strip(" ") else ""
        line = (
            f"{one.id}\t{one.annotator}\t{judged.item.id}\t{order_text(one.order)}\t{known[1]}\t"
            f"{float(one.seconds)!r}\t{one.at}\t{reason}\t{one.excluded}\n"
        )
        self._digest.update(line.encode("utf-8", "surrogatepass"))

    def hexdigest(self) -> str:
        """The hash of all so far."""
        return self._digest.hexdigest()


def note_look(
    store: Store, how: str, *, data: str, counted: Mapping[tuple[str, str], int] | None = None
) -> None:
    """Keep that somebody sees results now, of so many judgments; not in a rehearsal.

    Args:
        store: The study's database.
        how: By which command.
        data: The hash of the judgments that are seen.
        counted: Judgments that the verdicts count, by arm and group: what a researcher excluded by a rule
            that was not declared is among them.
    """
    if store.run(fetch_fact(REHEARSAL)) is not None:
        return
    groups, counted = store.run(fetch_progress()), counted or {}
    done = [max(one.done, counted.get((one.arm, one.group), 0)) for one in groups]
    store.run(
        record_look(
            how,
            judgments=sum(done),
            planned=sum(one.wanted for one in groups),
            short=sum(seen < one.wanted for seen, one in zip(done, groups, strict=True)),
            data=data,
        )
    )


def exported_rows(
    study: Study, store: Store, *, seen: Callable[[JudgmentInContext], object] = lambda judged: None
) -> Iterator[Row]:
    """Every judgment of a study as flat rows, to be written out: that is a look, once any judgment counts.

    Whoever has the table can work out every result, and nobody can tell afterwards whether they did.

    Args:
        study: The study.
        store: Its database.
        seen: Told of every judgment on its way: one may be several rows.
    """
    digest = DataHash()

    def go_by(judged: JudgmentInContext) -> None:
        digest.add(judged)
        seen(judged)

    yield from judgment_rows(study, store, seen=go_by)
    if any(one.done for one in store.run(fetch_progress())):
        note_look(store, "export", data=digest.hexdigest())
