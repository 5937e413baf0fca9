"""The columns that tables are made of."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, MetaData, Text, text

metadata = MetaData()
"""All tables of a study's database."""
NUMBER = BigInteger().with_variant(Integer, "sqlite")
"""Of rows."""


def own_number() -> Column[int]:
    """The number of a row, by which others point to it."""
    return Column("n", NUMBER, primary_key=True)


def string(name: str, *, default: str | None = None) -> Column[str]:
    """A text that is never missing."""
    return Column(name, Text, nullable=False, server_default=default)


def count(name: str) -> Column[int]:
    """A number that begins at zero."""
    return Column(name, Integer, nullable=False, server_default="0")


def claim(name: str, *, default: bool | None = None) -> Column[bool]:
    """Something that is true or not."""
    server_default = None if default is None else text("true" if default else "false")
    return Column(name, Boolean, nullable=False, server_default=server_default)


def moment(name: str) -> Column[str]:
    """When something happened, if it did."""
    return Column(name, Text, nullable=True)


def points_to(name: str, target: str, *, optional: bool = False) -> Column[int]:
    """The number of a row in another table."""
    return Column(name, NUMBER, ForeignKey(target), nullable=optional)
