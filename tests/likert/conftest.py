"""The small study of the room `studies`, which is none of ratings."""

from tests.studies.conftest import study

__all__ = ["study"]
