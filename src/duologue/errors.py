"""Every exception of Duologue, in one tree.

    DuologueError
    ├── InputError                 a file that was given cannot be used
    │   ├── FormatError            … because of one place in it: file, line, field, what was expected
    │   ├── UnknownFormat          … because its format is not recognised
    │   ├── NewerFormat            … because a later version of Duologue wrote it
    │   ├── UnreadableFile         … because it cannot be opened
    │   └── MissingDetail          … because it lacks a detail, which must be given as an option
    ├── ExportError                what was asked for cannot be written there, or in that format
    ├── StudyError                 a study cannot be used as it is
    │   ├── StudyNotFound          … there is none in that folder
    │   ├── StudyExists            … there is one already
    │   ├── ProtocolError          … its protocol is not installed, or lacks something
    │   └── StudyFileError         … one place in study.toml: table, key, line, what was expected
    ├── DesignError                a design cannot be planned as asked
    │   └── ImpossiblePairing      … there are too few dialogues for the pairings asked for
    ├── AnalysisError              the data do not allow the analysis asked for
    │   ├── NotEnoughJudgments     … too few
    │   ├── BadNumber              … a number that cannot be: negative, not a number, out of range
    │   ├── NotConverged           … a solver gave no answer
    │   └── Disconnected           … bots that were never compared, directly or through others
    ├── BotError                   a bot did not answer
    │   ├── BotUnavailable         … this time; asking again may help
    │   └── BotResting             … because it failed too often in a row and is not asked for a while
    ├── EngineError                work could not be spread over processes or machines
    ├── StoreError                 the study's database cannot do what was asked
    │   ├── StoreBusy              … another program locks it
    │   ├── StoreFull              … the disk is full
    │   ├── StoreGone              … its file was deleted or replaced while it was in use
    │   ├── StoreTooNew            … a later version of Duologue wrote it
    │   ├── StoreServed            … it is being served, or moved, at this moment
    │   ├── StoreMoved             … the study was moved to another database
    │   ├── StoreElsewhere         … the study's links and judgments are in another database
    │   ├── StoreTaken             … a study cannot be moved there: something is there already
    │   ├── ContentChanged         … what annotators have seen would become something else
    │   └── NotFound               … there is no such annotator, assignment or judgment
    ├── CannotListen               the server cannot use the address it was given
    ├── AccessError                access is denied
    │   ├── LinkUnknown            … no such link
    │   ├── LinkRevoked            … the researcher withdrew it
    │   ├── SignInNeeded           … the researcher's pages need the key
    │   ├── FormExpired            … the CSRF token of a form is missing, or of another sign-in
    │   └── TooManyTries           … too often in a short time
    ├── AnswerError                a submitted answer is not one of the legal ones
    ├── ChatError                  a live chat cannot go on as asked
    │   ├── NotYourTurn            … it is the partner's turn
    │   └── ChatOver               … it is over
    ├── TelegramError              Telegram's Bot API refused something, or is out of reach
    ├── RehearsalError             simulated annotators could not finish a study
    └── MissingExtra               an optional package is not installed

Each error holds its facts as attributes and says what happened, to what, and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path


class DuologueError(Exception):
    """The root of every error Duologue raises on purpose.

    Its message is one line that any terminal, page or file can hold, whatever it quotes.
    """

    def __init__(self, message: str = "") -> None:
        whole = message.encode("utf-8", "backslashreplace").decode("utf-8")
        super().__init__(" ".join(whole.splitlines()) if len(whole.splitlines()) > 1 else whole)


class InputError(DuologueError):
    """A file that was given cannot be used."""


class FormatError(InputError):
    """One place in a file is not what its format says."""

    def __init__(
        self,
        path: Path | str,
        *,
        expected: str,
        line: int | None = None,
        field: str | None = None,
        got: str | None = None,
        hint: str | None = None,
    ) -> None:
        where = str(path) + (f", line {line}" if line is not None else "") + (f", {field}" if field else "")
        found = f" and found {got}" if got else ""
        advice = f" {hint}" if hint else ""
        super().__init__(f"{where}: expected {expected}{found}.{advice}")
        self.path, self.line, self.field = Path(path), line, field
        self.expected, self.got, self.hint = expected, got, hint


class UnknownFormat(InputError):
    """The format of a file is not recognised."""

    def __init__(self, path: Path | str, known: Sequence[str]) -> None:
        super().__init__(
            f"{path}: the format is not recognised. Say which it is with --format ({', '.join(known)})."
        )
        self.path, self.known = Path(path), tuple(known)


class NewerFormat(InputError):
    """A file was written by a later version of Duologue."""

    def __init__(self, path: Path | str, version: str, known: str) -> None:
        super().__init__(
            f"{path}: its format is {version}; this Duologue reads up to {known}. Please upgrade."
        )
        self.path, self.version, self.known = Path(path), version, known


class UnreadableFile(InputError):
    """A file cannot be opened or read."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: cannot be read: {why}. Check the name and the permissions.")
        self.path, self.why = Path(path), why


