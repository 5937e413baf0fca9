"""Protocols: how judgments are asked for. Each is all in its own package; the rest treats them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front
from duologue.protocols.acute import AcuteProtocol
from duologue.protocols.base import Material, StudyProtocol, VerdictRules
from duologue.protocols.chat import CHAT, HUMAN, ChatPlan, ChatSettings, chat_plan
from duologue.protocols.conduct import (
    BotMaterial,
    Conduct,
    ExcludedByHand,
    LookTaken,
    Meetings,
    ParticipantStep,
    PlannedNumber,
    PlanPrinted,
    Sensitivity,
    VerdictBeside,
)
from duologue.protocols.items import (
    drafting_items,
    item_of,
    item_text,
    items_drawn_from,
    read_items,
    write_items,
)
from duologue.protocols.likert import LikertProtocol
from duologue.protocols.provenance import Provenance
from duologue.protocols.records import ONLY_ARM, Answer, Arm, Draft, Item
from duologue.protocols.saying import say_list
from duologue.protocols.views import DialogueView, TurnView

if TYPE_CHECKING:
    from duologue.protocols.replication import Half, Outcome, Replication, replicate

PROTOCOLS: dict[str, StudyProtocol] = {
    protocol.name: protocol for protocol in (AcuteProtocol(), LikertProtocol())
}
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
    "ONLY_ARM",
    "PROTOCOLS",
    "Answer",
    "Arm",
    "BotMaterial",
    "ChatPlan",
    "ChatSettings",
    "Conduct",
    "DialogueView",
    "Draft",
    "ExcludedByHand",
    "Half",
    "Item",
    "LookTaken",
    "Material",
    "Meetings",
    "Outcome",
    "ParticipantStep",
    "PlanPrinted",
    "PlannedNumber",
    "Provenance",
    "Replication",
    "Sensitivity",
    "StudyProtocol",
    "TurnView",
    "VerdictBeside",
    "VerdictRules",
    "chat_plan",
    "drafting_items",
    "item_of",
    "item_text",
    "items_drawn_from",
    "protocol_named",
    "read_items",
    "replicate",
    "say_list",
    "write_items",
]

# These bring numpy with them, which serving a study need not wait for.
__getattr__ = lazy_front(__name__, {"replication": ("Half", "Outcome", "Replication", "replicate")})
