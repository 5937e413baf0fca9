"""Writing another database into study.toml: that one line, and nothing else."""

from __future__ import annotations

import json
import re
import shutil
import tomllib

from duologue.studies.load import FILE_NAME, line_of
from duologue.studies.model import Study

_SETTING = re.compile(r"""(\s*database\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')(.*)""", re.DOTALL)


def name_database(study: Study, database: str) -> bool:
    """Name the study's database in its file; False where that cannot be done without touching more."""
    path = (study.folder / FILE_NAME).resolve()
    try:
        before = path.read_text(encoding="utf-8-sig")
        after = with_database(before, database)
        if after is None:
            return False
        draft = path.with_name(f".{FILE_NAME}.part")
        draft.write_text(after, encoding="utf-8", newline="")
        shutil.copymode(path, draft)
        draft.replace(path)
    except (OSError, ValueError):
        return False
    return True


def with_database(text: str, database: str) -> str | None:
    """The text of a study.toml with another database in it; None where it cannot be put in.

    Example:
        >>> print(with_database('[study]\\nname = "cats"\\n', "cats.db"))
        [study]
        database = "cats.db"
        name = "cats"
        <BLANKLINE>
    """
    lines = text.splitlines(keepends=True)
    number = line_of(text, ("study", "database"))
    if number is None:
        return None
    written = json.dumps(database, ensure_ascii=False)
    line = lines[number - 1]
    if setting := _SETTING.fullmatch(line):
        lines[number - 1] = f"{setting[1]}{written}{setting[3]}"
    else:
        end = "\r\n" if line.endswith("\r\n") else "\n"
        lines.insert(number, f"database = {written}{end}")
    after = "".join(lines)
    try:
        wanted, got = tomllib.loads(text), tomllib.loads(after)
        wanted["study"]["database"] = database
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    return after if got == wanted else None
