"""The small study of the room `studies`."""

from tests.studies.conftest import study

__all__ = ["study"]
