"""Options that a protocol has for its own analysis, and for its own plans."""

from pathlib import Path
from typing import ClassVar, Literal, Self

import pytest
from pydantic import Field, model_validator

from duologue.errors import DesignError
from duologue.protocols import (
    AnalysisOptions,
    PlanOptions,
    analysis_options,
    protocol_named,
    protocol_names,
    read_options,
)
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
        ({"trim": 0.7}, True, "--trim 0.7: give a number of at most 0.5."),
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
    plans = [protocol_named(name).plan_options for name in protocol_names()]
    for kind in (*analysis_options(), *plans):
        for name, field in kind.option_fields().items():
            assert field.description, f"{kind.__name__}.{name} has no description"


class Ruled(PlanOptions):
    """Options of plans of a protocol of others."""

    of_studies: ClassVar[frozenset[str]] = frozenset({"found"})

    way: Literal["up", "down"] | None = None
    steps: int | None = None
    found: int | None = None

    @model_validator(mode="after")
    def both_or_none(self) -> Self:
        """Steps lead somewhere."""
        if self.steps is not None and self.way is None:
            raise ValueError("--steps needs --way")
        return self


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"way": "left"}, '--way left: give one of "up", "down".'),
        ({"steps": 2}, "--steps needs --way."),
        ({"way": "up", "steps": "two"}, "--steps two: give a whole number."),
    ],
)
def test_a_value_that_is_not_legal_is_refused_with_those_that_are(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(DesignError) as caught:
        Ruled.read(given)
    assert str(caught.value).startswith(said)


def test_a_study_fills_in_what_is_no_option_and_a_design_what_is_open() -> None:
    assert set(Ruled.option_fields()) == {"way", "steps"}
    assert Ruled(way="up").fill(way="down", found=3) == Ruled(way="up", found=3)
