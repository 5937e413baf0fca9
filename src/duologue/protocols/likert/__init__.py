"""Ratings after a live chat or of a finished dialogue, as in the human evaluation of ConvAI2."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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

_ANALYSIS = {
    name: module
    for module, names in {
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
    }.items()
    for name in names
}
"""Names that bring scipy with them: half a second that serving a study need not wait for."""


def __getattr__(name: str) -> object:
    if name not in _ANALYSIS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ANALYSIS[name]}"), name)
