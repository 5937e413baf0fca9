"""Options of commands that come from the protocols."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from duologue.cli.protocol_options import ProtocolOption, merged, options_of
from duologue.protocols import AnalysisOptions
from tests.cli.conftest import Run


class Every(AnalysisOptions):
    """A field of every kind."""

    only_best: bool = Field(default=False, description="Only the best.")
    share: float | None = None
    way: Literal["one", "two"] = "one"
    rules: tuple[str, ...] = ()
    table: Path | None = None
    at: complex | None = None


def test_a_field_of_the_options_is_an_option() -> None:
    found = {one.name: (one.type, one.metavar) for one in options_of(Every)}
    assert found == {
        "only-best": (bool, None),
        "share": (float, None),
        "way": (str, "<one|two>"),
        "rules": (list[str], None),
        "table": (Path, None),
        "at": (str, None),
        "judged-by": (str, "<people|first-party|judge>"),  # of every protocol
    }
    assert {one.name: one.help for one in options_of(Every)}["only-best"] == "Only the best."


def test_an_option_of_several_protocols_says_what_it_is_for_each() -> None:
    first, second = ProtocolOption("share", "of wins.", float), ProtocolOption("share", "of ties.", float)
    (one,) = merged({"a": [first], "b": [second], "c": [first]})
    assert one == ProtocolOption("share", "Of a and c: of wins. Of b: of ties.", float)
    (text,) = merged({"a": [first], "b": [ProtocolOption("share", "all.", str, "<all|none>")]})
    assert (text.type, text.metavar) == (str, None)


def test_an_option_of_another_protocol_is_wrong_usage(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("winner,loser\na,b\n", encoding="utf-8")
    done = duologue("analyse", tmp_path / "votes.csv", "--standardise", expect=2)
    assert "--standardise has no meaning for the protocol acute." in " ".join(done.stderr.split())
    duologue("analyse", tmp_path / "votes.csv", "--verdicts", "pooled")
    done = duologue("analyse", tmp_path / "votes.csv", "--verdicts", "mine", expect=2)
    assert '--verdicts mine: give one of "direct", "pooled".' in " ".join(done.stderr.split())
