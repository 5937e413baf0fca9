"""``kind = "openai"``: any endpoint that speaks OpenAI's ``/chat/completions``, streamed or not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from time import perf_counter

import httpx2

from duologue.bots.base import Message, Reply
from duologue.bots.kinds.completion import Completion, read_completion, read_stream
from duologue.bots.kinds.wire import as_dicts, shortened
from duologue.bots.settings import OpenAIBot
from duologue.dialogues import Json
from duologue.errors import BotError, BotUnavailable
from duologue.strict_json import read_json

WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429})
"""Statuses besides 500 and above that may be gone the next time."""
LARGEST_BODY = 16 * 2**20


class OpenAIBackend:
    """One connection pool to one endpoint."""

    def __init__(self, settings: OpenAIBot) -> None:
        self._settings = settings
        self._url = settings.base_url.rstrip("/") + "/chat/completions"
        self._headers = _headers(settings)
        self._client: httpx2.AsyncClient | None = None

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One request. A refusal that comes with words is what the bot said, and is marked as one."""
        start = perf_counter()
        try:
            completion = await self._completion(self._body(messages, seed))
        except httpx2.TimeoutException as error:
            raise BotUnavailable(self._settings.name, f"{self._url} did not answer in time.") from error
        except httpx2.HTTPError as error:
            why = f"{self._url}: {shortened(str(error)) or type(error).__name__}"
            raise BotUnavailable(self._settings.name, f"{why}.") from error
        meta: dict[str, Json] = {"finish": completion.finish} if completion.finish else {}
        if completion.is_refusal:
            meta["refusal"] = True
        return Reply(completion.text, perf_counter() - start, completion.tokens, meta)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _completion(self, body: Mapping[str, Json]) -> Completion:
        name = self._settings.name
        if self._client is None:
            # Time and number of requests are limited by whoever asks us, for the whole of a reply.
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
            self._client = httpx2.AsyncClient(
                timeout=self._settings.timeout_seconds,
                limits=limits,
                headers=self._headers,
                mounts=_without_proxy(self._url),
            )
        async with self._client.stream("POST", self._url, json=body) as response:
            if response.status_code != 200:
                raise self._refused(response, await _read(name, response))
            if "text/event-stream" in response.headers.get("content-type", ""):
                return await read_stream(name, response.aiter_lines())
            return read_completion(name, await _read(name, response))

    def _body(self, messages: Sequence[Message], seed: int) -> dict[str, Json]:
        settings = self._settings
        body: dict[str, Json] = {"model": settings.model, "messages": as_dicts(messages)}
        for key in ("temperature", "top_p", "max_tokens"):
            if (value := getattr(settings, key)) is not None:
                body[key] = value
        if settings.stop:
            body["stop"] = list(settings.stop)
        if settings.send_seed:
            body["seed"] = seed % 2**31
        if settings.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body | settings.parameters

    def _refused(self, response: httpx2.Response, raw: bytes) -> BotError:
        status, name = response.status_code, self._settings.name
        why = f"{self._url} answered with status {status}: {_message(raw) or response.reason_phrase}."
        if status in WORTH_ANOTHER_TRY or status >= 500:
            return BotUnavailable(name, why, retry_after=seconds_to_wait(response.headers.get("retry-after")))
        if status in (401, 403):
            key = self._settings.api_key_env
            why += f" Check the key in {key}." if key else " Say in api_key_env which variable holds the key."
        return BotError(name, why)


def seconds_to_wait(header: str | None) -> float | None:
    """What a ``Retry-After`` header asks for: a number of seconds, or a date.

    Example:
        >>> seconds_to_wait("2"), seconds_to_wait("soon"), seconds_to_wait(None)
        (2.0, None, None)
    """
    if header is None:
        return None
    if header.strip().replace(".", "", 1).isdecimal():
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _without_proxy(url: str) -> dict[str, httpx2.AsyncBaseTransport | None]:
    """For a server on this machine, no proxy of the environment: there, 127.0.0.1 is another machine."""
    host = httpx2.URL(url).host
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost" or host.endswith(".localhost")
    if not is_here:
        return {}
    return {f"all://[{host}]" if ":" in host else f"all://{host}": None}


def _headers(settings: OpenAIBot) -> dict[str, str]:
    if not settings.api_key_env:
        return {}
    key = os.environ.get(settings.api_key_env, "").strip()
    if not key:
        why = f"the environment variable {settings.api_key_env} (its api_key_env) is not set."
        raise BotError(settings.name, why)
    return {"Authorization": f"Bearer {key}"}


async def _read(bot: str, response: httpx2.Response) -> bytes:
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_BODY:
            raise BotUnavailable(bot, f"its answer is larger than {LARGEST_BODY:,} bytes.")
    return b"".join(parts)


def _message(raw: bytes) -> str:
    """What the endpoint says went wrong, if it says so in words."""
    text = raw.decode("utf-8", "replace")
    try:
        found = read_json(text)
    except ValueError:
        return shortened(text)
    error = found.get("error", found) if isinstance(found, dict) else found
    message = error.get("message", error) if isinstance(error, dict) else error
    return shortened(message if isinstance(message, str) else text)
