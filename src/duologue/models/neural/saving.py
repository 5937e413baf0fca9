"""A trained model as a folder: what it is (``model.json``), its words, and its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from duologue.dialogues import Json
from duologue.errors import FormatError, InputError, NewerFormat, UnreadableFile
from duologue.expected import expected
from duologue.files import make_folder, replacing, replacing_by_name
from duologue.models.neural.library import torch_library
from duologue.models.neural.training import CHECKPOINT, TrainingSettings, TrainingState
from duologue.models.neural.vocabulary import ModelVocabulary
from duologue.strict_json import read_json

Settings = TypeVar("Settings", bound=TrainingSettings)

FORMAT = "duologue.model/1"
ABOUT, WORDS, WEIGHTS = "model.json", "words.json", "weights.pt"


@dataclass(frozen=True, slots=True)
class SavedModel:
    """What a folder says of the model in it."""

    folder: Path
    kind: str
    settings: Mapping[str, Json]
    vocabulary: ModelVocabulary

    def read_settings(self, of: type[Settings], *, device: str) -> Settings:
        """Its settings, with the device that it is to be used on."""
        try:
            return of.model_validate({**self.settings, "device": device})
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise FormatError(self.folder / ABOUT, field=field, expected=expected(first)) from error

    def load_weights(self, parts: Any, *, device: str) -> None:
        """Put the weights into a model of the same sizes."""
        torch = torch_library()
        path = self.folder / WEIGHTS
        try:
            parts.load_state_dict(torch.load(path, map_location=device, weights_only=True))
        except FileNotFoundError as error:
            raise UnreadableFile(path, "it is not there") from error
        except Exception as error:  # torch raises what pickle, zip files and itself raise
            raise FormatError(path, expected="the weights of this model", hint="Train it anew.") from error
        parts.eval()


def save_model(
    folder: Path,
    kind: str,
    settings: TrainingSettings,
    vocabulary: ModelVocabulary,
    parts: Any,
    *,
    state: TrainingState,
    measure: str,
    about: Mapping[str, Json],
) -> None:
    """Write a trained model; ``model.json`` comes last, so that a folder with it is whole.

    Raises:
        ExportError: The folder cannot be written.
        StoreFull: The disk is full.
    """
    make_folder(folder)
    with replacing_by_name(folder / WEIGHTS) as draft:
        torch_library().save(parts.state_dict(), draft)
    with replacing(folder / WORDS) as file:
        words = {"words": vocabulary.words, "splitting": vocabulary.splitting}
        file.write(json.dumps(words, ensure_ascii=False).encode())
    record = {
        "format": FORMAT,
        "kind": kind,
        "settings": settings.model_dump(mode="json"),
        "measure": measure,
        "best": state.best,
        "best_epoch": state.best_epoch,
        "history": [asdict(one) for one in state.history],
        **about,
    }
    with replacing(folder / ABOUT) as file:
        file.write(json.dumps(record, ensure_ascii=False, indent=1).encode() + b"\n")


def read_saved(folder: Path) -> SavedModel:
    """What a folder says of its model.

    Raises:
        InputError: There is no trained model in it.
    """
    if (folder / CHECKPOINT).exists() and not (folder / ABOUT).exists():
        raise InputError(f"{folder}: its training is not over. Run the same command again: it goes on.")
    about = _object(folder / ABOUT)
    if about.get("format") != FORMAT:
        if str(about.get("format", "")).startswith("duologue.model/"):
            raise NewerFormat(folder / ABOUT, str(about["format"]), FORMAT)
        raise FormatError(folder / ABOUT, field="format", expected=FORMAT)
    words = _object(folder / WORDS)
    try:
        vocabulary = ModelVocabulary(tuple(words["words"]), words["splitting"])
        return SavedModel(folder, str(about["kind"]), dict(about["settings"]), vocabulary)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder}: {ABOUT} or {WORDS} lacks {error}. Train the model anew.") from error


def _object(path: Path) -> dict[str, Any]:
    try:
        found = read_json(path.read_bytes())
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    except ValueError as error:
        raise FormatError(path, expected="JSON") from error
    if not isinstance(found, dict):
        raise FormatError(path, expected="a JSON object")
    return found
