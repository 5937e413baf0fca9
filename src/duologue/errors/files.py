"""Files that cannot be read, or not be written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from duologue.errors.root import DuologueError


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

    def __init__(self, path: Path | str, known: Sequence[str], *, hint: str) -> None:
        super().__init__(f"{path}: the format is not recognised. It is none of {', '.join(known)}. {hint}")
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

    def __init__(self, path: Path | None, why: str) -> None:
        super().__init__(f"{'nothing is written' if path is None else f'{path}: cannot be written'}: {why}")
        self.path, self.why = path, why
