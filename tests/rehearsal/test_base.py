from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from duologue.acute.rehearsal import AcuteRehearsal
from duologue.errors import DesignError
from duologue.likert.rehearsal import LikertRehearsal
from duologue.protocols import CHAT, ChatPlan, Item
from duologue.rehearsal.base import Part, Stated, check_stated
from duologue.rehearsal.kinds import draw_annotators

PAIRING = Item("p", "a__vs__b", ("a", "b"), ("d1", "d2"), ("s", "s"))
READ = Item("r", "a", ("a",), ("d1",), ("s",))
LIVE = Item("c", "a", ("a",), (), (), extras={CHAT: ChatPlan().record()})
RNG = np.random.default_rng(7)
PARTS: tuple[Part, ...] = (AcuteRehearsal(), LikertRehearsal())


def test_where_dialogues_are_compared_there_are_preferences() -> None:
    part = AcuteRehearsal()
    truth = part.truth([PAIRING], {"prefer": ["a:b=0.7"]}, rng=RNG)
    assert part.noun([PAIRING]) == "pairing"
    assert truth.rate("b", "a") == pytest.approx(0.3)
    assert part.truth([PAIRING], {"order": ["a > b"]}, rng=RNG).rate("a", "b") > 0.5
    with pytest.raises(DesignError, match="--order: say one"):
        part.truth([PAIRING], {"order": ["a > b", "b > a"]}, rng=RNG)


def test_where_bots_are_rated_there_are_means() -> None:
    part = LikertRehearsal()
    assert (part.noun([READ]), part.noun([LIVE])) == ("dialogue", "chat")
    assert part.truth([READ], {"mean": ["a=3"]}, rng=RNG).mean("a", lowest=1, highest=4) == 3.0


@pytest.mark.parametrize(
    ("protocol", "stated", "hint"),
    [
        ("acute", {"mean": ["a=3"]}, "say --prefer A:B=0.7 or --order"),
        ("likert", {"prefer": ["a:b=0.7"]}, "say --mean A=3.2"),
    ],
)
def test_what_is_never_true_of_a_protocol_is_refused(protocol: str, stated: Stated, hint: str) -> None:
    with pytest.raises(DesignError, match=hint):
        check_stated(stated, protocol=protocol)
    check_stated(dict.fromkeys(stated, ()), protocol=protocol)


@pytest.mark.parametrize("part", PARTS)
def test_every_kind_comes_to_a_rehearsal_of_twenty(part: Part) -> None:
    assert {annotator.kind for annotator in draw_annotators(20, seed=7, mix=part.mix)} == set(part.mix)


@pytest.mark.parametrize("part", PARTS)
def test_the_shares_of_all_kinds_add_up_and_all_are_described(part: Part) -> None:
    assert sum(part.mix.values()) == pytest.approx(1)
    assert list(part.mix) == list(part.summaries)


@pytest.mark.parametrize("part", PARTS)
def test_every_kind_is_on_the_page_about_rehearsals_as_it_is(part: Part) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "rehearsal.md").read_text(encoding="utf-8")
    for kind, share in part.mix.items():
        assert f"| {kind} | {share:.0%} | {part.summaries[kind]} |".replace("%", " %") in page
