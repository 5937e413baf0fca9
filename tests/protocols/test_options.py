"""Options that a protocol has for its own analysis."""

from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import Field

from duologue.errors import DesignError
from duologue.protocols import AnalysisOptions, analysis_options, read_options
from duologue.reports import AnalysisRequest


class Trimmed(AnalysisOptions):
    """Options of a protocol of others."""

    of_tables: ClassVar[frozenset[str]] = frozenset({"trim"})

    trim: float = Field(default=0.0, le=0.5, description="Leave out so many.")
    beside_file: Path | None = None


def test_what_was_given_becomes_the_options_of_the_protocol() -> None:
    read = read_options(Trimmed, {"trim": "0.1", "beside_file": "a.csv"}, protocol="magnitude", of_table=True)
    assert read == Trimmed(trim=0.1, beside_file=Path("a.csv"))
    assert read_options(Trimmed, {}, protocol="magnitude", of_table=False) == Trimmed()


@pytest.mark.parametrize(
    ("given", "of_table", "said"),
    [
        ({"keep": ("all",)}, True, "--keep has no meaning for the protocol magnitude. Leave it out."),
        ({"trim": 0.1}, False, "--trim is for tables: a study says it in its file, before it begins."),
        ({"trim": 0.7}, True, "--trim: Input should be less than or equal to 0.5."),
    ],
)
def test_what_the_protocol_cannot_use_is_refused(given: dict[str, object], of_table: bool, said: str) -> None:
    with pytest.raises(DesignError) as caught:
        read_options(Trimmed, given, protocol="magnitude", of_table=of_table)
    assert str(caught.value) == said


def test_an_analysis_gets_its_own_options_or_those_by_default() -> None:
    assert AnalysisRequest(options=Trimmed(trim=0.2)).options_as(Trimmed).trim == 0.2
    assert AnalysisRequest().options_as(Trimmed) == Trimmed()
    with pytest.raises(DesignError, match="AnalysisOptions are not options of this analysis"):
        AnalysisRequest(options=AnalysisOptions()).options_as(Trimmed)


def test_every_option_of_an_installed_protocol_says_what_it_is() -> None:
    for kind in analysis_options():
        for name, field in kind.model_fields.items():
            assert field.description, f"{kind.__name__}.{name} has no description"
