"""The examples of docs/file-formats.md are what the page says they are."""

import re
from pathlib import Path

import pytest

from duologue.dialogues import FORMATS, detect_format, read_dialogues, read_pairing_lines
from tests.dialogues.conftest import Written

PAGE = (Path(__file__).parents[2] / "docs" / "file-formats.md").read_text(encoding="utf-8")
EXAMPLES = {
    match[1]: match[2]
    for match in re.finditer(
        r"^## [^\n]*\(`([a-z0-9-]+)`\)\n.*?^```(?:json|text)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE
    )
}


def test_every_format_has_a_row_and_an_example() -> None:
    assert set(EXAMPLES) == set(FORMATS)
    assert all(f"| `{name}` |" in PAGE for name in FORMATS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_recognised_and_read(written: Written, name: str) -> None:
    path = written(EXAMPLES[name])
    assert detect_format(path) == name
    bot = None if name in ("duologue", "acute") else "ada"
    assert list(read_dialogues(path, bot=bot))


def test_the_example_of_pairings_has_an_onboarding_line(written: Written) -> None:
    first, second = read_pairing_lines(written(EXAMPLES["acute"]))
    assert (first.is_onboarding, second.is_onboarding, second.correct) == (False, True, 0)


def test_the_example_in_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tea").mkdir()
    (tmp_path / "tea" / "study.toml").touch()
    (tmp_path / "ada.jsonl").write_text(EXAMPLES["openai"])
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(code, "file-formats.md", "exec"), {})
    assert len(list(read_dialogues("copy.jsonl"))) == 1
