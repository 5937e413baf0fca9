"""The rule that accepts error rates refuses what is too high, and only that."""

import pytest

from tests.error_rates import why_refused


@pytest.mark.parametrize(
    ("errors", "studies", "is_accepted"),
    [(200, 4_000, True), (227, 4_000, True), (230, 4_000, False), (241, 4_000, False), (65, 1_000, False)],
)
def test_an_error_rate_is_accepted_up_to_the_rule(errors: int, studies: int, is_accepted: bool) -> None:
    assert (why_refused(errors, studies) == "") == is_accepted
