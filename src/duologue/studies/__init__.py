"""Studies: a folder with a study.toml, read, checked and described; its pairings."""

from __future__ import annotations

from duologue.studies.check import StudyCheck, check_study
from duologue.studies.describe import describe_study
from duologue.studies.load import load_study
from duologue.studies.make import new_study
from duologue.studies.model import Caps, Study, StudyFile, WordingTable
from duologue.studies.pairings import (
    MadePairings,
    change_pairing,
    export_pairings,
    import_pairings,
    make_pairings,
)

__all__ = [
    "Caps",
    "MadePairings",
    "Study",
    "StudyCheck",
    "StudyFile",
    "WordingTable",
    "change_pairing",
    "check_study",
    "describe_study",
    "export_pairings",
    "import_pairings",
    "load_study",
    "make_pairings",
    "new_study",
]
