"""Addenda in words: what was added, and which earlier verdicts have changed."""

from duologue.protocols import Addendum, KeptVerdict, Outcome
from duologue.reports.conduct.growth import growth_of


def kept(second: str, better: str | None, part: str = "") -> KeptVerdict:
    return KeptVerdict(part, "ann", second, 12, 0.6, better, True)


def now(second: str, better: str | None, part: str = "") -> Outcome:
    return Outcome(part, "ann", second, 15, 0.6, None, better, True)


def addendum(*verdicts: KeptVerdict, **changes: object) -> Addendum:
    given: dict[str, object] = {
        "number": 1,
        "at": "2026-05-01T12:30:00.000000+00:00",
        "hash": "ab12",
        "adds": ("dee",),
        "groups": (("ann", "dee"), ("bob", "dee")),
        "judgments": 40,
        "asked_again": 0,
        "verdicts": verdicts,
    }
    return Addendum(**{**given, **changes})  # type: ignore[arg-type]


def test_an_addendum_is_said_with_its_date_and_hash() -> None:
    (growth,) = growth_of([addendum()], [], noun="matchup")
    assert growth.sentence == (
        "Addendum 1 to the plan, 2026-05-01 12:30 UTC (plan-addendum-1.json, SHA-256 ab12): dee was added, "
        "with 2 matchups and 40 judgments, a family of their own; no earlier matchup is asked again."
    )


def test_one_group_of_two_bots_and_an_interim_look_are_said() -> None:
    one = addendum(adds=("dee", "eve"), groups=(("dee", "eve"),), asked_again=5, is_interim=True)
    (growth,) = growth_of([one], [], noun="matchup")
    assert "dee and eve were added, with 1 matchup and 40 judgments, a family of its own" in growth.sentence
    assert growth.sentence.endswith("The verdicts kept then were those of an interim look.")


def test_verdicts_that_are_others_now_are_named() -> None:
    then = addendum(kept("bob", "ann"), kept("cy", None), kept("gone", "ann"))
    (growth,) = growth_of([then], [now("bob", None), now("cy", None)], noun="matchup")
    assert [(one.other, one.better, one.n, one.is_changed) for one in growth.verdicts] == [
        ("ann", None, 15, True),
        (None, None, 15, False),
        ("ann", None, 0, False),
    ]
    assert growth.sentence.endswith(
        "1 of 3 verdicts of that day have changed: ann and bob: ann better on 2026-05-01, no difference "
        "detected now. 1 of 3 verdicts of that day cannot be compared: ann and gone: ann better on "
        "2026-05-01, no verdict now."
    )


def test_of_many_changed_verdicts_some_are_named_with_their_section() -> None:
    then = addendum(*(kept(f"b{number}", "ann", part=f"arm {number}") for number in range(7)))
    (growth,) = growth_of([then], [now("x", None)], noun="matchup")
    assert "ann and b0 (arm 0): ann better" in growth.sentence
    assert growth.sentence.endswith("; and 2 more.")
