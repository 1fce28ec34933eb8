from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from ._following import follow
from ._generated.models import EventResponse
from ._generated.types import UNSET, Unset
from ._listing import Listing, Page
from ._retries import RetryingClient

Item = TypeVar("Item")
Values = Mapping[str, Any]
NOTHING: Values = {}


class BaseClient:
    """Sends the requests of the generated methods."""

    _http: RetryingClient
    _timeout: float | None
    _retries: int

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Values = NOTHING,
        headers: Values = NOTHING,
        json: Values | None = None,
        content: bytes | str | None = None,
    ) -> httpx.Response:
        return self._http.request(
            method,
            path,
            params=serialize(query),
            headers=serialize(headers),
            json=None if json is None else serialize(json),
            content=content,
            timeout=self._timeout,
            extensions={"retries": self._retries},
        )

    def _list(
        self, parse: Callable[[Values], Page[Item]], path: str, *, query: Values = NOTHING
    ) -> Listing[Item]:
        def load_page(cursor: str | None) -> Page[Item]:
            # Later pages start after the last item, also if the caller requested a page by its number.
            asked = query if cursor is None else {**query, "after": cursor, "page": UNSET}
            return parse(self._send("GET", path, query=asked).json())

        return Listing(load_page)

    def _follow(self, path: str, *, query: Values) -> Iterator[EventResponse]:
        return follow(self._http, path, serialize(query), self._timeout)


def serialize(value: Any) -> Any:
    """Returns a value as JSON: without unset fields, with dates as text and models as dictionaries."""
    if isinstance(value, Mapping):
        return {key: serialize(each) for key, each in value.items() if not isinstance(each, Unset)}
    if isinstance(value, (list, tuple)):
        return [serialize(each) for each in value]
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return value.to_dict() if hasattr(value, "to_dict") else value


def path_segment(name: str, value: str) -> str:
    """Returns a path parameter in URL encoding. Raises ValueError if the path would be that of another operation."""
    if value in ("", ".", ".."):
        raise ValueError(f'"{name}" must not be "{value}".')
    return quote(value, safe="")


def new_idempotency_key() -> str:
    return str(uuid.uuid4())
