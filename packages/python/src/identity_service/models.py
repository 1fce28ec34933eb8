"""The models of requests, responses and events, with the names that they have in openapi.json."""

from ._generated.models import *  # noqa: F403
