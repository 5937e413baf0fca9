"""What is said of judgments by models and by those who had the chats, in every form of the results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duologue.comparing import effort_of, say_effort
from duologue.errors import AnalysisError
from duologue.likert.analysis.first_party import read_first_party
from duologue.likert.options import LikertAnalysisOptions
from duologue.protocols import AnalysisOptions, protocol_named, say_of_judges, told_of_judges
from duologue.reports import analyse_file, report_of, report_page, told_in_words, write_report

PEOPLE = re.compile(r"\b(annotators?|people|person-\w+|human)\b", re.IGNORECASE)
ALLOWED = re.compile("Judged by models, not by people|evaluation of dialogue systems by people")

VOTES = "winner,loser,annotator,seconds\n" + "".join(
    f"{'AB' if n % 3 else 'BA'},gpt-{n % 7},30\n".replace("AB,", "A,B,").replace("BA,", "B,A,")
    for n in range(60)
)
RATINGS = "bot,rating,annotator,dialogue,seconds\n" + "".join(
    f"{'AB'[n % 2]},{1 + (n * 7) % 5},gpt-{n % 6},d{n % 40},20\n" for n in range(120)
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def visible(page: str) -> str:
    page = re.sub(r"(?s)<(style|script)\b.*?</\1>", "", page)
    return re.sub(r"<[^>]*>", " ", page)


@pytest.mark.parametrize("text", [VOTES, RATINGS])
def test_models_are_called_neither_people_nor_annotators(tmp_path: Path, text: str) -> None:
    found = analyse_file(written(tmp_path, text), options=_options(text))
    results = found.results
    assert results.provenance is not None
    assert results.provenance.judged_by == "judge"
    report = report_of(results.protocol)
    said = [told_in_words(results, one) for one in report.in_words(results)]
    spoken = "\n".join(str(one) for one in (*results.warnings, *said) if isinstance(one, str))
    written_report = write_report(results, tmp_path / "report")
    methods = (tmp_path / "report" / "methods.txt").read_text(encoding="utf-8")
    for shown in (spoken, visible(report_page(results)), methods):
        assert PEOPLE.findall(ALLOWED.sub("", shown)) == []
    assert ALLOWED.search(spoken)
    assert "judge" in methods
    tex = [path.read_text(encoding="utf-8") for path in written_report if path.suffix == ".tex"]
    assert not any(PEOPLE.search(one) for one in tex)


def _options(text: str) -> AnalysisOptions:
    protocol = "likert" if text == RATINGS else "acute"
    return protocol_named(protocol).analysis_options(judged_by="judge")


def test_people_are_still_called_annotators(tmp_path: Path) -> None:
    results = analyse_file(written(tmp_path, RATINGS)).results
    assert results.provenance is not None
    assert results.provenance.judged_by == "people"
    assert "nnotators" in visible(report_page(results))


def test_who_had_the_chats_is_said(tmp_path: Path) -> None:
    results = analyse_file(
        written(tmp_path, RATINGS), options=LikertAnalysisOptions(judged_by="first-party")
    ).results
    assert "Judged by those who had the chats." in results.warnings


def test_names_and_quotations_stay_as_they_are() -> None:
    view = {"bot": "people person", "sentences": ["mint is rated higher by annotators."], "n": 3}
    assert told_of_judges(view) == {
        "bot": "people person",
        "sentences": ["mint is rated higher by judges."],
        "n": 3,
    }
    assert (
        say_of_judges("tables/annotators.csv and annotators.csv")
        == "tables/annotators.csv and annotators.csv"
    )


def test_models_had_no_chats(tmp_path: Path) -> None:
    table = written(tmp_path, "bot,rating,dialogue,judged_by\nA,1,d1,judge\n")
    with pytest.raises(AnalysisError, match="judged by models, which had no chats"):
        read_first_party(table)


def test_what_a_verdict_of_models_costs_is_no_time_of_persons(tmp_path: Path) -> None:
    judged = "winner,loser,annotator,seconds,judged_by\n" + "".join(
        f"{'A,B' if n % 3 else 'B,A'},gpt-{n},30,judge\n" for n in range(30)
    )
    said = " ".join(say_effort([effort_of(written(tmp_path, judged), "A", "B", draws=50)]))
    assert "30 answers by 30 judges about A and B, 30 seconds each" in said
    assert PEOPLE.findall(said) == []
