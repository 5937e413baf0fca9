"""What a model of ours is given of the messages so far."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.bots.base import Message
from duologue.bots.briefing import PERSONA, TOPIC
from duologue.models import ReplyContext


def reply_context(messages: Sequence[Message]) -> ReplyContext:
    """The turns, and what the bot is told line by line, without the words that begin persona and topic.

    Example:
        >>> told = [Message("system", "your persona: i like tea."), Message("user", "Hi!")]
        >>> reply_context(told)
        ReplyContext(turns=('Hi!',), background=('i like tea.',))
    """
    told = [line.strip() for one in messages if one.role == "system" for line in one.text.splitlines()]
    plain = (line.removeprefix(PERSONA).removeprefix(TOPIC).strip() for line in told if line)
    return ReplyContext(tuple(one.text for one in messages if one.role != "system"), tuple(plain))
