"""Writing dialogues to a file, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from duologue.dialogues.formats.known import FORMATS
from duologue.dialogues.formats.parlai import encode_metadata, metadata_path
from duologue.dialogues.records import Dialogue
from duologue.errors import ExportError
from duologue.files import replacing

WRITABLE = tuple(name for name, known in FORMATS.items() if known.encode is not None)
"""The formats that ``write_dialogues`` can write."""


def _now() -> datetime:
    return datetime.now(UTC)


def write_dialogues(
    dialogues: Iterable[Dialogue],
    path: Path | str,
    *,
    format: str = "duologue",
    clock: Callable[[], datetime] = _now,
) -> int:
    """Write dialogues to a file, which appears when it is complete, and return how many there are.

    Nothing that was said is altered. Only our own format has a place for everything: the others name no
    bot, so they take the dialogues of one bot; OpenAI and ShareGPT call the judged speaker ``assistant`` or
    ``gpt`` and hold two speakers. ParlAI logs get a ``.metadata`` file beside them.

    Args:
        dialogues: What to write; read once.
        path: Where to.
        format: One of ``WRITABLE``.
        clock: Tells the date for ParlAI's metadata.

    Raises:
        ExportError: The format cannot be written, or has no place for what a dialogue holds.
        StoreFull: The disk is full; what was there before is untouched.
    """
    path = Path(path)
    encode = FORMATS[format].encode if format in FORMATS else None
    if encode is None:
        raise ExportError(path, f"Duologue writes {', '.join(WRITABLE)}, not {format!r}.")
    tally = _ExportTally(path, format)
    with replacing(path) as file:
        for piece in encode(tally.passing(dialogues)):
            file.write(piece)
        if format == "parlai":
            with replacing(metadata_path(path)) as metadata:
                metadata.write(tally.metadata(clock()).encode("utf-8"))
    return tally.count


@dataclass(slots=True)
class _ExportTally:
    """What passed on its way into a file, checked for what the format cannot say."""

    path: Path
    format: str
    count: int = 0
    bots: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    speakers: dict[str, None] = field(default_factory=dict)

    def passing(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        for dialogue in dialogues:
            self.count += 1
            self.bots.add(dialogue.bot)
            self.kinds.add(dialogue.kind)
            self.speakers |= dict.fromkeys(speaker.name for speaker in dialogue.speakers)
            if self.format != "duologue":
                self._check(dialogue)
            yield dialogue

    def metadata(self, date: datetime) -> str:
        is_self_chat = self.kinds == {"self-chat"}
        return encode_metadata(is_self_chat=is_self_chat, speakers=self.speakers, date=str(date))

    def _check(self, dialogue: Dialogue) -> None:
        if len(self.bots) > 1:
            bots = ", ".join(sorted(self.bots))
            raise ExportError(
                self.path,
                f"{self.format} files do not name the bot, and there are several ({bots}): choose one.",
            )
        others = {turn.speaker for turn in dialogue.turns} - {dialogue.judged}
        if self.format in ("openai", "sharegpt") and len(others) > 1:
            names = ", ".join(sorted(others))
            raise ExportError(
                self.path,
                f"{self.format} files hold one partner, and dialogue {dialogue.id!r} has several ({names}).",
            )
