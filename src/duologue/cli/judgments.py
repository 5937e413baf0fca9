"""``duologue judgments``: take judgments out, bring other people's in, exclude some and restore them."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import json
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.cli.analyse import AUTO, ColumnNames, Format, column_map
from duologue.cli.annotators import annotator_meant, say_undeclared
from duologue.errors import ExportError
from duologue.grammar import Folder, Overwrite, check_free, stated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from duologue.dialogues import Json
    from duologue.store import Store

app = typer.Typer(help="Export, import, exclude and restore judgments.", no_args_is_help=True)


class Table(enum.StrEnum):
    """What a table is written as."""

    CSV = "csv"
    JSONL = "jsonl"
    JSON = "json"
    PARQUET = "parquet"


Out = Annotated[Path | None, typer.Option(help="Where to; standard output when not given.")]
TableFormat = Annotated[
    Table | None, typer.Option("--format", help="What to write; by the ending of --out, or csv.")
]


def write_rows(
    rows: Iterable[Mapping[str, Json]],
    out: Path | None,
    table: Table | None,
    *,
    noun: str,
    overwrite: bool,
    seen: Callable[[], int] | None = None,
) -> None:
    """Write rows to a file and say how many, or to standard output where no file is named.

    ``seen`` says how many things were written, where one may be several rows.

    Raises:
        ExportError: The file cannot be written, or is there and ``overwrite`` is not said.
    """
    from duologue.judgments import write_csv, write_jsonl, write_table

    check_free(out, overwrite=overwrite)
    if out is not None:
        count = write_table(rows, out, table=table.value if table else None)
        things = count if seen is None else seen()
        typer.echo(f"{out}: {things:,} {noun}{'' if things == count else f' in {count:,} rows'}.")
    elif table in (None, Table.CSV):
        write_csv(rows, sys.stdout)
    elif table is Table.JSONL:
        write_jsonl(rows, sys.stdout)
    else:
        raise typer.BadParameter("give --out for this format", param_hint="--format")


Reason = Annotated[
    str, typer.Option(callback=stated, help="Why; kept with the study and shown in the report.")
]
Rule = Annotated[str, typer.Option(help="A short name for the rule.")]
Ids = Annotated[list[str] | None, typer.Argument(help="The ids of judgments, as in the export.")]
Who = Annotated[str | None, typer.Option(help="All judgments of this annotator: an id or a label.")]


@app.command("export")
def export_judgments(
    folder: Folder,
    out: Out = None,
    table: TableFormat = None,
    overwrite: Overwrite = False,
) -> None:
    """Write every judgment of a study as a table, excluded and onboarding ones too; it is noted as a look."""
    from duologue.store import exported_rows, open_study
    from duologue.studies import load_study

    study = load_study(folder)
    counted = itertools.count()
    with open_study(study) as store:
        rows = exported_rows(study, store, seen=lambda _: next(counted))
        first = next(rows, None)
        if first is None and _needs_columns(out, table):
            raise ExportError(
                None,
                "the study has no judgments yet, and this table has its columns from them. "
                "Export again when there are some, or use --format jsonl, which is empty then.",
            )
        rows = itertools.chain([first], rows) if first is not None else rows
        write_rows(rows, out, table, noun="judgments", overwrite=overwrite, seen=lambda: next(counted))


def _needs_columns(out: Path | None, table: Table | None) -> bool:
    """Whether a table without a row would be no table."""
    ending = out.suffix.lower() if out is not None and table is None else f".{(table or Table.CSV).value}"
    return ending in (".csv", ".parquet")


@app.command("reasons")
def show_reasons(
    folder: Folder,
    search: Annotated[str, typer.Option(help="List the reasons with this text instead.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Say what annotators gave as reasons, by winner, and which words speak for which bot: that is a look."""
    from duologue.reports import find_reasons_of, reason_lines, search_reasons
    from duologue.store import open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        if search:
            rows = list(search_reasons(study, store, search))
            lines = [f"{row['group']}: {row['bot'] or '-'}: {row['reason']}" for row in rows]
            content: object = rows
        else:
            found = find_reasons_of(study, store)
            lines, content = list(reason_lines(found)), [dataclasses.asdict(one) for one in found]
    if as_json:
        typer.echo(json.dumps(content, ensure_ascii=False, indent=1))
    else:
        typer.echo("\n".join(lines) or ("Nothing was found." if search else "No reasons yet."))


