"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from duologue.protocols.acute.page import AcuteProtocol
from duologue.protocols.acute.pairing import Matchup, matchups_of, pair_dialogues, pairing_id
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings
from duologue.protocols.records import ONLY_ARM

if TYPE_CHECKING:
    from duologue.protocols.acute.analysis import analyse_votes
    from duologue.protocols.acute.parlai import (
        full_rows,
        grid_rows,
        pairing_agreement,
        ratings_per_worker_rows,
        significance_rows,
    )
    from duologue.protocols.acute.results import (
        AcuteResults,
        MatchupResult,
        Section,
        read_results,
    )
    from duologue.protocols.provenance import Provenance
    from duologue.protocols.saying import say_p, say_percent, say_span

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
    "full_rows",
    "grid_rows",
    "matchups_of",
    "mirror",
    "pair_dialogues",
    "pairing_agreement",
    "pairing_id",
    "question_named",
    "ratings_per_worker_rows",
    "read_results",
    "say_p",
    "say_percent",
    "say_span",
    "segments",
    "significance_rows",
]

_ANALYSIS = {
    name: module
    for module, names in {
        "analysis": ("analyse_votes",),
        "parlai": (
            "full_rows",
            "grid_rows",
            "pairing_agreement",
            "ratings_per_worker_rows",
            "significance_rows",
        ),
        "results": ("AcuteResults", "MatchupResult", "Provenance", "Section", "read_results"),
        "verdicts": ("say_p", "say_percent", "say_span"),
    }.items()
    for name in names
}
"""Names that bring scipy with them: half a second that serving a study need not wait for."""


def __getattr__(name: str) -> object:
    if name not in _ANALYSIS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ANALYSIS[name]}"), name)
