"""Fronts that look names up when they are first asked for."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

from duologue.fronts import lazy_front

SOURCE = Path(__file__).parent.parent / "src"
FRONTS = [
    ".".join(path.parent.relative_to(SOURCE).parts)
    for path in sorted(SOURCE.rglob("__init__.py"))
    if "lazy_front(" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("front", FRONTS)
def test_a_front_imports_what_it_names_and_nothing_else(front: str) -> None:
    tree = ast.parse(inspect.getsource(import_module(front)))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    lazy = {alias.name for node in imports for alias in node.names}
    eager = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names} | {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    assert set(import_module(front).__all__) <= lazy | eager


def test_a_name_that_a_front_does_not_have_is_said_so() -> None:
    look_up = lazy_front("duologue.stats")
    with pytest.raises(AttributeError, match=r"module 'duologue\.stats' has no attribute 'nothing'"):
        look_up("nothing")
    with pytest.raises(AttributeError, match="no attribute '__wrapped__'"):
        look_up("__wrapped__")
    assert callable(look_up("holm"))
