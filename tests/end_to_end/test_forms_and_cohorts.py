"""Forms and cohorts with a protocol that no line of ours knows, over HTTP, on both databases."""

from __future__ import annotations

import csv
import json
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest

from duologue.rehearsal.pages import read_page
from tests.own_protocol import installed, paths_to
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.store.conftest import postgresql, quick_disk
from tests.waiting import PATIENCE

__all__ = ["postgresql", "quick_disk"]

Run = Callable[..., str]
ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
_names = count()

MORE = """
[[forms]]
name = "you"
when = "before"
title = "About you"

[[forms.questions]]
name = "work"
kind = "one"
label = "Have you worked with dialogue systems?"
choices = ["Never", "For years"]
required = true

[[forms.questions]]
name = "langs"
kind = "several"
label = "Languages"
choices = ["en", "de", "fa"]

[[forms]]
name = "end"
when = "after"
title = "Afterwards"

[[forms.questions]]
name = "notes"
kind = "text"
label = "Notes"

[[cohorts]]
name = "expert"
annotations_per_item = 1
answers = ["For years"]

[[cohorts]]
name = "novice"
annotations_per_item = 2
answers = ["Never"]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the protocol installed, and a study of it."""
    folder = tmp_path_factory.mktemp("made")
    variables = installed(folder / "lib")
    for command in (
        "study new threes --protocol best-worst --seed 5",
        "dialogues self-chat threes -n 4 --exchanges 2",
    ):
        done = finished([*DUOLOGUE, *command.split()], folder=folder, variables=variables)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def variables(made: Path) -> dict[str, str]:
    """What a process needs to find the protocol."""
    return paths_to(made / "lib")


@pytest.fixture(params=ENGINES)
def run(request: pytest.FixtureRequest, tmp_path: Path, made: Path, variables: dict[str, str]) -> Run:
    """A command typed where there is a study with forms and cohorts; what it printed."""

    def typed(*arguments: str) -> str:
        done = finished([*DUOLOGUE, *arguments], folder=tmp_path, variables=variables)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    shutil.copytree(made / "threes", tmp_path / "threes")
    file = tmp_path / "threes" / "study.toml"
    text = file.read_text(encoding="utf-8").replace("check = true", "check = false")
    text = text.replace("[annotators]", '[annotators]\ncohort_from = "you.work"')
    if request.param == "postgresql":
        address = f"{request.getfixturevalue('postgresql')}&study=forms_{next(_names)}"
        text = text.replace("[study]", f'[study]\ndatabase = "{address}"')
    file.write_text(text + MORE, encoding="utf-8")
    return typed


@pytest.fixture
def served(run: Run, tmp_path: Path, variables: dict[str, str]) -> Iterator[str]:
    """Where the study is served."""
    serve = [*DUOLOGUE, "serve", "threes", "--port", "0"]
    with running(serve, folder=tmp_path, variables=variables) as server:
        address = re.search(r"(http://[^/\s]+)/a/", printed_until(server, "to stop"))
        assert address
        yield address[1]
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0


def sit(link: str, about: dict[str, dict[str, str | list[str]]]) -> list[str]:
    """Go from page to page, taking what stands first, until there is nothing to send; what was passed."""
    passed: list[str] = []
    with httpx2.Client(follow_redirects=True, timeout=60, trust_env=False) as client:
        html, base = client.get(link).text, link.rpartition("/a/")[0]
        while True:
            page = read_page(html)
            form = page.named("fill-in") or page.form
            if page.code or form is None:
                return [*passed, "thanks" if page.code else "no-work"]
            fields: dict[str, str | list[str]] = dict(form.hidden)
            if form.name == "fill-in":
                passed.append(form.hidden["form"])
                fields |= {f"q.{name}": value for name, value in about[form.hidden["form"]].items()}
            elif form.is_question:
                passed.append("item")
                fields |= {name: values[0] for name, values in form.choices.items()}
            else:
                passed.append("consent")
            html = client.post(base + form.action, data=fields).text


def test_a_study_with_forms_and_cohorts_from_the_link_to_the_report(
    run: Run, served: str, tmp_path: Path
) -> None:
    links = json.loads(run("annotators", "invite", "threes", "--count", "6", "--base-url", served, "--json"))
    work = ["For years", "Never", "For years", "Never", "Never", "For years"]
    ways = [
        sit(one["link"], {"you": {"work": answer, "langs": ["fa", "en"]}, "end": {"notes": "so"}})
        for one, answer in zip(links, work, strict=True)
    ]
    way = ["consent", "you", *["item"] * ways[0].count("item"), "end", "thanks"]
    assert ways[0] == ways[1] == way
    assert ways[5] == ["consent", "you", "no-work"], "all places of experts were taken"
    run("judgments", "export", "threes", "--out", "judgments.csv")
    with (tmp_path / "judgments.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    per_item = Counter((row["item"], row["cohort"]) for row in rows if not row["excluded"])
    assert {count for (_item, cohort), count in per_item.items() if cohort == "expert"} == {1}
    assert {cohort for _item, cohort in per_item} == {"expert", "novice"}
    run("forms", "export", "threes", "--out", "forms.jsonl")
    forms = [json.loads(line) for line in (tmp_path / "forms.jsonl").read_text("utf-8").splitlines()]
    answers = {(one["cohort"], one["you.work"], one["you.langs"]) for one in forms if one["form"] == "you"}
    assert answers == {("expert", "For years", '["en", "fa"]'), ("novice", "Never", '["en", "fa"]')}
    run("annotators", "withdraw", "threes", links[0]["annotator"], "--reason", "asked to", "--yes")
    counts = {one["question"]: one for one in json.loads(run("forms", "show", "threes", "--json"))}
    assert counts["work"]["choices"] == {"Never": 3, "For years": 2}
    run("report", "threes")
    with (tmp_path / "threes" / "report" / "tables" / "cohorts.csv").open(encoding="utf-8") as file:
        assert [row["cohort"] for row in csv.DictReader(file)] == ["expert", "novice"]


@pytest.mark.slow
@pytest.mark.parametrize("run", ["sqlite"], indirect=True)
def test_it_can_be_rehearsed(run: Run) -> None:
    found = json.loads(run("rehearse", "threes", "--annotators", "12", "--seed", "2", "--json"))
    assert found["rules_have_held"] is True
    counts = {one["question"]: one for one in json.loads(run("forms", "show", "threes/rehearsal", "--json"))}
    assert counts["work"]["answered"] >= 8
