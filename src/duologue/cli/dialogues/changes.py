"""``duologue dialogues mask``, ``remove`` and ``restore``: what to do about names that break the blinding."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Folder

if TYPE_CHECKING:
    from duologue.dialogues import MaskingResult
    from duologue.studies import StudyRemoval

Bots = Annotated[list[str] | None, typer.Option("--bot", help="Only this bot's dialogues; may be repeated.")]


def mask(
    folder: Folder,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of dialogues; all if none.")] = None,
    bot: Bots = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A name to hide; each bot's own name if none; may be repeated."),
    ] = None,
    placeholder: Annotated[
        str | None, typer.Option("--placeholder", help="What is shown instead; [name hidden] if not given.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hide names in dialogues: annotators see a placeholder, and what was said is kept beside it.

    What would be hidden is shown first. A bot's own name is hidden where it is used as a name ("I am Ada"),
    and not where it is an ordinary word ("non-human"); `--name` hides a word everywhere. Dialogues that
    annotators have seen already are left as they are, and listed.
    """
    from duologue.dialogues import PLACEHOLDER, mask_dialogues
    from duologue.store import in_use, not_served
    from duologue.studies import load_study

    loaded = load_study(folder)
    with not_served(loaded.database):
        mask = partial(
            mask_dialogues,
            loaded.folder,
            ids=ids or (),
            bots=bot or (),
            names=name or (),
            placeholder=PLACEHOLDER if placeholder is None else placeholder,
            shown=in_use(loaded).dialogues,
        )
        if not yes and (found := mask(only_look=True)).dialogues:
            _say_examples(found)
            typer.confirm("Hide them?", abort=True, err=True)
        masked = mask()
    _say_masked(masked, as_json)


def remove(
    folder: Folder,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of dialogues.")] = None,
    naming: Annotated[
        bool, typer.Option("--naming", help="All dialogues in which the bot's own name occurs.")
    ] = False,
    bot: Bots = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is kept and reported.")] = "",
    even_judged: Annotated[
        bool, typer.Option("--even-judged", help="Also those that annotators have seen.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take dialogues out of a study, with the pairings that use them.

    They are kept aside with the reason, counted in what is reported, and no import brings them back.
    """
    from duologue.clock import utc_now
    from duologue.dialogues import name_leaks, study_dialogues
    from duologue.store import in_use, not_served
    from duologue.studies import load_study, remove_from_study

    if bool(ids) == naming:
        raise typer.BadParameter("give either ids of dialogues or --naming", param_hint="IDS")
    loaded = load_study(folder)
    wanted = set(ids or ())
    if naming:
        wanted = {
            dialogue.id
            for dialogue in study_dialogues(loaded.folder)
            if (not bot or dialogue.bot in bot) and name_leaks([dialogue])
        }
    with not_served(loaded.database):
        removed = remove_from_study(
            loaded,
            wanted,
            reason=reason,
            at=utc_now(),
            shown=in_use(loaded).dialogues,
            even_shown=even_judged,
        )
    _say_removed(removed, as_json)


def restore(
    folder: Folder,
    ids: Annotated[
        list[str], typer.Argument(help="Ids of dialogues that were taken out.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Bring dialogues back that were taken out; pairings are made by `duologue pairings make`."""
    from duologue.dialogues import removed_dialogues, restore_dialogues
    from duologue.errors import NotFound
    from duologue.store import not_served
    from duologue.studies import load_study

    loaded = load_study(folder)
    if missing := sorted(set(ids) - {one.dialogue.id for one in removed_dialogues(loaded.folder)}):
        raise NotFound("removed dialogue", missing[0])
    with not_served(loaded.database):
        by_bot = restore_dialogues(loaded.folder, set(ids))
    if as_json:
        typer.echo(json.dumps({"by_bot": dict(by_bot)}, ensure_ascii=False))
        return
    for bot, count in sorted(by_bot.items()):
        typer.echo(f"{bot}: {_dialogues(count)} brought back")


def _say_examples(found: MaskingResult) -> None:
    """What would be hidden, on stderr: what is asked there must not stand in a pipe."""
    turns = f"{found.turns:,} turn{'' if found.turns == 1 else 's'}"
    typer.echo(f"Names would be hidden in {turns} of {_dialogues(found.dialogues)}, shown as:", err=True)
    for words in found.examples:
        typer.echo(f"  {words}", err=True)
    if found.turns > len(found.examples):
        typer.echo(f"  … and {found.turns - len(found.examples):,} more", err=True)


def _say_masked(masked: MaskingResult, as_json: bool) -> None:
    if as_json:
        facts = {
            "dialogues": masked.dialogues,
            "turns": masked.turns,
            "by_bot": dict(masked.by_bot),
            "shown": list(masked.shown),
            "ordinary": masked.ordinary,
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for bot, count in sorted(masked.by_bot.items()):
        typer.echo(f"{bot}: names hidden in {_dialogues(count)}")
    if not masked.dialogues:
        typer.echo("Nothing was hidden.")
    if masked.ordinary:
        places = f"{masked.ordinary:,} place{'' if masked.ordinary == 1 else 's'}"
        typer.echo(
            f'Left as an ordinary word in {places}, such as "{masked.ordinary_example}". '
            "To hide it there too, give it by --name."
        )
    if masked.shown:
        typer.echo(
            f"{_dialogues(len(masked.shown))} left as before, because annotators have seen them: "
            + ", ".join(masked.shown[:5])
            + (f" and {len(masked.shown) - 5} more" if len(masked.shown) > 5 else ""),
            err=True,
        )


def _say_removed(removed: StudyRemoval, as_json: bool) -> None:
    if as_json:
        facts = {
            "dialogues": removed.dialogues,
            "by_bot": dict(removed.by_bot),
            "items": removed.items,
            "shown": removed.shown,
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for bot, count in sorted(removed.by_bot.items()):
        typer.echo(f"{bot}: {_dialogues(count)} taken out")
    if not removed.dialogues:
        typer.echo("Nothing was taken out.")
    if removed.items:
        plural = "" if removed.items == 1 else "s"
        typer.echo(f"{removed.items:,} item{plural} that used them went with them")
    if removed.shown:
        typer.echo(f"annotators have seen {removed.shown:,} of them; their judgments stay, and count")


def _dialogues(count: int) -> str:
    return f"{count:,} dialogue{'' if count == 1 else 's'}"
