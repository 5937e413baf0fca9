"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from duologue.protocols.acute.page import ONLY_ARM, AcuteProtocol
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings

__all__ = [
    "AXES",
    "ONLY_ARM",
    "PUBLISHED",
    "AcuteProtocol",
    "AcuteSettings",
    "PairingSettings",
    "Question",
    "mirror",
    "question_named",
    "segments",
]
