"""What a room shows at its front exists, is documented, and comes without heavy packages."""

import importlib
import inspect
import sys
from pathlib import Path

import pytest

import duologue
from tests.processes import finished

SOURCE = Path(__file__).parent.parent / "src" / "duologue"
ROOMS = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py") if path.parent.name != "cli")


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_exists_and_is_documented(room: str) -> None:
    front = importlib.import_module(f"duologue.{room}")
    names = getattr(front, "__all__", None)
    assert names is not None, f"duologue.{room} does not say what is public (__all__)"
    assert list(names) == sorted(set(names), key=lambda name: (not name.isupper(), name[0].islower(), name))
    for module in sorted((SOURCE / room).glob("[a-z]*.py")):
        importlib.import_module(
            f"duologue.{room}.{module.stem}"
        )  # a module would hide a lazy name like its own
    for name in names:
        thing = getattr(front, name)
        assert not inspect.ismodule(thing), f"duologue.{room}.{name} is a module"
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"duologue.{room}.{name} has no docstring"


@pytest.mark.parametrize("name", duologue.__all__)
def test_a_path_may_be_a_text_at_the_front(name: str) -> None:
    thing = getattr(duologue, name)
    if inspect.isfunction(thing):
        said = [str(one.annotation) for one in inspect.signature(thing).parameters.values()]
        assert [one for one in said if "Path" in one and "str" not in one and "None" not in one] == []


def test_a_table_is_analysed_and_written_up_by_the_text_of_its_path(tmp_path: Path) -> None:
    table = tmp_path / "v.csv"
    rows = ["ada,bea"] * 30 + ["bea,ada"] * 5
    table.write_text("\n".join(["winner,loser", *rows]) + "\n", encoding="utf-8")
    assert len(duologue.read_votes(str(table))) == 35
    found = duologue.analyse_file(str(table))
    written = duologue.write_report(found.results, str(tmp_path / "report"))
    assert written[0].is_file()
    assert duologue.write_results(found, (), str(tmp_path / "out"))[0].is_file()


def test_the_journey_is_at_the_front_of_the_package() -> None:
    for name in duologue.__all__:
        assert getattr(duologue, name)
    assert dir(duologue) == sorted(duologue.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        duologue.nothing  # noqa: B018


def _modules_after(statement: str) -> set[str]:
    script = f"{statement}\nimport sys\nprint(' '.join(sys.modules))"
    done = finished([sys.executable, "-c", script])
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stdout.split()}


def test_import_duologue_is_light() -> None:
    heavy = {"numpy", "scipy", "statsmodels", "matplotlib", "fastapi", "sqlalchemy", "torch"}
    assert not heavy & _modules_after("import duologue")


def test_the_command_line_starts_without_heavy_packages() -> None:
    heavy = {"numpy", "scipy", "statsmodels", "matplotlib", "fastapi", "sqlalchemy", "pydantic", "torch"}
    assert not heavy & _modules_after("import duologue.cli.main")
