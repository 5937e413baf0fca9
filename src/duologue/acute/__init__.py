"""ACUTE-EVAL: two whole dialogues side by side, one judged speaker in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.acute.analysis.parlai import (
        full_rows,
        grid_rows,
        pairing_agreement,
        ratings_per_worker_rows,
        significance_rows,
    )
    from duologue.acute.analysis.results import (
        AcuteResults,
        MatchupResult,
        OtherVerdict,
        PlacedBot,
        PooledResult,
        QuestionRanking,
        Section,
        SeparatingQuestion,
    )
    from duologue.acute.analysis.votes import analyse_votes
    from duologue.acute.design import AcuteDesign
    from duologue.acute.design.pairings import (
        MadePairings,
        added_pairings,
        change_pairing,
        export_pairings,
        import_pairings,
        make_pairings,
    )
    from duologue.acute.options import AcuteAnalysisOptions, AcutePlanOptions
    from duologue.acute.pairing import DialogueHead, Matchup, matchups_of, pair_dialogues, pairing_id
    from duologue.acute.protocol import AcuteProtocol
    from duologue.acute.questions import AXES, PUBLISHED, Question, mirror, question_named, segments
    from duologue.acute.report import AcuteReport
    from duologue.acute.report.examples import Example
    from duologue.acute.report.tables import matchup_rows
    from duologue.acute.settings import AcuteSettings, PairingSettings

__all__ = [
    "AXES",
    "PUBLISHED",
    "AcuteAnalysisOptions",
    "AcuteDesign",
    "AcutePlanOptions",
    "AcuteProtocol",
    "AcuteReport",
    "AcuteResults",
    "AcuteSettings",
    "DialogueHead",
    "Example",
    "MadePairings",
    "Matchup",
    "MatchupResult",
    "OtherVerdict",
    "PairingSettings",
    "PlacedBot",
    "PooledResult",
    "Question",
    "QuestionRanking",
    "Section",
    "SeparatingQuestion",
    "added_pairings",
    "analyse_votes",
    "change_pairing",
    "export_pairings",
    "full_rows",
    "grid_rows",
    "import_pairings",
    "make_pairings",
    "matchup_rows",
    "matchups_of",
    "mirror",
    "pair_dialogues",
    "pairing_agreement",
    "pairing_id",
    "question_named",
    "ratings_per_worker_rows",
    "segments",
    "significance_rows",
]

__getattr__ = lazy_front(__name__)
