"""``duologue study grow``: add a bot to a study that has been judged."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from duologue.grammar import AsJson, Folder


def grow(
    folder: Folder,
    bot: Annotated[list[str], typer.Option(help="The bot to add; may be repeated.", show_default=False)],
    against: Annotated[
        list[str] | None,
        typer.Option(help="Compare it with this bot only; may be repeated. All others by default."),
    ] = None,
    per_matchup: Annotated[
        int | None,
        typer.Option(
            "-n", "--per-matchup", min=1, help="Pairings of each new matchup; as planned by default."
        ),
    ] = None,
    recheck: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="The share of earlier pairings that is asked again, to see drift; 0.1 by default.",
            show_default=False,
        ),
    ] = None,
    mix_kinds: Annotated[
        bool, typer.Option("--mix-kinds", help="Allow self-chats against live chats.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; otherwise it is only shown.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add a bot to a study that has been judged: only its own matchups are planned and paired.

    Earlier pairings and judgments stay as they are, in the same analysis and revision. The verdicts so far
    are kept, with the time and a hash, in an addendum to the plan. Bring in the bot's dialogues first
    (`dialogues import`, or a [[bots]] table and `dialogues self-chat`).
    """
    from duologue.acute.growing import grow_study, growth_record, preview_growth, say_growth
    from duologue.studies import load_study

    study = load_study(folder)
    add = grow_study if yes else preview_growth
    grown = add(
        study, bot, against=against or (), per_matchup=per_matchup, recheck=recheck, mix_kinds=mix_kinds
    )
    if as_json:
        typer.echo(json.dumps(growth_record(study, grown), ensure_ascii=False))
        return
    for line in say_growth(study, grown):
        typer.echo(line)