class MissingDetail(InputError):
    """A file lacks a detail, which must be given as an option."""

    def __init__(self, path: Path | str, *, missing: str, option: str) -> None:
        super().__init__(f"{path}: the file does not say {missing}. Say it with {option}.")
        self.path, self.missing, self.option = Path(path), missing, option


class ExportError(DuologueError):
    """What was asked for cannot be written there, or not in that format."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: cannot be written: {why}")
        self.path, self.why = Path(path), why


class StudyError(DuologueError):
    """A study cannot be used as it is."""


class ProtocolError(StudyError):
    """A protocol is not installed, or its package lacks something."""

    def __init__(self, protocol: str, problem: str, advice: str) -> None:
        super().__init__(f"the protocol {protocol!r} {problem}. {advice}")
        self.protocol = protocol


class StudyNotFound(StudyError):
    """There is no study in that folder."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(
            f"{folder}: there is no study.toml here. Make a study with `duologue study new {folder}`."
        )
        self.folder = Path(folder)


class StudyExists(StudyError):
    """There is a study in that folder already, and it is not overwritten."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(f"{folder}: there is a study here already. Choose another folder.")
        self.folder = Path(folder)


class StudyFileError(StudyError):
    """One place in study.toml is not what it should be."""

    def __init__(
        self, path: Path | str, *, expected: str, table: str = "", key: str = "", line: int | None = None
    ) -> None:
        where = str(path) + (f", line {line}" if line is not None else "")
        place = (f" [{table}]" if table else "") + (f" {key}" if key else "")
        super().__init__(f"{where}:{place}: {expected}" if place else f"{where}: {expected}")
        self.path, self.table, self.key, self.line, self.expected = Path(path), table, key, line, expected


class DesignError(DuologueError):
    """A design cannot be planned as asked."""


class ImpossiblePairing(DesignError):
    """There are too few dialogues for the pairings asked for."""

    def __init__(self, matchup: str, *, wanted: int, possible: int, why: str) -> None:
        super().__init__(
            f"{matchup}: {wanted} pairings were asked for and {possible} are possible: {why} "
            f"Ask for at most {possible}, or add dialogues."
        )
        self.matchup, self.wanted, self.possible, self.why = matchup, wanted, possible, why


class AnalysisError(DuologueError):
    """The data do not allow the analysis asked for."""


class NotEnoughJudgments(AnalysisError):
    """There are too few judgments for the test asked for."""

    def __init__(self, test: str, *, needed: int, got: int, unit: str = "judgments") -> None:
        super().__init__(f"{test} needs at least {needed} {unit} and has {got}.")
        self.test, self.needed, self.got, self.unit = test, needed, got, unit


class BadNumber(AnalysisError):
    """A number given to an analysis cannot be what its name says."""

    def __init__(self, name: str, *, expected: str, got: object) -> None:
        super().__init__(f"{name}: expected {expected}, and got {got}.")
        self.name, self.expected, self.got = name, expected, got


class NotConverged(AnalysisError):
    """A solver gave no answer within its limit."""

    def __init__(self, method: str, *, steps: int, why: str = "") -> None:
        super().__init__(f"{method} did not converge in {steps} steps.{' ' + why if why else ''}")
        self.method, self.steps, self.why = method, steps, why


class Disconnected(AnalysisError):
    """Some bots were never compared with the others, directly or through a chain of bots."""

    def __init__(self, components: Sequence[Sequence[str]]) -> None:
        groups = "; ".join("{" + ", ".join(names) + "}" for names in components)
        super().__init__(
            f"the bots fall into {len(components)} groups that were never compared: {groups}. "
            "Add a matchup between the groups, or analyse them separately."
        )
        self.components = tuple(tuple(names) for names in components)


class BotError(DuologueError):
    """A bot did not answer."""

    def __init__(self, bot: str, why: str) -> None:
        why = _sentence(why)
        super().__init__(f"bot {bot!r} did not answer: {why}")
        self.bot, self.why = bot, why


def _sentence(why: str) -> str:
    """What a bot or a library says, with one full stop at its end, whether it brought one or not."""
    said = re.sub(r"((?<!\.)(?:\.\.\.|[.!?…]))\.$", r"\1", why.rstrip())
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


class BotUnavailable(BotError):
    """A bot did not answer this time; asking again may help, perhaps after the wait it asked for."""

    def __init__(self, bot: str, why: str, *, retry_after: float | None = None) -> None:
        super().__init__(bot, why)
        self.retry_after = retry_after


class BotResting(BotError):
    """A bot failed too often in a row and is not asked for a while."""

    def __init__(self, bot: str, why: str, *, wait_seconds: float) -> None:
        super().__init__(bot, f"it failed too often and is not asked for {wait_seconds:.0f} s; last: {why}")
        self.wait_seconds = wait_seconds


class EngineError(DuologueError):
    """Work could not be spread over processes or machines."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the work stopped: {why}")
        self.why = why


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


