"""``kind = "python"``: a function, ``messages -> str``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

from duologue.bots.base import Ability, Message, Reply
from duologue.bots.kinds.threads import in_thread
from duologue.bots.kinds.wire import as_dicts, shortened
from duologue.bots.scores import HOW_TO_SCORE
from duologue.bots.settings import PythonBot
from duologue.errors import BotError, BotUnavailable


class PythonBackend:
    """Calls a function with the messages, and with ``seed`` when it has a parameter of that name."""

    def __init__(self, settings: PythonBot, *, folder: Path) -> None:
        self._name = settings.name
        self._function = _load(settings, folder)
        self._wants_seed = _takes_seed(self._function)

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """What the function returns; it runs in a thread of its own unless it is async."""
        start = perf_counter()
        more = {"seed": seed} if self._wants_seed else {}
        text = await self._run(self._function, as_dicts(messages), **more)
        if not isinstance(text, str):
            raise BotError(self._name, f"it should return a text and returned {type(text).__name__}.")
        return Reply(text, perf_counter() - start)

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """It can what its object has methods for."""
        more: tuple[tuple[Ability, str], ...] = (("score", "score"), ("words", "next_word_probabilities"))
        return ("reply", *(ability for ability, method in more if hasattr(self._function, method)))

    async def score(self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int) -> object:
        """What its method ``score(messages, candidates)`` returns."""
        return await self._called("score", as_dicts(messages), list(candidates))

    async def next_word_probabilities(
        self, messages: Sequence[Message], words: Sequence[str], *, seed: int
    ) -> object:
        """What its method ``next_word_probabilities(messages, words)`` returns."""
        return await self._called("next_word_probabilities", as_dicts(messages), list(words))

    async def _called(self, method: str, *arguments: object) -> object:
        function = getattr(self._function, method, None)
        if function is None:
            raise BotError(self._name, f"it has no method {method!r}. {HOW_TO_SCORE}")
        return await self._run(function, *arguments)

    async def _run(self, function: Callable[..., Any], *arguments: object, **more: object) -> object:
        try:
            if inspect.iscoroutinefunction(_called(function)):
                return await function(*arguments, **more)
            return await in_thread(lambda: function(*arguments, **more))
        except BotError:
            raise
        except Exception as error:
            why = f"it raised {type(error).__name__}: {shortened(str(error))}"
            raise BotUnavailable(self._name, why) from error

    async def close(self) -> None:
        """Nothing is held."""


def _load(settings: PythonBot, folder: Path) -> Callable[..., Any]:
    try:
        thing = named_object(settings.call, folder)
    except Exception as error:
        why = f"{settings.call!r} cannot be loaded: {type(error).__name__}: {shortened(str(error))}"
        raise BotError(settings.name, f"{why}. The module may lie in {folder.resolve()}.") from error
    if not callable(thing):
        raise BotError(settings.name, f"{settings.call!r} is no function but {type(thing).__name__}.")
    return thing  # type: ignore[no-any-return]


def named_object(call: str, folder: Path) -> Any:
    """What ``module:name`` names; of a class, an object of it. The module may lie in the folder."""
    module_name, _, path = call.partition(":")
    thing: Any = _module(module_name, folder)
    for part in path.split("."):
        thing = getattr(thing, part)
    return thing() if inspect.isclass(thing) else thing


def _module(name: str, folder: Path) -> ModuleType:
    """The module in a file beside the study, or one that is installed."""
    path = folder / (name if name.endswith(".py") else f"{name.replace('.', '/')}.py")
    if not path.is_file():
        return import_module(name)
    unique = f"_duologue_bot_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(unique, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module  # so that what is defined in it can be found again, by pickle for one
    spec.loader.exec_module(module)
    return module


def _takes_seed(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(one.name == "seed" or one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)


def _called(function: Callable[..., Any]) -> object:
    """The function itself, or the method that makes an object callable."""
    return function if inspect.isroutine(function) else getattr(function, "__call__")  # noqa: B004, B009
