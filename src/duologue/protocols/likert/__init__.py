"""Ratings after a live chat or of a finished dialogue, as in the human evaluation of ConvAI2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front
from duologue.protocols.likert.drawing import DETECTION, Detection, detection_of, draw_chats, draw_ratings
from duologue.protocols.likert.page import LikertProtocol, Screen, screens_of
from duologue.protocols.likert.settings import ENJOYMENT, LikertSettings, QuestionSettings

if TYPE_CHECKING:
    from duologue.protocols.likert.analysis import WILD, analyse_ratings
    from duologue.protocols.likert.results import (
        BotRating,
        FlagCount,
        LikertResults,
        PersonaDetection,
        QuestionResult,
        RatingPair,
        RatingSection,
        read_rating_results,
    )

__all__ = [
    "DETECTION",
    "ENJOYMENT",
    "WILD",
    "BotRating",
    "Detection",
    "FlagCount",
    "LikertProtocol",
    "LikertResults",
    "LikertSettings",
    "PersonaDetection",
    "QuestionResult",
    "QuestionSettings",
    "RatingPair",
    "RatingSection",
    "Screen",
    "analyse_ratings",
    "detection_of",
    "draw_chats",
    "draw_ratings",
    "read_rating_results",
    "screens_of",
]

# Names that bring scipy with them: half a second that serving a study need not wait for.
__getattr__ = lazy_front(
    __name__,
    {
        "analysis": ("WILD", "analyse_ratings"),
        "results": (
            "BotRating",
            "FlagCount",
            "LikertResults",
            "PersonaDetection",
            "QuestionResult",
            "RatingPair",
            "RatingSection",
            "read_rating_results",
        ),
    },
)
