"""The leaderboard: the published order, what is declared, who goes on and who wins, and every form of it."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import pytest

from duologue.errors import AnalysisError, DuologueError
from duologue.protocols import BotScore
from duologue.reports import make_leaderboard, read_material, write_leaderboard
from duologue.reports.leaderboard.entries import Entry, Value, entries_of_table, within_limit
from duologue.reports.leaderboard.ranking import place_teams
from duologue.reports.leaderboard.rules import Rules
from duologue.stats import Interval

TABLE_3 = Path(__file__).parents[1] / "golden" / "convai2" / "table_3.csv"
TABLE_5 = TABLE_3.with_name("table_5.csv")


def entry(team: str, submitted: str | None = None, **values: float) -> Entry:
    numbers = {metric: Value(value) for metric, value in values.items()}
    return Entry(team, numbers, submitted=date.fromisoformat(submitted) if submitted else None)


def test_table_3_comes_out_in_the_published_order_but_for_two_teams_it_swaps() -> None:
    """Roboy (20) and IamNotAdele (21) both have 12 as their best rank; the second also has a 15."""
    with TABLE_3.open(newline="") as file:
        published = [row["team"] for row in csv.DictReader(file)]
    board = make_leaderboard(entries_of_table(TABLE_3))
    made = [one.team for one in board.standings]
    assert made[19:21] == ["IamNotAdele", "Roboy"]
    made[19:21] = reversed(made[19:21])
    assert made == published
    best = [one.place.best for one in board.standings if one.place]
    assert best == [1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 5, 6, 6, 6, 7, 8, 9, 10, 11, 12, 12, 13, 14]


def test_equal_numbers_share_a_rank_and_equal_teams_a_place() -> None:
    placed = place_teams({"b": {"f1": 0.2}, "a": {"f1": 0.2}, "c": {"f1": 0.1}, "d": {}})
    assert [(one.team, one.place) for one in placed] == [("a", 1), ("b", 1), ("c", 3)]


def test_the_last_entry_of_a_team_counts() -> None:
    entries = [entry("a", "2018-09-10", f1=0.1), entry("a", "2018-09-01", f1=0.9), entry("b", f1=0.5)]
    board = make_leaderboard(entries)
    assert [one.team for one in board.standings] == ["b", "a"]
    assert board.notes[0].startswith("1 earlier entries")
    assert board.warnings == ()


def test_an_entry_beyond_the_limit_does_not_count_and_is_named() -> None:
    entries = [
        entry("a", "2018-10-05", f1=0.3),
        entry("a", "2018-09-10", f1=0.9),
        entry("a", "2018-09-01", f1=0.1),
        entry("b", f1=0.5),
    ]
    board = make_leaderboard(entries, rules=Rules(per_period=1, period_days=30))
    first, second = board.standings
    assert "A team may enter once in 30 days." in board.notes
    assert (first.team, second.team) == ("b", "a")
    assert second.entry is not None
    assert (
        second.entry.values["f1"].value == 0.3
    )  # 34 days after the first: that of 10 September does not stand between
    assert [one for one in board.warnings if one.startswith("a:")] == [
        "a: the entry of 2018-09-10 does not count: it came within 30 days of that of 2018-09-01."
    ]
    assert any("no day of submission" in said for said in board.warnings)
    assert within_limit(entries, per_period=2, days=30)[1] == ()
    assert within_limit(entries, per_period=1, days=9)[1] == ()
    assert len(within_limit(entries, per_period=1, days=10)[1]) == 1


def human(**scores: float) -> list[BotScore]:
    interval = Interval(0, 1, 0.95, "made up")
    return [BotScore("fun", bot, value, interval, 9, (1, 2)) for bot, value in scores.items()]


def test_the_best_go_on_and_the_winner_is_who_people_like_best_among_them() -> None:
    entries = [entry("a", f1=0.3), entry("b", f1=0.2), entry("c", f1=0.1)]
    rules = Rules(human_round=2, winner="fun")
    board = make_leaderboard(entries, human(a=1.0, b=2.0, c=3.0, person=4.0), rules=rules)
    assert [one.goes_on for one in board.standings] == [True, True, False, False]
    assert board.winner == "b"
    assert board.standings[-1].place is None
    unmeasured = make_leaderboard(entries, rules=rules)
    assert unmeasured.winner is None
    assert "not been measured" in unmeasured.winner_rule
    misnamed = make_leaderboard(entries, human(a=1.0), rules=Rules(winner="joy"))
    assert misnamed.winner_rule.endswith("It has not been measured yet. There are: fun.")
    assert make_leaderboard(entries, human(a=2.0, b=2.0), rules=rules).winner is None
    assert make_leaderboard(entries, rules=Rules(winner="place")).winner == "a"
    assert make_leaderboard(entries).winner_rule == ""


def test_a_metric_of_which_less_is_better_agrees_with_people_when_it_falls() -> None:
    entries = [entry(team, loss=value, f1=0.1) for team, value in zip("abcd", (4, 3, 2, 1), strict=True)]
    board = make_leaderboard(entries, human(a=1.0, b=2.0, c=3.0, d=4.0), rules=Rules(lower=["loss"]))
    assert [(one.metric, one.teams) for one in board.against] == [("loss", 4)]
    assert board.against[0].found.pearson.value == 1
    assert [one.team for one in board.standings] == ["d", "c", "b", "a"]


def test_test_sets_that_differ_are_refused() -> None:
    one, other = (Entry(team, {"f1": Value(0.1)}, test_set=team * 64) for team in "ab")
    with pytest.raises(AnalysisError, match="differ"):
        make_leaderboard([one, other])
    with pytest.raises(AnalysisError, match="the rules"):
        make_leaderboard([one], rules=Rules(test_set="c" * 64))
    for stated in ("a" * 64, "a" * 12):  # whole, or as `metrics run` prints it
        assert make_leaderboard([one], rules=Rules(test_set=stated)).test_set == "a" * 64
    assert make_leaderboard([entry("t", f1=0.1)], rules=Rules(test_set="c" * 64)).test_set == "c" * 64


def test_a_human_score_that_is_given_twice_is_refused() -> None:
    with pytest.raises(AnalysisError, match="fun of a is given twice"):
        make_leaderboard([entry("a", f1=0.1)], [*human(a=1.0), *human(a=2.0)])


def test_numbers_that_only_share_a_name_are_refused() -> None:
    of_5, of_20 = (Entry(f"of {n}", {"hits@1": Value(0.5, label=f"hits@1/{n}")}) for n in (5, 20))
    with pytest.raises(
        AnalysisError, match=r"hits@1 is not the same for all: 'hits@1/5' of of 5, 'hits@1/20'"
    ):
        make_leaderboard([of_5, of_20])
    both = [Entry(one.team, {**one.values, "f1": Value(0.1, label="F1")}) for one in (of_5, of_20)]
    assert make_leaderboard(both, rules=Rules(metrics=["f1"])).metrics == ("f1",)


def test_perplexity_in_own_tokens_counts_only_where_the_rules_say_so() -> None:
    entries = [Entry("a", {"perplexity-token": Value(9.0), "f1": Value(0.1)})]
    board = make_leaderboard(entries)
    assert board.metrics == ("f1",)
    assert "perplexity-token does not count" in board.notes[0]
    named = make_leaderboard(entries, rules=Rules(metrics=["perplexity-token"]))
    assert (named.metrics, named.notes) == (("perplexity-token",), ())


def test_a_team_without_a_metric_that_counts_stays_on_the_board_without_a_place() -> None:
    entries = [entry("a", bleu=0.3), entry("b", f1=0.2)]
    board = make_leaderboard(entries, human(a=3.0, b=1.0), rules=Rules(metrics=["f1"]))
    assert [(one.team, one.place is None) for one in board.standings] == [("b", False), ("a", True)]
    assert board.standings[1].human["fun"].value == 3.0
    assert board.warnings == ("a: entered none of the metrics that count, and has no place.",)


def test_nothing_and_an_unknown_metric_are_refused() -> None:
    with pytest.raises(AnalysisError, match="Nothing"):
        make_leaderboard([])
    with pytest.raises(AnalysisError, match="'bleu'"):
        make_leaderboard([entry("a", f1=1.0)], rules=Rules(metrics=["bleu"]))


def test_every_form_of_it_has_every_team(tmp_path: Path) -> None:
    table = tmp_path / "human.csv"
    table.write_text(TABLE_5.read_text().replace("team", "bot", 1))
    given = read_material([TABLE_3], human=[table])
    board = make_leaderboard(given.entries, given.scores, rules=given.rules)
    written = {path.name: path.read_text() for path in write_leaderboard(board, tmp_path / "out")}
    assert list(written) == ["leaderboard.html", "leaderboard.json", "leaderboard.tex", "leaderboard.csv"]
    for text in written.values():
        assert "Clova Xiaodong Gu" in text
        assert "KV Profile Memory" in text
    facts = json.loads(written["leaderboard.json"])
    assert facts["format"] == "duologue.leaderboard/1"
    assert facts["standings"][0]["place"]["ranks"] == {"perplexity": 1, "hits_at_1": 1, "f1": 1}
    rows = list(csv.DictReader(written["leaderboard.csv"].splitlines()))
    assert rows[0]["team"] == "Hugging Face"
    assert rows[0]["engagingness_1_to_4"] == "2.68"
    assert rows[-1]["place"] == ""
    assert "<script" not in written["leaderboard.html"]
    assert "Do the metrics agree with people?" in written["leaderboard.html"]


def test_declarations_ranks_and_intervals_are_shown(tmp_path: Path) -> None:
    declared = Entry("a", {"f1": Value(0.3, 0.2, 0.4)}, submitted=date(2018, 9, 1), sources=("books",),
                     ensemble=True, warnings=("3 examples were not answered.",))  # fmt: skip
    plain = Entry("b", {"f1": Value(0.2)}, ensemble=False)
    board = make_leaderboard([declared, plain], human(a=1.0, b=0.5), rules=Rules(winner="place"))
    page, _, _, table = (path.read_text() for path in write_leaderboard(board, tmp_path))
    for said in ("trained on books", "an ensemble", "0.2 – 0.4", "rank 1–2", "a wins.", "3 examples were"):
        assert said in page
    first, second = csv.DictReader(table.splitlines())
    assert (first["fun_ranks"], first["ensemble"], second["ensemble"]) == ("1–2", "yes", "no")
    assert (first["f1_low"], second["f1_low"]) == ("0.2", "")


RULES = '[leaderboard]\ntitle = "Tea"\nmetrics = ["f1"]\n[[entries]]\nteam = "x"\nresults = "x.json"\n'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "r.toml",
            "[leaderboard]\ntitel = 1\n",
            'leaderboard.titel: expected a known setting. Did you mean "title"',
        ),
        (
            "r.toml",
            "[leaderboard]\nper_period = 0\n",
            "leaderboard.per_period: expected a number of at least 1",
        ),
        ("r.toml", "[leaderboard\n", "a TOML file"),
        ("r.toml", RULES, "a file x.json"),
        ("t.csv", "team,f1\n,1\n", "row 1, team"),
        ("t.csv", "team,f1\na,good\nb,1\n", "row 1, f1"),
        ("t.csv", "team,f1,submitted\na,1,May\n", "row 1, submitted"),
        ("t.csv", "team,f1,ensemble\na,1,perhaps\n", "row 1, ensemble"),
        ("t.csv", "team,f1\n", "at least one entry"),
        ("x.json", "{}", "x.json"),
    ],
)
def test_a_bad_file_is_named_with_its_place(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DuologueError, match=r"(?s)" + said.replace(".", r"\.")) as raised:
        read_material([path])
    assert name in str(raised.value)


def test_two_files_of_rules_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    for path in (first, second):
        path.write_text("")
    with pytest.raises(AnalysisError, match="one file of rules"):
        read_material([first, second])
    with pytest.raises(DuologueError, match="gone"):
        read_material([tmp_path / "gone.toml"])


def test_a_table_may_declare(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("team,f1,submitted,sources,ensemble\na,0.5,2018-09-30,books; films,yes\n")
    (found,) = entries_of_table(path)
    assert (found.submitted, found.sources, found.ensemble) == (date(2018, 9, 30), ("books", "films"), True)


def test_a_column_of_text_is_left_out_and_said(tmp_path: Path) -> None:
    teams, people = tmp_path / "teams.csv", tmp_path / "people.csv"
    teams.write_text("team,f1,licence,notes\na,0.2,MIT,\nb,0.1,BSD,slow\n", encoding="utf-8")
    people.write_text("bot,fun,who\na,2.5,crowd\nb,1.5,crowd\n", encoding="utf-8")
    given = read_material([teams], human=[people])
    board = make_leaderboard(given.entries, given.scores, notes=given.notes)
    assert board.metrics == ("f1",)
    assert board.human == ("fun",)
    assert board.notes == (
        f"{teams}: the columns licence and notes hold no numbers and are left out.",
        f"{people}: the column who holds no numbers and is left out.",
    )


def test_a_word_among_numbers_is_still_refused(tmp_path: Path) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text("team,f1\na,0.2\nb,none\n", encoding="utf-8")
    with pytest.raises(DuologueError, match="row 2, f1"):
        read_material([teams])


@pytest.mark.parametrize("columns", ["team,licence", "team"])
def test_a_table_without_any_number_is_refused(tmp_path: Path, columns: str) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text(f"{columns}\n{columns}\n", encoding="utf-8")
    with pytest.raises(DuologueError, match="a column of numbers"):
        read_material([teams])
