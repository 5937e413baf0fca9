"""``duologue analyse``, ``report`` and ``judgments`` as a user types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from duologue.store import exclude_judgments, fetch_judgments, fetch_looks, open_store
from duologue.studies import Study
from tests.cli.conftest import Run
from tests.reports.judged_study import load, make_study, prefers_earlier, sit

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text("winner,loser\n" + "A,B\n" * 80 + "B,A\n" * 30)
    return path


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = make_study(tmp_path / "study", per_matchup=6)
    with open_store(made.database) as store:
        load(made, store)
        for number in range(6):
            sit(made, store, prefers_earlier("" if number == 5 else "fun"), label=f"annotator {number}")
    return made


def test_a_file_is_analysed_without_leaving_anything_behind(duologue: Run, votes: Path) -> None:
    said = duologue("analyse", votes).stdout
    assert "A is better than B (p < 0.001, win rate 72.7 %, 95 % interval [63.4, 80.8], n = 110)." in said
    assert [path.name for path in votes.parent.iterdir()] == ["votes.csv"]


def test_json_is_the_results_file(duologue: Run, votes: Path) -> None:
    found = json.loads(duologue("analyse", votes, "--json").stdout)
    assert found["format"] == "duologue.results/1"
    assert found["sections"][0]["matchups"][0]["verdict"]["better"] == "A"
    assert found["provenance"]["data"].keys() == {"votes.csv"}
    assert found["provenance"]["rows"] == {"votes.csv": 110}


def test_alpha_and_gap_are_those_asked_for(duologue: Run, votes: Path) -> None:
    found = json.loads(duologue("analyse", votes, "--json", "--alpha", "0.01", "--gap", "0.3").stdout)
    assert (found["alpha"], found["gap"]) == (0.01, 0.3)
    refused = duologue("analyse", votes, "--gap", "1.5", expect=1)
    assert "a gap between two win rates is at most 1" in refused.stderr


def test_stop_or_go_on_is_said_when_asked_for(duologue: Run, votes: Path) -> None:
    said = duologue("analyse", votes, "--sequential").stdout
    assert "  sequential: stop: A is better. The evidence against equal bots reached 20 after 21 judg" in said
    assert "warning: No stopping rule was declared with these judgments" in said
    assert "A is better than B (p < 0.001" in said
    assert "sequential" not in duologue("analyse", votes).stdout


def test_the_sequential_decision_is_in_the_json(duologue: Run, votes: Path) -> None:
    found = json.loads(duologue("analyse", votes, "--sequential", "--json").stdout)
    sequential = found["sections"][0]["matchups"][0]["sequential"]
    assert (sequential["decision"], sequential["better"], sequential["n"]) == ("stop: A is better", "A", 110)
    assert sequential["e_value"] > sequential["needed"]


def test_a_study_with_a_fixed_number_says_that_its_verdict_rests_on_that(duologue: Run, study: Study) -> None:
    said = duologue("analyse", study.folder, "--sequential").stdout
    assert "The study declared a fixed number of judgments, and its verdicts rest on that" in said
    assert "  sequential: continue. After " in said


def test_a_report_says_stop_or_go_on_when_asked_for(duologue: Run, votes: Path) -> None:
    duologue("report", votes, "--sequential")
    page = (votes.parent / "votes-report" / "report.html").read_text()
    assert "Sequential: stop: A is better." in page


def test_arena_votes_are_recognised(duologue: Run, tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    votes = [{"model_a": "X", "model_b": "Y", "winner": "model_b"}]
    votes += [{"model_a": "Y", "model_b": "X", "winner": "model_a"}]
    path.write_text("".join(json.dumps(vote) + "\n" for vote in votes * 10))
    assert "Y is better than X" in duologue("analyse", path).stdout


def test_results_of_a_file_go_where_asked(duologue: Run, votes: Path, tmp_path: Path) -> None:
    duologue("analyse", votes, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "results.json").exists()
    assert (tmp_path / "out" / "tables" / "significance.csv").exists()


def test_a_study_is_analysed_and_written(duologue: Run, study: Study) -> None:
    said = duologue("analyse", study.folder).stdout
    assert "Excluded by no-reason: 3 judgments of 1 annotator." in said
    assert (study.folder / "results.json").exists()
    assert (study.folder / "tables" / "full.csv").exists()


def test_a_report_is_written_into_the_study(duologue: Run, study: Study) -> None:
    said = duologue("report", study.folder).stdout
    page = study.folder / "report" / "report.html"
    assert str(page) in said
    assert "ann is better than" in page.read_text() or "No difference detected" in page.read_text()
    assert (study.folder / "report" / "figures" / "win-matrix.pdf").exists()


def test_a_report_of_a_file_stands_beside_it(duologue: Run, votes: Path) -> None:
    duologue("report", votes)
    assert (votes.parent / "votes-report" / "report.html").exists()


def test_a_csv_file_without_columns_is_not_written(duologue: Run, tmp_path: Path) -> None:
    made = make_study(tmp_path / "study", per_matchup=6)
    with open_store(made.database) as store:
        load(made, store)
    out = tmp_path / "judgments.csv"
    for given in (("--out", out), ("--format", "csv"), ()):
        done = duologue("judgments", "export", made.folder, *given, expect=1)
        assert "the study has no judgments yet, and this table has its columns from them." in done.stderr
        assert "standard output" not in done.stderr
        assert "cannot be written" not in done.stderr
        assert done.stdout == ""
    assert not out.exists()
    for ending, text in (("jsonl", ""), ("json", "[]")):
        out = tmp_path / f"judgments.{ending}"
        assert "0 judgments." in duologue("judgments", "export", made.folder, "--out", out).stdout
        assert out.read_text() == text


def test_judgments_are_exported_to_standard_output_and_to_files(
    duologue: Run, study: Study, tmp_path: Path
) -> None:
    rows = list(csv.DictReader(io.StringIO(duologue("judgments", "export", study.folder).stdout)))
    assert len(rows) == 6 * 4
    assert {"winner", "loser", "annotator", "excluded", "winner_side"} <= set(rows[0])
    lines = duologue("judgments", "export", study.folder, "--format", "jsonl").stdout.splitlines()
    assert len(lines) == len(rows)
    out = tmp_path / "out.parquet"
    assert "24 judgments" in duologue("judgments", "export", study.folder, "--out", out).stdout
    assert out.exists()


def test_a_binary_format_needs_a_file(duologue: Run, study: Study) -> None:
    done = duologue("judgments", "export", study.folder, "--format", "parquet", expect=2)
    assert "give --out" in done.stderr


def test_votes_are_imported_into_our_columns(duologue: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "arena.csv", tmp_path / "ours.csv"
    path.write_text("model_a,model_b,winner\nX,Y,model_b\nX,Y,tie\n")
    said = duologue("judgments", "import", path, "--out", out).stdout
    assert "2 judgments of 2 bots, 1 ties" in said
    with out.open(newline="") as file:
        assert [row["winner"] for row in csv.DictReader(file)] == ["Y", "X"]


def test_a_bad_import_writes_nothing(duologue: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "arena.csv", tmp_path / "ours.csv"
    path.write_text("model_a,model_b,winner\nX,Y,nobody\n")
    assert "line 2, winner" in duologue("judgments", "import", path, "--out", out, expect=1).stderr
    assert not out.exists()


def test_judgments_are_excluded_and_taken_back_with_a_reason(duologue: Run, study: Study) -> None:
    rows = list(csv.DictReader(io.StringIO(duologue("judgments", "export", study.folder).stdout)))
    key = next(row["judgment"] for row in rows if row["is_onboarding"] == "false")
    said = duologue("judgments", "exclude", study.folder, key, "--reason", "a test").stdout
    assert said.startswith("1 of 1 judgments were excluded now")
    assert "1 look at the results had been taken" in said  # the export
    assert "The plan declares no rule 'researcher'" in said
    assert duologue("judgments", "exclude", study.folder, key, "--reason", "a test").stdout.startswith(
        "0 of 1"
    )
    said = duologue("judgments", "restore", study.folder, key, "--reason", "a mistake").stdout
    assert said.startswith("1 of 1 judgments count again")


def test_all_judgments_of_an_annotator_are_excluded_together(duologue: Run, study: Study) -> None:
    rows = list(csv.DictReader(io.StringIO(duologue("judgments", "export", study.folder).stdout)))
    who = rows[0]["annotator"]
    said = duologue("judgments", "exclude", study.folder, "--annotator", who, "--reason", "a test").stdout
    assert said.startswith("4 of 4")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("analyse", "nothing.csv"), 1, "there is no such file"),
        (("analyse", "."), 1, "there is no study.toml here"),
        (("report", "nothing.csv"), 1, "there is no such file"),
        (("analyse", "bad.csv"), 1, "bad.csv, line 2, loser: expected the name of a bot and found nothing"),
        (("analyse", "bad.csv", "--alpha", "7"), 2, "--alpha"),
    ],
)
def test_a_mistake_is_one_clear_line(
    duologue: Run, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (tmp_path / "bad.csv").write_text("winner,loser\nA,\n")
    assert message in duologue(*arguments, expect=code).stderr


def test_excluding_nothing_is_a_mistake(duologue: Run, study: Study) -> None:
    duologue("judgments", "exclude", study.folder, "--reason", "x", expect=2)
    done = duologue("judgments", "exclude", study.folder, "--annotator", "nobody", "--reason", "x", expect=1)
    assert "nobody" in done.stderr


def test_columns_are_mapped_and_unused_ones_named(duologue: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    lines = [
        f"{model},{score},w{n},x\n"
        for n in range(6)
        for model, score in (("A", 4 + n % 2), ("B", 2 - n % 2), ("B", 1))
    ]
    path.write_text("model_name,score,rater,mood\n" + "".join(lines))
    mapping = "bot=model_name, rating=score,annotator=rater"
    said = duologue("analyse", path, "--columns", mapping, "--standardise").stdout
    assert "A is rated higher than B" in said
    assert "Columns that are not used: mood." in said
    assert "standardised within each annotator (z)" in said
    done = duologue("judgments", "import", path, "--columns", mapping, "--out", tmp_path / "ours.csv")
    assert "ours.csv: 18 judgments of 2 bots on 1 question." in done.stdout
    assert "Columns that are not used: mood." in done.stdout
    assert (tmp_path / "ours.csv").read_text().startswith("bot,rating,annotator,mood\nA,4,w0,x\n")
    duologue("analyse", path, "--columns", "bot", expect=2)
    duologue("analyse", path, "--columns", "bot=a,bot=b", expect=2)


def test_an_unknown_table_is_answered_with_the_shapes_that_are_read(duologue: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("prompt,answer\na,b\n")
    said = duologue("analyse", path, expect=1).stderr
    first, *lines = said.splitlines()
    assert "found the columns prompt, answer" in first
    assert "duologue:   judgments   winner,loser,annotator" in lines
    assert "duologue:               mint,sage,ann" in lines
    assert len([line for line in lines if "mint" in line]) == 3
    assert lines[-2] == "duologue: Columns with other names: --columns winner=better,loser=worse."
    assert lines[-1].endswith("--columns bot=model,rating_fun=fun,rating_fluency=fluency.")


def test_exclusions_of_arena_votes_are_said_and_compared(duologue: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    rows = ["X,Y,model_a,", "Y,X,model_b,"] * 10 + ["X,Y,model_b,late", "Y,X,model_a,late"] * 10
    path.write_text("\n".join(["model_a,model_b,winner,excluded", *rows]) + "\n")
    said = duologue("analyse", path).stdout
    assert "Excluded by late: 20 judgments" in said
    assert "20 judgments were excluded, and this changes 1 of 1 verdict:" in said
    assert "No judgments were excluded" not in said


def test_a_warning_of_several_sections_is_said_once(duologue: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{bot},{n % 3},{arm}" for arm in ("x", "y", "z") for n in range(9) for bot in "AB"]
    path.write_text("\n".join(["bot,rating,arm", *rows]) + "\n")
    said = duologue("analyse", path).stdout
    assert said.count("whether they are independent could not be checked") == 1
    assert "warning (in 3 of 3 sections): It is not known who gave the ratings" in said


def test_a_split_and_another_table_say_whether_verdicts_agree(duologue: Run, votes: Path) -> None:
    split = duologue("analyse", votes, "--split", "--seed", "3")
    assert "one half of the annotators (seed 3)" in split.stdout
    assert "came to the same conclusion" in split.stdout
    found = json.loads(duologue("analyse", votes, "--against", votes, "--json").stdout)
    assert found["format"] == "duologue.replication/1"
    assert {pair["accord"] for pair in found["pairs"]} <= {"same conclusion", "no verdict"}
    both = duologue("analyse", votes, "--against", votes, "--split", expect=2)
    assert "give one of them" in both.stderr


def test_one_arm_of_a_file_decides_by_itself_when_it_is_named(duologue: Run, tmp_path: Path) -> None:
    rows = ["winner,loser,arm", *(["A,B,first"] * 17 + ["B,A,first"] * 5)]
    rows += [line for arm in ("second", "third") for line in [f"A,B,{arm}"] * 11 + [f"B,A,{arm}"] * 10]
    (tmp_path / "votes.csv").write_text("\n".join(rows), encoding="utf-8")
    together = json.loads(duologue("analyse", "votes.csv", "--json").stdout)
    assert "All 3 matchups of 3 sections are one family" in together["family"]
    assert [section["matchups"][0]["verdict"]["better"] for section in together["sections"]] == [None] * 3
    named = json.loads(duologue("analyse", "votes.csv", "--primary", "first", "--json").stdout)
    better = {section["arm"]: section["matchups"][0]["verdict"]["better"] for section in named["sections"]}
    assert (better["first"], named["primary"]) == ("A", "first")
    assert "primary" in named["family"]
    said = duologue("analyse", "votes.csv", "--primary", "fourth", expect=1).stderr
    assert (
        said == "duologue: --primary: 'fourth' is no arm of this table (there are: first, second, third).\n"
    )
    (tmp_path / "plain.csv").write_text("winner,loser\nA,B\n", encoding="utf-8")
    assert "it names no arm" in duologue("analyse", "plain.csv", "--primary", "x", expect=1).stderr
    ratings = "bot,rating_fun,rating_sense\nA,3,4\nA,4,4\nB,1,3\nB,2,2\n"
    (tmp_path / "ratings.csv").write_text(ratings, encoding="utf-8")
    rated = json.loads(duologue("analyse", "ratings.csv", "--primary", "sense", "--json").stdout)
    assert rated["primary"] == "sense"
    said = duologue("analyse", "ratings.csv", "--primary", "wit", expect=1).stderr
    assert "'wit' is no question of this table (there are: fun, sense)" in said


def test_a_split_of_a_study_is_one_look_and_so_is_an_export(duologue: Run, study: Study) -> None:
    def looks() -> list[str]:
        with open_store(study.database) as store:
            return [look.how for look in store.run(fetch_looks())]

    duologue("analyse", study.folder, "--split")
    assert looks() == ["analyse"]
    with open_store(study.database) as store:
        key = next(
            one.id for one in store.stream(fetch_judgments()) if not one.excluded and not one.is_onboarding
        )
        store.run(exclude_judgments([key], rule="test-entry", reason="mine", by="researcher"))
    duologue("judgments", "export", study.folder)
    assert looks() == ["analyse", "export"]
    duologue("analyse", study.folder)
    duologue("judgments", "export", study.folder)
    assert looks() == ["analyse", "export"]  # the same judgments


def test_a_report_shows_whether_another_table_agrees(duologue: Run, votes: Path, tmp_path: Path) -> None:
    other = tmp_path / "again <i>.csv"
    other.write_text("winner,loser\n" + "B,A\n" * 70 + "A,B\n" * 20)
    duologue("report", votes, "--against", other, "--out", "r")
    page = (tmp_path / "r/report.html").read_text(encoding="utf-8")
    assert "<h2>Replication</h2>" in page
    assert "again &lt;i&gt;.csv" in page
    assert "<td>contradict</td>" in page
    found = json.loads((tmp_path / "r/replication.json").read_text(encoding="utf-8"))
    assert [pair["accord"] for pair in found["pairs"]] == ["contradict"]
    duologue("report", votes, "--out", "alone")
    assert "Replication" not in (tmp_path / "alone/report.html").read_text(encoding="utf-8")
    assert not (tmp_path / "alone/replication.json").exists()


def test_sides_that_are_not_recorded_favour_nobody_and_refuse_nothing(
    duologue: Run, tmp_path: Path, study: Study
) -> None:
    listed = tmp_path / "listed.csv"
    rows = [f"q{n},mint,sage,model_{'a' if n % 4 else 'b'},p{n % 30}\n" for n in range(120)]
    listed.write_text("question_id,model_a,model_b,winner,judge\n" + "".join(rows))
    refused = duologue("analyse", listed).stdout
    assert refused.startswith(
        "warning: No verdict in 1 of 1 matchups: a bot was always on the same side. If the"
    )
    assert "say so: --shown-order not-recorded." in refused
    assert "No verdict on mint and sage: mint was always on side 1" in refused
    assert "Side 1 won" not in refused
    said = duologue("analyse", listed, "--shown-order", "not-recorded").stdout
    assert "mint is better than sage (p < 0.001" in said
    assert "side" not in said
    wrong = duologue("analyse", listed, "--shown-order", "random", expect=2)
    assert '--shown-order random: give "not-recorded".' in " ".join(wrong.stderr.split())
    of_study = duologue("analyse", study.folder, "--shown-order", "not-recorded", expect=1)
    assert "--shown-order is for tables: a study records on which side it showed each bot." in of_study.stderr


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "pandalm_testset").is_dir(), reason="the shared data are not here")
def test_the_test_set_of_pandalm_has_verdicts_only_without_its_order(duologue: Run, tmp_path: Path) -> None:
    listed = [
        {
            "question_id": row["idx"],
            **dict(zip(("model_a", "model_b"), row["cmp_key"].split("_"), strict=True)),
            "winner": ("tie", "model_a", "model_b")[int(row[judge])],
            "judge": judge,
        }
        for row in json.loads((SHARED / "pandalm_testset" / "testset-v1.json").read_text(encoding="utf-8"))
        for judge in ("annotator1", "annotator2", "annotator3")
    ]
    (tmp_path / "v.json").write_text(json.dumps(listed), encoding="utf-8")
    said = duologue("analyse", tmp_path / "v.json").stdout
    assert said.startswith("warning: No verdict in 10 of 10 matchups: a bot was always on the same side.")
    assert "No pooled strengths: sides are not balanced, and no matchup shows what the side does." in said
    assert "side 1 won" not in said
    freed = duologue("analyse", tmp_path / "v.json", "--shown-order", "not-recorded").stdout
    assert "side" not in freed
    assert freed.count("n = ") == 10
    assert "Two annotators of the same pairing agreed 92.0 % of the time" in freed
