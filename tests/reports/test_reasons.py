"""Reasons in the report: by winner, examples, and words that speak for a bot, each annotator counted once."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.protocols import GroupReasons, Item, write_items
from duologue.reports import analyse_study, find_reasons_of, reason_lines, search_reasons, write_report
from duologue.reports.conduct.reasons import MOST_READ, distinctive_words
from duologue.store import Store, exclude_judgments, fetch_judgments, fetch_looks, open_store
from duologue.studies import Study
from tests.reports.judged_study import BOTS, Judge, compared, load, make_study, sit

MORE = """
ties = true
[onboarding]
enabled = false
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", per_matchup=20, more=MORE)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database) as opened:
        load(study, opened)
        yield opened


def saying(number: int) -> Judge:
    """Prefers the earlier bot for being kind, and every third annotator the later one for being short."""
    earlier = number % 3 > 0

    def judge(work: object) -> tuple[str, str]:
        bots = work.item.bots  # type: ignore[attr-defined]
        better = (min if earlier else max)(bots, key=BOTS.index)
        return better, "kind, =really" if earlier else "short"

    return judge


def found_in(study: Study, store: Store) -> dict[str, GroupReasons]:
    return {one.group: one for one in find_reasons_of(study, store)}


def test_words_that_one_side_uses_are_distinctive(study: Study, store: Store) -> None:
    for number in range(18):
        sit(study, store, saying(number))
    found = found_in(study, store)[f"{BOTS[0]}__vs__{BOTS[1]}"]
    assert [(side.label, side.judgments, side.annotators) for side in found.sides] == [
        (BOTS[0], 12, 12),
        (BOTS[1], 6, 6),
    ]
    words = {one.word: one for one in found.words}
    assert set(words) == {"kind", "really", "short"}
    assert (words["kind"].bot, words["short"].bot) == (BOTS[0], BOTS[1])
    kind = words["kind"]
    assert (kind.annotators, kind.of, kind.annotators_otherwise, kind.of_otherwise) == (12, 12, 0, 6)
    assert kind.p_adjusted == pytest.approx(3 * kind.p_value)
    assert kind.p_adjusted < 0.001
    assert "“kind” for" in found.sentence
    assert all(text in ("kind, =really", "short") for side in found.sides for text in side.examples)


def test_the_habit_of_one_annotator_makes_no_word_distinctive() -> None:
    """Thirty reasons of one annotator say the same, and those of nine others do not."""
    everything = [("ann", frozenset({"habit"}))] * 30 + [("bob", frozenset({"other"}))] * 9
    drawn = [("ann", frozenset({"habit"}))] + [("bob", frozenset({"other"}))] * 9
    words, tested = distinctive_words(drawn, everything, ["ann", "bob"])
    assert tested == 1
    assert [(one.word, one.bot, one.judgments, one.judgments_otherwise) for one in words] == [
        ("other", "bob", 9, 0)
    ]
    assert words[0].p_adjusted > 0.05


def test_of_an_annotator_who_judges_often_one_reason_is_drawn(tmp_path: Path) -> None:
    study = make_study(
        tmp_path / "often", more="[onboarding]\nenabled = false\n[annotators]\nmax_judgments = 9\n"
    )
    with open_store(study.database) as store:
        load(study, store)
        for _ in range(3):
            sit(study, store, lambda work: (work.item.bots[0], "so it is"))
        for one in find_reasons_of(study, store):
            assert sum(side.drawn for side in one.sides) == 3
            assert sum(side.judgments for side in one.sides) == 9


def test_ties_are_a_side_without_words(study: Study, store: Store) -> None:
    for _ in range(4):
        sit(study, store, lambda work: ("tie", "no difference"))
    for one in find_reasons_of(study, store):
        assert [(side.label, side.judgments) for side in one.sides][-1] == ("", 4)
        assert (one.words, one.tested) == ((), 0)
        assert "4 for no difference" in one.sentence
        assert "Too few annotators" in one.sentence


def test_more_than_two_bots_are_each_compared_with_the_others() -> None:
    drawn = [(bot, frozenset({bot})) for bot in "abc" for _ in range(8)]
    words, tested = distinctive_words(drawn, drawn, ["a", "b", "c"])
    assert tested == 9
    assert sorted((one.word, one.bot, one.of, one.of_otherwise) for one in words) == [
        (bot, bot, 8, 16) for bot in "abc"
    ]


