"""What the researcher's pages do, as commands."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import NotFound
from duologue.protocols import Answer
from duologue.store import (
    ItemStation,
    Store,
    block_annotator,
    fetch_annotators,
    fetch_leases,
    give_consent,
    invite_annotators,
    note_fact,
    record_answer,
)
from duologue.studies import Study
from tests.server.conftest import prepared_store
from tests.server.studies import make_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study", onboarding=0)


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        yield store


def run(*arguments: str, expected: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == expected, result.output
    return result.output


def test_invitations_are_printed_with_links(study: Study, store: Store) -> None:
    store.run(note_fact("base-url", "https://study.example.org"))
    folder = str(study.folder)
    printed = json.loads(run("annotators", "invite", folder, "--label", "Ada", "--label", "Bea", "--json"))
    tokens = [annotator.token for annotator in store.run(fetch_annotators())]
    assert [one["link"] for one in printed] == [f"https://study.example.org/a/{token}" for token in tokens]
    assert [one["label"] for one in printed] == ["Ada", "Bea"]
    run("annotators", "invite", folder, "--count", "3", "--base-url", "http://here")
    assert len(store.run(fetch_annotators())) == 5


def test_the_list_shows_everybody_with_their_state(study: Study, store: Store) -> None:
    folder = str(study.folder)
    assert run("annotators", "list", folder).strip() == "none"
    ada, bea = store.run(invite_annotators(2, labels=["Ada", "Bea"]))
    store.run(block_annotator(ada.annotator, reason="careless", by="test"))
    table = run("annotators", "list", folder)
    assert f"{ada.annotator}  Ada" in table
    assert "onboarding" not in table
    assert "blocked" in table
    assert "invited" in table
    listed = json.loads(run("annotators", "list", folder, "--json"))
    assert [one["id"] for one in listed] == [ada.annotator, bea.annotator]
    assert listed[0]["blocked_reason"] == "careless"
    assert "token" not in listed[0]


def test_blocking_revoking_and_erasing(study: Study, store: Store) -> None:
    folder, annotator = str(study.folder), store.run(invite_annotators(1, labels=["Ada"]))[0].annotator
    assert "say why" in run("annotators", "block", folder, annotator, "--reason", "  ", expected=2)
    run("annotators", "block", folder, annotator, "--reason", "careless")
    assert store.run(fetch_annotators())[0].is_blocked
    run("annotators", "unblock", folder, annotator, "--reason", "not so")
    assert not store.run(fetch_annotators())[0].is_blocked
    run("annotators", "revoke", folder, annotator)
    assert store.run(fetch_annotators())[0].is_revoked
    run("annotators", "revoke", folder, annotator, "--undo")
    assert not store.run(fetch_annotators())[0].is_revoked
    run("annotators", "withdraw", folder, annotator, "--reason", "asked", expected=1)
    assert not store.run(fetch_annotators())[0].is_withdrawn
    old = study.folder / "study.db.moved_20260101_000000"
    old.touch()
    said = run("annotators", "withdraw", folder, annotator, "--reason", "asked", "--yes")
    assert f"warning: {old} was made before, and holds them still; delete it." in said
    assert store.run(fetch_annotators())[0].is_withdrawn
    assert json.loads(run("annotators", "list", folder, "--json"))[0]["link"] == ""


def test_an_annotator_may_be_named_by_the_label(study: Study, store: Store) -> None:
    folder = str(study.folder)
    ada, *annas = store.run(invite_annotators(3, labels=["Ada", "Anna", "anna"]))
    said = run("annotators", "block", folder, "ada", "--reason", "careless")
    assert [one.id for one in store.run(fetch_annotators()) if one.is_blocked] == [ada.annotator]
    assert "ada is blocked. They get no more work" in said
    assert "They have judged nothing." in said
    refused = run("annotators", "block", folder, "Anna", "--reason", "careless", expected=2)
    for anna in annas:
        assert f"{anna.annotator} (" in " ".join(refused.split())
    assert "2 annotators have the label 'Anna'; give the id of one" in " ".join(refused.split())
    said = run("annotators", "unblock", folder, "Ada", "--reason", "asked")
    assert "Ada is not blocked any more. They get work again." in said
    assert "Ada was not blocked." in run("annotators", "unblock", folder, "Ada", "--reason", "asked")
    for verb in ("unblock", "withdraw"):
        run(
            "annotators", verb, folder, "Ada", "--reason", "asked", *(["--yes"] if verb == "withdraw" else [])
        )
    assert [one.is_withdrawn for one in store.run(fetch_annotators())] == [True, False, False]
    with pytest.raises(NotFound, match="'Ada'"):
        run("annotators", "revoke", folder, "Ada")


def test_a_reason_is_needed(study: Study, store: Store) -> None:
    run("annotators", "block", str(study.folder), store.run(invite_annotators(1))[0].annotator, expected=2)


def test_somebody_who_is_not_there_is_refused(study: Study, store: Store) -> None:
    with pytest.raises(NotFound, match="nobody"):
        run("annotators", "revoke", str(study.folder), "nobody")


def test_leases_are_listed_and_released(study: Study, store: Store) -> None:
    folder = str(study.folder)
    store.run(give_consent(store.run(invite_annotators(1))[0].token, study.caps))
    (lease,) = json.loads(run("leases", "list", folder, "--json"))
    assert lease["group"] == "ann__vs__bob"
    run("leases", "release", folder, lease["assignment"])
    assert store.run(fetch_leases()) == ()


def test_progress_hides_win_rates_until_the_planned_number(study: Study, store: Store) -> None:
    folder = str(study.folder)
    printed = run("annotators", "progress", folder)
    assert re.findall(r"\S+(?: \S+)*", printed.splitlines()[0]) == [
        *("matchup", "done", "wanted", "excluded", "in progress", "win rates")
    ]
    assert "ann against bob" in printed
    assert "hidden" in printed
    for invitation in store.run(invite_annotators(4)):
        station = store.run(give_consent(invitation.token, study.caps))
        assert isinstance(station, ItemStation)
        store.run(
            record_answer(
                invitation.token,
                study.caps,
                assignment=station.assignment.key,
                answer=Answer({"side": 1}, "more fun"),
                seconds=3.0,
                is_correct=None,
                key="k",
            )
        )
    assert "%" in run("annotators", "progress", folder)
    (group,) = json.loads(run("annotators", "progress", folder, "--json"))
    assert (group["done"], group["wanted"]) == (4, 4)
    assert sum(wins["wins"] for wins in group["wins"]) == 4


def _finish(study: Study, store: Store) -> str:
    (invitation,) = store.run(invite_annotators(labels=["Ada"]))
    station = store.run(give_consent(invitation.token, study.caps))
    assert isinstance(station, ItemStation)
    store.run(
        record_answer(
            invitation.token,
            study.caps,
            assignment=station.assignment.key,
            answer=Answer({"side": 1}, "more fun"),
            seconds=90.0,
            is_correct=None,
            key="one",
        )
    )
    return store.run(fetch_annotators())[-1].code


def test_completion_codes_are_listed_with_what_was_done(study: Study, store: Store, tmp_path: Path) -> None:
    folder, out = str(study.folder), tmp_path / "codes.csv"
    assert run("annotators", "codes", folder).strip() == "none"
    run("annotators", "codes", folder, "--out", str(out))
    assert out.read_text().startswith("code,state,annotator,")
    code = _finish(study, store)
    table = run("annotators", "codes", folder)
    assert f"{code}  finished" in table
    assert "Ada" in table
    run("annotators", "codes", folder, "--out", str(out), "--overwrite")
    header, row = out.read_text().splitlines()
    assert row.startswith(f"{code},finished,")
    assert header.count(",") == row.count(",")


def test_completion_codes_that_people_hand_in_are_checked(study: Study, store: Store) -> None:
    folder, code = str(study.folder), _finish(study, store)
    (good,) = json.loads(run("annotators", "codes", folder, code.lower(), "--json"))
    assert (good["state"], good["judgments"], good["label"]) == ("finished", 1, "Ada")
    table = run("annotators", "codes", folder, code, "NOTACODE", expected=1)
    assert [line.split()[1] for line in table.splitlines()[1:]] == ["finished", "unknown"]
    twice = run("annotators", "codes", folder, code, code.lower())
    assert f"Given more than once: {code}. Pay each code once." in twice
    assert twice.count("finished") == 1
