"""Servers of a study know of each other, and keep out whoever would change what they serve."""

import pytest

from duologue.errors import StoreServed
from duologue.store import not_served, open_store, serving


def test_a_server_hears_of_the_others_and_shares_with_them(new_database: str) -> None:
    open_store(new_database).close()
    with serving(new_database) as first:
        with serving(new_database) as second, serving(new_database) as third:
            assert (first, second, third) == (False, True, True)
        with pytest.raises(StoreServed), not_served(new_database):
            pass
        with serving(new_database) as again:
            assert again
    with serving(new_database) as alone:
        assert not alone


def test_a_server_hears_nothing_of_those_of_another_study(new_database: str) -> None:
    another = f"{new_database}_other"
    for address in (new_database, another):
        open_store(address).close()
    with serving(another), serving(new_database) as has_others:
        assert not has_others
