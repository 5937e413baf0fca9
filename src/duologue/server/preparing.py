"""Bringing a study into its store before it is served."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from duologue.dialogues import study_dialogues
from duologue.protocols import read_items
from duologue.store import Loaded, Store
from duologue.studies import Study

T = TypeVar("T")


class Watch(Protocol):
    """Passes things on one by one while somebody watches, for instance by a progress bar."""

    def __call__(self, things: Iterable[T], what: str, /) -> Iterable[T]:
        """Pass on ``things``, which are called ``what``."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the store holds now."""

    revision: int
    dialogues: Loaded
    items: Loaded


def unwatched(things: Iterable[T], what: str, /) -> Iterable[T]:
    """Pass things on with nobody watching."""
    return things


def prepare_study(study: Study, store: Store, *, watch: Watch = unwatched) -> Prepared:
    """Load a study's file, dialogues and items into its store. Doing it again changes nothing.

    Raises:
        InputError: A file of the study cannot be used; says which line and why.
    """
    revision = store.record_revision(study.design_hash, study.text)
    dialogues = store.load_dialogues(watch(study_dialogues(study.folder), "dialogues"))
    items = store.load_items(watch(read_items(study.items_path), "items"), study.caps)
    return Prepared(revision, dialogues, items)
