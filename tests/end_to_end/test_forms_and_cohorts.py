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
from tests.about_annotators import BY_ANSWER, forms_and_cohorts
from tests.commands import Commands
from tests.own_protocol import make_threes, paths_to, placed
from tests.processes import DUOLOGUE, printed_until, running
from tests.store.conftest import postgresql, quick_disk
from tests.waiting import PATIENCE

__all__ = ["postgresql", "quick_disk"]

Run = Callable[..., str]
ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])]
"""What differs on PostgreSQL is shown by tests/store, form by form and place by place."""
_names = count()

MORE = forms_and_cohorts(
    expert="annotations_per_item = 1\n" + BY_ANSWER["expert"],
    novice="annotations_per_item = 2\n" + BY_ANSWER["novice"],
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the protocol installed, and a study of it."""
    folder = tmp_path_factory.mktemp("made")
    make_threes(folder, placed(folder / "lib"), "threes", dialogues=4)
    return folder


@pytest.fixture(scope="module")
def variables(made: Path) -> dict[str, str]:
    """What a process needs to find the protocol."""
    return paths_to(made / "lib")


@pytest.fixture(scope="module")
def commands(quick_duologue: Path, variables: dict[str, str]) -> Commands:
    """Commands that find it."""
    return Commands(quick_duologue, variables)


@pytest.fixture(params=ENGINES)
def run(request: pytest.FixtureRequest, tmp_path: Path, made: Path, commands: Commands) -> Run:
    """A command typed where there is a study with forms and cohorts; what it printed."""

    def typed(*arguments: str) -> str:
        done = commands.finished(list(arguments), folder=tmp_path)
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
    with httpx2.Client(follow_redirects=True, timeout=PATIENCE, trust_env=False) as client:
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
