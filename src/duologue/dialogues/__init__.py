"""Dialogues: what they are, and reading and writing the field's file formats."""

from __future__ import annotations

from duologue.dialogues.acute_pairings import PairingLine, read_pairing_lines, write_pairing_lines
from duologue.dialogues.checks import MAX_TURN_CHARS
from duologue.dialogues.duologue_jsonl import dialogue_record, dump_dialogue
from duologue.dialogues.formats import FORMATS, Format, detect_format
from duologue.dialogues.importing import Imported, import_dialogues
from duologue.dialogues.importing import file_name as bot_file_name
from duologue.dialogues.read import read_dialogues
from duologue.dialogues.records import DIALOGUE_KINDS, Dialogue, DialogueKind, Json, Speaker, Turn
from duologue.dialogues.report import (
    DialoguesReport,
    Distribution,
    Duplicates,
    NameLeak,
    check_dialogues,
    name_leaks,
)
from duologue.dialogues.sources import OnBad, OnProgress
from duologue.dialogues.study_folder import DialogueIndex, index_dialogues, study_dialogues
from duologue.dialogues.write import WRITABLE, write_dialogues

__all__ = [
    "DIALOGUE_KINDS",
    "FORMATS",
    "MAX_TURN_CHARS",
    "WRITABLE",
    "Dialogue",
    "DialogueIndex",
    "DialogueKind",
    "DialoguesReport",
    "Distribution",
    "Duplicates",
    "Format",
    "Imported",
    "Json",
    "NameLeak",
    "OnBad",
    "OnProgress",
    "PairingLine",
    "Speaker",
    "Turn",
    "bot_file_name",
    "check_dialogues",
    "detect_format",
    "dialogue_record",
    "dump_dialogue",
    "import_dialogues",
    "index_dialogues",
    "name_leaks",
    "read_dialogues",
    "read_pairing_lines",
    "study_dialogues",
    "write_dialogues",
    "write_pairing_lines",
]
