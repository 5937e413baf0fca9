"""``duologue annotators`` and ``duologue leases``: what the researcher's pages do, as commands."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import Folder, Overwrite, check_free, stated

if TYPE_CHECKING:
    from duologue.server import GroupOverview
    from duologue.store import Store
    from duologue.studies import Study

app = typer.Typer(help="Invite annotators, look after them, block them.", no_args_is_help=True)
leases_app = typer.Typer(help="Assignments in progress.", no_args_is_help=True)

BY = "researcher (command)"
"""What a database is called that was kept when another took its place."""

AnnotatorId = Annotated[
    str, typer.Argument(help="The annotator's id or label, as `annotators list` shows them.")
]
Reason = Annotated[str, typer.Option(callback=stated, help="Why; it is kept with the study.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BaseUrl = Annotated[
    str | None, typer.Option(help="Where the study is served; where it last was, when not given.")
]


@app.command()
def invite(
    folder: Folder,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many links.")] = 1,
    label: Annotated[
        list[str] | None, typer.Option(help="A name only you see; repeat it for several links.")
    ] = None,
    cohort: Annotated[str, typer.Option(help="The cohort they will belong to, one of the study's.")] = "",
    base_url: BaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Make links for annotators, one each."""
    from duologue.store import invite_annotators
    from duologue.studies import load_study

    load_study(folder).check_cohort(cohort)
    with _store(folder) as store:
        base = _base_url(store, base_url)
        number = len(label) if label else count
        made = store.run(invite_annotators(number, labels=label or (), cohort=cohort))
        rows: list[dict[str, object]] = [
            {"annotator": one.annotator, "label": one.label, "link": _link(base, one.token)} for one in made
        ]
    _print(rows, as_json)


@app.command("list")
def list_(folder: Folder, base_url: BaseUrl = None, as_json: AsJson = False) -> None:
    """List everybody who was invited or was recruited via the open link."""
    from duologue.store import fetch_annotators

    with _store(folder) as store:
        base = _base_url(store, base_url)
        rows: list[dict[str, object]] = []
        for annotator in store.run(fetch_annotators()):
            row: dict[str, object] = asdict(annotator) | {"state": annotator.state}
            token = str(row.pop("token"))
            row["link"] = "" if annotator.is_withdrawn else _link(base, token)
            rows.append(row)
    if as_json:
        _print(rows, as_json)
        return
    brief = [_brief(row) for row in rows]
    for name in ("cohort", "onboarding", "attention"):
        brief = _without_empty(brief, name)
    _print(brief, as_json)


