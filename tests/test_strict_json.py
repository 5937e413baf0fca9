"""One reader of JSON: whatever cannot be read is a ``ValueError``, and nothing reads JSON past it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import duologue
from duologue.acute.analysis.results import AcuteResults
from duologue.acute.design.answers import measured_seconds
from duologue.errors import FormatError
from duologue.metrics import MetricsResults
from duologue.models.neural.saving import ABOUT, read_saved
from duologue.strict_json import TooDeep, read_json, read_strictly
from duologue.studies import addenda_in, new_study
from duologue.studies.addenda import addendum_file

SOURCE = Path(duologue.__file__).parent
DEEP = ("[" * 6_000 + "]" * 6_000, '{"a":' * 6_000 + "1" + "}" * 6_000)
LONG = '{"seed": ' + "9" * 5_000 + "}"


@pytest.mark.parametrize("read", [read_json, read_strictly])
@pytest.mark.parametrize("text", [*DEEP, LONG, "", "[1,", "{'a': 1}"])
def test_what_cannot_be_read_is_a_value_error(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as refused:
        read(text)
    assert isinstance(refused.value, TooDeep) == (text in DEEP)


def test_nothing_reads_json_past_the_one_reader() -> None:
    """Its ``RecursionError`` was a traceback in five places."""
    found = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if re.search(r"(?<!`)\bjson\.loads?\(|\.json\(\)", path.read_text(encoding="utf-8"))
    ]
    assert found == ["strict_json.py"]


def test_a_number_that_is_none_in_deep_lists_is_refused_as_such() -> None:
    with pytest.raises(ValueError, match="NaN"):
        read_strictly('{"a":' + "[" * 600 + "NaN" + "]" * 600 + "}")


@pytest.mark.parametrize("text", [*DEEP, LONG])
def test_results_that_cannot_be_read_are_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"results\.json: expected JSON as"):
        MetricsResults.read(path)


@pytest.mark.parametrize("text", [*DEEP, LONG])
def test_a_saved_model_that_cannot_be_read_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / ABOUT).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=re.escape(ABOUT)):
        read_saved(tmp_path)


@pytest.mark.parametrize("text", [*DEEP, LONG])
def test_an_addendum_that_cannot_be_read_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / addendum_file(1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=re.escape(path.name)):
        addenda_in(tmp_path)


def test_an_analysis_that_cannot_be_read_gives_no_measured_seconds(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    for text in (*DEEP, LONG):
        (study.folder / "results.json").write_text(text, encoding="utf-8")
        assert measured_seconds(study) == ()
        with pytest.raises(FormatError, match=r"results\.json"):
            AcuteResults.read(study.folder / "results.json")
