"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from duologue.protocols.acute.page import ONLY_ARM, AcuteProtocol
from duologue.protocols.acute.pairing import Matchup, matchups_of, pair_dialogues, pairing_id, stage_rng
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings

if TYPE_CHECKING:
    from duologue.protocols.acute.analysis import analyse_votes
    from duologue.protocols.acute.results import (
        AcuteResults,
        MatchupResult,
        Provenance,
        Section,
        read_results,
    )

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

_ANALYSIS = {
    "analyse_votes": "analysis",
    **dict.fromkeys(("AcuteResults", "MatchupResult", "Provenance", "Section", "read_results"), "results"),
}
"""Names that bring scipy with them: half a second that serving a study need not wait for."""


def __getattr__(name: str) -> object:
    if name not in _ANALYSIS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ANALYSIS[name]}"), name)
