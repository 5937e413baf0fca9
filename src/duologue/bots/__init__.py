"""Bots: the systems under evaluation, the built-in ones, and dialogues they have with themselves."""

from __future__ import annotations

from duologue.bots.base import Bot, Message, Reply, Role
from duologue.bots.builtin import BUILTIN_BOTS, builtin_bot, openers
from duologue.bots.self_chat import self_chat, self_chats

__all__ = [
    "BUILTIN_BOTS",
    "Bot",
    "Message",
    "Reply",
    "Role",
    "builtin_bot",
    "openers",
    "self_chat",
    "self_chats",
]
