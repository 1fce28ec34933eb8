from __future__ import annotations

import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ._generated.models import FieldProblemResponse, ProblemResponse
from ._generated.types import Unset


class IdentityServiceError(Exception):
    """The base class of all errors of this package."""


class ApiConnectionError(IdentityServiceError):
    """There was no response, or the connection broke. `__cause__` has the reason."""


class ApiTimeoutError(ApiConnectionError):
    """There was no response in time."""


class ApiError(IdentityServiceError):
    """The service returned an error.

    Attributes:
        status: HTTP status.
        code: Stable name of the error; `http_<status>` if a proxy responded instead of the service.
        message: Describes the error for people.
        errors: The rejected fields of a validation error.
        request_id: Names the request in the logs of the service.
        retry_after_seconds: Seconds to wait before the next attempt, if the service sent them.
        earliest: The earliest moment that `as_of` can have, if the code is `history_unavailable`.
        problem: The complete response, if it is from the service.
    """

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_in(response)
        self.problem = problem
        self.status = response.status_code
        self.code = problem.code if problem else f"http_{response.status_code}"
        self.message = (
            problem.detail if problem else f"The response was {response.status_code} {response.reason_phrase}".rstrip()
        )
        self.errors: list[FieldProblemResponse] = (
            [] if problem is None or isinstance(problem.errors, Unset) else problem.errors
        )
        self.request_id: str | None = problem.request_id if problem else response.headers.get("x-request-id")
        self.retry_after_seconds = retry_after_seconds(response.headers)
        self.earliest: datetime.datetime | None = (
            None if problem is None or isinstance(problem.earliest, Unset) else problem.earliest
        )
        super().__init__(self.message)


class AuthenticationError(ApiError):
    """401: the API key or session is missing, invalid or expired."""


class PermissionDeniedError(ApiError):
    """403: the caller lacks a permission."""


class NotFoundError(ApiError):
    """404: the resource does not exist, or the caller has no access to it."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state."""


class RateLimitError(ApiError):
    """429: too many requests."""


_CLASSES: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def api_error(response: httpx.Response) -> ApiError:
    """Returns the error for a response whose body was read."""
    return _CLASSES.get(response.status_code, ApiError)(response)


def retry_after_seconds(headers: httpx.Headers) -> float | None:
    """Returns the seconds in `Retry-After`, which is a number or a date."""
    value = headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        seconds = (parsedate_to_datetime(value) - datetime.datetime.now(datetime.UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, seconds)


def _problem_in(response: httpx.Response) -> ProblemResponse | None:
    try:
        body: dict[str, Any] = response.json()
        return ProblemResponse.from_dict(body)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
