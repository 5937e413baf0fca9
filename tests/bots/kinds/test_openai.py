from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from duologue.bots import Message, OpenAIBot, Reply, open_bot
from duologue.bots.kinds.openai import seconds_to_wait
from duologue.errors import BotError, BotUnavailable
from tests.bots.endpoint import (
    Behaviour,
    Endpoint,
    answers,
    completion,
    cuts,
    drips,
    fails,
    piece,
    says,
    streams,
    waits,
)

SAID = [Message("user", "Hi there!")]


def ask(
    *behaviours: Behaviour, messages: Sequence[Message] = SAID, **settings: object
) -> tuple[Reply, Endpoint]:
    """One reply of a bot whose endpoint behaves as told."""

    async def run() -> tuple[Reply, Endpoint]:
        async with Endpoint().then(*behaviours) as endpoint:
            table = {"name": "ada", "base_url": endpoint.base_url, "model": "m", "retries": 0, **settings}
            async with open_bot(OpenAIBot.model_validate(table)) as bot:
                return await bot.reply(messages, seed=7), endpoint

    return asyncio.run(run())


def test_the_reply_of_the_endpoint_is_the_reply_of_the_bot() -> None:
    reply, _ = ask(says("Good day.", usage={"completion_tokens": 3}))
    assert reply.text == "Good day."
    assert reply.tokens == 3
    assert reply.meta == {"finish": "stop"}
    assert reply.seconds > 0


