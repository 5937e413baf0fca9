"""What a judgment says of itself."""

import pytest

from duologue.judgments import Judgment, Role


@pytest.mark.parametrize(
    ("role", "occasion", "is_onboarding", "is_planned"),
    [
        ("judged", 1, False, True),
        ("judged", 2, False, False),
        ("onboarding", 1, True, False),
        ("attention", 1, False, False),
    ],
)
def test_only_what_is_judged_the_first_time_is_planned(
    role: Role, occasion: int, is_onboarding: bool, is_planned: bool
) -> None:
    judgment = Judgment(
        "j", "a", "ann", "lab", "main", "i", "g", {}, (), "", 1.0, "wall", "", 1, role, None,
        occasion=occasion,
    )  # fmt: skip
    assert (judgment.is_onboarding, judgment.is_planned) == (is_onboarding, is_planned)
