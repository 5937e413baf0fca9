"""Consents that arrive at once, in several processes: no more are let in than there are places."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from duologue.store import fetch_progress, invite_annotators, open_store
from tests.processes import PYTHON, running
from tests.store.conftest import PROCESSES
from tests.store.consenting_process import ONE_EACH
from tests.store.small_study import load
from tests.store.test_processes import start_together
from tests.store.truth import assert_sound

PLACES, PEOPLE, HOSTS = 12, 30, 3
REPOSITORY = Path(__file__).parents[2]


@PROCESSES
@pytest.mark.parametrize(
    "name",
    [
        "forms and onboarding",
        pytest.param("forms", marks=pytest.mark.slow),
        pytest.param("items", marks=pytest.mark.slow),
    ],
)
def test_as_many_are_let_in_as_there_are_places(database: str, name: str) -> None:
    caps = ONE_EACH[name]
    with open_store(database) as store, ExitStack() as stack:
        load(store, caps, bots="AB", each=PLACES, onboarding=1)
        tokens = [one.token for one in store.run(invite_annotators(PEOPLE))]
        command = [*PYTHON, "-m", "tests.store.consenting_process", database, name]
        hosts = [
            stack.enter_context(
                running([*command, *tokens[number::HOSTS]], folder=REPOSITORY, takes_input=True)
            )
            for number in range(HOSTS)
        ]
        start_together(hosts)
        told = [line.split() for host in hosts for line in host.communicate()[0].splitlines()]
        assert [host.returncode for host in hosts] == [0] * HOSTS
        assert len(told) == PEOPLE
        agreed, filled = (Counter(one) for one in zip(*told, strict=True))
        let_in = {
            "FormStation" if caps.forms_before else "ItemStation": PLACES,
            "IdleStation": PEOPLE - PLACES,
        }
        assert (agreed, filled["ItemStation"]) == (let_in, PLACES), "nobody for nothing"
        if not caps.onboarding_comparisons:
            assert [group.leased for group in store.run(fetch_progress())] == [PLACES]
    assert_sound(database, caps)
