"""What the tests of Telegram share with those of the pages."""

import pytest

from duologue.telegram.turn_taking import AccountLease
from tests.server.conftest import impatient as impatient  # a fixture


@pytest.fixture(autouse=True)
def nobody_else_wants_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take it without half a second for others who take it too; they have tests of their own."""
    defaults = AccountLease.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "settle_seconds", 0.02)
