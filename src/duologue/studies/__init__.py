"""Studies: a folder with a study.toml, read, checked and described."""

from __future__ import annotations

from duologue.studies.load import load_study
from duologue.studies.make import new_study
from duologue.studies.model import Caps, Study, StudyFile, WordingTable

__all__ = ["Caps", "Study", "StudyFile", "WordingTable", "load_study", "new_study"]
