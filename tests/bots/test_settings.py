from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from duologue.bots import ANSWERING_KINDS, BotSettings, LogsBot, OpenAIBot

SETTINGS: TypeAdapter[BotSettings] = TypeAdapter(BotSettings)
TABLES: dict[str, dict[str, object]] = {
    "builtin": {},
    "python": {"call": "mine:answer"},
    "openai": {"base_url": "http://localhost:8000/v1", "model": "m"},
    "command": {"command": ["./bot"]},
    "transformers": {"model": "weights"},
    "gguf": {"model": "smollm2"},
    "replay": {"file": "logs.jsonl"},
    "retrieval": {"corpus": "logs.jsonl"},
    "trained": {"model": "trained-model"},
}


def table(kind: str, **more: object) -> dict[str, object]:
    return {"name": "ada", "kind": kind, **TABLES[kind], **more}


def test_a_bot_without_a_kind_comes_as_logs() -> None:
    assert SETTINGS.validate_python({"name": "ada"}) == LogsBot(name="ada")


def test_every_kind_that_answers_has_settings_of_its_own() -> None:
    assert sorted(TABLES) == list(ANSWERING_KINDS)
    found = [SETTINGS.validate_python(table(kind)) for kind in ANSWERING_KINDS]
    assert [getattr(one, "kind", "") for one in found] == list(ANSWERING_KINDS)
    assert len({type(one) for one in found}) == len(found)


@pytest.mark.parametrize("kind", ANSWERING_KINDS)
def test_settings_survive_being_written_down(kind: str) -> None:
    settings = SETTINGS.validate_python(table(kind))
    assert SETTINGS.validate_json(SETTINGS.dump_json(settings)) == settings


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValidationError, match="the kinds of bots are: builtin, command, gguf, logs, openai"):
        SETTINGS.validate_python({"name": "ada", "kind": "oracle"})


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("openai", "base_url", "localhost:8000"),
        ("openai", "retries", -1),
        ("openai", "top_p", 1.5),
        ("openai", "api_key", "s3cret"),
        ("python", "call", "mine.answer"),
        ("command", "command", []),
        ("command", "command", ""),
        ("gguf", "temperature", -1),
        ("replay", "match", "guess"),
        ("builtin", "timeout_seconds", 0),
        ("transformers", "max_concurrent", 0),
    ],
)
def test_a_wrong_setting_is_refused(kind: str, key: str, value: object) -> None:
    with pytest.raises(ValidationError, match=key):
        SETTINGS.validate_python(table(kind, **{key: value}))


def test_what_a_reply_does_not_depend_on_is_not_part_of_the_bot() -> None:
    base = {"base_url": "http://localhost/v1", "model": "m"}
    one = OpenAIBot.model_validate({"name": "a", **base})
    same = OpenAIBot.model_validate({"name": "b", "retries": 9, "api_key_env": "KEY", "note": "x", **base})
    other = OpenAIBot.model_validate({"name": "a", "temperature": 0.5, **base})
    assert one.identity == same.identity != other.identity


@pytest.mark.parametrize("kind", ["logs", *ANSWERING_KINDS])
def test_every_setting_is_documented(kind: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "study-file.md").read_text(encoding="utf-8")
    settings = SETTINGS.validate_python(table(kind) if kind in TABLES else {"name": "ada", "kind": kind})
    assert f'`"{kind}"`' in page
    assert [key for key in type(settings).model_fields if f"`{key}`" not in page] == []
