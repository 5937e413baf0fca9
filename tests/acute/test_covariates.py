"""Covariates of dialogues through the whole analysis: of a study, of a table, and what is said of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from typer.testing import CliRunner

from duologue.acute import AcuteAnalysisOptions, AcuteResults, AcuteSettings, PooledResult, analyse_votes
from duologue.acute.analysis.covariates import covariates_of_dialogues, covariates_of_judgments, say_control
from duologue.acute.report import AcuteReport
from duologue.cli.main import app
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import DesignError, FormatError
from duologue.judgments import DialogueCovariates, Row, votes_from_rows
from duologue.reports import AnalysisRequest, analyse_file, analyse_study, write_report
from duologue.stats import ControlVariate, Covariates, pooled_strengths
from duologue.store import open_study
from tests.acute.test_ranking_analysis import rankings
from tests.reports.judged_study import load, make_study, sit

BOTS = ("A", "B", "C")
DATA = Path(__file__).parents[3] / "shared" / "data"


def dialogue(bot: str, number: int, words: int, *, kind: str = "self-chat") -> Dialogue:
    """One in which the judged speaker says so many words, all different, and the other one many more."""
    said = " ".join(f"w{bot}{number}n{place}" for place in range(words))
    turns = (Turn("s1", "x " * 200), Turn("s2", said))
    return Dialogue(f"{bot}-{number}", bot, kind, "s2", (Speaker("s1", bot), Speaker("s2", bot)), turns)  # type: ignore[arg-type]


def judged(
    seed: int = 1, *, dialogues: int = 400, each: int = 12, slope: float = 0.1, people: int = 30
) -> tuple[list[Row], Mapping[str, list[int]]]:
    """Annotators who like long replies, and bots whose dialogues have 5 to 45 words."""
    rng = np.random.default_rng(seed)
    words = {bot: rng.integers(5, 46, dialogues).tolist() for bot in BOTS}
    rows: list[Row] = []
    for person in range(people):
        for turn in range(each):
            one, other = (("A", "B"), ("A", "C"), ("B", "C"))[turn % 3]
            mine, theirs = rng.integers(0, dialogues, 2).tolist()
            lead = slope * (words[one][mine] - words[other][theirs])
            won = rng.random() < 1 / (1 + np.exp(-lead))
            pair = [(one, mine), (other, theirs)]
            (winner, ours), (loser, beaten) = pair if won else pair[::-1]
            rows.append(
                {
                    "winner": winner,
                    "loser": loser,
                    "winner_dialogue": f"{winner}-{ours}",
                    "loser_dialogue": f"{loser}-{beaten}",
                    "annotator": f"p{person}",
                }
            )
    return rows, words


def write_rows(path: Path, rows: list[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def scores(path: Path, words: Mapping[str, Sequence[float]]) -> Path:
    return write_rows(
        path,
        [
            {"dialogue": f"{bot}-{number}", "bot": bot, "words": count}
            for bot, counts in words.items()
            for number, count in enumerate(counts)
        ],
    )


def pooled_of(results: object) -> tuple[PooledResult, ControlVariate]:
    assert isinstance(results, AcuteResults)
    (section,) = results.sections
    assert section.pooled is not None
    assert section.pooled.control is not None
    return section.pooled, section.pooled.control


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    rows, words = judged()
    folder = tmp_path_factory.mktemp("tables")
    return write_rows(folder / "votes.csv", rows), scores(folder / "words.csv", words)


def analysed(votes: Path, covariates: Path | None) -> AcuteResults:
    options = AcuteAnalysisOptions(verdicts="pooled", covariates=covariates)
    results = analyse_file(votes, options=options).results
    assert isinstance(results, AcuteResults)
    return results


def test_length_is_what_the_judged_speaker_says_and_repetition_what_it_says_again() -> None:
    said = "i am so happy i am so happy i am so happy"
    loop = Dialogue(
        "d",
        "A",
        "live-chat",
        "s2",
        (Speaker("s1"), Speaker("s2", "A")),
        (Turn("s1", "one two three"), Turn("s2", said[:13]), Turn("s1", "hm"), Turn("s2", said[14:])),
    )
    found = covariates_of_dialogues([dialogue("B", 0, 7), loop], ("length", "repetition"))
    assert found.names == ("length", "repetition")
    assert (found.bots, found.dialogues) == (("B", "A"), ("B-0", "d"))
    assert found.values.tolist() == [[np.log(8), 0], [np.log(13), pytest.approx(5 / 9)]]


def test_a_table_of_numbers_makes_pooled_verdicts_surer_and_says_by_how_much(
    tables: tuple[Path, Path],
) -> None:
    votes, words = tables
    plain, results = analysed(votes, None), analysed(votes, words)
    pooled, control = pooled_of(results)
    assert pooled.covariates == ("words",)
    assert control.is_open
    assert (control.n, control.dialogues) == (360, 1_200)
    assert 0.1 < control.saved < control.explained < 0.5
    assert "The covariates (words) explain" in pooled.sentence
    assert f"{100 * control.saved:.1f} % off the variance of a difference" in pooled.sentence
    assert "is not adjusted away." in pooled.sentence
    without = plain.sections[0].pooled
    assert without is not None
    widths = [sum(bot.high - bot.low for bot in one.leaderboard) for one in (pooled, without)]
    assert widths[0] < widths[1]
    assert without.control is None


def test_the_report_and_its_methods_say_what_covariates_did(
    tables: tuple[Path, Path], tmp_path: Path
) -> None:
    results = analysed(*tables)
    write_report(results, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The covariates (words) explain" in page
    methods = (tmp_path / "methods.txt").read_text(encoding="utf-8")
    assert "Covariates (words) were to be used as control variates" in methods
    assert methods.count("The covariates (words) explain") == 1
    assert AcuteResults.read(tmp_path / "results.json") == results


def test_a_study_counts_its_own_dialogues(tmp_path: Path) -> None:
    rows, words = judged()
    folder = tmp_path / "s"
    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text('[study]\nname = "s"\nseed = 1\n', encoding="utf-8")
    for bot, counts in words.items():
        own = [dialogue(bot, number, count) for number, count in enumerate(counts)]
        other = [dialogue(bot, 1_000 + number, 9, kind="live-chat") for number in range(10)]
        write_dialogues([*own, *other], folder / "dialogues" / f"{bot}.jsonl", format="duologue")
    settings = AcuteSettings.model_validate(
        {"verdicts": "pooled", "covariates": ["length"], "pairings": {"kind": "self-chat"}}
    )
    asked = AnalysisRequest(settings=settings, folder=folder)
    pooled, control = pooled_of(AcuteReport().analyse_rows(rows, asked).results)
    assert pooled.covariates == ("length",)
    assert control.dialogues == 1_200, "live chats could not have been shown"
    assert control.is_open
    tabled = votes_from_rows(rows)
    assert covariates_of_judgments(tabled, slice(None), BOTS) is None
    logs = {bot: np.log1p(counts).tolist() for bot, counts in words.items()}
    path, table = write_rows(tmp_path / "votes.csv", rows), scores(tmp_path / "words.csv", logs)
    same = pooled_of(analysed(path, table))[1]
    assert same.saved == pytest.approx(control.saved)
    assert same.explained == pytest.approx(control.explained), "a table of the same numbers gives the same"


def test_a_judged_study_finds_the_dialogues_that_were_shown(tmp_path: Path) -> None:
    study = make_study(tmp_path / "s", more='verdicts = "pooled"\ncovariates = ["length"]\n')
    with open_study(study) as store:
        load(study, store)
        for _ in range(6):
            sit(study, store, lambda work: (work.item.bots[0], "because"))
        results = analyse_study(study, store).results
    pooled, control = pooled_of(results)
    assert isinstance(results, AcuteResults)
    assert control.n == results.sections[0].n > 10
    assert control.dialogues == 74, "two were for onboarding"
    assert control.why_shut in ("few", "separated")
    assert pooled.covariates == ("length",)


def test_the_command_takes_a_table_and_not_for_a_study(tables: tuple[Path, Path], tmp_path: Path) -> None:
    votes, words = tables
    done = CliRunner().invoke(
        app, ["analyse", str(votes), "--verdicts", "pooled", "--covariates", str(words)]
    )
    assert done.exit_code == 0, done.output
    assert "The covariates (words) explain" in done.output
    (tmp_path / "study.toml").write_text('[study]\nname = "s"\nseed = 1\n', encoding="utf-8")
    refused = CliRunner().invoke(app, ["analyse", str(tmp_path), "--covariates", str(words)])
    assert refused.exit_code == 2


def test_with_few_judgments_nothing_is_corrected_and_it_is_said(tmp_path: Path) -> None:
    rows, words = judged(people=20, each=6)
    votes = write_rows(tmp_path / "votes.csv", rows)
    pooled, control = pooled_of(analysed(votes, scores(tmp_path / "words.csv", words)))
    assert control.why_shut == "few"
    assert (
        "The covariates (words) are not used: that needs at least 200 judgments and 20 judged dialogues for "
        "each covariate, and there are 120 judgments about" in pooled.sentence
    )


def test_what_explains_too_little_is_not_used(tmp_path: Path) -> None:
    rows, words = judged(slope=0.0)
    votes = write_rows(tmp_path / "votes.csv", rows)
    pooled, control = pooled_of(analysed(votes, scores(tmp_path / "words.csv", words)))
    assert control.why_shut == "weak"
    assert "are not used: they explain" in pooled.sentence
    assert "at least 5 % is asked for" in pooled.sentence


def test_other_reasons_have_words_too() -> None:
    shut = ControlVariate(0.1, 0.06, 0.0, 0.0, 300, 90, 90, "separated")
    assert say_control(shut, ["a", "b"]) == (
        "The covariates (a and b) are not used: some bot never won, or never lost."
    )
    idle = ControlVariate(0.1, 0.06, 0.0, 0.0, 300, 90, 90, "idle")
    assert "but are not used, as they would save nothing: 90 of 90 dialogues" in say_control(idle, ["a"])
    half = ControlVariate(0.5, 0.4, 1.0, 0.5, 300, 9, 9_000, "")
    assert "took 50.0 % off the variance of a difference, as 100.0 % more judgments would" in (
        say_control(half, ["a"])
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[1:], "a row for dialogue"),
        (lambda rows: [*rows, rows[0]], "each dialogue of a bot once"),
        (lambda rows: [{**row, "words": ""} for row in rows[:1]] + rows[1:], "row 1, words"),
        (lambda rows: [{**row, "bot": ""} for row in rows], "row 1, bot"),
        (
            lambda rows: [{key: row[key] for key in ("dialogue", "bot")} for row in rows],
            "a column of numbers",
        ),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    change: object, said: str, tables: tuple[Path, Path], tmp_path: Path
) -> None:
    votes, words = tables
    with words.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with votes.open(encoding="utf-8") as file:
        shown = next(csv.DictReader(file))["winner_dialogue"]
    rows.sort(key=lambda row: row["dialogue"] != shown)
    wrong = write_rows(tmp_path / "wrong.csv", change(rows))  # type: ignore[operator]
    with pytest.raises(FormatError, match=said):
        analysed(votes, wrong)


def test_judgments_that_do_not_name_dialogues_are_refused(tables: tuple[Path, Path], tmp_path: Path) -> None:
    with tables[0].open(encoding="utf-8") as file:
        rows: list[Row] = [
            {key: row[key] for key in ("winner", "loser", "annotator")} for row in csv.DictReader(file)
        ]
    with pytest.raises(DesignError, match="winner_dialogue and loser_dialogue"):
        analysed(write_rows(tmp_path / "votes.csv", rows), tables[1])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"verdicts": "direct"}, 'not for verdicts = "direct"'),
        ({"answer": "ranking"}, 'not for answer = "ranking"'),
        ({"collect": "parallel"}, 'not for collect = "parallel"'),
        ({"covariates": ["length", "length"]}, "each is named once"),
        ({"covariates": ["speed"]}, "'length' or 'repetition'"),
    ],
)
def test_a_study_in_which_they_cannot_be_used_is_refused(more: Mapping[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        AcuteSettings.model_validate({"verdicts": "pooled", "covariates": ["length"], **more})


def test_the_plan_names_them() -> None:
    from duologue.acute import AcuteProtocol

    settings = AcuteSettings.model_validate({"verdicts": "pooled", "covariates": ["length", "repetition"]})
    rules = AcuteProtocol(settings).rules(stopping="fixed")
    assert "Covariates (length, repetition) of all dialogues free the strengths" in rules.test
    plain = AcuteSettings.model_validate({"verdicts": "pooled"})
    assert "ovariates" not in AcuteProtocol(plain).rules(stopping="fixed").test


def test_dialogues_that_were_taken_out_of_a_study_are_unknown() -> None:
    votes = votes_from_rows(
        [
            {"winner": "A", "loser": "B", "winner_dialogue": "A-0", "loser_dialogue": "B-0"},
            {"winner": "B", "loser": "A", "winner_dialogue": "B-9", "loser_dialogue": "A-9"},
            {"winner": "C", "loser": "A", "winner_dialogue": "C-0", "loser_dialogue": "A-0"},
        ]
    )
    known = covariates_of_dialogues(
        [dialogue("B", 0, 5), dialogue("A", 0, 3), dialogue("D", 0, 1)], ("length",)
    )
    found = covariates_of_judgments(replace(votes, covariates=known), slice(None), BOTS)
    assert found is not None
    assert np.asarray(found.owner).tolist() == [1, 0]
    assert np.asarray(found.values).ravel().tolist() == [np.log(6), np.log(4)]
    assert np.asarray(found.of_first).tolist() == [1, -1, -1]
    assert np.asarray(found.of_second).tolist() == [0, -1, 1]


def test_without_covariates_nothing_is_said() -> None:
    (section,) = analyse_votes(votes_from_rows(judged()[0]), verdicts="pooled").sections
    assert section.pooled is not None
    assert section.pooled.control is None
    assert "ovariates" not in section.pooled.sentence


def test_rankings_are_refused(tables: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="three dialogues were ranked"):
        analysed(write_rows(tmp_path / "votes.csv", rankings(40)), tables[1])


def words_and_repeats(text: object) -> NDArray[np.float64]:
    """The two covariates of a reply."""
    turns = (Turn("s1", "?"), Turn("s2", str(text)))
    one = Dialogue("d", "A", "live-chat", "s2", (Speaker("s1"), Speaker("s2", "A")), turns)
    return np.ravel(covariates_of_dialogues([one], ("length", "repetition")).values)


@pytest.mark.skipif(not (DATA / "pandalm_testset").exists(), reason="the test set of PandaLM is not here")
def test_length_explains_a_sixth_of_the_answers_about_pandalm_s_replies() -> None:
    """By its first annotator; and what that saves where 300 of the 999 pairs of replies are judged."""
    rows = json.loads((DATA / "pandalm_testset" / "testset-v1.json").read_text(encoding="utf-8"))
    models = sorted({model for row in rows for model in row["cmp_key"].split("_")})
    both = np.array([[models.index(model) for model in row["cmp_key"].split("_")] for row in rows])
    values = np.array(
        [words_and_repeats(row[f"response{side}"]) for row in rows for side in (1, 2)], dtype=np.float64
    )
    won = np.array([(0.5, 1.0, 0.0)[int(row["annotator1"])] for row in rows])

    def found(own: NDArray[np.intp], columns: slice) -> ControlVariate:
        shown = 2 * own, 2 * own + 1
        control = pooled_strengths(
            both[own, 0],
            both[own, 1],
            won[own],
            models,
            annotators=np.arange(len(own)),
            dialogues=shown,
            model="davidson",
            covariates=Covariates(values[:, columns], both.ravel(), *shown),
        ).control
        assert control is not None
        return control

    every, length = np.arange(999), slice(0, 1)
    assert found(every, length).explained == pytest.approx(0.155, abs=5e-4)
    assert found(every, slice(0, 2)).explained == pytest.approx(0.168, abs=5e-4)
    assert found(every, slice(1, 2)).explained < 0.01, "repetition explains nothing"
    assert found(every, length).why_shut == "idle", "all replies were judged"
    rng = np.random.default_rng(0)
    saved = [found(rng.permutation(999)[:300], length).saved for _ in range(40)]
    assert np.mean(saved) == pytest.approx(0.155 * 0.7, abs=0.025)


@pytest.mark.skipif(not (DATA / "llmfao").exists(), reason="the votes of llmfao are not here")
def test_covariates_explain_next_to_nothing_in_llmfao() -> None:
    folder = DATA / "llmfao"
    replies = [
        json.loads(line) for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    with (folder / "crowd-comparisons.csv").open(encoding="utf-8") as file:
        rows = [
            {
                "winner": row["left"] if row["winner"] != "right" else row["right"],
                "loser": row["right"] if row["winner"] != "right" else row["left"],
                "outcome": "tie" if row["winner"] == "tie" else "win",
                "annotator": row["worker"],
                **{f"{role}_dialogue": row["prompt"] for role in ("winner", "loser")},
            }
            for row in csv.DictReader(file)
        ]
    votes = votes_from_rows(rows)
    known = DialogueCovariates(
        ("length", "repetition"),
        tuple(str(reply["prompt"]) for reply in replies),
        tuple(reply["name"] for reply in replies),
        np.array([words_and_repeats(reply["result"]) for reply in replies]),
    )
    _, control = pooled_of(analyse_votes(replace(votes, covariates=known), verdicts="pooled"))
    assert (control.n, control.why_shut) == (8_931, "weak")
    assert control.explained == pytest.approx(0.013, abs=5e-4)