@app.command("import")
def import_judgments(
    file: Annotated[
        Path, typer.Argument(help="Judgments, Arena-style votes or ratings: CSV, JSON, JSONL, Parquet, xlsx.")
    ],
    out: Annotated[Path, typer.Option(help="The table to write, by its ending: csv, jsonl, json, parquet.")],
    layout: Format = AUTO,
    columns: ColumnNames = None,
    overwrite: Overwrite = False,
) -> None:
    """Check judgments of other tools row by row, and write them in our columns."""
    from duologue.judgments import write_table
    from duologue.reports import check_file, file_rows

    check_free(out, overwrite=overwrite)
    names = column_map(columns)
    holds = check_file(file, layout=layout, columns=names)
    write_table(file_rows(file, layout=layout, columns=names), out)
    typer.echo(f"{out}: {holds}")
    typer.echo(f"Next: duologue analyse {quote(str(out))}")


@app.command()
def exclude(
    folder: Folder,
    reason: Reason,
    judgments: Ids = None,
    annotator: Who = None,
    rule: Rule = "researcher",
    by: Annotated[str, typer.Option(help="Who decided.")] = "researcher",
) -> None:
    """Exclude judgments, with a reason; their places in the study open again."""
    from duologue.store import (
        exclude_judgments,
        fetch_frozen_plan,
        fetch_looks,
        open_study,
        researcher_rules,
        screen_annotators,
    )
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        store.run(screen_annotators(study.caps))
        keys = _meant(store, judgments or [], annotator)
        changed = store.run(exclude_judgments(keys, rule=rule, reason=reason, by=by))
        looks, declared = (
            len(store.run(fetch_looks())),
            researcher_rules(study, store.run(fetch_frozen_plan())),
        )
    rest = "" if changed == len(keys) else "; the others were already"
    typer.echo(f"{changed} of {len(keys)} judgments were excluded now{rest}.")
    taken = "no look" if not looks else f"{looks:,} look{'' if looks == 1 else 's'}"
    typer.echo(f"Before this, {taken} at the results had been taken; the report says so.")
    say_undeclared(rule, declared)


@app.command()
def restore(
    folder: Folder,
    reason: Reason,
    judgments: Ids = None,
    annotator: Who = None,
    rule: Rule = "researcher",
    by: Annotated[str, typer.Option(help="Who decided.")] = "researcher",
) -> None:
    """Count judgments again that were excluded, with a reason."""
    from duologue.store import open_study, restore_judgments, screen_annotators
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        store.run(screen_annotators(study.caps))
        keys = _meant(store, judgments or [], annotator)
        changed = store.run(restore_judgments(keys, rule=rule, reason=reason, by=by))
    typer.echo(
        f"{changed} of {len(keys)} judgments count again; the others were not excluded by {rule}, are still "
        "excluded by another rule, or their place has been taken."
    )


def _meant(store: Store, judgments: list[str], annotator: str | None) -> list[str]:
    """The judgments named, and all of the annotator named."""
    from duologue.errors import NotFound
    from duologue.store import fetch_judgments

    who = annotator_meant(store, annotator) if annotator else None
    theirs = [one.id for one in store.stream(fetch_judgments()) if one.annotator == who] if who else []
    if annotator is not None and not judgments + theirs:
        raise NotFound("judgment of annotator", annotator)
    if not judgments + theirs:
        raise typer.BadParameter("give ids of judgments, or --annotator")
    return judgments + theirs
