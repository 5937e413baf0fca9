"""Inviting annotators, and what a researcher decides about them."""

from pathlib import Path

import pytest

from duologue.errors import LinkRevoked, LinkUnknown, NotFound, StoreError
from duologue.store import (
    IdleStation,
    ItemStation,
    Store,
    block_annotator,
    fetch_annotator_events,
    fetch_annotators,
    fetch_exclusions,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    give_consent,
    invite_annotators,
    open_store,
    release_assignment,
    restore_judgments,
    restore_link,
    resume_sitting,
    unblock_annotator,
    withdraw_annotator,
)
from tests.store.small_study import CAPS, SCREENED, answer, come, judge_all, load


def test_every_invitation_has_a_link_of_its_own(store: Store) -> None:
    invitations = store.run(invite_annotators(50))
    assert len({invitation.token for invitation in invitations}) == 50
    assert all(len(invitation.token) == 32 for invitation in invitations)
    assert [annotator.id for annotator in store.run(fetch_annotators())] == [
        one.annotator for one in invitations
    ]


def test_labels_make_one_invitation_each(store: Store) -> None:
    assert [one.label for one in store.run(invite_annotators(labels=["Ada", "Bo"]))] == ["Ada", "Bo"]


def test_unknown_annotator_is_named(store: Store) -> None:
    with pytest.raises(NotFound, match="annotator 'nobody'"):
        store.run(block_annotator("nobody", reason="", by="me"))


def test_blocking_sets_aside_what_was_judged_and_takes_back_what_is_in_hand(store: Store) -> None:
    load(store)
    token, station = come(store)
    station = answer(store, token, station)
    store.run(block_annotator(station.annotator.id, reason="a script", by="me"))
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == ["blocked"]
    assert store.run(fetch_leases()) == ()
    assert [(row.rule, row.reason, row.by) for row in store.run(fetch_exclusions())] == [
        ("blocked", "a script", "me")
    ]
    (summary,) = store.run(fetch_annotators())
    assert (summary.is_blocked, summary.blocked_reason, summary.excluded) == (True, "a script", 1)
    assert isinstance(store.run(resume_sitting(token, CAPS)), IdleStation)


def test_unblocking_restores_and_the_annotator_goes_on(store: Store) -> None:
    load(store)
    token, station = come(store)
    station = answer(store, token, station)
    store.run(block_annotator(station.annotator.id, reason="a script", by="me"))
    store.run(unblock_annotator(station.annotator.id, CAPS, reason="a mistake", by="me"))
    assert [judgment.excluded for judgment in store.stream(fetch_judgments())] == [""]
    again = store.run(resume_sitting(token, CAPS))
    assert isinstance(again, ItemStation)
    assert isinstance(station, ItemStation)
    assert again.assignment.key == station.assignment.key
    assert [(event.action, event.reason, event.by) for event in store.run(fetch_annotator_events())] == [
        ("block", "a script", "me"),
        ("unblock", "a mistake", "me"),
    ]


