"""No room but a protocol's own package names a protocol, or tests for the shape of its judgments.

Imports, names and strings are read, docstrings left out. The demo and the command line may name what they
show; whatever else is listed in `ALLOWED` says why. Planning knows no option that one protocol has, on the
command line either.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.cli.protocol_options import options_of
from duologue.studies import plan_options, planner_names

SOURCE = Path(__file__).parent.parent / "src" / "duologue"

PROTOCOLS = ("acute", "likert", "per_turn", "nuc")
OWN_ROOMS = {*PROTOCOLS, "demo", "cli"}

NAMED = re.compile(r"\b(acute|likert|per[-_]turn|nuc)\b", re.IGNORECASE)
SHAPE = re.compile(r"__vs__|^ratings$|^(winner|loser)(_side|_dialogue)?$|^chosen_side$")
"""The names of groups, answers and columns that belong to one protocol."""

ALLOWED = {
    "__init__.py": "the list of rooms in which names of `import duologue` are looked up",
    "protocols/registry.py": "the protocol of a study file that names none",
    "dialogues/read.py": "a published file format is called acute; it can be read for any protocol",
    "dialogues/formats": "a published file format is called acute; it can be read for any protocol",
    "stats": "papers and their tables are cited by name, and columns of counts have names",
    "judgments": "tables of votes and ratings are neutral: any protocol may read them",
}


def _files() -> Iterator[Path]:
    for path in sorted(SOURCE.rglob("*.py")):
        here = path.relative_to(SOURCE)
        if here.parts[0] in OWN_ROOMS or any(here.is_relative_to(place) for place in ALLOWED):
            continue
        yield path


PLANNING = ("cli/plan.py", "cli/protocol_options.py", "studies/planning")
"""Where protocols are planned without being known."""


def own_options() -> frozenset[str]:
    """The planning options of the protocols, and the choices of them: words that are theirs alone."""
    kinds = [plan_options(name) for name in planner_names()]
    choices = (option.metavar or "" for kind in kinds for option in options_of(kind))
    words = {name for kind in kinds for name in kind.model_fields}
    return frozenset(words.union(*(re.findall(r"\w+", one) for one in choices)) - SHARED.keys())


SHARED = {
    "answer": "designs answer a question",
    "base": "the request that others are made from",
    "dialogues": "how many a plan needs, and of what kind",
    "discordance": "of a test in stats, for stopping early",
    "items": "of a dictionary",
    "null": "of a test in stats, for the words of a gap from a standard",
    "pilot": "an earlier small study, whatever it counted",
}
"""Words of protocols that planning has a meaning of its own for."""


def _words(text: str) -> set[str]:
    """The names and words in a module, docstrings left out."""
    tree = ast.parse(text)
    docstrings = _docstrings(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found |= set(re.findall(r"\w+", node.value.lower()))
        elif isinstance(node, ast.Name | ast.Attribute | ast.arg | ast.keyword):
            found.add(
                getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", "") or ""
            )
    return found


def _docstrings(tree: ast.AST) -> set[int]:
    """Docstrings, and the strings under attributes that say what they are."""
    bodies = (getattr(node, "body", None) for node in ast.walk(tree))
    return {
        id(one.value)
        for body in bodies
        if isinstance(body, list)
        for one in body
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    }


def leaks(text: str) -> list[str]:
    """What names a protocol in a module, or tests for its shape."""
    tree = ast.parse(text)
    docstrings = _docstrings(tree)
    found = []
    for node in ast.walk(tree):
        words: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            words = [node.value]
            if SHAPE.search(node.value):
                found.append(f"line {node.lineno}: {node.value!r}")
        elif isinstance(node, ast.ImportFrom) and node.module:
            words = [node.module, *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            words = [alias.name for alias in node.names]
        elif isinstance(node, ast.Name | ast.Attribute):
            words = [node.id if isinstance(node, ast.Name) else node.attr]
        found += [f"line {getattr(node, 'lineno', 0)}: {word!r}" for word in words if NAMED.search(word)]
    return found


@pytest.mark.parametrize("path", list(_files()), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_room_names_a_protocol_or_its_shape(path: Path) -> None:
    assert leaks(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("place", PLANNING)
def test_planning_knows_no_protocol_and_none_of_its_options(place: str) -> None:
    path = SOURCE / place
    for one in [path] if path.is_file() else sorted(path.glob("*.py")):
        text = one.read_text(encoding="utf-8")
        assert leaks(text) == [], one.name
        assert not own_options() & _words(text), one.name


def test_the_words_of_protocols_that_planning_may_use_are_used() -> None:
    paths = [SOURCE / "cli/plan.py", *sorted((SOURCE / "studies/planning").glob("*.py"))]
    assert SHARED.keys() <= set().union(*(_words(path.read_text(encoding="utf-8")) for path in paths))


@pytest.mark.parametrize(
    "line", ["filled.mechanism", "plan(mechanism=1)", "option('Sata: share of turns')", "request['pilot_w']"]
)
def test_an_option_of_a_protocol_would_be_seen(line: str) -> None:
    assert own_options() & _words(line)


@pytest.mark.parametrize("folder", ["server/templates", "server/static", "reports/templates"])
def test_no_page_of_all_protocols_names_one(folder: str) -> None:
    found = [
        f"{path.name}: {leak}"
        for path in sorted((SOURCE / folder).rglob("*"))
        if path.suffix in {".html", ".js", ".css"}
        for leak in re.findall(
            r"__vs__|\bacute\b|\blikert\b|per[-_]turn|\bnuc\b|persona-choice",
            path.read_text(encoding="utf-8"),
            re.IGNORECASE,
        )
    ]
    assert found == []


@pytest.mark.parametrize("place", ALLOWED)
def test_an_exception_is_needed(place: str) -> None:
    paths = [SOURCE / place] if place.endswith(".py") else sorted((SOURCE / place).rglob("*.py"))
    assert any(leaks(path.read_text(encoding="utf-8")) for path in paths)


@pytest.mark.parametrize(
    "line",
    [
        "from duologue.likert import LikertResults",
        "import duologue.acute",
        "is_one = study.protocol.name == 'acute'",
        "first, second = group.split('__vs__')",
        "given = answer['ratings']",
        "better = row['winner']",
    ],
)
def test_a_leak_would_be_seen(line: str) -> None:
    assert leaks(line)
    assert not leaks(f'"""Docstrings may give an example: {line}"""'.replace("'", "`"))
