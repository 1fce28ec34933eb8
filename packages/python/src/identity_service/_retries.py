from __future__ import annotations

import itertools
import random
import time
from typing import Any

import httpx

from ._errors import ApiConnectionError, ApiTimeoutError, api_error, retry_after_seconds

DEFAULT_RETRIES = 3
TOO_MANY_REQUESTS = 429
CONFLICT = 409
TEMPORARY_STATUSES = frozenset({502, 503, 504})
FIRST_DELAY_SECONDS = 0.25
LONGEST_DELAY_SECONDS = 8.0
LONGEST_RETRY_AFTER_SECONDS = 30


class RetryingClient(httpx.Client):
    """Retries temporary failures and raises an error for each response without success.

    The request extension `retries` limits the number of retries.
    """

    def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Raises ApiError and ApiConnectionError."""
        retries: int = request.extensions.get("retries", DEFAULT_RETRIES)
        for attempt in itertools.count():
            try:
                # Also reads the body, so that a connection that breaks within the body is retried.
                response = super().send(request, stream=stream, **options)
                if response.is_success:
                    return response
                delay = _delay_after_response(response, attempt) if attempt < retries else None
                if delay is None:
                    response.read()
                    raise api_error(response)
                response.close()
            except httpx.TransportError as error:
                if attempt >= retries or not _is_idempotent(request):
                    raise _connection_error(request, error) from error
                delay = backoff(attempt)
            time.sleep(delay)
        raise AssertionError("unreachable")


def backoff(attempt: int, first: float = FIRST_DELAY_SECONDS, longest: float = LONGEST_DELAY_SECONDS) -> float:
    """Returns a delay in seconds that grows exponentially, with full jitter."""
    return random.uniform(0, min(longest, first * 2**attempt))


def _delay_after_response(response: httpx.Response, attempt: int) -> float | None:
    """Returns the seconds before the next attempt, or None if the response is final."""
    wait = retry_after_seconds(response.headers)
    status = response.status_code
    # After 429, the service has not processed the request. A 409 with Retry-After means that the first
    # request with the same Idempotency-Key is still running.
    is_temporary = status == TOO_MANY_REQUESTS or (
        _is_idempotent(response.request)
        and (status in TEMPORARY_STATUSES or (status == CONFLICT and wait is not None))
    )
    if not is_temporary or (wait or 0) > LONGEST_RETRY_AFTER_SECONDS:
        return None
    return backoff(attempt) if wait is None else wait + random.uniform(0, FIRST_DELAY_SECONDS)


def _is_idempotent(request: httpx.Request) -> bool:
    return request.method != "POST" or "idempotency-key" in request.headers


def _connection_error(request: httpx.Request, error: httpx.TransportError) -> ApiConnectionError:
    where = f"{request.method} {request.url}"
    if isinstance(error, httpx.TimeoutException):
        return ApiTimeoutError(f"{where} timed out.")
    return ApiConnectionError(f"{where} failed: {error}")
