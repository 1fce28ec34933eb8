"""Client of the identity service.

    from identity_service import IdentityClient

    identity = IdentityClient("http://localhost:3000", api_key="service_sk_…")
    organization = identity.create_organization(name="Acme")
"""

from ._client import IdentityClient
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConflictError,
    IdentityServiceError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
)
from ._events import UntypedEvent, WebhookEvent, parse_event
from ._generated.types import UNSET, Unset
from ._generated.verify_webhook import WebhookVerificationError
from ._listing import Listing, Page
from ._resource_server import DPOP_CHALLENGE, DpopProofError, DpopVerifier, step_up_challenge
from ._version import VERSION
from ._webhooks import Webhooks

__version__ = VERSION

__all__ = [
    "DPOP_CHALLENGE",
    "UNSET",
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AuthenticationError",
    "ConflictError",
    "DpopProofError",
    "DpopVerifier",
    "IdentityClient",
    "IdentityServiceError",
    "Listing",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "UntypedEvent",
    "Unset",
    "WebhookEvent",
    "WebhookVerificationError",
    "Webhooks",
    "parse_event",
    "step_up_challenge",
]
