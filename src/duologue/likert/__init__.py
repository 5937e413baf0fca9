"""Ratings after a live chat or of a finished dialogue, as in the human evaluation of ConvAI2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.likert.analysis.ratings import WILD, analyse_ratings
    from duologue.likert.analysis.results import (
        BotRating,
        FlagCount,
        LikertResults,
        PersonaDetection,
        QuestionResult,
        RatingPair,
        RatingSection,
    )
    from duologue.likert.drawing import draw_chats, draw_ratings
    from duologue.likert.options import LikertAnalysisOptions, LikertPlanOptions
    from duologue.likert.persona_detection import DETECTION, Detection, detection_of
    from duologue.likert.protocol import LikertProtocol, RatingScreen, steps_of
    from duologue.likert.report import LikertReport
    from duologue.likert.settings import ENJOYMENT, LikertSettings, RatingQuestionSettings

__all__ = [
    "DETECTION",
    "ENJOYMENT",
    "WILD",
    "BotRating",
    "Detection",
    "FlagCount",
    "LikertAnalysisOptions",
    "LikertPlanOptions",
    "LikertProtocol",
    "LikertReport",
    "LikertResults",
    "LikertSettings",
    "PersonaDetection",
    "QuestionResult",
    "RatingPair",
    "RatingQuestionSettings",
    "RatingScreen",
    "RatingSection",
    "analyse_ratings",
    "detection_of",
    "draw_chats",
    "draw_ratings",
    "steps_of",
]

__getattr__ = lazy_front(__name__)
