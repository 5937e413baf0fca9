"""Logs of the human evaluation of ConvAI2 as ratings: one row a dialogue, with its score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from duologue.judgments.table import Chunk

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

    ``eval_score`` is the rating, ``profile_match`` (1 or 0) whether the persona was told. The bot and the
    annotator are named where ``participant1_id`` and ``participant2_id`` name them.

    Raises:
        FormatError: A dialogue is not a list of turns.

    Example:
        >>> logs = {"dialog": ['[{"sender": "p", "sender_class": "Bot"}]'], "eval_score": ["4"]}
        >>> logs |= {"profile_match": ["1"], "dialog_id": ["7"]}
        >>> found = convai2_as_ratings(Chunk(0, 1, logs)).columns
        >>> {name: cells[0] for name, cells in found.items() if cells[0]}
        {'bot': 'bot', 'rating': '4', 'persona_right': 'true', 'dialogue': 'bot:7', 'source': 'live'}
    """
    named = [_participants(chunk, row) for row in range(chunk.rows)]
    bots = [given or bot or UNNAMED for given, (bot, _) in zip(chunk.column("bot"), named, strict=True)]
    return replace(
        chunk,
        columns={
            "bot": bots,
            "annotator": [annotator for _, annotator in named],
            "rating": chunk.column(SCORE),
            "persona_right": [_MATCHES.get(cell, "") for cell in chunk.column("profile_match")],
            "dialogue": [
                f"{bot}:{key}" if key else ""
                for bot, key in zip(bots, chunk.column("dialog_id"), strict=True)
            ],
            "source": ["live"] * chunk.rows,
        },
    )


def _participants(chunk: Chunk, row: int) -> tuple[str, str]:
    """The names of the bot and of the human, empty where they are not told."""
    cell = chunk.column("dialog")[row]
    try:
        turns = json.loads(cell)
        classes = {str(turn["sender_class"]): str(turn["sender"]) for turn in turns}
    except (ValueError, TypeError, KeyError):
        chunk.refuse(row, field="dialog", expected="turns with a sender and a sender_class", got=cell)
    return _user(chunk, row, classes.get("Bot")), _user(chunk, row, classes.get("Human"))


def _user(chunk: Chunk, row: int, sender: str | None) -> str:
    try:
        participant = json.loads(chunk.column(f"{sender}_id")[row])
    except ValueError:
        return ""
    return str(participant.get("user_id") or "") if isinstance(participant, dict) else ""
