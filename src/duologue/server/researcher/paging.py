"""Long lists on the researcher's pages: one page of each, what is searched for, the way to the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlencode

from starlette.requests import Request

from duologue.store import ListQuery, ListRows, Operation, Store

T = TypeVar("T")

PAGE_ROWS = 100
MAX_SEARCH_CHARS = 200
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class ListPage:
    """Which page of a list is shown."""

    path: str
    search: str
    number: int
    """From 1 up."""
    total: int
    """Rows on all pages together."""

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // PAGE_ROWS))

    @property
    def first(self) -> int:
        """The place of the first row shown, from 1 up."""
        return (self.number - 1) * PAGE_ROWS + 1

    @property
    def last(self) -> int:
        """The place of the last row shown."""
        return min(self.number * PAGE_ROWS, self.total)

    def link(self, number: int) -> str:
        """The address of another page of the same list.

        Example:
            >>> ListPage("/researcher/links", "Ann & Bo", 1, 500).link(2)
            '/researcher/links?search=Ann+%26+Bo&page=2'
        """
        return self.path + place_in_list({"search": self.search, "page": str(number)})


def one_page(
    request: Request,
    store: Store,
    listing: Callable[[ListQuery], Operation[ListRows[T]]],
    *,
    newest_first: bool = False,
) -> tuple[tuple[T, ...], ListPage]:
    """The rows of the page that was asked for, or of the last one when there are not so many."""
    search, number = asked_search(request), asked_page(request)

    def wanted(number: int) -> ListQuery:
        return ListQuery(search, (number - 1) * PAGE_ROWS, PAGE_ROWS, newest_first)

    found = store.run(listing(wanted(number)))
    page = ListPage(request.url.path, search, number, found.total)
    if number > page.pages:
        page = ListPage(page.path, search, page.pages, found.total)
        found = store.run(listing(wanted(page.number)))
    return found.rows, page


def asked_search(request: Request) -> str:
    """The text that is searched for."""
    return request.query_params.get("search", "").replace("\0", "").strip()[:MAX_SEARCH_CHARS]


def asked_page(request: Request) -> int:
    """The number of the page that is asked for."""
    return _page_number(request.query_params.get("page", ""))


def place_in_list(fields: Mapping[str, str]) -> str:
    """The end of an address that leads back to the same place in a list, from a form that keeps it.

    Example:
        >>> place_in_list({"search": "", "page": "3"}), place_in_list({})
        ('?page=3', '')
    """
    kept = {name: fields[name] for name in ("search", "page") if fields.get(name)}
    if kept.get("page") == "1":
        del kept["page"]
    return f"?{urlencode(kept)}" if kept else ""


def _page_number(given: str) -> int:
    """The number of a page; the first for whatever is none."""
    if not given.isascii() or not given.isdigit():
        return 1
    return max(1, int(given[:_MAX_DIGITS]))
