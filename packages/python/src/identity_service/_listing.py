from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from ._generated.models import EventPagination, Pagination

Item = TypeVar("Item")


class Page(Protocol[Item]):
    """One page of a list. `pagination.total` is the exact number of items in the list."""

    data: list[Item]

    @property
    def pagination(self) -> Pagination | EventPagination: ...


class Listing(Generic[Item]):
    """A list of the service. The client sends requests only when the list is iterated.

    Iteration loads all pages. Concurrent changes by others neither skip nor repeat an item.
    """

    def __init__(self, load_page: Callable[[str | None], Page[Item]]) -> None:
        """`load_page` returns the page after an item, or the page that the caller requested."""
        self._load_page = load_page

    def page(self) -> Page[Item]:
        """Returns one page: the first, or the page that `after` or `page` selects."""
        return self._load_page(None)

    def pages(self) -> Iterator[Page[Item]]:
        page = self.page()
        yield page
        while page.pagination.has_more and (cursor := _cursor_of(page.data)):
            page = self._load_page(cursor)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


def _cursor_of(items: list[Item]) -> str | None:
    """Returns the id of the last item. Members have the id of their user."""
    if not items:
        return None
    cursor: str | None = getattr(items[-1], "id", None) or getattr(items[-1], "user_id", None)
    return cursor
