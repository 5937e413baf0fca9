"""What was said in a live chat, for the researcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duologue.dialogues import Dialogue, Json, Turn
from duologue.store import ReplyOnOffer, Store, fetch_chat_threads, fetch_replies_on_offer


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """One turn, with what is known about it."""

    speaker: str
    is_judged: bool
    text: str
    at: str | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A live chat that is over."""

    id: str
    bot: str
    turns: tuple[TranscriptTurn, ...]
    persona: tuple[str, ...]
    annotator_persona: tuple[str, ...]
    topic: str
    threads: tuple[tuple[str, tuple[TranscriptTurn, ...]], ...] = ()
    """Every thread by its bot, where bots have histories of their own."""
    offered: tuple[ReplyOnOffer, ...] = ()
    """What there was to choose from."""


def transcript(store: Store, chat: str) -> Transcript:
    """What was said in a chat.

    Raises:
        NotFound: There is no such chat, or it is not over.
    """
    found, *more = store.run(fetch_chat_threads(chat))
    told = found.extras.get("briefing")
    briefing: Mapping[str, Json] = told if isinstance(told, Mapping) else {}
    return Transcript(
        id=found.id,
        bot=found.bot,
        turns=tuple(_turn(found, turn) for turn in found.turns),
        persona=_lines(briefing, "persona"),
        annotator_persona=_lines(briefing, "annotator_persona"),
        topic=str(briefing.get("topic", "")),
        threads=tuple((one.bot, tuple(_turn(one, turn) for turn in one.turns)) for one in more),
        offered=store.run(fetch_replies_on_offer(chat)),
    )


def _turn(dialogue: Dialogue, turn: Turn) -> TranscriptTurn:
    at, seconds = turn.extras.get("at"), turn.extras.get("seconds")
    return TranscriptTurn(
        speaker=turn.speaker,
        is_judged=turn.speaker == dialogue.judged,
        text=turn.text,
        at=at if isinstance(at, str) else None,
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
    )


def _lines(briefing: Mapping[str, Json], key: str) -> tuple[str, ...]:
    lines = briefing.get(key, ())
    return tuple(str(line) for line in lines) if isinstance(lines, list | tuple) else ()
