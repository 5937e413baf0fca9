"""Results of ratings are one JSON file that comes back as it was."""

import json
from pathlib import Path

import pytest

from duologue.errors import FormatError, NewerFormat
from duologue.likert import ENJOYMENT, LikertResults, analyse_ratings
from duologue.protocols.provenance import Provenance
from tests.likert.rated import rated


def test_results_come_back_as_they_were_written(tmp_path: Path) -> None:
    rows = [{**row, "persona_right": n % 3 > 0} for n, row in enumerate(rated({"ada": 3.0, "bea": 2.0}))]
    found = analyse_ratings(rows, questions=[ENJOYMENT], first_party=rows, metrics={"f1": {"ada": 1.0}})
    found = found.with_provenance(Provenance(duologue="1"))
    path = tmp_path / "results.json"
    path.write_text(found.to_json(), encoding="utf-8")
    assert LikertResults.read(path) == found
    assert found.sections[0].questions[0].pairs[0].name == "ada__vs__bea"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("[]", FormatError, "as `duologue analyse` writes it"),
        ("{", FormatError, "as `duologue analyse` writes it"),
        (json.dumps({"format": "duologue.results/2"}), NewerFormat, "duologue.results/2"),
        (json.dumps({"format": "duologue.results/1"}), FormatError, "sections"),
    ],
)
def test_what_is_no_result_is_refused(
    tmp_path: Path, text: str, error: type[Exception], message: str
) -> None:
    path = tmp_path / "results.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        LikertResults.read(path)