@app.command()
def codes(
    folder: Folder,
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CODE]...", help="Codes that people handed in; all when none is given."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a CSV file.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """List completion codes with what was done for each, or check those that people handed in.

    Exits with 1 when a given code is nobody's, or was never shown.
    """
    from duologue.files import replacing
    from duologue.server import codes_table
    from duologue.store import check_codes, list_codes, repeated_codes

    check_free(out, overwrite=overwrite)
    with _store(folder) as store:
        found = store.run(check_codes(given)) if given else store.run(list_codes()).rows
    if out is not None:
        with replacing(out) as file:
            file.write(codes_table(found).encode())
        typer.echo(f"Wrote {len(found)} codes to {out}.")
    else:
        rows = [asdict(one) for one in found]
        _print(rows if as_json else [_brief_code(row) for row in rows], as_json)
    if repeated := repeated_codes(given or ()):
        typer.echo(f"Given more than once: {', '.join(repeated)}. Pay each code once.", err=True)
    if given and any(one.state != "finished" for one in found):
        raise typer.Exit(1)


def _brief_code(row: dict[str, object]) -> dict[str, object]:
    kept = ("code", "state", "annotator", "label", "judgments", "excluded", "credited")
    onboarding = f"{row['onboarding_right']}/{row['onboarding']}"
    return {name: row[name] for name in kept} | {"onboarding": onboarding, "seconds": f"{row['seconds']:.0f}"}


@app.command()
def progress(folder: Folder, as_json: AsJson = False) -> None:
    """Say how far each matchup has come; win rates are shown once the planned number is reached."""
    from duologue.server import study_overview
    from duologue.studies import load_study

    study = load_study(folder)
    with _store(folder) as store:
        groups = study_overview(study, store).groups
    if as_json:
        _print(
            [
                {**asdict(group.progress), "ties": group.ties, "wins": [asdict(wins) for wins in group.wins]}
                for group in groups
            ],
            as_json,
        )
        return
    rows = [_brief_group(group, study.protocol.group_noun) for group in groups]
    for name in ("cohorts", "second judgments", "second wanted", "ties", "win rates"):
        rows = _without_empty(rows, name)
    _print(_without_lone_arm(rows, study), as_json)


def _brief_group(group: GroupOverview, noun: str) -> dict[str, object]:
    """A group as the page *Overview* shows it."""
    one = group.progress
    return {
        "arm": one.arm,
        noun: group.name,
        "done": one.done,
        "wanted": one.wanted,
        "excluded": one.excluded,
        "in progress": one.leased,
        "second judgments": one.second_done if one.second_wanted else "",
        "second wanted": one.second_wanted or "",
        "cohorts": ", ".join(f"{part.cohort} {part.done}/{part.wanted}" for part in one.cohorts),
        "ties": group.ties or "",
        "win rates": _wins(group) if group.compares else "",
    }


def _without_empty(rows: list[dict[str, object]], name: str) -> list[dict[str, object]]:
    """The rows without a column in which nobody has anything."""
    if any(row[name] for row in rows):
        return rows
    return [{key: value for key, value in row.items() if key != name} for row in rows]


def _without_lone_arm(rows: list[dict[str, object]], study: Study) -> list[dict[str, object]]:
    """The rows without the column of arms, where the study has only one."""
    if len(study.arms) > 1:
        return rows
    return [{key: value for key, value in row.items() if key != "arm"} for row in rows]


def _wins(group: GroupOverview) -> str:
    if group.hidden:
        return "hidden"
    return ", ".join(f"{wins.bot} {100 * wins.rate:.0f} %" for wins in group.wins)


@app.command()
def block(folder: Folder, annotator: AnnotatorId, reason: Reason) -> None:
    """Give an annotator no more work; verdicts keep what they judged unless the plan declares a rule."""
    from duologue.server import say_blocking
    from duologue.store import block_annotator, fetch_annotator
    from duologue.studies import load_study

    study = load_study(folder)
    with _store(folder) as store:
        meant = annotator_meant(store, annotator)
        does = say_blocking(study, store, store.run(fetch_annotator(meant)))
        store.run(block_annotator(meant, reason=reason, by=BY))
        typer.echo(f"{annotator} is blocked. {does}")


@app.command()
def unblock(folder: Folder, annotator: AnnotatorId, reason: Reason) -> None:
    """End a block: they get work again, and what it excluded counts where nobody has taken the place."""
    from duologue.server import say_unblocking
    from duologue.store import fetch_annotator, unblock_annotator
    from duologue.studies import load_study

    caps = load_study(folder).caps
    with _store(folder) as store:
        meant = annotator_meant(store, annotator)
        found = store.run(fetch_annotator(meant))
        store.run(unblock_annotator(meant, caps, reason=reason, by=BY))
    if found.is_blocked:
        typer.echo(f"{annotator} is not blocked any more. {say_unblocking(found)}")
    else:
        typer.echo(f"{annotator} was not blocked.")


@app.command()
def revoke(
    folder: Folder,
    annotator: AnnotatorId,
    undo: Annotated[bool, typer.Option("--undo", help="Let the link work again.")] = False,
) -> None:
    """Make an annotator's link useless; what they judged still counts."""
    from duologue.store import restore_link, revoke_link

    with _store(folder) as store:
        if undo:
            store.run(restore_link(annotator_meant(store, annotator)))
        else:
            store.run(revoke_link(annotator_meant(store, annotator)))
    typer.echo(f"The link of {annotator} {'works again' if undo else 'is revoked'}.")


