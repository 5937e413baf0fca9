"""Setting judgments aside and taking them back."""

import pytest

from duologue.errors import NotFound
from duologue.store import (
    IdleStation,
    ItemStation,
    Store,
    exclude_judgments,
    fetch_annotators,
    fetch_exclusions,
    fetch_judgments,
    fetch_progress,
    fetch_rules_in_force,
    restore_judgments,
)
from duologue.store.researcher.by_hand import tally_undeclared, undeclared_by_hand
from tests.store.small_study import SCREENED, come, judge_all, load


def test_excluding_reopens_the_place(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    assert isinstance(come(store)[1], IdleStation)
    (judgment,) = store.stream(fetch_judgments())
    assert (
        store.run(exclude_judgments([judgment.id], rule="no-reason", reason="never gives one", by="me")) == 1
    )
    (group,) = store.run(fetch_progress())
    assert (group.wanted, group.done, group.excluded, group.leased) == (1, 0, 1, 0)
    assert isinstance(come(store)[1], ItemStation)


def test_exclusion_says_who_what_why_and_when(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="no-reason", reason="never gives one", by="me"))
    (row,) = store.run(fetch_exclusions())
    assert (row.judgment, row.annotator, row.action) == (judgment.id, judgment.annotator, "exclude")
    assert (row.rule, row.reason, row.by) == ("no-reason", "never gives one", "me")
    assert row.at == "2026-05-01T12:00:00.000000+00:00"
    assert next(store.stream(fetch_judgments())).excluded == "no-reason"


def test_excluding_again_by_the_same_rule_changes_nothing(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    for expected in (1, 0):
        assert store.run(exclude_judgments([judgment.id], rule="slow", reason="", by="me")) == expected
    assert len(store.run(fetch_exclusions())) == 1
    assert store.run(fetch_progress())[0].excluded == 1


def test_judgment_counts_again_only_when_no_rule_is_left(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="slow", reason="", by="me"))
    store.run(exclude_judgments([judgment.id], rule="no-reason", reason="", by="me"))
    assert store.run(restore_judgments([judgment.id], rule="slow", reason="", by="me")) == 0
    assert next(store.stream(fetch_judgments())).excluded == "no-reason"
    assert store.run(fetch_progress())[0].done == 0
    assert store.run(restore_judgments([judgment.id], rule="no-reason", reason="", by="me")) == 1
    assert next(store.stream(fetch_judgments())).excluded == ""
    assert (store.run(fetch_progress())[0].done, store.run(fetch_progress())[0].excluded) == (1, 0)


def test_restoring_what_the_rule_did_not_exclude_changes_nothing(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    assert store.run(restore_judgments([judgment.id], rule="slow", reason="", by="me")) == 0
    assert store.run(fetch_exclusions()) == ()


def test_judgment_whose_place_went_to_another_stays_aside(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="slow", reason="", by="me"))
    judge_all(store)
    assert store.run(restore_judgments([judgment.id], rule="slow", reason="a mistake", by="me")) == 0
    assert [row.excluded for row in store.stream(fetch_judgments())] == ["replaced", ""]
    assert [(row.action, row.rule) for row in store.run(fetch_exclusions())] == [
        ("exclude", "slow"),
        ("restore", "slow"),
        ("exclude", "replaced"),
    ]
    assert (store.run(fetch_progress())[0].done, store.run(fetch_progress())[0].excluded) == (1, 1)


def test_judgment_whose_place_is_in_somebodys_hands_stays_aside(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    store.run(exclude_judgments([judgment.id], rule="slow", reason="", by="me"))
    come(store)
    assert store.run(restore_judgments([judgment.id], rule="slow", reason="", by="me")) == 0
    assert (store.run(fetch_progress())[0].done, store.run(fetch_progress())[0].leased) == (0, 1)


def test_excluding_is_all_or_none(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.stream(fetch_judgments())
    with pytest.raises(NotFound):
        store.run(exclude_judgments([judgment.id, "nothing"], rule="slow", reason="", by="me"))
    assert store.run(fetch_exclusions()) == ()
    assert store.run(fetch_progress())[0].done == 1


def test_onboarding_judgment_can_be_set_aside_and_opens_no_place(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    judge_all(store, SCREENED)
    (onboarding,) = [judgment for judgment in store.stream(fetch_judgments()) if judgment.is_onboarding]
    before = store.run(fetch_progress())
    assert store.run(exclude_judgments([onboarding.id], rule="researcher", reason="", by="me")) == 1
    assert store.run(fetch_progress()) == before
    assert store.run(fetch_annotators())[0].excluded == 0


@pytest.mark.parametrize("declared", [(), ("slow",), ("slow", "blocked")])
def test_the_tally_of_what_only_a_person_excluded_agrees_with_the_plain_one(
    store: Store, declared: tuple[str, ...]
) -> None:
    load(store, bots="AB", each=9)
    for _ in range(9):
        judge_all(store)
    keys = [one.id for one in store.stream(fetch_judgments())]
    rules = ("slow", "mine", "blocked", "withdrawn", "replaced")
    for place, (rule, by) in enumerate([*((rule, "me") for rule in rules), ("speed", "duologue")]):
        store.run(exclude_judgments(keys[place : place + 1], rule=rule, reason="", by=by))
        store.run(exclude_judgments(keys[-1:] if place > 3 else keys[-2:], rule=rule, reason="", by=by))
    store.run(exclude_judgments(keys[6:7], rule="blocked", reason="", by="duologue"))
    plain = undeclared_by_hand(store.run(fetch_rules_in_force()), declared)
    expected = sorted(key for key, rule in plain.items() if not rule)
    found = store.run(tally_undeclared(declared))
    assert len(keys) >= 9
    assert sum(one.done for one in found) == len(expected) > 0
    assert {one.example.judgment.id for one in found} <= set(expected)
