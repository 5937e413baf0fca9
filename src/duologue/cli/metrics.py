"""``duologue metrics``: what can be measured of a bot without asking people."""

from __future__ import annotations

import typer

from duologue.cli.measuring.correlations import correlate
from duologue.cli.measuring.logs import logs
from duologue.cli.measuring.predictions import run, toy_f1

app = typer.Typer(help="Measure a bot without asking people.", no_args_is_help=True)
app.command()(run)
app.command(name="toy-f1")(toy_f1)
app.command()(logs)
app.command()(correlate)
