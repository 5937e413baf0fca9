"""Bringing a study into its store before it is served."""

from __future__ import annotations

import gc
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from duologue.dialogues import Dialogue, DialogueKind, study_dialogues
from duologue.protocols import HUMAN, Item, chat_plan, read_items
from duologue.store import (
    REHEARSAL,
    LoadCounts,
    Store,
    count_onboarding_items,
    fetch_fact,
    fetch_progress,
    fetch_revisions,
    keep_plan_draft,
    keep_plan_file,
    load_dialogues,
    load_items,
    note_fact,
    record_revision,
    screen_annotators,
)
from duologue.strict_json import read_json
from duologue.studies import Study, draft_plan, draw_items, human_bots, require_items, shows_programs

T = TypeVar("T")

LOADED_FACT = "loaded-files"
"""Under which the store remembers which files it was loaded from."""
LIVE_BOTS_FACT = "live-bots"
"""Under which the store remembers with whom annotators chat."""
ONLY_PEOPLE_FACT = "only-people"
"""Under which the store remembers whether people wrote all that annotators read: "yes" where it is known."""


class Watch(Protocol):
    """Passes things on one by one while somebody watches, for instance by a progress bar."""

    def __call__(self, things: Iterable[T], what: str, /) -> Iterable[T]:
        """Pass on ``things``, which are called ``what``."""


@dataclass(frozen=True, slots=True)
class PreparedStudy:
    """What the store holds now."""

    revision: int
    dialogues: int
    items: int
    was_loaded: bool
    """Whether everything was there already, from the same files."""


def unwatched(things: Iterable[T], what: str, /) -> Iterable[T]:
    """Pass things on with nobody watching."""
    return things


def prepare_study(study: Study, store: Store, *, watch: Watch = unwatched) -> PreparedStudy:
    """Load a study's file, dialogues and items into its store. Doing it again changes nothing.

    Items that the protocol draws by itself are drawn first, unless they are there.

    Files that have not changed since they were loaded are not read again.

    Raises:
        InputError: A file of the study cannot be used; says which line and why.
        StoreError: The database cannot be used, or what annotators have seen would become something else.
    """
    draw_items(study)
    require_items(study)
    with _rarely_collecting():
        prepared = _load(study, store, watch)
    store.run(screen_annotators(study.caps))
    if store.run(fetch_fact(REHEARSAL)) is None:
        wanted = {(one.arm, one.group): one.wanted for one in store.run(fetch_progress()) if one.wanted}
        drafted = draft_plan(study, wanted, onboarding_items=store.run(count_onboarding_items()))
        store.run(keep_plan_draft(drafted))
        keep_plan_file(study, store)
    return prepared


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Look less often for objects that hold each other: a million records are looked through in vain."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 20_000), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _load(study: Study, store: Store, watch: Watch) -> PreparedStudy:
    last = store.run(fetch_revisions())[-1:]
    grown_from = study.design_hash_since(last[0].text) if last else ""
    revision = store.run(record_revision(study.design_hash, study.text, grown_from=grown_from))
    files = _files(study)
    before = read_json(store.run(fetch_fact(LOADED_FACT)) or "{}")
    if before.get("files") == files:
        return PreparedStudy(revision, before["dialogues"], before["items"], was_loaded=True)
    met = _Met()
    dialogues = store.run(load_dialogues(met.writers(watch(study_dialogues(study.folder), "dialogues"))))
    items = store.run(load_items(met.partners(watch(read_items(study.items_path), "items")), study.caps))
    store.run(note_fact(LIVE_BOTS_FACT, json.dumps(sorted(met.live_bots))))
    store.run(note_fact(ONLY_PEOPLE_FACT, "" if met.reads_programs else "yes"))
    counts = {"dialogues": _count(dialogues), "items": _count(items)}
    store.run(note_fact(LOADED_FACT, json.dumps({"files": files, **counts})))
    return PreparedStudy(revision, **counts, was_loaded=False)


def live_bots(store: Store) -> tuple[str, ...]:
    """With whom annotators chat in the study that was loaded last; empty when it has no live chats."""
    return tuple(read_json(store.run(fetch_fact(LIVE_BOTS_FACT)) or "[]"))


def meets_programs(store: Store) -> bool:
    """Whether annotators of the study that was loaded last may talk to a program, or read what one wrote."""
    reads_programs = store.run(fetch_fact(ONLY_PEOPLE_FACT)) != "yes"
    return reads_programs or any(bot != HUMAN for bot in live_bots(store))


class _Met:
    """Whom annotators meet in live chats, and in what they read: noted while it is loaded."""

    def __init__(self) -> None:
        self.live_bots: set[str] = set()
        self.reads_programs = False
        self._kinds: defaultdict[str, set[DialogueKind]] = defaultdict(set)

    def writers(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        for dialogue in dialogues:
            self._kinds[dialogue.bot].add(dialogue.kind)
            yield dialogue

    def partners(self, items: Iterable[Item]) -> Iterator[Item]:
        people = human_bots(self._kinds)
        for item in items:
            if item.extras and chat_plan(item) is not None:
                self.live_bots.update(item.bots)
            self.reads_programs = self.reads_programs or shows_programs((item,), people)
            yield item


def _files(study: Study) -> str:
    """A name for the files as they are: their names, sizes and times, and the design they are used for."""
    paths = [*sorted((study.folder / "dialogues").glob("*")), study.items_path]
    facts = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    return hashlib.sha256(json.dumps([study.design_hash, facts]).encode()).hexdigest()


def _count(loaded: LoadCounts) -> int:
    return loaded.added + loaded.kept
