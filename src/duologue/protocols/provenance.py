"""Where the numbers of an analysis come from, whatever the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the numbers come from."""

    duologue: str
    packages: dict[str, str] = field(default_factory=dict)
    study: str = ""
    design_hash: str = ""
    data: dict[str, str] = field(default_factory=dict)
    """SHA-256 of each file or table that was read."""
    rows: dict[str, int] = field(default_factory=dict)
    """How many rows the table of judgments has; a study's has one for each judgment."""
    first_judgment: str = ""
    last_judgment: str = ""
    began: str = ""
    ended: str = ""
    judged_by: str = "people"
    """``people``, ``first-party`` (those who had the chats) or ``judge`` (models)."""
    is_rehearsal: bool = False
