"""Two measurements of the same bots held against each other."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.comparing import (
    Measurement,
    compare_measurements,
    comparison_in_words,
    comparison_json,
    places_of,
    read_measurement,
    write_comparison,
)
from duologue.comparing.places import rank_correlation, strengths_of
from duologue.errors import AnalysisError, FormatError
from duologue.protocols import Outcome
from duologue.store import open_study
from tests.reports.judged_study import load, make_study, prefers_earlier, sit

GOLDEN = Path(__file__).parents[1] / "golden" / "acute"


def _outcome(first: str, second: str, estimate: float | None, better: str | None = None) -> Outcome:
    return Outcome("", first, second, 100, estimate, None, better, has_verdict=True)


def _published(table: str, folder: Path) -> Path:
    """A published win matrix as a table of differences, every two bots once."""
    path, seen = folder / f"{table}.csv", set()
    with (GOLDEN / f"{table}.csv").open() as given, path.open("w", newline="") as made:
        writer = csv.writer(made)
        writer.writerow(["first", "second", "win_rate", "better"])
        for row in csv.DictReader(given):
            bots = row["winner"], row["loser"]
            rate = float(row["percent_wins"]) / 100
            if frozenset(bots) not in seen:
                better = bots[rate < 0.5] if row["bold"] == "1" else "none"
                writer.writerow([*bots, rate, better])
            seen.add(frozenset(bots))
    return path


def _margins(folder: Path) -> Path:
    path = folder / "likert.csv"
    with (GOLDEN / "likert_margins.csv").open() as given, path.open("w", newline="") as made:
        writer = csv.writer(made)
        writer.writerow(["part", "first", "second", "difference"])
        for row in csv.DictReader(given):
            writer.writerow([row["question"], row["winner"], row["loser"], row["likert_margin"]])
    return path


def test_self_chats_beside_live_chats_as_published(tmp_path: Path) -> None:
    live, alone = (read_measurement(_published(table, tmp_path)) for table in ("table_2", "table_4"))
    found = compare_measurements(live, alone)
    assert (len(found.pairs), found.with_direction, found.same_way) == (28, 27, 24)
    assert found.finds == {"both": 10, "first only": 0, "second only": 10, "neither": 8, "not known": 0}
    moved = {one.bot: one.places for one in found.moved}
    assert moved["HF"] == (5, 8)  # "HF self-chats surface degeneracies in the model itself"
    assert found.correlations is not None
    assert round(found.correlations.spearman.value, 2) == 0.81
    without = {one.bot: one.rank_correlation_without for one in found.places}
    assert max(without, key=lambda bot: without[bot] or 0) == "HF"


def test_ratings_beside_comparisons_as_published(tmp_path: Path) -> None:
    acute = read_measurement(_published("table_2", tmp_path))
    likert = read_measurement(_margins(tmp_path), part="engagingness")
    found = compare_measurements(acute, likert)
    assert (len(found.pairs), found.same_way) == (9, 8)
    apart = [(one.pair.first, one.pair.second) for one in found.pairs if one.is_same_way is False]
    assert apart == [("INQ", "INT")]
    assert sum(one.pair.better[0] is not None for one in found.pairs) == 3  # "3 are significant"
    assert found.places == ()
    assert any("No chain of pairs" in one for one in found.sentences)


def test_a_part_must_be_named_where_there_are_several(tmp_path: Path) -> None:
    path = _margins(tmp_path)
    with pytest.raises(AnalysisError, match=r"has several parts\. Name one of them: 'engagingness'; "):
        read_measurement(path)
    with pytest.raises(AnalysisError, match="has no part 'wit'"):
        read_measurement(path, part="wit")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A,A,1,", "row 1: expected two bots"),
        (",B,1,", "row 1: expected two bots"),
        ("A,B,much,", "row 1, difference: expected a number"),
        ("A,B,1,C", "row 1, better: expected A, B or none"),
        ("A,B,1,\nB,A,2,", "row 2: expected every two bots once"),
    ],
)
def test_what_is_wrong_in_a_table_of_differences(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"first,second,difference,better\n{line}\n")
    with pytest.raises(FormatError, match=said):
        read_measurement(path)


def test_the_second_bot_may_come_first_in_the_alphabet(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("first,second,win_rate,n,better\nzoe,ann,0.7,120,zoe\n")
    (one,) = read_measurement(path).outcomes
    assert (one.first, one.second, one.n, one.better) == ("ann", "zoe", 120, "zoe")
    assert one.estimate == pytest.approx(0.3)


def test_tables_of_judgments_are_analysed(tmp_path: Path) -> None:
    votes, ratings = tmp_path / "votes.csv", tmp_path / "ratings.csv"
    votes.write_text(
        "winner,loser,annotator\n"
        + "".join(f"A,B,p{n}\n" for n in range(30))
        + "".join(f"B,A,q{n}\n" for n in range(5))
    )
    ratings.write_text(
        "bot,rating,annotator\n" + "".join(f"A,{4 - n % 2},p{n}\nB,{1 + n % 2},p{n}\n" for n in range(30))
    )
    found = compare_measurements(read_measurement(votes), read_measurement(ratings))
    (pair,) = found.pairs
    assert pair.pair.better == ("A", "A")
    assert pair.is_same_way
    assert found.even == (0.5, 0.0)
    assert found.correlations is None


def test_a_study_brings_the_repetition_of_its_dialogues(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with open_study(study) as store:
        load(study, store)
        for _ in range(8):
            sit(study, store, prefers_earlier())
    measured = read_measurement(study.folder)
    assert measured.name == study.name
    assert len(measured.outcomes) == 3
    assert set(measured.repetition) == {"ann", "bob <b>&amp;", "cy"}
    turned = Measurement(
        "turned",
        "win rate",
        0.5,
        tuple(
            Outcome(o.part, o.first, o.second, o.n, 1 - (o.estimate or 0), None, None, has_verdict=True)
            for o in measured.outcomes
        ),
    )
    found = compare_measurements(measured, turned)
    said = "\n".join(found.sentences)
    assert "in the dialogues of three <i>bots</i>: " in said
    write_comparison(found, tmp_path / "out")
    assert "<i>bots" not in (tmp_path / "out" / "comparison.html").read_text()


def test_contradictions_are_said_and_belong_to_both_bots() -> None:
    one = Measurement("x", "win rate", 0.5, (_outcome("A", "B", 0.7, "A"), _outcome("B", "C", 0.6, "B")))
    other = Measurement("y", "win rate", 0.5, (_outcome("A", "B", 0.3, "B"), _outcome("B", "C", 0.6)))
    found = compare_measurements(one, other)
    assert {bot.bot: bot.contradictions for bot in found.places} == {"A": ("B",), "B": ("A",), "C": ()}
    assert "1 of these verdicts contradict each other." in found.sentences


def test_nothing_in_common_is_an_error() -> None:
    one = Measurement("x", "win rate", 0.5, (_outcome("A", "B", 0.7),))
    other = Measurement("y", "win rate", 0.5, (_outcome("A", "C", 0.7),))
    with pytest.raises(AnalysisError, match="No two bots are compared in x and in y"):
        compare_measurements(one, other)


def test_what_has_no_estimate_has_no_direction_and_no_place() -> None:
    one = Measurement("x", "win rate", 0.5, (_outcome("A", "B", None),), is_rehearsal=True)
    found = compare_measurements(one, one)
    assert (found.with_direction, found.places) == (0, ())
    assert found.warnings[0] == "x is a REHEARSAL: its annotators were simulated."


def test_everything_is_written_and_told(tmp_path: Path) -> None:
    live, alone = (read_measurement(_published(table, tmp_path)) for table in ("table_2", "table_4"))
    found = compare_measurements(live, alone)
    written = write_comparison(found, tmp_path / "out")
    assert [path.name for path in written] == [
        "comparison.html",
        "comparison.json",
        "comparison.tex",
        "comparison.csv",
        "comparison.svg",
        "comparison.pdf",
    ]
    page = written[0].read_text()
    assert "Without HF the rank correlation is 0.93." in page
    assert "<svg" in page
    with written[3].open() as file:
        rows = list(csv.DictReader(file))
    assert rows[2]["same_way"] == "no"
    assert rows[3]["finds"] == "both"
    assert r"\textbf{0.66}" in written[2].read_text()
    assert json.loads(comparison_json(found))["format"] == "duologue.comparison/1"
    assert [line for line in comparison_in_words(found) if isinstance(line, str)][1:] == list(found.sentences)


Estimates = st.lists(st.floats(0.05, 0.95), min_size=6, max_size=6)


@given(Estimates)
def test_strengths_are_mean_estimates_where_all_meet_and_turn_with_them(one: list[float]) -> None:
    bots = ["A", "B", "C", "D"]
    pairs = [(a, b) for n, a in enumerate(bots) for b in bots[n + 1 :]]
    first = strengths_of([(*pair, value) for pair, value in zip(pairs, one, strict=True)], bots, 0.5)
    turned = strengths_of([(*pair, 1 - value) for pair, value in zip(pairs, one, strict=True)], bots, 0.5)
    assert first is not None
    assert turned is not None
    assert turned == pytest.approx([-value for value in first], abs=1e-9)
    means = [
        sum(v if a == bot else 1 - v for (a, b), v in zip(pairs, one, strict=True) if bot in (a, b)) / 3
        for bot in bots
    ]
    assert [0.75 * (mean - 0.5) for mean in means] == pytest.approx(list(first), abs=1e-9)
    assert len(places_of(first)) == 4
    correlation = rank_correlation(first, first)
    assert correlation is None or correlation == pytest.approx(1)


def test_the_same_order_and_pairs_of_one_side_are_said() -> None:
    shared = (_outcome("A", "B", 0.7), _outcome("A", "C", 0.8), _outcome("B", "C", 0.6))
    one = Measurement("x", "win rate", 0.5, (*shared, *(_outcome("A", f"only{n}", 0.6) for n in range(12))))
    other = Measurement("y", "win rate", 0.5, (*shared, _outcome("C", "D", None)))
    found = compare_measurements(one, other)
    assert "No bot changes its place." in found.sentences
    lines = [line for line in comparison_in_words(found) if isinstance(line, str)]
    assert lines[-2].endswith("and 2 more.")
    assert lines[-1] == "Only in 2: C and D."


def test_a_pair_without_an_estimate_is_told_without_places() -> None:
    one = Measurement("x", "win rate", 0.5, (_outcome("A", "B", None),), is_rehearsal=True)
    found = compare_measurements(one, one)
    assert (
        next(iter(comparison_in_words(found))) == "warning: x is a REHEARSAL: its annotators were simulated."
    )
    assert len([line for line in comparison_in_words(found) if not isinstance(line, str)]) == 1
