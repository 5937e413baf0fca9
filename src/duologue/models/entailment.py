"""Whether one text contradicts another, by weights of natural language inference (extra ``neural``)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from duologue.errors import DesignError, MissingExtra

CONTRADICTION = "contradiction"
AT_ONCE = 32
"""Pairs that go through the weights together."""


class LocalEntailment:
    """Weights of natural language inference on this machine; nothing is downloaded.

    Raises:
        DesignError: The folder has no such weights, or none of their labels is "contradiction".
        MissingExtra: ``transformers`` is not installed.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._torch = import_module("torch")
            library = import_module("transformers")
        except ImportError as error:
            raise MissingExtra("transformers", "neural") from error
        library.utils.logging.disable_progress_bar()
        try:
            self._tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = library.AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise DesignError(f"{folder}: the weights cannot be loaded: {error}") from error
        self._model = model.eval()
        labels = {str(label).lower(): int(place) for place, label in model.config.id2label.items()}
        if CONTRADICTION not in labels:
            raise DesignError(f"{folder}: its labels are {', '.join(labels)}, and none is {CONTRADICTION!r}.")
        self._place = labels[CONTRADICTION]

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How probable it is that the second text contradicts the first, for each pair."""
        shares: list[float] = []
        for start in range(0, len(pairs), AT_ONCE):
            some = pairs[start : start + AT_ONCE]
            first, second = [one for one, _ in some], [other for _, other in some]
            given = self._tokenizer(first, second, return_tensors="pt", padding=True, truncation=True)
            with self._torch.inference_mode():
                found = self._model(**given).logits.softmax(dim=-1)[:, self._place]
            shares += found.tolist()
        return shares
