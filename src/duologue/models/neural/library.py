"""The packages of the extra ``neural``, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from duologue.errors import MissingExtra


def torch_library() -> Any:
    """PyTorch.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module("torch")
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error


def transformers_library() -> Any:
    """Hugging Face's transformers.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module("transformers")
    except ImportError as error:
        raise MissingExtra("transformers", "neural") from error
