"""``duologue pairings``: put dialogues side by side, or bring pairings in and out."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duologue.grammar import AsJson, Folder, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.acute import MadePairings

app = typer.Typer(help="Put dialogues side by side; the published pairings.jsonl.", no_args_is_help=True)


@app.command()
def make(
    folder: Folder,
    per_matchup: Annotated[
        int | None, typer.Option("-n", "--per-matchup", min=1, help="Pairings a matchup.")
    ] = None,
    matchup: Annotated[list[str] | None, typer.Option(help="A matchup as A:B; may be repeated.")] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="A new bot, compared with all others; may be repeated.")
    ] = None,
    same_bot: Annotated[
        list[str] | None, typer.Option(help="A bot for an A/A matchup; may be repeated.")
    ] = None,
    leave_out: Annotated[list[str] | None, typer.Option(help="A bot that is not compared.")] = None,
    onboarding: Annotated[
        str | None, typer.Option(help="Onboarding pairings as BETTER:WORSE, e.g. human:weak-bot.")
    ] = None,
    once_in_study: Annotated[
        bool, typer.Option("--once-in-study", help="Show each dialogue once in the whole study.")
    ] = False,
    mix_kinds: Annotated[
        bool, typer.Option("--mix-kinds", help="Allow self-chats against live chats.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the pairings there are; add new matchups.")
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace also pairings that annotators have been handed or judged."),
    ] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Another seed than the study's.")] = None,
    as_json: AsJson = False,
) -> None:
    """Pair the dialogues of a study, evenly, reproducibly, no two meeting twice.

    What is not given comes from [acute.pairings] in study.toml. Matchups whose pairings annotators have been
    handed stay as they are, unless --replace is given: what was judged about a replaced pairing stays, and
    counts, but nobody is handed it again.
    """
    from duologue.acute import added_pairings, change_pairing, make_pairings
    from duologue.store import in_use, not_served
    from duologue.studies import load_study

    if keep and replace:
        raise typer.BadParameter("say --keep or --replace, not both", param_hint="--replace")

    study = load_study(folder)
    changes: dict[str, Any] = {
        "per_matchup": per_matchup,
        "matchups": [_pair(text, "--matchup") for text in matchup] if matchup else None,
        "against": against or None,
        "same_bot": same_bot or None,
        "leave_out": leave_out or None,
        "onboarding": _pair(onboarding, "--onboarding") if onboarding else None,
        "dialogue_once": "study" if once_in_study else None,
        "mix_kinds": mix_kinds or None,
    }
    settings = change_pairing(study, {key: value for key, value in changes.items() if value is not None})
    with nullcontext() if keep else not_served(study.database):
        handed = () if replace else in_use(study).items
        planned = () if replace else added_pairings(study)
        made = make_pairings(study, settings=settings, seed=seed, keep=keep, in_use=handed, planned=planned)
        _say(made, as_json)


@app.command("import")
def import_(
    folder: Folder,
    file: Annotated[Path, typer.Argument(help="A published pairings.jsonl, or an onboarding file.")],
    kind: Annotated[str | None, typer.Option(help="live-chat, self-chat or human-human.")] = None,
    speaker: Annotated[
        list[str] | None,
        typer.Option(
            help="OLD=NEW: a turn id in the file that stands for a judged speaker; may be repeated."
        ),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad lines out, and list them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring in a published pairings.jsonl: dialogues, pairings and onboarding lines."""
    from duologue.acute import import_pairings
    from duologue.studies import load_study

    mapping = dict(_pair(text, "--speaker", "=") for text in speaker or [])
    made = import_pairings(
        load_study(folder),
        file,
        kind=_kind(kind),
        speaker_map=mapping or None,
        skip_bad=skip_bad,
    )
    _say(made, as_json)


@app.command()
def export(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write the pairings in the published format, text and onboarding lines included."""
    from duologue.acute import export_pairings
    from duologue.studies import load_study

    check_free(out, overwrite=overwrite)
    count = export_pairings(load_study(folder), out)
    typer.echo(
        json.dumps({"file": str(out), "pairings": count}) if as_json else f"{out}: {count:,} pairings."
    )


def _pair(text: str, option: str, sign: str = ":") -> tuple[str, str]:
    first, found, second = text.partition(sign)
    if not (first and found and second):
        raise typer.BadParameter(
            f"{text!r} should be two names with {sign!r} between them", param_hint=option
        )
    return first, second


def _kind(name: str | None) -> Any:
    from duologue.dialogues import DIALOGUE_KINDS

    if name is not None and name not in DIALOGUE_KINDS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(DIALOGUE_KINDS)}", param_hint="--kind")
    return name


def _say(made: MadePairings, as_json: bool) -> None:
    if as_json:
        facts = {
            "file": str(made.path),
            "matchups": dict(made.matchups),
            "onboarding": made.onboarding,
            "attention": made.attention,
            "kept": made.kept,
            "replaced": made.replaced,
            "in_use": made.in_use,
            "left_out": [str(error) for error in made.left_out],
            **({"meetings": dict(made.met)} if made.met else {}),
            **(
                {"shared": {group: dict(counts) for group, counts in made.shared.items()}}
                if made.shared
                else {}
            ),
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    from duologue.acute.matching import beside
    from duologue.acute.settings import say_matchup

    for group, count in sorted(made.matchups.items()):
        what = "rankings" if made.is_ranked(group) else "pairings"
        typer.echo(f"{say_matchup(group)}: {count:,} {what}{beside(made.shared.get(group, {}))}")
    if made.meetings:
        typer.echo(f"Every two bots meet {made.meetings} in rankings.")
    for role, count in (("onboarding", made.onboarding), ("attention checks", made.attention)):
        if count:
            typer.echo(f"{role}: {count:,} {'rankings' if made.met else 'pairings'}")
    if made.in_use:
        plural = "" if made.in_use == 1 else "s"
        typer.echo(
            f"{made.in_use:,} pairing{plural} that annotators have judged or hold would have been replaced; "
            "the matchups concerned stay as they are. --replace replaces them too."
        )
    if made.replaced:
        typer.echo(f"{made.replaced:,} earlier pairings were replaced.")
    for error in made.left_out:
        typer.echo(f"left out: {error}", err=True)
    if made.left_out:
        typer.echo(f"{len(made.left_out):,} lines were left out.", err=True)
    typer.echo(f"Wrote {made.path}.")
