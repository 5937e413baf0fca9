"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from duologue.protocols.acute.analysis import analyse_votes
from duologue.protocols.acute.page import ONLY_ARM, AcuteProtocol
from duologue.protocols.acute.pairing import Matchup, matchups_of, pair_dialogues, pairing_id, stage_rng
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.results import AcuteResults, MatchupResult, Provenance, Section, read_results
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings

__all__ = [
    "AXES",
    "ONLY_ARM",
    "PUBLISHED",
    "AcuteProtocol",
    "AcuteResults",
    "AcuteSettings",
    "Matchup",
    "MatchupResult",
    "PairingSettings",
    "Provenance",
    "Question",
    "Section",
    "analyse_votes",
    "matchups_of",
    "mirror",
    "pair_dialogues",
    "pairing_id",
    "question_named",
    "read_results",
    "segments",
    "stage_rng",
]
