"""Studies: a folder with a study.toml, read, checked and described."""

from __future__ import annotations

from duologue.studies.model import Caps, Study, StudyFile, WordingTable

__all__ = ["Caps", "Study", "StudyFile", "WordingTable"]
