"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from duologue.protocols.acute.page import ONLY_ARM, AcuteProtocol
from duologue.protocols.acute.pairing import Matchup, matchups_of, pair_dialogues, pairing_id, stage_rng
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings

__all__ = [
    "AXES",
    "ONLY_ARM",
    "PUBLISHED",
    "AcuteProtocol",
    "AcuteSettings",
    "Matchup",
    "PairingSettings",
    "Question",
    "matchups_of",
    "mirror",
    "pair_dialogues",
    "pairing_id",
    "question_named",
    "segments",
    "stage_rng",
]
