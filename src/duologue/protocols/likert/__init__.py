"""Ratings after a live chat or of a finished dialogue, as in the human evaluation of ConvAI2."""

from __future__ import annotations

from duologue.protocols.likert.drawing import DETECTION, Detection, detection_of, draw_chats, draw_ratings
from duologue.protocols.likert.page import LikertProtocol, Screen, screens_of
from duologue.protocols.likert.settings import ENJOYMENT, LikertSettings, QuestionSettings

__all__ = [
    "DETECTION",
    "ENJOYMENT",
    "Detection",
    "LikertProtocol",
    "LikertSettings",
    "QuestionSettings",
    "Screen",
    "detection_of",
    "draw_chats",
    "draw_ratings",
    "screens_of",
]
