"""From two log files to a published verdict: docs/first-study.md, typed as it stands there.

People are the one thing the page needs and a test has not: simulated annotators take their place, at the
links that ``duologue serve`` prints. Their true preference is planted, and must be what comes out.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

import make_docs
from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.preferences import Preferences
from duologue.rehearsal.answers import Knowledge
from duologue.rehearsal.kinds import SimulatedAnnotator
from duologue.rehearsal.walk import Walk, walk_pages
from duologue.store import Invitation, fetch_annotators, fetch_progress, open_store
from duologue.studies import load_study
from tests.processes import finished, printed_until, running
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "first-study.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
SERVE = "duologue serve first-study\n"
PLANTED = 0.9
"""How often our annotators truly prefer acorn."""

PATHS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
VARIABLES = {"PATH": PATHS, "COLUMNS": "100", "DUOLOGUE_SOURCE": str(ROOT)}


@dataclass(frozen=True)
class Journey:
    """What the commands of the page printed, and what they left behind."""

    folder: Path
    before: str
    served: str
    invited: str
    after: str
    walks: tuple[Walk, ...]


def typed(blocks: list[str], folder: Path, quick: Path) -> str:
    """Run blocks of the page in one shell, with the program in ``quick``; what they printed."""
    variables = VARIABLES | {"PATH": f"{quick}{os.pathsep}{PATHS}"}
    done = finished(["bash", "-euxc", "\n".join(blocks)], folder=folder, variables=variables)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@contextmanager
def served(folder: Path) -> Iterator[list[str]]:
    """The page's server, until it is told to stop as by Ctrl+C; gives the lines it printed."""
    with running([*SERVE.split(), "--port", "0"], folder=folder, variables=VARIABLES) as process:
        lines = printed_until(process, "to stop").splitlines(keepends=True)
        yield lines
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        lines.extend(process.stdout)
        assert process.wait(PATIENCE) == 0, lines


async def judge(folder: Path, links: list[str]) -> tuple[Walk, ...]:
    """Careful annotators open the links they were sent, one after another."""
    study = load_study(folder)
    knowledge = Knowledge(study, AcuteRehearsal(), Preferences({}, {("acorn", "birch"): PLANTED}))
    base = links[0].partition("/a/")[0]
    walks = []
    async with httpx2.AsyncClient(
        base_url=base, follow_redirects=True, trust_env=False, timeout=PATIENCE
    ) as client:
        with open_store(study.database) as store:
            ids = {annotator.token: annotator.id for annotator in store.run(fetch_annotators())}
            for number, link in enumerate(links):
                token = link.rpartition("/a/")[2]
                annotator = SimulatedAnnotator(number, "careful", has_script=number % 2 == 0, seed=1)
                invitation = Invitation(ids[token], "", token)
                walks.append(
                    await walk_pages(annotator, invitation, client=client, store=store, knowledge=knowledge)
                )
    return tuple(walks)


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory, quick_duologue: Path) -> Journey:
    folder = tmp_path_factory.mktemp("first-study")
    place = BLOCKS.index(SERVE)
    before = typed([make_docs.script(TEXT)], folder, quick_duologue)
    with served(folder) as lines:
        invited = typed(BLOCKS[place + 1 : place + 2], folder, quick_duologue)
        links = re.findall(r"http://\S+/a/\S+", "".join(lines) + invited)
        walks = asyncio.run(judge(folder / "first-study", links))
    after = typed(BLOCKS[place + 2 :], folder, quick_duologue)
    return Journey(folder, before, "".join(lines), invited, after, walks)


def results(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_the_page_prints_what_its_commands_print(journey: Journey) -> None:
    for stands, printed in make_docs.outputs(TEXT, journey.before):
        assert make_docs.same(TEXT, stands, printed), f"run `make docs`; printed now:\n{printed}"


def test_the_server_prints_links_and_says_that_all_is_saved(journey: Journey) -> None:
    assert "annotator" in journey.served
    assert "researcher" in journey.served
    assert "Stopped. Everything that was acknowledged is saved." in journey.served
    assert len(re.findall("/a/", journey.invited)) == 12


def test_everybody_who_came_in_time_was_thanked_and_the_forty_judgments_are_there(journey: Journey) -> None:
    judged = [walk for walk in journey.walks if walk.saved]
    assert {walk.ending for walk in judged} == {"thanks"}
    with open_store(load_study(journey.folder / "first-study").database) as store:
        (progress,) = store.run(fetch_progress())
    assert (progress.wanted, progress.done, progress.excluded) == (40, 40, 0)


def test_the_verdict_is_the_planted_preference(journey: Journey) -> None:
    (section,) = results(journey.folder / "first-study")["sections"]
    (matchup,) = section["matchups"]
    assert matchup["verdict"]["better"] == "acorn"
    assert matchup["n"] == 40
    assert abs(matchup["wins_first"] / 40 - PLANTED) < 0.2
    assert "acorn is better than birch" in journey.after


def test_rehearsal_and_study_are_told_apart(journey: Journey) -> None:
    study = results(journey.folder / "first-study")["provenance"]
    rehearsal = results(journey.folder / "first-study" / "rehearsal")["provenance"]
    assert (study["is_rehearsal"], rehearsal["is_rehearsal"]) == (False, True)
    assert "REHEARSAL" in journey.before
    assert "REHEARSAL" in journey.after


def test_every_judgment_is_in_the_export(journey: Journey) -> None:
    rows = (journey.folder / "judgments.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + sum(walk.saved for walk in journey.walks)


def test_the_report_stands_alone(journey: Journey) -> None:
    (page,) = (journey.folder / "first-study" / "report").glob("*.html")
    html = page.read_text(encoding="utf-8")
    assert "acorn is better than birch" in html
    assert re.findall(r'(?:src|href)="(?!#|data:|[\w./-]+")[^"]*"', html) == []


def test_the_report_of_the_rehearsal_says_what_it_is(journey: Journey) -> None:
    said = [
        "given by simulated annotators" in (folder / "report" / "report.html").read_text(encoding="utf-8")
        for folder in (journey.folder / "first-study", journey.folder / "first-study" / "rehearsal")
    ]
    assert said == [False, True]
