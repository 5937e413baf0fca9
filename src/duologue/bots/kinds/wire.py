"""Messages as the rest of the world writes them: ``{"role": …, "content": …}``."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.bots.base import Message


def as_dicts(messages: Sequence[Message]) -> list[dict[str, str]]:
    """What was said so far, as chat endpoints and their libraries expect it.

    Example:
        >>> as_dicts([Message("user", "Hi!")])
        [{'role': 'user', 'content': 'Hi!'}]
    """
    return [{"role": message.role, "content": message.text} for message in messages]


def shortened(text: str, *, limit: int = 300) -> str:
    """The end of a long text on one line, for an error message.

    Example:
        >>> shortened("one\\ntwo")
        'one two'
    """
    line = " ".join(text.split())
    return line if len(line) <= limit else "…" + line[-limit:]
