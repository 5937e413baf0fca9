"""Who may import whom: a room imports only from lines below its own, and through the room's front."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "duologue"

LINES: tuple[tuple[str, ...], ...] = (
    ("cli",),
    ("demo",),
    ("comparing",),
    ("acute", "likert", "per_turn", "nuc"),
    ("telegram", "rehearsal"),
    ("server",),
    ("reports", "crowd"),
    ("store",),
    ("studies",),
    ("protocols",),
    ("bots",),
    ("metrics",),
    ("screening", "models"),
    ("dialogues", "judgments", "stats"),
    ("engine",),
    ("back_off", "clock", "seeds", "files", "expected", "fronts", "grammar", "strict_json"),
    ("errors",),
)
HEIGHT = {room: len(LINES) - line for line, rooms in enumerate(LINES) for room in rooms}


@cache
def trees() -> Mapping[Path, ast.Module]:
    """Every file of ours, read once."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


@cache
def _imports() -> tuple[tuple[Path, str, str], ...]:
    """Each file of ours, its room, and a module that it imports."""
    return tuple(_found_imports())


def _found_imports() -> Iterator[tuple[Path, str, str]]:
    for path, tree in trees().items():
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "duologue":
                for alias in node.names:
                    yield path, room, f"duologue.{alias.name}" if alias.name in HEIGHT else node.module
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                yield path, room, node.module
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield path, room, alias.name


def _between_rooms() -> Iterator[tuple[str, str, str]]:
    """A file that imports from another room, its own room, and the module that it imports."""
    for path, room, module in _imports():
        if module.startswith("duologue.") and room in HEIGHT and module.split(".")[1] != room:
            yield str(path.relative_to(SOURCE)), room, module


def test_a_room_imports_only_from_lines_below() -> None:
    found = [
        (file, module)
        for file, room, module in _between_rooms()
        if HEIGHT[module.split(".")[1]] >= HEIGHT[room]
    ]
    assert found == []


def test_a_room_is_entered_by_its_front() -> None:
    assert [(file, module) for file, _, module in _between_rooms() if module.split(".")[2:]] == []


def test_every_room_is_on_a_line() -> None:
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert rooms <= set(HEIGHT)


def test_stats_knows_only_errors_and_numbers() -> None:
    allowed = {"duologue.errors", "duologue.fronts", "duologue.stats"}
    for path, room, module in _imports():
        if room == "stats" and module.startswith("duologue"):
            assert module in allowed or module.startswith("duologue.stats."), f"{path} imports {module}"


def _needs(tree: ast.Module, modules: Mapping[str, ast.Module]) -> set[str]:
    """The modules that importing this one imports, as far as its own top lines say."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inner if name in modules} or {node.module}
    return found & set(modules)


def test_no_module_needs_itself() -> None:
    root = SOURCE.parent
    modules = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): tree
        for path, tree in trees().items()
    }
    TopologicalSorter({name: _needs(tree, modules) for name, tree in modules.items()}).prepare()


def test_no_room_has_more_than_twenty_files_at_one_level() -> None:
    crowded = {
        str(folder.relative_to(SOURCE)): count
        for folder in {path.parent for path in trees()}
        if (count := len(list(folder.glob("*.py")))) > 20
    }
    assert crowded == {}


def test_a_class_name_occurs_once() -> None:
    names = Counter(
        node.name for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


PAGE = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\| \d+ \| ([^|]+) \| `([^`]+\.py)` \|", re.MULTILINE)


def test_the_page_on_architecture_draws_the_same_picture() -> None:
    drawn = PAGE.partition("## Rooms")[2].partition("\n## ")[0]
    words = [line[4:].split("  ")[0].split() for line in drawn.splitlines() if re.match(r"    \w", line)]
    assert words == [list(rooms) for rooms in LINES]


@pytest.mark.parametrize(("names", "file"), STEP.findall(PAGE))
def test_a_step_of_a_walk_on_the_page_is_where_it_says(names: str, file: str) -> None:
    source = (SOURCE / file).read_text(encoding="utf-8")
    for name in names.replace("`", "").split(", "):
        assert re.search(rf"^\s*(async )?def {name}\(", source, re.MULTILINE), f"{file} has no {name}"
