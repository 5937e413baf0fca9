"""Small studies of live chats to serve in tests: bots that echo, are slow, or fail, as the test says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from duologue.acute import make_pairings
from duologue.studies import Study, load_study

BOTS = '''
import asyncio
import pathlib
import time


def echo(messages):
    said = [message["content"] for message in messages if message["role"] == "user"]
    return "You said: " + said[-1] if said else "Hello!"


async def slow(messages):
    """Answers when the file `go` is there, and says so at once by the file `asked`."""
    here = pathlib.Path(__file__).parent
    with open(here / "asked", "a") as file:
        file.write("x")
    while not (here / "go").exists():
        await asyncio.sleep(0.02)
    return "Sorry, that took a while."


def failing(messages):
    """Fails while the file `broken` is there."""
    if (pathlib.Path(__file__).parent / "broken").exists():
        raise ValueError("the secret cause")
    return "Here I am again."


def told(messages):
    """Repeats all it was given."""
    return " | ".join(message["role"] + ": " + message["content"] for message in messages)
'''

PERSONAS = (
    {"persona": ["I have two cats."], "partner_persona": ["I play the cello.", "I live by the sea."]},
    {"persona": ["I bake bread."], "partner_persona": ["I am a gardener."]},
)


def make_chat_study(
    folder: Path,
    *,
    bots: Sequence[tuple[str, str]] = (("ann", "echo"),),
    chat: str = "min_exchanges = 2\nmax_exchanges = 3\n",
    likert: str = "",
    study: str = "",
    rest: str = "",
    bot_settings: str = "",
    personas: Sequence[object] = PERSONAS,
    acute: str | None = None,
) -> Study:
    """A study of live chats that can be served.

    Args:
        folder: Where to.
        bots: Name and function of each bot; the functions stand in ``BOTS``.
        chat: The ``[chat]`` table.
        likert: The ``[likert]`` table.
        study: More lines for the ``[study]`` table.
        rest: More tables.
        bot_settings: More lines for the table of each bot.
        personas: The lines of the file of personas; without any, there are none.
        acute: The ``[acute]`` table of parallel chats; then the study is one of these, 4 for each matchup.
    """
    folder.mkdir(parents=True)
    (folder / "dialogues").mkdir()
    (folder / "chat_bots.py").write_text(BOTS, encoding="utf-8")
    if personas:
        lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in personas)
        (folder / "personas.jsonl").write_text(lines, encoding="utf-8")
        chat += 'personas = "personas.jsonl"\n'
    tables = "".join(
        f'[[bots]]\nname = "{name}"\nkind = "python"\ncall = "chat_bots:{call}"\n{bot_settings}\n'
        for name, call in bots
    )
    protocol, table = "likert", f"[likert]\n{likert}\n"
    if acute is not None:
        protocol = "acute"
        table = f'[acute]\ncollect = "parallel"\n{acute}\n[acute.pairings]\nper_matchup = 4\n'
    (folder / "study.toml").write_text(
        f'[study]\nname = "talked"\nprotocol = "{protocol}"\nseed = 7\ntitle = "A conversation"\n{study}\n'
        f"[onboarding]\nenabled = false\n[chat]\n{chat}\n{table}{rest}\n{tables}",
        encoding="utf-8",
    )
    made = load_study(folder)
    if acute is not None:
        make_pairings(made)
    return made


def asked(study: Study) -> int:
    """How often the slow bot was asked; the file is there a moment before the mark in it."""
    path = study.folder / "asked"
    return len(path.read_text()) if path.exists() else 0
