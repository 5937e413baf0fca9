"""``duologue study questions``: the published questions of ACUTE-EVAL."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from duologue.grammar import AsJson


def questions(as_json: AsJson = False) -> None:
    """List the thirteen published questions with their agreement."""
    from duologue.acute.questions import PUBLISHED

    if as_json:
        typer.echo(json.dumps([asdict(question) for question in PUBLISHED.values()], ensure_ascii=False))
        return
    axis = ""
    for question in PUBLISHED.values():
        if question.axis != axis:
            axis = question.axis
            typer.echo(axis)
        mark = "*" if question.is_default else " "
        typer.echo(f" {mark} {question.id}: {question.text} ({question.agreement_percent:g} % agreement)")
        typer.echo(f"     1: {question.choices[0]}   2: {question.choices[1]}")
    typer.echo("* is what the name of the axis stands for. Source: Li, Weston and Roller 2019, Table 1.")
