"""Consents that arrive at once, by several connections: no more are let in than there are places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import pytest

from duologue.store import (
    NeedsForm,
    Operation,
    Station,
    Working,
    fill_in_form,
    give_consent,
    invite_annotators,
    open_store,
)
from duologue.studies import Caps
from tests.store.small_study import CAPS, SCREENED, load
from tests.store.truth import assert_sound

PLACES, PEOPLE, HOSTS = 12, 30, 3
ONE_EACH = replace(CAPS, max_judgments=1)


@pytest.mark.parametrize(
    "caps",
    [
        pytest.param(replace(ONE_EACH, forms_before=("you",)), id="forms"),
        pytest.param(replace(SCREENED, max_judgments=1, forms_before=("you",)), id="forms and onboarding"),
        pytest.param(ONE_EACH, id="items"),
    ],
)
def test_as_many_are_let_in_as_there_are_places(database: str, caps: Caps) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(PEOPLE) as people:
        hosts = [stack.enter_context(open_store(database)) for _ in range(HOSTS)]
        load(hosts[0], caps, bots="AB", each=PLACES, onboarding=1)
        tokens = [one.token for one in hosts[0].run(invite_annotators(PEOPLE))]

        def all_at_once(tokens: list[str], make: Callable[[str], Operation[Station]]) -> dict[str, Station]:
            done = people.map(lambda one: hosts[one[0] % HOSTS].run(make(one[1])), enumerate(tokens))
            return dict(zip(tokens, done, strict=True))

        came = all_at_once(tokens, lambda token: give_consent(token, caps))
        let_in = [token for token, station in came.items() if isinstance(station, NeedsForm | Working)]
        assert len(let_in) == PLACES
        if caps.forms_before:
            filled = all_at_once(
                let_in, lambda token: fill_in_form(token, caps, form="you", answers={"work": "yes"})
            )
            assert Counter(map(type, filled.values())) == {Working: PLACES}, "nobody for nothing"
    assert_sound(database, caps)
