"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front
from duologue.protocols.acute.page import AcuteProtocol
from duologue.protocols.acute.pairing import DialogueHead, Matchup, matchups_of, pair_dialogues, pairing_id
from duologue.protocols.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
from duologue.protocols.acute.settings import AcuteSettings, PairingSettings
from duologue.protocols.records import ONLY_ARM
from duologue.protocols.saying import say_rating, say_rating_span

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
        OtherVerdict,
        PlacedBot,
        Pooled,
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
    "DialogueHead",
    "Matchup",
    "MatchupResult",
    "OtherVerdict",
    "PairingSettings",
    "PlacedBot",
    "Pooled",
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
    "say_rating",
    "say_rating_span",
    "say_span",
    "segments",
    "significance_rows",
]

# Names that bring scipy with them: half a second that serving a study need not wait for.
__getattr__ = lazy_front(
    __name__,
    {
        "analysis": ("analyse_votes",),
        "parlai": (
            "full_rows",
            "grid_rows",
            "pairing_agreement",
            "ratings_per_worker_rows",
            "significance_rows",
        ),
        "results": (
            *(
                "AcuteResults",
                "MatchupResult",
                "OtherVerdict",
                "PlacedBot",
                "Pooled",
                "Provenance",
                "Section",
            ),
            "read_results",
        ),
        "verdicts": ("say_p", "say_percent", "say_span"),
    },
)