class StoreTooNew(StoreError):
    """A later version of Duologue wrote the database."""

    def __init__(self, where: str, *, schema: int, known: int) -> None:
        super().__init__(
            f"{where}: its schema is number {schema}; this Duologue knows up to {known}. Please upgrade."
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
        move = "" if is_used else f"Move them with `duologue study move {study}`, or put "
        consent = "to use the other study's" if is_used else "to start empty, with new links for everybody"
        super().__init__(
            f"{facts} {move or 'Put '}database in [study] back to {other!r}; {consent}, say "
            f"`duologue serve {study} --new-database`."
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


class CannotListen(DuologueError):
    """The server cannot use the address it was given."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(
            f"cannot listen on {host}, port {port}: {why}. Choose another with --host and --port."
        )
        self.host, self.port, self.why = host, port, why


class AccessError(DuologueError):
    """Access is denied."""


class LinkUnknown(AccessError):
    """No annotator has this link."""

    def __init__(self) -> None:
        super().__init__(
            "This link is not known. Please check that it was copied whole, or ask for a new one."
        )


class LinkRevoked(AccessError):
    """The researcher withdrew this link."""

    def __init__(self) -> None:
        super().__init__("This link has been withdrawn. Please ask the person who sent it for a new one.")


class SignInNeeded(AccessError):
    """The researcher's pages need the key that `duologue serve` prints."""

    def __init__(self) -> None:
        super().__init__("Please sign in with the key that `duologue serve` printed.")


class FormExpired(AccessError):
    """The CSRF token of a form is missing, or belongs to another sign-in."""

    def __init__(self) -> None:
        super().__init__("This page is too old. Nothing was changed; load it again and repeat.")


class TooManyTries(AccessError):
    """There were too many requests in a short time."""

    def __init__(self, *, wait_seconds: int) -> None:
        super().__init__(f"Too many tries in a short time. Please wait {wait_seconds} s and try again.")
        self.wait_seconds = wait_seconds


class AnswerError(DuologueError):
    """A submitted answer is not one of the legal ones."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


class ChatError(DuologueError):
    """A live chat cannot go on as asked."""


class NotYourTurn(ChatError):
    """The annotator wrote while it was the partner's turn."""

    def __init__(self) -> None:
        super().__init__("It is your partner's turn. Nothing was sent; please wait for the reply.")


class ChatOver(ChatError):
    """The live chat is over."""

    def __init__(self) -> None:
        super().__init__("This conversation is over. Nothing was sent; please load the page again.")


class TelegramError(DuologueError):
    """Telegram's Bot API refused something, or is out of reach."""

    def __init__(
        self, method: str, why: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"Telegram, {method}: {why}.{_telegram_advice(status)}")
        self.method, self.why, self.status, self.retry_after = method, why, status, retry_after

    @property
    def may_pass(self) -> bool:
        """Whether asking again may help: Telegram is busy, broken, or there is no connection."""
        return self.status is None or self.status == 429 or self.status >= 500

    @property
    def is_unreachable_person(self) -> bool:
        """Whether a message cannot reach the one it is for: they blocked the bot account, or are gone."""
        return self.status == 403 or (self.status == 400 and "chat not found" in self.why.lower())


def _telegram_advice(status: int | None) -> str:
    if status in (401, 404):
        return " Check the token in DUOLOGUE_TELEGRAM_TOKEN: @BotFather gives it."
    if status is None:
        return " Check the network, and DUOLOGUE_TELEGRAM_API if it is set."
    return ""


class RehearsalError(DuologueError):
    """Simulated annotators could not finish a study."""

    def __init__(self, what: str, *, log: Path | None = None) -> None:
        where = f" The server's log is {log}." if log is not None else ""
        super().__init__(f"the rehearsal stopped: {what}{where}")
        self.what, self.log = what, log


class MissingExtra(DuologueError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed. Run: pip install 'duologue[{extra}]'")
        self.package, self.extra = package, extra
