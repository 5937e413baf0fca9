"""Many judgments at once."""

from __future__ import annotations

import numpy as np

from duologue.acute import AcuteProtocol
from duologue.protocols import JudgedBatch, StudyProtocol, shared_columns

BATCH = JudgedBatch(
    ids=("1", "2", "3"),
    annotators=("a", "b", "a"),
    annotator_kinds=("lab", "open", "lab"),
    arms=("main",) * 3,
    items=("i", "j", "k"),
    item_numbers=(1, 2, 3),
    groups=("g",) * 3,
    bots=(("x", "y"),) * 3,
    dialogues=(("d", "e"),) * 3,
    answers=({"side": 1},) * 3,
    orders=((0, 1),) * 3,
    has_reason=(True, False, True),
    seconds=(1.5, 2.0, 3.0),
    at=("2026-05-01T12:00:00.250000+00:00",) * 3,
    revisions=(1, 1, 2),
    is_onboarding=(True, False, False),
    excluded=("", "late", ""),
    flags=((), ("few-words", "all-caps"), ()),
)


def test_some_of_a_batch_are_a_batch() -> None:
    some = BATCH.between(1, 3)
    assert len(some) == 2
    assert some.ids == ("2", "3")
    assert some.excluded == ("late", "")


def test_every_protocol_has_these_columns() -> None:
    columns = shared_columns(BATCH)
    assert columns["reason"] == ["given", "", "given"]
    assert columns["flags"] == ["", "few-words;all-caps", ""]
    assert np.asarray(columns["at"]).view("datetime64[s]").tolist()[0].isoformat() == "2026-05-01T12:00:00"
    assert np.asarray(columns["revision"]).tolist() == [1, 1, 2]
    assert "excluded" not in columns


def test_a_protocol_need_not_have_a_fast_way() -> None:
    assert StudyProtocol.columns(object.__new__(AcuteProtocol), BATCH) == {}
