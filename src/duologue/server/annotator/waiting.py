"""The clock of the waiting room: how long somebody has waited for a partner, and how long they still may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from duologue.store import Chat
from duologue.studies import WordingTable


@dataclass(frozen=True, slots=True)
class ClockPart:
    """A piece of the sentence: words, or a time that the page counts on."""

    text: str
    seconds: int = 0
    counts: Literal["", "up", "down"] = ""


def waiting_parts(
    wording: WordingTable, chat: Chat, wait_seconds: float, now: datetime | None = None
) -> tuple[ClockPart, ...]:
    """What is said about the time in the waiting room; nothing anywhere else.

    Args:
        wording: The study's words, with ``{waited}`` and ``{left}``.
        chat: The chat.
        wait_seconds: How long a partner is waited for.
        now: The time; this moment when not given.
    """
    if chat.state != "waiting":
        return ()
    waited = max(0.0, ((now or datetime.now(UTC)) - datetime.fromisoformat(chat.since)).total_seconds())
    times = {
        "{waited}": _clock(int(waited), "up"),
        "{left}": _clock(int(max(0.0, wait_seconds - waited)), "down"),
    }
    pieces = re.split(r"(\{waited\}|\{left\})", wording.waiting_time)
    return tuple(times.get(piece) or ClockPart(piece) for piece in pieces if piece)


def _clock(seconds: int, counts: Literal["up", "down"]) -> ClockPart:
    return ClockPart(f"{seconds // 60}:{seconds % 60:02}", seconds, counts)