def test_unblocking_one_who_failed_onboarding_restores_their_judgments(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    station = judge_all(store, SCREENED, is_right=False)[-1]
    assert sum(group.done for group in store.run(fetch_progress())) == 0
    why = "the gold answer was wrong"
    store.run(unblock_annotator(station.annotator.id, SCREENED, reason=why, by="me"))
    assert {judgment.excluded for judgment in store.stream(fetch_judgments())} == {""}
    assert sum(group.done for group in store.run(fetch_progress())) == 3


def test_blocking_one_who_failed_onboarding_ends_their_sitting(store: Store) -> None:
    load(store, SCREENED, onboarding=1)
    token, station = come(store, SCREENED)
    station = answer(store, token, station, SCREENED, is_right=False)
    assert isinstance(station, ItemStation)
    store.run(block_annotator(station.annotator.id, reason="enough", by="me"))
    assert isinstance(store.run(resume_sitting(token, SCREENED)), IdleStation)


def test_blocking_twice_writes_one_event(store: Store) -> None:
    (invitation,) = store.run(invite_annotators())
    for _ in range(2):
        store.run(block_annotator(invitation.annotator, reason="", by="me"))
    assert len(store.run(fetch_annotator_events())) == 1


def test_released_assignment_goes_to_the_next_annotator(store: Store) -> None:
    load(store, bots="AB", each=1)
    token, station = come(store)
    assert isinstance(station, ItemStation)
    assert store.run(release_assignment(station.assignment.key, CAPS, by="me")) is True
    assert store.run(release_assignment(station.assignment.key, CAPS, by="me")) is False
    assert store.run(fetch_leases()) == ()
    _other, taken = come(store)
    assert isinstance(taken, ItemStation)
    assert isinstance(store.run(resume_sitting(token, CAPS)), IdleStation)
    assert [(event.action, event.by) for event in store.run(fetch_annotator_events())] == [("release", "me")]


def test_releasing_an_unknown_assignment_is_refused(store: Store) -> None:
    with pytest.raises(NotFound):
        store.run(release_assignment("nothing", CAPS, by="me"))


def test_withdrawing_erases_text_and_identity_and_keeps_the_count(store: Store) -> None:
    load(store)
    (invitation,) = store.run(invite_annotators(labels=["Ada Lovelace"]))
    station = store.run(give_consent(invitation.token, CAPS))
    answer(store, invitation.token, station, reason="My sister says so.")
    store.run(withdraw_annotator(invitation.annotator, reason="by letter"))
    (judgment,) = store.stream(fetch_judgments())
    assert (judgment.reason, judgment.excluded) == ("", "withdrawn")
    (summary,) = store.run(fetch_annotators())
    assert (summary.label, summary.is_withdrawn, summary.judgments) == ("", True, 1)
    assert summary.token != invitation.token
    with pytest.raises(LinkUnknown):
        store.run(resume_sitting(invitation.token, CAPS))
    assert store.run(fetch_progress())[0].done == 0
    assert [(event.action, event.reason) for event in store.run(fetch_annotator_events())] == [
        ("withdraw", "by letter")
    ]


def test_who_withdrew_cannot_be_let_in_again(store: Store) -> None:
    (invitation,) = store.run(invite_annotators())
    store.run(withdraw_annotator(invitation.annotator, reason=""))
    store.run(withdraw_annotator(invitation.annotator, reason="again"))
    store.run(restore_link(invitation.annotator))
    (summary,) = store.run(fetch_annotators())
    assert summary.is_revoked
    with pytest.raises(LinkRevoked):
        store.run(resume_sitting(summary.token, CAPS))
    assert len(store.run(fetch_annotator_events())) == 1


def test_judgments_of_one_who_withdrew_stay_aside(store: Store) -> None:
    load(store)
    token, station = come(store)
    answer(store, token, station)
    store.run(withdraw_annotator(station.annotator.id, reason="by letter"))
    (judgment,) = store.stream(fetch_judgments())
    with pytest.raises(StoreError, match="cannot be taken back"):
        store.run(restore_judgments([judgment.id], rule="withdrawn", reason="", by="me"))
    store.run(unblock_annotator(station.annotator.id, CAPS, reason="", by="me"))
    assert next(store.stream(fetch_judgments())).excluded == "withdrawn"


def test_withdrawn_text_is_gone_from_the_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with open_store(f"sqlite:///{path}") as store:
        load(store)
        (invitation,) = store.run(invite_annotators(labels=["Ada Lovelace"]))
        station = store.run(give_consent(invitation.token, CAPS))
        answer(store, invitation.token, station, reason="My sister says so. " * 400)
        store.run(withdraw_annotator(invitation.annotator, reason="by letter"))
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"by letter" in kept
    assert b"sister says" not in kept
    assert b"Lovelace" not in kept
    assert invitation.token.encode() not in kept
