"""Annotators who never give a reason (Li, Weston and Roller 2019, "Annotation Quality").

Their judgments are excluded when their sitting ends, in the store: only it has all that they wrote.
"""

from __future__ import annotations

NO_REASON = "no-reason"
"""The name of the rule in exclusions."""
