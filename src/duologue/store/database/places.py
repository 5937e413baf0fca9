"""Which database a study uses: the folder remembers it, so that a changed setting cannot start it at zero.

The file ``.database.json`` in the study's folder holds the address (without a password) and the identity of
the database that the study used last. Before another one is opened, the two are compared.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import make_url

from duologue.clock import Clock, utc_now
from duologue.errors import StoreElsewhere, StoreError, StoreMissing, StoreMoved
from duologue.store.database.facts import ensure_secret
from duologue.store.database.looking import ContentInUse, DatabaseLook, content_in_use, look_at
from duologue.store.store import Store, open_store
from duologue.strict_json import read_json
from duologue.studies import Study

PLACE_FILE = ".database.json"
"""Where a study's folder remembers its database."""


@dataclass(frozen=True, slots=True)
class Place:
    """The database that a study used last."""

    database: str
    """As in study.toml: a file in the folder, or an address, without its password."""
    identity: str


def open_study(study: Study, *, new_database: bool = False, clock: Clock = utc_now) -> Store:
    """Open the database of a study, unless its links and judgments are in another one.

    Args:
        study: The study.
        new_database: Start with an empty database all the same.
        clock: Tells the time.

    Raises:
        StoreElsewhere: study.toml names another database than the one that holds the links and judgments.
        StoreMissing: The one that holds them is not there any more, or only what was written to it last is.
        StoreError: The database cannot be used.
    """
    if not new_database:
        check_place(study)
    elif _left_log(study):  # SQLite would take it for its own, and throw it away
        raise _missing(study)
    store = open_store(study.database, clock=clock, excludes_without_reason=study.excludes_without_reason)
    try:
        remember_place(study, identity=store.run(ensure_secret("identity")))
    except BaseException:
        store.close()
        raise
    return store


def check_place(study: Study) -> None:
    """Make sure that a study's links and judgments are where its file says.

    Raises:
        StoreElsewhere: They are in another database.
        StoreMissing: They are not there any more.
        StoreMoved: They were moved to another one.
    """
    here = look_at(study.database)
    if here.moved_to:
        raise StoreMoved(here.where, moved_to=here.moved_to)
    if _left_log(study) or (_is_empty(here) and _was_here(study)):
        raise _missing(study)
    other = other_place(study, here)
    if other is not None:
        raise StoreElsewhere(
            here.where,
            study=str(study.folder),
            other=other.database,
            holds=other.holds,
            is_used=here.is_used,
        )


def in_use(study: Study) -> ContentInUse:
    """Which items and dialogues of a study annotators have been handed; none where it was never served.

    Raises:
        StoreElsewhere: Its links and judgments are in another database than its file says.
        StoreMissing: They are not there any more.
        StoreError: The database cannot be reached or read.
    """
    check_place(study)
    return content_in_use(study.database)


def _is_empty(look: DatabaseLook) -> bool:
    return not look.is_study and not look.other_tables


def _was_here(study: Study) -> bool:
    last = remembered_place(study)
    return last is not None and is_same_place(study, last.database, study.file.study.database)


def _missing(study: Study) -> StoreMissing:
    where = look_at(study.database).where
    return StoreMissing(where, study=str(study.folder), log=_left_log(study))


def _left_log(study: Study) -> str:
    """What was written last to an SQLite file that is not there any more; empty where nothing is left."""
    url = make_url(study.database)
    if url.get_backend_name() != "sqlite":
        return ""
    file, log = Path(str(url.database)), Path(f"{url.database}-wal")
    is_left = _size(log) and not _size(file)
    return str(log) if is_left else ""


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


@dataclass(frozen=True, slots=True)
class OtherPlace:
    """Another database that holds a study's links and judgments."""

    database: str
    """As it would stand in study.toml."""
    address: str
    holds: str


def other_place(study: Study, here: DatabaseLook) -> OtherPlace | None:
    """Where a study's links and judgments are, if not in the database that its file names."""
    last = remembered_place(study)
    if last is None:
        return None
    if here.identity and here.identity == last.identity:
        return None
    if is_same_place(study, last.database, study.file.study.database):
        return None  # the setting is as it was: a database that was restored is the researcher's will
    address = address_of(study, last.database)
    try:
        there = look_at(address)
    except StoreError as error:
        return OtherPlace(last.database, address, f"which cannot be looked at: {error}")
    if there.is_used:
        return OtherPlace(last.database, address, holding(there))
    return None


def holding(look: DatabaseLook) -> str:
    """What a database holds, in words.

    Example:
        >>> holding(DatabaseLook("study.db", annotators=2, judgments=1))
        '2 links, 1 judgment'
    """
    return ", ".join(
        f"{count:,} {noun}{'' if count == 1 else 's'}"
        for count, noun in ((look.annotators, "link"), (look.judgments, "judgment"))
    )


def address_of(study: Study, database: str) -> str:
    """The address of a database as study.toml names it."""
    return database if "://" in database else f"sqlite:///{(study.folder / database).resolve()}"


def without_password(database: str) -> str:
    """A database as it may be written down and shown.

    Example:
        >>> without_password("postgresql://ada:secret@host/db?study=cats")
        'postgresql://ada@host/db?study=cats'
    """
    return re.sub(r"://([^/@:]*):[^/@]*@", r"://\1@", database)


def remembered_place(study: Study) -> Place | None:
    """The database that a study used last; None when nobody wrote it down."""
    try:
        record = read_json((study.folder / PLACE_FILE).read_text(encoding="utf-8"))
        return Place(str(record["database"]), str(record["identity"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember_place(study: Study, *, identity: str, database: str | None = None) -> None:
    """Write down which database a study uses now."""
    place = Place(without_password(database or study.file.study.database), identity)
    if remembered_place(study) == place:
        return
    path = study.folder / PLACE_FILE
    draft = path.with_name(f"{PLACE_FILE}.part")
    with suppress(OSError):  # a folder that may only be read can be read all the same
        draft.write_text(json.dumps({"database": place.database, "identity": place.identity}) + "\n")
        draft.replace(path)


def is_same_place(study: Study, one: str, other: str) -> bool:
    """Whether two settings of a database, or addresses, name the same one."""
    first, second = (make_url(address_of(study, without_password(place))) for place in (one, other))
    return first == second
