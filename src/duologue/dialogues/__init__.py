"""Dialogues: what they are, and reading and writing the field's file formats."""

from __future__ import annotations

from duologue.dialogues.records import DIALOGUE_KINDS, Dialogue, DialogueKind, Json, Speaker, Turn

__all__ = ["DIALOGUE_KINDS", "Dialogue", "DialogueKind", "Json", "Speaker", "Turn"]
