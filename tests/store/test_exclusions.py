"""Setting judgments aside and taking them back."""

import pytest

from duologue.errors import NotFound
from duologue.store import NoWork, Store, Working
from tests.store.small_study import SCREENED, come, judge_all, load


def test_excluding_reopens_the_place(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    assert isinstance(come(store)[1], NoWork)
    (judgment,) = store.judgments()
    assert store.exclude([judgment.id], rule="no-reason", reason="never gives one", by="me") == 1
    (group,) = store.progress()
    assert (group.wanted, group.done, group.excluded, group.leased) == (1, 0, 1, 0)
    assert isinstance(come(store)[1], Working)


def test_exclusion_says_who_what_why_and_when(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    store.exclude([judgment.id], rule="no-reason", reason="never gives one", by="me")
    (row,) = store.exclusions()
    assert (row.judgment, row.annotator, row.action) == (judgment.id, judgment.annotator, "exclude")
    assert (row.rule, row.reason, row.by) == ("no-reason", "never gives one", "me")
    assert row.at == "2026-05-01T12:00:00.000000+00:00"
    assert next(store.judgments()).excluded == "no-reason"


def test_excluding_again_by_the_same_rule_changes_nothing(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    for expected in (1, 0):
        assert store.exclude([judgment.id], rule="slow", reason="", by="me") == expected
    assert len(store.exclusions()) == 1
    assert store.progress()[0].excluded == 1


def test_judgment_counts_again_only_when_no_rule_is_left(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    store.exclude([judgment.id], rule="slow", reason="", by="me")
    store.exclude([judgment.id], rule="no-reason", reason="", by="me")
    assert store.restore([judgment.id], rule="slow", reason="", by="me") == 0
    assert next(store.judgments()).excluded == "no-reason"
    assert store.progress()[0].done == 0
    assert store.restore([judgment.id], rule="no-reason", reason="", by="me") == 1
    assert next(store.judgments()).excluded == ""
    assert (store.progress()[0].done, store.progress()[0].excluded) == (1, 0)


def test_restoring_what_the_rule_did_not_exclude_changes_nothing(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    assert store.restore([judgment.id], rule="slow", reason="", by="me") == 0
    assert store.exclusions() == ()


def test_judgment_whose_place_went_to_another_stays_aside(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    store.exclude([judgment.id], rule="slow", reason="", by="me")
    judge_all(store)
    assert store.restore([judgment.id], rule="slow", reason="a mistake", by="me") == 0
    assert [row.excluded for row in store.judgments()] == ["replaced", ""]
    assert [(row.action, row.rule) for row in store.exclusions()] == [
        ("exclude", "slow"),
        ("restore", "slow"),
        ("exclude", "replaced"),
    ]
    assert (store.progress()[0].done, store.progress()[0].excluded) == (1, 1)


def test_judgment_whose_place_is_in_somebodys_hands_stays_aside(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    store.exclude([judgment.id], rule="slow", reason="", by="me")
    come(store)
    assert store.restore([judgment.id], rule="slow", reason="", by="me") == 0
    assert (store.progress()[0].done, store.progress()[0].leased) == (0, 1)


def test_excluding_is_all_or_none(store: Store) -> None:
    load(store, bots="AB", each=1)
    judge_all(store)
    (judgment,) = store.judgments()
    with pytest.raises(NotFound):
        store.exclude([judgment.id, "nothing"], rule="slow", reason="", by="me")
    assert store.exclusions() == ()
    assert store.progress()[0].done == 1


def test_onboarding_judgment_can_be_set_aside_and_opens_no_place(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    judge_all(store, SCREENED)
    (onboarding,) = [judgment for judgment in store.judgments() if judgment.is_onboarding]
    before = store.progress()
    assert store.exclude([onboarding.id], rule="researcher", reason="", by="me") == 1
    assert store.progress() == before
    assert store.annotators()[0].excluded == 0
