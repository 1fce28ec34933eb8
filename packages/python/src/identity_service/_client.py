from __future__ import annotations

import copy
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import httpx

from ._generated.client import Operations
from ._generated.types import UNSET, Unset
from ._retries import DEFAULT_RETRIES, RetryingClient
from ._version import VERSION

DEFAULT_TIMEOUT_SECONDS = 30.0


class IdentityClient(Operations):
    """A client of the service. It is safe for threads and keeps connections open until `close()`."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float | None = DEFAULT_TIMEOUT_SECONDS,
        retries: int = DEFAULT_RETRIES,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Creates a client.

        Args:
            base_url: The base URL of the service, such as `https://iam.example.com`.
            api_key: An API key, or the token of a session.
            timeout: Seconds to connect, and seconds without data, for each attempt. None means no limit.
            retries: How often a request is retried if there is no response or a temporary error.
            headers: Sent with each request.
            transport: Replaces the network: for tests and special connections.
        """
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(f'"{base_url}" is not a URL such as https://iam.example.com.')
        self._timeout = timeout
        self._retries = retries
        self._http = RetryingClient(
            base_url=url,
            headers={
                "User-Agent": f"identity-service-python/{VERSION}",
                **({"Authorization": f"Bearer {api_key}"} if api_key else {}),
                **(headers or {}),
            },
            timeout=timeout,
            transport=transport,
        )

    @property
    def http(self) -> httpx.Client:
        """The HTTP client, with base URL, API key, retries and errors: for response headers and long responses."""
        return self._http

    def with_options(self, *, timeout: float | None | Unset = UNSET, retries: int | Unset = UNSET) -> Self:
        """Returns a client with other options that uses the same connections."""
        client = copy.copy(self)
        client._timeout = self._timeout if isinstance(timeout, Unset) else timeout
        client._retries = self._retries if isinstance(retries, Unset) else retries
        return client

    def close(self) -> None:
        """Closes all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
