"""``duologue bots``: try a bot before anybody is asked about it."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Folder

if TYPE_CHECKING:
    from duologue.bots import AnsweringBot, AnsweringSettings, Briefing, Message

app = typer.Typer(help="Try a bot before anybody is asked about it.", no_args_is_help=True)

SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Where the bot's random choices come from.")]
BriefingsOption = Annotated[
    Path | None,
    typer.Option("--briefings", help="Personas and topics, as for self-chats; the first is used."),
]

HOW = "docs/bots.md shows how to bring your own."
HELLO = "Hi there! How are you today?"


@app.command()
def check(
    folder: Folder,
    names: Annotated[
        list[str] | None, typer.Argument(help="Bots of [[bots]]; all that answer if none.")
    ] = None,
    say: Annotated[str, typer.Option("--say", help="What the bot is told.")] = HELLO,
    seed: SeedOption = 1,
    as_json: AsJson = False,
) -> None:
    """Send each bot a hello; show its reply and how long it took.

    The exit code is 1 when a bot did not answer.
    """
    from duologue.bots import answering_bots
    from duologue.errors import StudyError
    from duologue.studies import load_study

    loaded = load_study(folder)
    chosen = answering_bots(loaded.file.bots, names or ())
    if not chosen:
        raise StudyError(f"{folder}: no bot in [[bots]] of study.toml answers. {HOW}")
    import asyncio

    place = loaded.folder.absolute()  # a bot's own code may take the process to another folder
    found = [asyncio.run(_tried(one, place, say, seed)) for one in chosen]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
    else:
        for result in found:
            _say_result(result)
    if any("failure" in result for result in found):
        raise typer.Exit(1)


@app.command()
def chat(
    folder: Folder,
    name: Annotated[str, typer.Argument(help="A bot of [[bots]].")],
    seed: SeedOption = 1,
    briefings: BriefingsOption = None,
) -> None:
    """Talk to a bot in the terminal; an empty line or the end of the input ends it. Nothing is stored."""
    from duologue.bots import Briefing, answering_bots, read_briefings
    from duologue.studies import load_study

    loaded = load_study(folder)
    briefing = read_briefings(briefings)[0] if briefings is not None else Briefing()
    (settings,) = answering_bots(loaded.file.bots, [name])
    import asyncio

    asyncio.run(_chat(settings, loaded.folder, briefing, seed))


async def _chat(settings: AnsweringSettings, folder: Path, briefing: Briefing, seed: int) -> None:
    from duologue.bots import Message, open_bot, turn_seed

    told = [Message("system", line) for line in briefing.lines()]
    for line in briefing.lines(is_judged=False):
        typer.echo(f"({line})")
    async with open_bot(settings, folder=folder) as bot:
        while line := _asked():
            told.append(Message("user", line))
            await _answer(bot, told, turn_seed(seed, len(told), bot.name))


async def _answer(bot: AnsweringBot, told: list[Message], seed: int) -> None:
    from duologue.bots import Message
    from duologue.errors import BotError

    try:
        reply = await bot.reply(told, seed=seed)
    except BotError as error:
        told.pop()  # what was not answered can be said again
        typer.echo(f"{error} Say it again, or leave with an empty line.", err=True)
        return
    told.append(Message("assistant", reply.text))
    typer.echo(f"{bot.name}: {_shown(reply.text)}  ({reply.seconds:.1f} s)")


def _asked() -> str:
    try:
        return input("you: ").strip()
    except EOFError:
        typer.echo()  # the prompt stands alone in its line
        return ""


async def _tried(settings: AnsweringSettings, folder: Path, say: str, seed: int) -> dict[str, object]:
    from duologue.bots import Message, open_bot
    from duologue.errors import DuologueError

    facts: dict[str, object] = {"bot": settings.name, "kind": getattr(settings, "kind", "")}
    start = perf_counter()
    try:
        async with open_bot(settings, folder=folder) as bot:
            reply = await bot.reply([Message("user", say)], seed=seed)
            seconds = perf_counter() - start
    except DuologueError as error:
        return facts | {"failure": str(error), "seconds": round(perf_counter() - start, 3)}
    times = {"seconds": round(seconds, 3), "reply_seconds": round(reply.seconds, 3)}
    found = {"text": reply.text, "tokens": reply.tokens, "is_cut": reply.is_cut}
    return facts | times | found | {"meta": dict(reply.meta)}


def _say_result(result: dict[str, object]) -> None:
    if "failure" in result:
        typer.echo(f"{result['failure']} ({result['seconds']} s)", err=True)
        return
    typer.echo(f"{result['bot']} ({result['kind']}): {_shown(str(result['text']))}")
    tokens = f", {result['tokens']} tokens" if result["tokens"] is not None else ""
    typer.echo(f"  {result['seconds']} s in all, {result['reply_seconds']} s for the reply{tokens}")
    if result["is_cut"]:
        typer.echo("  warning: the reply was cut at the bot's limit of tokens; raise its max_tokens")


def _shown(text: str) -> str:
    """Text for a terminal, whose own control characters are shown, not obeyed."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)
