"""Dialogues: what they are, and reading and writing the field's file formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.dialogues.checks import MAX_TURN_CHARS
    from duologue.dialogues.formats.acute_pairings import PairingLine, read_pairing_lines, write_pairing_lines
    from duologue.dialogues.formats.duologue_jsonl import dialogue_record, dump_dialogue
    from duologue.dialogues.formats.episodes import read_persona_line
    from duologue.dialogues.formats.known import FORMATS, Format, detect_format
    from duologue.dialogues.importing import ImportResult, bot_file_name, import_dialogues
    from duologue.dialogues.json_values import dump_json, json_name, json_objects
    from duologue.dialogues.likeness import LikenessTally
    from duologue.dialogues.masking import (
        PLACEHOLDER,
        MaskingResult,
        mask_again,
        mask_dialogues,
        mask_names,
        masked_names,
        unmasked,
    )
    from duologue.dialogues.next_turns.items import (
        SPLITS,
        NextTurnItem,
        Split,
        pool_candidates,
        read_next_turns,
        read_pool,
        write_next_turns,
        write_pool,
    )
    from duologue.dialogues.next_turns.scores import CandidateScores, read_scores, write_scores
    from duologue.dialogues.read import read_corpus, read_dialogues
    from duologue.dialogues.records import (
        CUT,
        DIALOGUE_KINDS,
        Dialogue,
        DialogueKind,
        Json,
        Speaker,
        Turn,
        is_cut,
    )
    from duologue.dialogues.removing import remove_dialogues, restore_dialogues
    from duologue.dialogues.report import (
        DialoguesReport,
        Distribution,
        Duplicates,
        NameLeak,
        check_dialogues,
        distribution_of,
        name_leaks,
    )
    from duologue.dialogues.sources import OnBad, OnProgress, Source, Stretch
    from duologue.dialogues.splitting import split_file
    from duologue.dialogues.study_folder import (
        DialogueIndex,
        RemovedDialogue,
        index_dialogues,
        removed_dialogues,
        study_dialogues,
        study_files,
        turn_limit,
    )
    from duologue.dialogues.write import WRITABLE, write_dialogues

__all__ = [
    "CUT",
    "DIALOGUE_KINDS",
    "FORMATS",
    "MAX_TURN_CHARS",
    "PLACEHOLDER",
    "SPLITS",
    "WRITABLE",
    "CandidateScores",
    "Dialogue",
    "DialogueIndex",
    "DialogueKind",
    "DialoguesReport",
    "Distribution",
    "Duplicates",
    "Format",
    "ImportResult",
    "Json",
    "LikenessTally",
    "MaskingResult",
    "NameLeak",
    "NextTurnItem",
    "OnBad",
    "OnProgress",
    "PairingLine",
    "RemovedDialogue",
    "Source",
    "Speaker",
    "Split",
    "Stretch",
    "Turn",
    "bot_file_name",
    "check_dialogues",
    "detect_format",
    "dialogue_record",
    "distribution_of",
    "dump_dialogue",
    "dump_json",
    "import_dialogues",
    "index_dialogues",
    "is_cut",
    "json_name",
    "json_objects",
    "mask_again",
    "mask_dialogues",
    "mask_names",
    "masked_names",
    "name_leaks",
    "pool_candidates",
    "read_corpus",
    "read_dialogues",
    "read_next_turns",
    "read_pairing_lines",
    "read_persona_line",
    "read_pool",
    "read_scores",
    "remove_dialogues",
    "removed_dialogues",
    "restore_dialogues",
    "split_file",
    "study_dialogues",
    "study_files",
    "turn_limit",
    "unmasked",
    "write_dialogues",
    "write_next_turns",
    "write_pairing_lines",
    "write_pool",
    "write_scores",
]

__getattr__ = lazy_front(__name__)
