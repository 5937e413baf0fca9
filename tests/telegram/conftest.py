"""What the tests of Telegram share with those of the pages."""

from tests.server.conftest import impatient as impatient  # a fixture
