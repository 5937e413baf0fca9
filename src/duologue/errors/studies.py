"""Studies that cannot be used as they are, and designs that cannot be planned."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from duologue.errors.root import DuologueError


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
            f"{folder}: there is no study.toml here. Make a study with "
            f"`duologue study new {quote(str(folder))}`."
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
