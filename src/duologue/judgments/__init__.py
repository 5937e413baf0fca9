"""Judgments: what annotators decided, what was set aside, and tables of them."""

from __future__ import annotations

from duologue.judgments.records import Exclusion, ExclusionAction, Judgment, SecondsKind

__all__ = ["Exclusion", "ExclusionAction", "Judgment", "SecondsKind"]
