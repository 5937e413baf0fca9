"""Logs of the human evaluation of ConvAI2 as ratings: one row a dialogue, with its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from duologue.judgments.table import Chunk, as_text
from duologue.strict_json import read_json

SCORE = "eval_score"
"""The column of the score; from 1 to 5 in the wild evaluation."""

UNNAMED = "bot"
"""What the bot is called where the logs do not name it."""

_MATCHES: Mapping[str, str] = {"1": "true", "true": "true", "0": "false", "false": "false"}


def is_convai2_logs(chunk: Chunk) -> bool:
    """Whether the columns are those of evaluation logs, and not those of ratings."""
    return "dialog" in chunk.columns and SCORE in chunk.columns


def convai2_as_ratings(chunk: Chunk) -> Chunk:
    """The same logs under the columns of our own tables.

    ``eval_score`` is the rating, ``profile_match`` (1 or 0) whether the persona was told. The bot is the one
    that the record names (``participant2_id``), also when it never spoke; without it, the bot of the turns;
    `UNNAMED` where neither says who it was, as in the exports of July 2018. Other columns are kept.

    Raises:
        FormatError: A dialogue is not a list of turns.

    Example:
        >>> logs = {"dialog": ['[{"sender": "participant1"}]'], "eval_score": ["4"], "profile_match": ["1"]}
        >>> logs |= {"dialog_id": ["7"], "participant2_id": ['{"class": "Bot", "user_id": "ada"}']}
        >>> found = convai2_as_ratings(Chunk(0, 1, logs)).columns
        >>> {name: cells[0] for name, cells in found.items() if cells[0]}
        {'bot': 'ada', 'rating': '4', 'persona_right': 'true', 'dialogue': 'ada:7', 'source': 'live'}
    """
    named = [_participants(chunk, row) for row in range(chunk.rows)]
    bots = [given or bot or UNNAMED for given, (bot, _) in zip(chunk.column("bot"), named, strict=True)]
    times = [_span(start, end) for start, end in zip(*map(chunk.column, _TIMES), strict=True)]
    ours: dict[str, Sequence[str]] = {
        "bot": bots,
        "annotator": [annotator for _, annotator in named],
        "rating": chunk.column(SCORE),
        "persona_right": [_MATCHES.get(cell, "") for cell in chunk.column("profile_match")],
        "dialogue": [
            f"{bot}:{key}" if key else "" for bot, key in zip(bots, chunk.column("dialog_id"), strict=True)
        ],
        "source": ["live"] * chunk.rows,
        "seconds": [seconds for seconds, _ in times],
        "at": [at for _, at in times],
    }
    kept = {name: cells for name, cells in chunk.columns.items() if name not in ours and name not in _USED}
    return replace(chunk, columns=ours | kept)


_PARTICIPANTS = ("participant1_id", "participant2_id")
_TIMES = ("start_time", "end_time")
_USED = frozenset(
    {"dialog", SCORE, "profile_match", "dialog_id", "bot_profile", "user_profile", *_PARTICIPANTS, *_TIMES}
)


def _participants(chunk: Chunk, row: int) -> tuple[str, str]:
    """The names of the bot and of the human, empty where they are not told."""
    records = {name: _record(chunk, row, name) for name in _PARTICIPANTS}
    classes = {
        _CLASSES.get(as_text(record.get("class")), ""): as_text(record.get("user_id"))
        for record in records.values()
    }
    if "Bot" not in classes or "Human" not in classes:
        for sender, said in _senders(chunk, row).items():
            classes.setdefault(said, as_text(records.get(f"{sender}_id", {}).get("user_id")))
    return classes.get("Bot", ""), classes.get("Human", "")


_CLASSES: Mapping[str, str] = {"Bot": "Bot", "User": "Human", "Human": "Human"}


def _record(chunk: Chunk, row: int, name: str) -> Mapping[str, object]:
    try:
        participant = read_json(chunk.column(name)[row])
    except ValueError:
        return {}
    return participant if isinstance(participant, dict) else {}


def _senders(chunk: Chunk, row: int) -> dict[str, str]:
    """Who is what by the turns, empty where they do not say."""
    cell = chunk.column("dialog")[row]
    try:
        turns = read_json(cell)
        return {str(turn["sender"]): _CLASSES.get(as_text(turn.get("sender_class")), "") for turn in turns}
    except (ValueError, TypeError, KeyError, AttributeError):
        chunk.refuse(row, field="dialog", expected="a list of turns, each with a sender", got=cell)


def _span(start: str, end: str) -> tuple[str, str]:
    """The seconds a chat took, and when it ended; empty where the log has no times that can be read."""
    try:
        began, ended = datetime.fromisoformat(start), datetime.fromisoformat(end)
        seconds = (ended - began).total_seconds()
    except (ValueError, TypeError):
        return "", ""
    return (f"{seconds:g}", ended.isoformat()) if seconds >= 0 else ("", "")
