"""Every command, error and protocol is documented, links lead somewhere, and examples run."""

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import make_docs
import pictures
from duologue import errors
from duologue.protocols import protocol_named, protocol_names
from duologue.studies import CohortSettings, FormQuestion, FormSettings, StudyFile
from tests.processes import finished

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])
COMMAND_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_every_error_has_an_entry() -> None:
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    names = [
        name
        for name, thing in inspect.getmembers(errors, inspect.isclass)
        if thing.__module__.startswith(f"{errors.__name__}.")
    ]
    assert [name for name in names if f"| `{name}` |" not in page] == []


def test_every_error_stands_in_the_tree() -> None:
    tree = errors.__doc__ or ""
    names = [
        name
        for name, thing in inspect.getmembers(errors, inspect.isclass)
        if thing.__module__.startswith(f"{errors.__name__}.")
    ]
    assert [name for name in names if not re.search(rf"\b{name}\b", tree)] == []


@pytest.mark.parametrize("protocol", protocol_names())
def test_every_protocol_has_a_page(protocol: str) -> None:
    assert (DOCS / f"{protocol}.md").exists()


def test_every_setting_has_an_entry() -> None:
    page = (DOCS / "study-file.md").read_text(encoding="utf-8")
    models = [field.annotation for field in StudyFile.model_fields.values()]
    models += [protocol_named(name).settings_model for name in protocol_names()]
    models += [FormSettings, FormQuestion, CohortSettings]
    keys = {key for model in models for key in getattr(model, "model_fields", {})}
    assert sorted(key for key in keys if f"`{key}`" not in page and f"{key}]" not in page) == []


def test_the_page_of_commands_is_that_of_the_command_line() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == make_docs.commands_page(), "run `make docs`"
    for brought in ("--mechanism <pairwise", "--standardise", "--prefer <"):
        assert brought in page, "options that protocols bring are there too"


def test_every_picture_shows_the_page_as_it_is() -> None:
    assert pictures.stale_pictures() == [], "run `make docs`, look at the pictures, and commit them"
    shown = {
        target
        for page in PAGES
        for target in re.findall(
            r"!\[[^]]+\]\((?:docs/)?images/([\w-]+)\.png\)", page.read_text(encoding="utf-8")
        )
    }
    assert shown == set(pictures.PICTURES), "every picture of the docs is made, and every one made is shown"


def test_a_picture_is_stale_once_its_page_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "duologue"
    shutil.copytree(pictures.SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(pictures, "SOURCE", source)
    assert pictures.stale_pictures() == []
    page = source / "server" / "templates" / "overview.html"
    page.write_text(page.read_text(encoding="utf-8") + "<p>One more sentence.</p>", encoding="utf-8")
    assert pictures.stale_pictures() == ["dashboard"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_page_says_for_whom_it_is_and_is_on_the_map(page: Path) -> None:
    if page.name == "README.md":
        return
    assert page.read_text(encoding="utf-8").splitlines()[2].startswith("*For ")
    assert f"({page.name})" in (DOCS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_in_toml_are_toml(page: Path) -> None:
    for block in re.findall(
        r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        tomllib.loads(block)


PAGES_WITH_COMMANDS = [page for page in PAGES if COMMAND_BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run_as_written(page: Path, tmp_path: Path, quick_duologue: Path) -> None:
    """The ```sh blocks of a page, in order, in one empty folder; a shell says which line failed."""
    text = page.read_text(encoding="utf-8")
    path = os.pathsep.join((str(quick_duologue), str(Path(sys.executable).parent), os.environ["PATH"]))
    variables = {"PATH": path, "COLUMNS": "100", "DUOLOGUE_SOURCE": str(ROOT)}
    done = finished(["bash", "-x", "-c", make_docs.script(text)], folder=tmp_path, variables=variables)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    for stands, printed in make_docs.outputs(text, done.stdout):
        assert make_docs.same(text, stands, printed), f"run `make docs`; printed now:\n{printed}"


def test_no_machine_path_and_no_registry_is_written_down() -> None:
    files = subprocess.run(
        shlex.split("git ls-files -z"), cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    hosts = "|".join(("py" + r"pi\.org", "python" + "hosted", r"registry\.n" + "pmjs", r"deb\.deb" + "ian"))
    forbidden = re.compile(rf"{hosts}|/ro{'ot'}/")
    found = []
    for name in filter(None, files):
        path = ROOT / name
        if path.suffix in {".png", ".pdf", ".jpg", ".woff2"} or not path.is_file():
            continue
        if forbidden.search(path.read_text(encoding="utf-8", errors="replace")):
            found.append(name)
    assert found == []
