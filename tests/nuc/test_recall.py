"""Recall of people and models: published intervals, the same items, what is hard, what may fit as well."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from duologue.dialogues import CandidateScores, NextTurnItem, Turn, write_next_turns
from duologue.errors import AnalysisError, FormatError
from duologue.nuc import ChosenReplies, analyse_recall, items_by_id, read_chosen
from duologue.nuc.analysis.tables import against_rows, in_words, item_rows, recall_rows, table_2

TABLE_2 = Path(__file__).parents[1] / "golden" / "stats" / "nuc_table_2.csv"
ANSWERS = {"AMT non-exp": {"Movie": 1450, "Twitter": 1450, "Ubuntu": 1350}, "AMT exp": {"Ubuntu": 100}}
"""Ten answers an annotator reproduce the printed half-widths (STATS: inferred)."""


def item(key: str, corpus: str = "Movie", *, candidates: int = 5, truth: int = 0) -> NextTurnItem:
    replies = tuple(f"{key} {place}" for place in range(candidates))
    return NextTurnItem(key, corpus, "test", f"d-{key}", (Turn("A", "hi"),), replies, truth)


def chosen(
    key: str, best: int, second: int | None = None, *, who: str = "ann", cohort: str = "", **more: object
) -> ChosenReplies:
    corpus = str(more.get("corpus", "Movie"))
    return ChosenReplies(key, corpus, who, cohort, best, second, 0, 5, more.get("seconds"))  # type: ignore[arg-type]


def test_table_2_prints_the_normal_half_widths_of_these_counts() -> None:
    answers, items = [], {}
    rows = list(csv.DictReader(TABLE_2.read_text().splitlines()))
    for row in rows:
        n = ANSWERS.get(row["group"], {}).get(row["corpus"], 0)
        first, both = (round(float(row[name]) / 100 * n) for name in ("r1_percent", "r2_percent"))
        for number in range(n):
            key = f"{row['corpus']}{number % 50}"
            items[key] = item(key, row["corpus"])
            best, second = (0, 1) if number < first else (1, 0) if number < both else (1, 2)
            answers.append(
                chosen(
                    key,
                    best,
                    second,
                    who=f"{row['group']}{number // 10}",
                    cohort=row["group"],
                    corpus=row["corpus"],
                )
            )
    found = {(one.cohort, one.corpus, one.k): one for one in analyse_recall(items, answers).people}
    checked = 0
    for row in rows:
        for k in (1, 2):
            if (one := found.get((row["group"], row["corpus"], k))) is None:
                continue
            half = 100 * (one.normal.high - one.normal.low) / 2
            assert 100 * one.recall == pytest.approx(float(row[f"r{k}_percent"]), abs=0.051)
            assert half == pytest.approx(float(row[f"r{k}_halfwidth"]), abs=0.0501)
            assert one.normal.is_reliable
            assert one.chance == pytest.approx(k / 5)
            checked += 1
    assert checked == 8
    assert analyse_recall(items, answers).people[0].annotators == 10


def test_the_interval_is_wider_where_annotators_differ() -> None:
    rng = np.random.default_rng(1)
    items = {f"i{n}": item(f"i{n}") for n in range(40)}
    answers = [
        chosen(key, 0 if rng.random() < skill else 1, 2, who=f"a{n}")
        for n, skill in enumerate(np.linspace(0.1, 0.9, 12))
        for key in items
    ]
    one = analyse_recall(items, answers).people[0]
    assert one.interval is not None
    assert one.interval.high - one.interval.low > 1.5 * (one.wilson.high - one.wilson.low)


def test_one_annotator_has_no_clustered_interval_and_few_errors_a_star() -> None:
    items = {f"i{n}": item(f"i{n}") for n in range(10)}
    results = analyse_recall(items, [chosen(key, 0) for key in items])
    assert results.people[0].interval is None
    assert not results.people[0].normal.is_reliable
    said = "\n".join(in_words(results))
    assert "no interval" in said
    assert "Brown et al." in said


def test_people_and_models_are_compared_on_the_same_items() -> None:
    rng = np.random.default_rng(2)
    items = {f"i{n}": item(f"i{n}", truth=0) for n in range(60)} | {"unasked": item("unasked")}
    asked = [key for key in items if key != "unasked"]
    answers = [
        chosen(key, 0 if rng.random() < 0.9 else 3, who=f"a{n}", cohort="expert", seconds=20.0)
        for n in range(6)
        for key in asked
    ]
    good = [CandidateScores(key, "good", (1.0, 0, 0, 0, 0)) for key in items]
    even = [CandidateScores(key, "even", (1.0,) * 5) for key in items]
    results = analyse_recall(items, answers, [*good, *even])
    recalls = {(one.model, one.k): one.recall for one in results.models}
    assert recalls == {
        ("good", 1): 1.0,
        ("good", 2): 1.0,
        ("even", 1): pytest.approx(0.2),
        ("even", 2): pytest.approx(0.4),
    }
    assert {one.n for one in results.models} == {60}
    against = {one.model: one for one in results.against}
    assert against["even"].interval.low > 0.5
    assert against["good"].interval.high < 0
    assert all(one.p_adjusted >= one.p_value for one in results.against)
    assert (results.times[0].item_seconds, results.times[0].minutes) == (20.0, 20.0)
    table = table_2(results)
    assert "expert & 6 &" in table
    assert "even & machine & 20.0" in table
    assert {row["who"] for row in recall_rows(results)} == {"expert", "good", "even"}
    assert [row["model"] for row in against_rows(results)] == ["even", "good"]
    assert "expert find the true reply more often than even on the same items" in "\n".join(in_words(results))


def given_to_experts() -> tuple[dict[str, NextTurnItem], list[ChosenReplies]]:
    """Twenty items, answered by twelve experts who find four in five true replies."""
    rng, items = np.random.default_rng(7), {f"i{n}": item(f"i{n}") for n in range(20)}
    answers = [
        chosen(key, 0 if rng.random() < 0.8 else 1, who=f"a{n}", cohort="expert")
        for n in range(12)
        for key in items
    ]
    return items, answers


def right_on(first: int, model: str) -> list[CandidateScores]:
    """A model that is right on the first so many of twenty items."""
    return [CandidateScores(f"i{n}", model, (float(n < first), 0.5, 0, 0, 0)) for n in range(20)]


def test_another_model_changes_no_verdict_about_a_model() -> None:
    items, answers = given_to_experts()
    alone = analyse_recall(items, answers, right_on(10, "a")).against
    beside = analyse_recall(items, answers, [*right_on(10, "a"), *right_on(15, "b"), *right_on(16, "c")])
    assert beside.against[:1] == alone
    assert alone[0].better == "expert"
    assert alone[0].p_adjusted == pytest.approx(alone[0].p_value)


def test_a_model_that_is_right_on_all_of_few_items_is_not_called_better_by_chance() -> None:
    """Were its recall that of people, .93, it would be right on all thirty in one of nine studies."""
    rng, items = np.random.default_rng(4), {f"i{n}": item(f"i{n}") for n in range(30)}
    answers = [
        chosen(key, 0 if rng.random() < 0.93 else 1, who=f"a{n}", cohort="expert")
        for n in range(40)
        for key in items
    ]
    scores = [CandidateScores(key, "m", (1.0, 0, 0, 0, 0)) for key in items]
    (found,) = analyse_recall(items, answers, scores).against
    assert found.people == pytest.approx(0.93, abs=0.01)
    assert found.p_value == pytest.approx(2 * found.people**30)
    assert (found.better, 0.0 in found.interval) == ("", True)


def test_models_that_were_declared_together_share_an_error_rate() -> None:
    items, answers = given_to_experts()
    scores = [*right_on(10, "a"), *right_on(15, "b"), *right_on(16, "other")]
    a, b, other = analyse_recall(items, answers, scores, declared=("a", "b")).against
    assert a.p_adjusted == pytest.approx(2 * a.p_value)
    assert b.p_adjusted == pytest.approx(max(2 * a.p_value, b.p_value))
    assert other.p_adjusted == pytest.approx(other.p_value)
    assert not a.better


def test_a_declared_model_counts_before_its_scores_come() -> None:
    items, answers = given_to_experts()
    scores = right_on(10, "a")
    (early,) = analyse_recall(items, answers, scores, declared=("a", "late", "later")).against
    assert early.p_adjusted == pytest.approx(3 * early.p_value)


def test_a_model_is_compared_with_all_cohorts_in_one_family() -> None:
    items, answers = given_to_experts()
    two = [*answers, *(replace(one, cohort="novice", annotator=f"n-{one.annotator}") for one in answers)]
    first, second = analyse_recall(items, two, right_on(10, "a")).against
    assert first.p_adjusted == pytest.approx(2 * first.p_value)
    assert second.p_adjusted == pytest.approx(first.p_adjusted)


def test_models_alone_are_counted_on_all_items() -> None:
    items = {"i": item("i")}
    results = analyse_recall(items, [], [CandidateScores("i", "m", (0.0, 1, 2, 3, 4))])
    assert [one.recall for one in results.models] == [0.0, 0.0]
    assert results.against == ()
    assert results.alpha is None


def test_a_comparison_with_one_annotator_is_left_out() -> None:
    scores = [CandidateScores("i", "m", (0.0, 1, 2, 3, 4))]
    assert analyse_recall({"i": item("i")}, [chosen("i", 0)], scores).against == ()


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ([CandidateScores("other", "m", (1.0,))], "no item"),
        ([CandidateScores("i", "m", (1.0,))], "has 5 candidates"),
        ([CandidateScores("i", "m", (1.0,) * 5)], "no scores for 1 of 2 items"),
    ],
)
def test_scores_of_other_items_are_refused(scores: list[CandidateScores], says: str) -> None:
    with pytest.raises(AnalysisError, match=says):
        analyse_recall({"i": item("i"), "j": item("j")}, [], scores)


def test_a_model_that_scored_nothing_that_was_answered_is_named_and_not_left_out() -> None:
    scores = [CandidateScores("i", "m", (1.0,) * 5)]
    with pytest.raises(AnalysisError, match="m: no scores for 1 of 1 items, such as j"):
        analyse_recall({"i": item("i"), "j": item("j")}, [chosen("j", 0)], scores)


def test_a_false_reply_that_most_choose_may_fit_as_well() -> None:
    items = {"hard": item("hard"), "easy": item("easy")}
    answers = [chosen("hard", 3 if n else 0, who=f"a{n}") for n in range(4)]
    answers += [chosen("easy", 0, who=f"a{n}") for n in range(4)]
    results = analyse_recall(items, answers)
    assert [
        (row["item"], row["acceptable_distractor"], row["false_reply"]) for row in item_rows(results)
    ] == [("hard", True, 3), ("easy", False, "")]
    assert any(
        "3 of 4 chose the same false reply (candidate 4 of the item); it may" in line
        for line in in_words(results)
    )
    assert results.alpha is not None
    assert 0.3 < results.alpha < 1


def test_a_false_reply_that_half_choose_is_not_called_acceptable_and_two_answers_say_nothing() -> None:
    choices = {"half": (0, 3, 3, 0), "most": (0, 3, 3), "few": (3, 3)}
    items = {key: item(key) for key in choices}
    answers = [chosen(key, best, who=f"a{n}") for key in items for n, best in enumerate(choices[key])]
    results = analyse_recall(items, answers)
    found = {str(row["item"]): row["acceptable_distractor"] for row in item_rows(results)}
    assert found == {"half": False, "most": True, "few": False}
    said = [line for line in in_words(results) if "chose the same false reply" in line]
    assert len(said) == 1
    assert "2 of 3 chose the same false reply (candidate 4 of" in said[0]


def test_chance_is_that_of_every_question_where_they_have_different_numbers_of_candidates() -> None:
    """Of two and of four candidates, one each: by chance (1/2 + 1/4) / 2 find the true reply."""
    items = {"two": item("two", candidates=2), "four": item("four", candidates=4)}
    asked = ["two", "two", "two", "four"]
    answers = [
        ChosenReplies(key, "Movie", f"a{n}", "", 0, 1, 0, len(items[key].candidates), None)
        for n, key in enumerate(asked)
    ]
    scores = [CandidateScores(key, "m", (1.0,) * len(one.candidates)) for key, one in items.items()]
    found = {
        (row["who"], row["k"]): row["chance"] for row in recall_rows(analyse_recall(items, answers, scores))
    }
    assert found == {
        ("people", 1): pytest.approx((3 * 1 / 2 + 1 / 4) / 4),  # people: of every answer
        ("people", 2): pytest.approx((3 * 1 + 2 / 4) / 4),
        ("m", 1): pytest.approx((1 / 2 + 1 / 4) / 2),
        ("m", 2): pytest.approx((1 + 2 / 4) / 2),
    }


def test_cohorts_can_be_pooled_for_some_corpora() -> None:
    items = {"m": item("m"), "u": item("u", "Ubuntu")}
    answers = [
        chosen(key, 0, who=cohort, cohort=cohort, corpus=items[key].corpus)
        for key in items
        for cohort in ("novice", "expert")
    ]
    found = analyse_recall(items, answers, pooled={"Movie": ("novice", "expert")}).people
    assert {(one.cohort, one.corpus) for one in found} == {
        ("novice+expert", "Movie"),
        ("novice", "Ubuntu"),
        ("expert", "Ubuntu"),
    }


def test_answers_are_read_and_wrong_ones_named(tmp_path: Path) -> None:
    path, table = tmp_path / "items.jsonl", tmp_path / "answers.csv"
    write_next_turns([item("i")], path, about={})
    items = items_by_id(path)
    table.write_text("item,annotator,best,second,cohort,seconds\ni,ann,0,2,novice,12.5\ni,,1,,,\n")
    first, blank = read_chosen(table, items)
    assert first == ChosenReplies("i", "Movie", "ann", "novice", 0, 2, 0, 5, 12.5)
    assert (blank.annotator, blank.second, blank.seconds) == ("row 3", None, None)
    for row, says in (
        ("other,a,0,1,,", "item"),
        ("i,a,5,1,,", "best"),
        ("i,a,x,1,,", "best"),
        ("i,a,0,0,,", "second"),
        ("i,a,0,1,,soon", "seconds"),
        ("i,a,0,1,,-1", "seconds"),
    ):
        table.write_text(f"item,annotator,best,second,cohort,seconds\n{row}\n")
        with pytest.raises(FormatError, match=f"line 2.*{says}"):
            list(read_chosen(table, items))
    table.write_text("item,annotator\ni,a\n")
    with pytest.raises(FormatError, match="a column best"):
        list(read_chosen(table, items))


def test_items_of_a_whole_corpus_are_not_for_people(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    whole = NextTurnItem("i", "c", "test", "d", (Turn("A", "hi"),), (), 3, pool="p.jsonl")
    write_next_turns([whole], path, about={})
    with pytest.raises(FormatError, match="can be shown"):
        items_by_id(path)
