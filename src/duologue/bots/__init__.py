"""Bots: the systems under evaluation, ways to reach them, and dialogues they have with themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.bots.answering import AnsweringBot
    from duologue.bots.base import Ability, Bot, Message, Reply, Role
    from duologue.bots.briefing import Briefing, read_briefings
    from duologue.bots.builtin import BUILTIN_BOTS, builtin_bot, openers
    from duologue.bots.cache import ReplyCache
    from duologue.bots.collecting import CollectedBot, SelfChats, collect_self_chats
    from duologue.bots.kinds.python import named_object
    from duologue.bots.known import ANSWERING_KINDS, BotSettings
    from duologue.bots.model_settings import RetrievalBot, TrainedBot
    from duologue.bots.opening import open_bot
    from duologue.bots.predicting.asking import Questions
    from duologue.bots.predicting.collecting import collect_predictions
    from duologue.bots.self_chatting import FailedChat, First, self_chat, self_chats, turn_seed
    from duologue.bots.settings import (
        AnsweringSettings,
        BuiltinBot,
        CommandBot,
        GgufBot,
        LogsBot,
        OpenAIBot,
        PythonBot,
        ReplayBot,
        TransformersBot,
        answering_bots,
    )

__all__ = [
    "ANSWERING_KINDS",
    "BUILTIN_BOTS",
    "Ability",
    "AnsweringBot",
    "AnsweringSettings",
    "Bot",
    "BotSettings",
    "Briefing",
    "BuiltinBot",
    "CollectedBot",
    "CommandBot",
    "FailedChat",
    "First",
    "GgufBot",
    "LogsBot",
    "Message",
    "OpenAIBot",
    "PythonBot",
    "Questions",
    "ReplayBot",
    "Reply",
    "ReplyCache",
    "RetrievalBot",
    "Role",
    "SelfChats",
    "TrainedBot",
    "TransformersBot",
    "answering_bots",
    "builtin_bot",
    "collect_predictions",
    "collect_self_chats",
    "named_object",
    "open_bot",
    "openers",
    "read_briefings",
    "self_chat",
    "self_chats",
    "turn_seed",
]

__getattr__ = lazy_front(__name__)