@app.command()
def withdraw(
    folder: Folder,
    annotator: AnnotatorId,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase an annotator's identity and text for good; that there was one stays on record."""
    from duologue.store import old_copies, withdraw_annotator

    if not yes:
        typer.confirm(f"Erase identity and text of {annotator} for good?", abort=True)
    with _store(folder) as store:
        store.run(withdraw_annotator(annotator_meant(store, annotator), reason=reason))
    typer.echo(f"Identity and text of {annotator} are erased.")
    for copy in old_copies(folder):
        typer.echo(f"warning: {copy} was made before, and holds them still; delete it.", err=True)


@leases_app.command("list")
def list_leases(folder: Folder, as_json: AsJson = False) -> None:
    """List the assignments in progress."""
    from duologue.store import fetch_leases
    from duologue.studies import load_study

    with _store(folder) as store:
        rows: list[dict[str, object]] = [asdict(lease) for lease in store.run(fetch_leases())]
    _print(rows if as_json else _without_lone_arm(rows, load_study(folder)), as_json)


@leases_app.command()
def release(
    folder: Folder,
    assignment: Annotated[str, typer.Argument(help="The assignment, as `leases list` shows it.")],
) -> None:
    """Take an assignment back from its annotator."""
    from duologue.store import release_assignment
    from duologue.studies import load_study

    caps = load_study(folder).caps
    with _store(folder) as store:
        store.run(release_assignment(assignment, caps, by=BY))
    typer.echo(f"{assignment} is taken back.")


def annotator_meant(store: Store, given: str) -> str:
    """The id of the annotator with this id, or with this label in any letter case.

    Raises:
        NotFound: Nobody has it.
        typer.BadParameter: Several have this label.
    """
    from duologue.errors import NotFound
    from duologue.store import fetch_annotators

    everybody = store.run(fetch_annotators())
    if any(one.id == given for one in everybody):
        return given
    named = [one for one in everybody if one.label and one.label.casefold() == given.strip().casefold()]
    if not named:
        raise NotFound("annotator", given)
    if len(named) > 1:
        ids = ", ".join(f"{one.id} ({one.label}, judgments: {one.judgments:,})" for one in named)
        raise typer.BadParameter(
            f"{len(named)} annotators have the label {given!r}; give the id of one: {ids}"
        )
    return named[0].id


def say_undeclared(rule: str, declared: Collection[str]) -> None:
    """Say what an exclusion by hand does where the plan does not declare its rule."""
    if rule not in declared:
        listed = ", ".join(sorted(declared)) or "none"
        typer.echo(
            f"The plan declares no rule {rule!r} (it declares: {listed}): what would count of these "
            "judgments stays in the verdicts, and those without it are shown as a sensitivity analysis."
        )


@contextmanager
def _store(folder: Path) -> Iterator[Store]:
    from duologue.store import open_study
    from duologue.studies import load_study

    with open_study(load_study(folder)) as store:
        yield store


def _base_url(store: Store, given: str | None) -> str:
    from duologue.server import BASE_URL_FACT
    from duologue.store import fetch_fact

    return given or store.run(fetch_fact(BASE_URL_FACT)) or "http://127.0.0.1:8000"


def _link(base: str, token: str) -> str:
    from duologue.server import annotator_link

    return annotator_link(base, token)


def _brief(row: dict[str, object]) -> dict[str, object]:
    return {
        "annotator": row["id"],
        "label": row["label"],
        "number": row["number"] or "",
        "cohort": row["cohort"],
        "judgments": row["judgments"],
        "excluded": row["excluded"],
        "onboarding": f"{row['onboarding_right']}/{row['onboarding_asked']}"
        if row["onboarding_asked"]
        else "",
        "attention": f"{row['attention_right']}/{row['attention_asked']}" if row["attention_asked"] else "",
        "state": row["state"],
        "link": row["link"],
    }


def _print(rows: Sequence[dict[str, object]], as_json: bool) -> None:
    """Print rows as JSON, or as columns under their names."""
    if as_json:
        typer.echo(json.dumps(list(rows), ensure_ascii=False))
        return
    if not rows:
        typer.echo("none")
        return
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
