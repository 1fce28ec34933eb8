from __future__ import annotations

import base64
import time
from collections.abc import Iterable, Sequence
from typing import Protocol

from ._events import WebhookEvent, parse_event
from ._generated.verify_webhook import TOLERANCE_SECONDS, WebhookVerificationError, sign_own, sign_standard, verify_webhook


class Headers(Protocol):
    """Headers of a request, as Django, Flask, FastAPI and other frameworks have them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class Webhooks:
    """Verifies the deliveries of a webhook."""

    def __init__(
        self,
        secret: str | Sequence[str],
        *,
        signature_header: str = "service-signature",
        tolerance_seconds: int = TOLERANCE_SECONDS,
    ) -> None:
        """Creates a verifier.

        Args:
            secret: The signing secret; a list during a rotation.
            signature_header: The header of the service; with another SERVICE_NAME, `<SERVICE_NAME>-signature`.
            tolerance_seconds: Maximum difference between the timestamp and now, in both directions.
        """
        self._secrets = [secret] if isinstance(secret, str) else list(secret)
        if not self._secrets or "" in self._secrets:
            raise ValueError("The secret of the webhook is missing.")
        self._signature_header = signature_header.lower()
        self._tolerance_seconds = tolerance_seconds

    def verify(self, body: bytes | str, headers: Headers) -> WebhookEvent:
        """Returns the event of a delivery.

        `body` is the body exactly as received, before any JSON parser. One valid signature is enough: in the header of
        the service or in that of Standard Webhooks, with one of the secrets.

        Raises:
            WebhookVerificationError: Respond with 401. `code` is `signature_missing`, `timestamp_out_of_tolerance`,
                `signature_mismatch` or `body_invalid`.
        """
        event = verify_webhook(
            body.encode() if isinstance(body, str) else body,
            {name.lower(): value for name, value in headers.items()},
            self._secrets,
            signature_header=self._signature_header,
            tolerance_seconds=self._tolerance_seconds,
        )
        try:
            return parse_event(event)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise WebhookVerificationError("body_invalid") from error

    def sign(self, body: bytes | str, event_id: str) -> dict[str, str]:
        """Returns the headers of a valid delivery, signed with the first secret: for tests of a receiver."""
        body = body.encode() if isinstance(body, str) else body
        secret = self._secrets[0]
        timestamp = str(int(time.time()))
        standard = base64.b64encode(sign_standard(secret, event_id, timestamp, body)).decode()
        return {
            "content-type": "application/json",
            self._signature_header: f"t={timestamp},v1={sign_own(secret, timestamp, body).hex()}",
            "webhook-id": event_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1,{standard}",
        }
