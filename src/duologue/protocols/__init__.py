"""Protocols: how judgments are asked for. Each is all in its own package; the rest treats them alike."""

from __future__ import annotations

from duologue.protocols.acute import AcuteProtocol
from duologue.protocols.base import Material, StudyProtocol
from duologue.protocols.chat import CHAT, HUMAN, ChatPlan, ChatSettings, chat_plan
from duologue.protocols.items import read_items, write_items
from duologue.protocols.records import Answer, Arm, Draft, Item

PROTOCOLS: dict[str, StudyProtocol] = {AcuteProtocol.name: AcuteProtocol()}
"""Every protocol by its name in study files."""


def protocol_named(name: str) -> StudyProtocol:
    """The protocol of that name.

    Raises:
        KeyError: There is none; `PROTOCOLS` lists them.
    """
    return PROTOCOLS[name]


__all__ = [
    "CHAT",
    "HUMAN",
    "PROTOCOLS",
    "Answer",
    "Arm",
    "ChatPlan",
    "ChatSettings",
    "Draft",
    "Item",
    "Material",
    "StudyProtocol",
    "chat_plan",
    "protocol_named",
    "read_items",
    "write_items",
]
