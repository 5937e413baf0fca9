"""Protocols: how judgments are asked for. Each is all in its own package; the rest treats them alike."""

from __future__ import annotations

from duologue.protocols.acute import AcuteProtocol
from duologue.protocols.base import Answer, Arm, Item, StudyProtocol
from duologue.protocols.items import read_items, write_items

PROTOCOLS: dict[str, StudyProtocol] = {AcuteProtocol.name: AcuteProtocol()}
"""Every protocol by its name in study files."""


def protocol_named(name: str) -> StudyProtocol:
    """The protocol of that name.

    Raises:
        KeyError: There is none; `PROTOCOLS` lists them.
    """
    return PROTOCOLS[name]


__all__ = [
    "PROTOCOLS",
    "Answer",
    "Arm",
    "Item",
    "StudyProtocol",
    "protocol_named",
    "read_items",
    "write_items",
]