def test_bots_without_reasons_are_not_compared() -> None:
    assert distinctive_words([("a", frozenset({"x"}))] * 5, [], ["a", "b"]) == ((), 0)


def test_only_the_most_distinctive_words_are_listed() -> None:
    drawn = [("a", frozenset(f"w{n}" for n in range(15)))] * 9 + [("b", frozenset({"z"}))] * 9
    words, tested = distinctive_words(drawn, drawn, ["a", "b"])
    assert tested == 16
    assert [one.bot for one in words].count("a") == 10


def test_excluded_judgments_give_no_reasons_but_those_verdicts_count_do(study: Study, store: Store) -> None:
    for number in range(3):
        sit(study, store, saying(number))
    before = sum(side.judgments for one in find_reasons_of(study, store) for side in one.sides)
    first, second = list(store.stream(fetch_judgments()))[:2]
    store.run(exclude_judgments([first.id], rule="test-entry", reason="a test", by="me"))
    store.run(exclude_judgments([second.id], rule="whim", reason="a whim", by="me"))
    after = sum(side.judgments for one in find_reasons_of(study, store) for side in one.sides)
    assert after == before - 1


def test_what_is_too_much_to_read_is_counted(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        sit(study, store, saying(number))
    monkeypatch.setattr("duologue.reports.conduct.reasons.MOST_READ", 5)
    found = find_reasons_of(study, store)
    assert sum(side.judgments for one in found for side in one.sides) == 5
    assert sum(one.left_out for one in found) == 7
    assert MOST_READ == 100_000


def test_reading_reasons_is_a_look_and_searching_them_too(study: Study, store: Store) -> None:
    assert find_reasons_of(study, store) == ()
    assert store.run(fetch_looks()) == ()
    for number in range(3):
        sit(study, store, saying(number))
    assert any("kind" in line for line in reason_lines(find_reasons_of(study, store)))
    rows = search_reasons(study, store, "REALLY")
    assert len(rows) == 6
    assert {row["bot"] for row in rows} == set(BOTS[:2])
    assert search_reasons(study, store, "nobody wrote this") == []
    assert {look.how for look in store.run(fetch_looks())} == {"reasons"}


@pytest.mark.usefixtures("undrawn")
def test_the_report_shows_them_escaped_and_writes_safe_tables(
    study: Study, store: Store, tmp_path: Path
) -> None:
    for number in range(9):
        sit(study, store, saying(number))
    for _ in range(3):
        sit(study, store, lambda work: (work.item.bots[0], "=<script>1</script>"))
    results = compared(analyse_study(study, store, how="report"))
    write_report(results, tmp_path / "report", study=study)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Why annotators chose" in page
    assert "kind, =really" in page
    assert "<script>" not in page
    with (tmp_path / "report" / "tables" / "reason-words.csv").open(encoding="utf-8") as file:
        words = list(csv.DictReader(file))
    assert {row["word"] for row in words} >= {"kind", "short"}
    with (tmp_path / "report" / "tables" / "reasons.csv").open(encoding="utf-8") as file:
        cells = [cell for row in csv.DictReader(file) for cell in row.values()]
    assert not any(cell.startswith("=") for cell in cells)


def test_analysis_alone_reads_no_reasons(study: Study, store: Store) -> None:
    sit(study, store, saying(1))
    results = compared(analyse_study(study, store))
    assert results.conduct is not None
    assert results.conduct.reasons == ()


def test_a_bot_against_itself_is_told_by_side_and_has_no_sensitivity(tmp_path: Path) -> None:
    study = make_study(tmp_path / "same", more="[onboarding]\nenabled = false\n")
    bots, keys = (BOTS[0], BOTS[0]), ("0-01-0", "0-01-1")
    write_items([Item("aa", f"{BOTS[0]}__vs__{BOTS[0]}", bots, keys, ("judged",) * 2)], study.items_path)
    with open_store(study.database) as store:
        load(study, store)
        sit(study, store, lambda work: (work.item.bots[0], "so"), words=9999)
        (found,) = find_reasons_of(study, store)
        conduct = compared(analyse_study(study, store)).conduct
    assert len(found.sides) == 1
    assert found.sides[0].label in (f"{BOTS[0]}, shown first", f"{BOTS[0]}, shown second")
    assert conduct is not None
    assert conduct.flags
    assert conduct.sensitivities == (), "there is no verdict that could change"
