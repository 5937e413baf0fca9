"""``kind = "command"``: a process that reads one JSON line and answers with one, again and again.

It is given ``{"messages": [{"role": …, "content": …}, …], "seed": 1}`` and answers ``{"text": "…"}``, or
``{"error": "…"}`` when it cannot. ``"finish": "length"`` beside the text says that the reply was cut. Asked
with ``"candidates": […]`` it answers ``{"scores": […]}``, with ``"words": […]`` ``{"probabilities": {…}}``.
What it writes to stderr is shown when something goes wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from duologue.bots.base import Message, Reply
from duologue.bots.kinds.wire import as_dicts, shortened
from duologue.bots.settings import CommandBot
from duologue.dialogues import Json
from duologue.errors import BotError, BotUnavailable
from duologue.strict_json import read_json

LONGEST_LINE = 16 * 2**20
"""Bytes of one line of a process; a longer one is refused."""
LINES_OF_STDERR = 20
SECONDS_TO_END = 2.0
_KINDS = {"text": str, "scores": list, "probabilities": dict}


class CommandBackend:
    """Processes that wait for the next question; a dead one is replaced, a late one is killed."""

    def __init__(self, settings: CommandBot, *, folder: Path) -> None:
        self._name, self._command, self._folder = settings.name, settings.command, folder
        if why := _why_it_cannot_run(settings.command[0], folder):
            raise BotError(settings.name, f"{settings.command[0]!r} cannot be started: {why}.")
        self._idle: list[_Process] = []

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One line to an idle process (or a new one), one line back."""
        start = perf_counter()
        answer = await self._exchanged({"messages": as_dicts(messages), "seed": seed}, "text")
        finish = answer.get("finish")
        meta: dict[str, Json] = {"finish": finish} if isinstance(finish, str) else {}
        return Reply(str(answer["text"]), perf_counter() - start, meta=meta)

    async def score(self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int) -> object:
        """The field ``scores`` of what it answers to messages and ``candidates``."""
        asked = {"messages": as_dicts(messages), "candidates": list(candidates), "seed": seed}
        return (await self._exchanged(asked, "scores"))["scores"]

    async def next_word_probabilities(
        self, messages: Sequence[Message], words: Sequence[str], *, seed: int
    ) -> object:
        """The field ``probabilities`` of what it answers to messages and ``words``."""
        asked = {"messages": as_dicts(messages), "words": list(words), "seed": seed}
        return (await self._exchanged(asked, "probabilities"))["probabilities"]

    async def _exchanged(self, asked: dict[str, Json], wanted: str) -> dict[str, object]:
        """What an idle process, or a new one, answers: an object that has the wanted field."""
        process = self._idle.pop() if self._idle else await self._started()
        is_in_step = False
        try:
            answer = await process.ask(json.dumps(asked), wanted)
            is_in_step = True
        finally:
            if is_in_step:
                self._idle.append(process)
            else:
                await asyncio.shield(process.kill())
        if "error" in answer:
            raise BotUnavailable(self._name, f"it says: {shortened(str(answer['error']))}")
        return answer

    async def close(self) -> None:
        """End the processes: their input is closed, and those that do not leave are killed."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(process.end() for process in idle))

    async def _started(self) -> _Process:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._folder,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise BotError(
                self._name, f"{self._command[0]!r} cannot be started: {reason.lower()}."
            ) from error
        return _Process(self._name, process)


def _why_it_cannot_run(program: str, folder: Path) -> str:
    """What is wrong with a program, as far as it can be told without starting it; nothing if nothing is."""
    is_path = "/" in program or os.sep in program
    if shutil.which(folder / program if is_path else program) is not None:
        return ""
    return "permission denied" if is_path and (folder / program).exists() else "no such file or directory"


class _Process:
    """One running process, and the last lines of its stderr."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self._name, self._process = name, process
        self._complaints: deque[bytes] = deque(maxlen=LINES_OF_STDERR)
        self._listening = asyncio.create_task(self._listen())

    async def ask(self, line: str, wanted: str) -> dict[str, object]:
        """Hand over a line and wait for the one that answers it."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None  # noqa: PT018, S101
        try:
            stdin.write(line.encode() + b"\n")
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise await self._death() from None
        try:
            raw = await stdout.readline()
        except ValueError:
            raise BotError(self._name, f"its line is longer than {LONGEST_LINE:,} bytes.") from None
        if not raw.endswith(b"\n"):
            raise await self._death()
        return self._understood(raw, wanted)

    async def end(self) -> None:
        """Close its input and give it a moment to leave."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), SECONDS_TO_END)
        await self.kill()

    async def kill(self) -> None:
        """End it at once, with all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        await self._heard()

    def _understood(self, raw: bytes, wanted: str) -> dict[str, object]:
        try:
            answer = read_json(raw)
        except ValueError:
            answer = None
        kind = _KINDS[wanted]
        if not isinstance(answer, dict) or not ("error" in answer or isinstance(answer.get(wanted), kind)):
            got = shortened(raw.decode("utf-8", "replace"), limit=80)
            shown = {"text": '"…"', "scores": "[…]", "probabilities": "{…}"}[wanted]
            hint = f'It should write {{"{wanted}": {shown}}} on one line, and everything else to stderr.'
            raise BotError(self._name, f"it wrote {got!r}. {hint}{self._said()}")
        return answer

    async def _death(self) -> BotUnavailable:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), SECONDS_TO_END)
        await self._heard()
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return BotUnavailable(self._name, f"its process {how}.{self._said()}")

    async def _listen(self) -> None:
        assert self._process.stderr is not None  # noqa: S101
        with suppress(ValueError):
            while line := await self._process.stderr.readline():
                self._complaints.append(line)

    async def _heard(self) -> None:
        """Wait until its last words are read; a grandchild that holds the pipe is not waited for."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listening, SECONDS_TO_END)

    def _said(self) -> str:
        said = shortened(b"".join(self._complaints).decode("utf-8", "replace"))
        stop = "" if said.endswith((".", "!", "?", "…")) else "."
        return f" On stderr: {said}{stop}" if said else ""
