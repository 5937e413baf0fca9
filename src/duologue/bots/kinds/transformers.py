"""``kind = "transformers"``: local weights with nucleus sampling (extra ``neural``)."""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from duologue.bots.base import Message, Reply
from duologue.bots.kinds.threads import in_thread
from duologue.bots.kinds.wire import as_dicts, shortened
from duologue.bots.settings import TransformersBot
from duologue.errors import BotError, MissingExtra


class TransformersBackend:
    """Weights in this process, one reply at a time."""

    def __init__(self, settings: TransformersBot, *, folder: Path) -> None:
        self._settings = settings
        self._torch, self._library = _libraries()
        local = folder / settings.model
        self._where = str(local) if local.is_dir() else settings.model
        self._loaded: tuple[Any, Any] | None = self._load()
        self._alone = Lock()

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One reply; the same for the same messages and seed on the same machine."""
        start = perf_counter()
        async with self._alone:
            text, tokens, finish = await in_thread(lambda: self._generate(messages, seed))
        return Reply(text, perf_counter() - start, tokens, {"finish": finish})

    async def close(self) -> None:
        """Let go of the weights."""
        self._loaded = None

    def _generate(self, messages: Sequence[Message], seed: int) -> tuple[str, int, str]:
        tokenizer, model = self._loaded = self._loaded or self._load()
        settings, torch = self._settings, self._torch
        heard = self._encoded(tokenizer, model, messages)
        sampling: dict[str, Any] = {"do_sample": settings.temperature > 0}
        if settings.temperature > 0:
            sampling |= {"temperature": settings.temperature, "top_p": settings.top_p, "top_k": 0}
        torch.manual_seed(seed)  # generate() draws from torch's own state; we are alone with it
        with torch.inference_mode():
            whole = model.generate(
                **heard,
                max_new_tokens=settings.max_tokens,
                pad_token_id=_first(tokenizer.pad_token_id, tokenizer.eos_token_id),
                **sampling,
            )
        said = whole[0, heard["input_ids"].shape[1] :]
        is_cut = len(said) >= settings.max_tokens and int(said[-1]) not in _ends(model, tokenizer)
        text = tokenizer.decode(said, skip_special_tokens=True).strip()
        return text, len(said), "length" if is_cut else "stop"

    def _encoded(self, tokenizer: Any, model: Any, messages: Sequence[Message]) -> dict[str, Any]:
        """The messages by the chat template of the weights; without one, a line for each turn.

        What is too long loses its beginning, as far as the weights can look back.
        """
        if tokenizer.chat_template:
            text = tokenizer.apply_chat_template(
                as_dicts(messages), tokenize=False, add_generation_prompt=True
            )
            encoded = tokenizer(text, return_tensors="pt", add_special_tokens=False)
        else:
            end = tokenizer.eos_token or "\n"
            text = "".join(message.text + end for message in messages) or end
            encoded = tokenizer(text, return_tensors="pt")
        room = getattr(model.config, "max_position_embeddings", None) or 2**31
        kept = max(1, room - self._settings.max_tokens)
        names = ("input_ids", "attention_mask")
        return {name: encoded[name][:, -kept:].to(self._settings.device) for name in names}

    def _load(self) -> tuple[Any, Any]:
        self._library.utils.logging.disable_progress_bar()
        try:
            tokenizer = self._library.AutoTokenizer.from_pretrained(self._where)
            model = self._library.AutoModelForCausalLM.from_pretrained(self._where)
            return tokenizer, model.to(self._settings.device).eval()
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            why = f"the weights in {self._where!r} cannot be loaded: {shortened(str(error))}"
            raise BotError(self._settings.name, why) from error


def _ends(model: Any, tokenizer: Any) -> set[int]:
    """The tokens with which the weights end a turn."""
    ends = getattr(model.generation_config, "eos_token_id", None)
    ends = tokenizer.eos_token_id if ends is None else ends
    return set(ends) if isinstance(ends, list) else {ends}


def _first(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)


def _libraries() -> tuple[Any, Any]:
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError as error:
        raise MissingExtra("transformers with torch", "neural") from error
