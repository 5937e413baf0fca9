"""Texts as pieces of words, as the tokenizer of some weights cuts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duologue.errors import InputError
from duologue.models.neural.library import transformers_library
from duologue.models.neural.vocabulary import MARKS, ModelVocabulary

PIECES = "pieces"
"""The folder within a model's that holds tokenizer and configuration."""


@dataclass(frozen=True, slots=True)
class PieceVocabulary(ModelVocabulary):
    """`MARKS` first, then the pieces of the tokenizer in its order."""

    folder: Path = field(default=Path(), compare=False)
    has_weights: bool = field(default=False, compare=False)
    """Whether the folder holds weights that were not trained here."""
    tokenizer: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of_weights(cls, folder: Path, *, has_weights: bool = True) -> PieceVocabulary:
        """The pieces of the weights in a folder.

        Raises:
            InputError: There are none in it.
            MissingExtra: transformers is not installed.
        """
        library = transformers_library()
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split())[:200]
            raise InputError(f"{folder}: there are no weights with a tokenizer: {why}") from error
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        return cls((*MARKS, *pieces), "pieces", folder, has_weights, tokenizer)

    def numbers(self, text: str) -> list[int]:
        """The numbers of the pieces of a text."""
        found = self.tokenizer.encode(" " + text.strip(), add_special_tokens=False)
        return [len(MARKS) + number for number in found]

    def text(self, numbers: Sequence[int]) -> str:
        """The text of some pieces."""
        return str(self.tokenizer.decode([number - len(MARKS) for number in numbers])).strip()

    def keep(self, folder: Path) -> None:
        """Write tokenizer and configuration beside a model."""
        self.tokenizer.save_pretrained(folder / PIECES)
        transformers_library().GPT2Config.from_pretrained(self.folder).save_pretrained(folder / PIECES)
