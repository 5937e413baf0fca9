"""What the study's database cannot do."""

from __future__ import annotations

from shlex import quote

from duologue.errors.root import DuologueError


class StoreError(DuologueError):
    """The study's database cannot do what was asked."""


class StoreBusy(StoreError):
    """Another program locks the database for longer than we wait."""

    def __init__(self, where: str, seconds: float) -> None:
        super().__init__(
            f"{where}: the database was locked by another program for {seconds:g} s. Nothing was saved by "
            "this request; what was acknowledged before is safe. Close the other program and try again."
        )
        self.where, self.seconds = where, seconds


class StoreFull(StoreError):
    """The disk is full."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: the disk is full. Nothing was saved by this request; what was acknowledged before "
            "is safe. Free some space and try again; nothing needs to be repaired."
        )
        self.where = where


class StoreGone(StoreError):
    """The database's file was deleted or replaced while it was in use."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: this file was deleted or replaced while it was in use, so nothing is saved any more. "
            "Stop the server, put the right file back (with those ending in -wal and -shm beside it), and "
            "start the server again."
        )
        self.where = where


class StoreMissing(StoreError):
    """The database that held the study's links and judgments is not there any more."""

    def __init__(self, where: str, *, study: str, log: str = "") -> None:
        back = f"Put it back beside {log}, which holds what was written last" if log else "Put it back"
        anew = f" (move {log} to a safe place before)" if log else ""
        super().__init__(
            f"{where}: the database of this study is missing or empty. Its links and judgments are in it. "
            f"{back}. To start empty, with new links for everybody, say `duologue serve {quote(str(study))} "
            f"--new-database`{anew}."
        )
        self.where, self.log = where, log


class StoreOtherSchema(StoreError):
    """Another version of Duologue made the database."""

    def __init__(self, where: str, *, schema: int, known: int) -> None:
        super().__init__(
            f"{where}: this database has schema {schema}, and this version of Duologue uses schema {known} "
            "only. Nothing was changed. Use the version of Duologue that made it; "
            "`duologue judgments export` there writes its judgments to a file."
        )
        self.where, self.schema, self.known = where, schema, known


class StoreServed(StoreError):
    """The study is being served, or moved, at this moment."""

    def __init__(self, where: str, *, is_moving: bool = False) -> None:
        super().__init__(
            f"{where}: the study is being moved or changed by another command. Wait until it has finished."
            if is_moving
            else f"{where}: a server is running on this study, and annotators may be at work. Stop it first "
            "(Ctrl+C where it runs); nothing was changed."
        )
        self.where, self.is_moving = where, is_moving


class StoreMoved(StoreError):
    """The study was moved to another database; this one is kept as it was, and nothing is added to it."""

    def __init__(self, where: str, *, moved_to: str) -> None:
        super().__init__(
            f"{where}: this study was moved to {moved_to}, and nothing may be added here any more. "
            f"Set database in [study] of study.toml to {moved_to!r}."
        )
        self.where, self.moved_to = where, moved_to


class StoreElsewhere(StoreError):
    """The study's links and judgments are in another database than the one its file names."""

    def __init__(self, where: str, *, study: str, other: str, holds: str, is_used: bool) -> None:
        found = "holds another study" if is_used else "is empty"
        facts = (
            f"study.toml names the database {where}, which {found}; this study's links and judgments are in "
            f"{other} ({holds})."
        )
        move = "" if is_used else f"Move them with `duologue study move {quote(str(study))}`, or put "
        consent = "to use the other study's" if is_used else "to start empty, with new links for everybody"
        super().__init__(
            f"{facts} {move or 'Put '}database in [study] back to {other!r}; {consent}, say "
            f"`duologue serve {quote(str(study))} --new-database`."
        )
        self.where, self.other, self.holds = where, other, holds


class StoreTaken(StoreError):
    """A study cannot be moved there: something is there already."""

    def __init__(self, where: str, *, holds: str, advice: str) -> None:
        super().__init__(
            f"{where}: a study is moved to an empty place only, and this holds {holds}. {advice}"
        )
        self.where, self.holds = where, holds


class ContentChanged(StoreError):
    """What annotators have already seen would become something else."""

    def __init__(self, noun: str, key: str) -> None:
        super().__init__(
            f"{noun} {key!r} has been shown to annotators and is a different one now. "
            f"Give the changed {noun} an id of its own; what was judged stays as it was."
        )
        self.noun, self.key = noun, key


class NotFound(StoreError):
    """There is no such annotator, assignment, judgment, dialogue, form or cohort."""

    def __init__(self, noun: str, key: str) -> None:
        super().__init__(f"there is no {noun} {key!r} in this study.")
        self.noun, self.key = noun, key