def test_the_request_holds_what_was_said_and_how_to_sample() -> None:
    told = [Message("system", "your persona: i like tea."), *SAID, Message("assistant", "Yes?")]
    _, endpoint = ask(
        messages=told,
        system_prompt="Be kind. You: {persona}",
        temperature=0.7,
        top_p=0.9,
        max_tokens=40,
        stop=["\n"],
        parameters={"presence_penalty": 0.5},
    )
    assert endpoint.requests == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be kind. You: i like tea."},
                {"role": "user", "content": "Hi there!"},
                {"role": "assistant", "content": "Yes?"},
            ],
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 40,
            "stop": ["\n"],
            "seed": 7,
            "presence_penalty": 0.5,
        }
    ]


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAS_KEY", "s3cret")
    _, endpoint = ask(api_key_env="ADAS_KEY")
    assert endpoint.headers[0]["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize("is_named", [False, True])
def test_a_model_on_this_machine_is_asked_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    """No proxy can reach it: there, 127.0.0.1 is another machine."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    async def run() -> str:
        async with Endpoint() as endpoint:
            address = endpoint.base_url
            if is_named:
                address = address.replace("127.0.0.1", "localhost")
            table = {"name": "ada", "base_url": address, "model": "m", "retries": 0}
            async with open_bot(OpenAIBot.model_validate(table)) as bot:
                return (await bot.reply(SAID, seed=7)).text

    assert asyncio.run(run())


@pytest.mark.parametrize("host", ["models.example.org", "10.0.0.7"])
def test_other_machines_are_asked_through_the_proxy_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    async def run() -> str:
        async with Endpoint() as proxy:
            for name in ("HTTP_PROXY", "http_proxy"):
                monkeypatch.setenv(name, proxy.base_url.removesuffix("/v1"))
            table = {"name": "ada", "base_url": f"http://{host}/v1", "model": "m", "retries": 0}
            async with open_bot(OpenAIBot.model_validate(table)) as bot:
                await bot.reply(SAID, seed=7)
            return proxy.headers[0]["host"]

    assert asyncio.run(run()) == host


def test_a_key_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADAS_KEY", raising=False)
    with pytest.raises(BotError, match=r"environment variable ADAS_KEY .* is not set"):
        ask(api_key_env="ADAS_KEY")


def test_a_key_that_is_refused_is_not_tried_again_nor_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAS_KEY", "s3cret")
    with pytest.raises(BotError, match=r"status 401: bad key. Check the key in ADAS_KEY") as caught:
        ask(fails(401, "bad key"), says("Never."), retries=3, api_key_env="ADAS_KEY")
    assert not isinstance(caught.value, BotUnavailable)
    assert "s3cret" not in str(caught.value)


def test_a_streamed_reply_is_put_together() -> None:
    usage = {"choices": [], "usage": {"completion_tokens": 2}}
    streamed = streams(piece(role="assistant"), piece("Good "), piece("day."), piece(finish="stop"), usage)
    reply, endpoint = ask(streamed, stream=True)
    assert (reply.text, reply.tokens, reply.meta) == ("Good day.", 2, {"finish": "stop"})
    assert endpoint.requests[0]["stream"] is True


def test_a_stream_that_breaks_off_is_no_reply() -> None:
    with pytest.raises(BotUnavailable, match=r"broke off in the middle"):
        ask(streams(piece("Good "), done=False), stream=True)


def test_an_error_in_the_middle_of_a_stream_is_a_failure() -> None:
    with pytest.raises(BotUnavailable, match=r"it says: overloaded"):
        ask(streams(piece("Good "), {"error": {"message": "overloaded"}}), stream=True)


def test_the_parts_of_a_content_are_joined() -> None:
    parts = [{"type": "text", "text": "Good "}, {"type": "text", "text": "day."}]
    reply, _ = ask(answers(completion({"content": parts})))
    assert reply.text == "Good day."


def test_too_many_requests_are_waited_for_and_tried_again() -> None:
    reply, endpoint = ask(fails(429, retry_after="0.05"), says("At last."), retries=0)
    assert reply.text == "At last."
    assert "tries" not in reply.meta
    assert len(endpoint.requests) == 2


def test_an_endpoint_that_wants_too_long_a_pause_is_a_failure_at_once() -> None:
    with pytest.raises(BotUnavailable, match=r"asks us to wait 3600 s") as caught:
        ask(fails(429, retry_after="3600"), retries=4)
    assert caught.value.retry_after == 3600


@pytest.mark.parametrize("status", [500, 502, 503, 408, 429])
def test_a_status_that_may_pass_is_tried_again(status: int) -> None:
    assert ask(fails(status), says("At last."), retries=1)[0].text == "At last."


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_status_that_stays_is_not_tried_again(status: int) -> None:
    with pytest.raises(BotError, match=f"status {status}: oh dear"):
        ask(fails(status), says("Never."), retries=3)


@pytest.mark.parametrize("levels", [900, 6_000])
def test_an_error_of_many_levels_is_quoted_as_it_came(levels: int) -> None:
    deep = b"[" * levels + b"]" * levels
    with pytest.raises(BotError, match=r"status 400: …\]\]\]"):
        ask(answers(b'{"error": ' + deep + b"}", status=400))
    with pytest.raises(BotUnavailable, match=r"\]\]\]"):
        ask(answers(b'{"error": ' + deep + b"}"))


def test_a_failure_says_how_often_it_was_tried() -> None:
    with pytest.raises(BotUnavailable, match=r"status 500: oh dear. It was asked 2 times."):
        ask(fails(500), fails(500), retries=1)


def test_a_slow_drip_ends_when_the_time_is_over() -> None:
    with pytest.raises(BotUnavailable, match=r"no reply within 0.2 s|in time"):
        ask(drips(0.01), timeout_seconds=0.2)


def test_silence_ends_when_the_time_is_over() -> None:
    with pytest.raises(BotUnavailable, match=r"0.1 s|in time"):
        ask(waits(5), timeout_seconds=0.1)


def test_a_cut_connection_is_tried_again() -> None:
    assert ask(cuts(), says("At last."), retries=1)[0].text == "At last."
    with pytest.raises(BotUnavailable, match=r"chat/completions: "):
        ask(cuts())


def test_nobody_listening_is_a_failure_with_the_address() -> None:
    with pytest.raises(BotUnavailable, match=r"http://127.0.0.1:9/v1/chat/completions"):
        ask(base_url="http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>Bad gateway</html>", "not JSON: '<html>Bad gateway</html>'"),
        (b'{"choices": [{"message": {"cont', "not JSON"),
        (b"[]", "no JSON object"),
        (b"\xff\xfe", "not JSON"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "no choices"),
        ({"choices": [{}]}, "empty reply"),
        (completion({"content": None}), "empty reply"),
        (completion({"content": "  \n"}), "empty reply"),
        ({"error": {"message": "out of memory"}}, "it says: out of memory"),
        (completion({"content": "a\x00b"}), "NUL"),
        (b'{"choices": [{"message": {"content": "a\\ud800"}}]}', "surrogate"),
        (completion({"content": "x" * 100_001}), "100,001 characters"),
    ],
)
def test_what_is_no_reply_is_a_failure_and_never_an_utterance(body: object, why: str) -> None:
    with pytest.raises(BotUnavailable, match=why):
        ask(answers(body))
    assert ask(answers(body), says("At last."), retries=1)[0].text == "At last."


def test_a_refusal_in_words_is_what_the_bot_said() -> None:
    """Excluding it would let a bot win that refuses to talk."""
    reply, _ = ask(answers(completion({"content": None, "refusal": "I can't help with that."})))
    assert reply.text == "I can't help with that."
    assert reply.meta["refusal"] is True


def test_a_refusal_in_a_stream_is_what_the_bot_said() -> None:
    reply, _ = ask(
        streams(piece(refusal="I can't "), piece(refusal="help."), piece(finish="stop")), stream=True
    )
    assert reply.text == "I can't help."


def test_a_refusal_without_words_is_a_failure_that_stays() -> None:
    silent = answers(completion({"content": None}, finish="content_filter"))
    with pytest.raises(BotError, match=r"content filter") as caught:
        ask(silent, says("Never."), retries=3)
    assert not isinstance(caught.value, BotUnavailable)


def test_a_date_can_say_how_long_to_wait() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    earlier = format_datetime(datetime.now(UTC) - timedelta(seconds=60), usegmt=True)
    assert 50 < (seconds_to_wait(later) or 0) <= 60
    assert seconds_to_wait(earlier) == 0
