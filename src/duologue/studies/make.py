"""Making a study: a folder with a study.toml that works as it is."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from duologue.errors import ProtocolError, StudyExists
from duologue.files import make_folder, translated
from duologue.protocols import DEFAULT_PROTOCOL, protocol_named
from duologue.studies.load import FILE_NAME, load_study
from duologue.studies.model import Study


def new_study(
    folder: Path | str,
    *,
    protocol: str = DEFAULT_PROTOCOL,
    collect: str | None = None,
    name: str | None = None,
    seed: int | None = None,
    template: str | None = None,
) -> Study:
    """Make a study in a folder, which is created when it is not there.

    Args:
        folder: Where the study will live.
        protocol: How judgments are asked for.
        collect: Another way of collecting dialogues than the protocol's usual one, such as ``parallel``.
        name: What it is called; the folder's name when not given.
        seed: Where random choices come from; drawn once and written down when not given.
        template: What its file is to be, where that is another one than the protocol's usual one.

    Raises:
        StudyExists: There is a study in the folder already; it is left as it is.
        ProtocolError: There is no such protocol, or it does not collect dialogues so.
        ExportError: The folder cannot be made or written to.
    """
    folder = Path(folder)
    path = folder / FILE_NAME
    text = (template or _template(protocol, collect)).format(
        name=json.dumps(name or folder.resolve().name, ensure_ascii=False),
        seed=secrets.randbelow(10**8) if seed is None else seed,
    )
    with translated(folder):
        if path.exists():
            raise StudyExists(folder)
        make_folder(folder / "dialogues")
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    return load_study(folder)


def _template(protocol: str, collect: str | None) -> str:
    found = protocol_named(protocol)
    if collect is None:
        return found.template
    if collect not in found.other_templates:
        ways = ", ".join(found.other_templates) or "none but the usual one"
        raise ProtocolError(
            protocol, f"has no way of collecting dialogues called {collect!r}", f"--collect takes: {ways}."
        )
    return found.other_templates[collect]


def next_steps(study: Study) -> tuple[str, ...]:
    """The commands that bring a new study of this protocol to its annotators."""
    return tuple(step.format(study=study.quoted) for step in study.protocol.study_steps())
