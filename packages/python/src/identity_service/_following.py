from __future__ import annotations

import datetime
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
from httpx_sse import connect_sse

from ._errors import ApiConnectionError, ApiError
from ._generated.models import EventResponse
from ._retries import TOO_MANY_REQUESTS, RetryingClient, backoff

# The service sends at least the current position about every 10 seconds.
SILENCE_SECONDS = 30.0
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 15.0
SERVER_ERROR = 500


def follow(
    client: RetryingClient, path: str, query: dict[str, Any], timeout: float | None
) -> Iterator[EventResponse]:
    """Yields events, and continues after a lost connection. Ends when the service ends the stream at `until`.

    Raises ApiError if a new attempt can't succeed.
    """
    last_event_id = ""
    failures = 0
    options = {
        "params": query,
        "timeout": httpx.Timeout(timeout, read=SILENCE_SECONDS),
        "extensions": {"retries": 0},
    }
    while True:
        delay = backoff(failures, FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS)
        failures += 1
        try:
            # The header has priority over the query parameters "after" and "since".
            headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
            with connect_sse(client, "GET", path, headers=headers, **options) as source:
                for message in source.iter_sse():
                    failures = 0
                    # A message without data has only the current position.
                    if message.data:
                        yield EventResponse.from_dict(json.loads(message.data))
                    last_event_id = message.id
            if _is_past(query.get("until")):
                return
        except ApiError as error:
            if error.status < SERVER_ERROR and error.status != TOO_MANY_REQUESTS:
                raise
            delay = delay if error.retry_after_seconds is None else error.retry_after_seconds
        except (ApiConnectionError, httpx.TransportError):
            pass
        time.sleep(delay)


def _is_past(until: str | None) -> bool:
    return until is not None and datetime.datetime.fromisoformat(until) <= datetime.datetime.now(datetime.UTC)
