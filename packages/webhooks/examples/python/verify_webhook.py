"""Verifies deliveries of the identity service's webhooks. Python 3.8 or newer, standard library only.

    event = verify_webhook(request.get_data(), request.headers, [os.environ["WEBHOOK_SECRET"]])
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Callable, Optional, Protocol, Sequence, Tuple

TOLERANCE_SECONDS = 300

# The timestamp of a header, and a function that returns whether the header is valid for a secret and a body.
Claim = Tuple[str, Callable[[str, bytes], bool]]


class WebhookVerificationError(Exception):
    """The request is not a valid delivery of the service. Respond with 401.

    `code` is "signature_missing", "timestamp_out_of_tolerance", "signature_mismatch" or "body_invalid".
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Headers(Protocol):
    def get(self, name: str, /) -> str | None: ...


def verify_webhook(
    body: bytes,
    headers: Headers,
    secrets: Sequence[str],
    signature_header: str = "service-signature",
    now: float | None = None,
    tolerance_seconds: int = TOLERANCE_SECONDS,
) -> dict[str, Any]:
    """Returns the event of a valid delivery.

    body: the bytes exactly as received, before any JSON parser.
    headers: anything with .get(name); plain dicts need names in lower case.
    secrets: the signing secret in a list; both secrets during a rotation.
    """
    now = time.time() if now is None else now
    claims = [claim for claim in (_own_claim(headers, signature_header), _standard_claim(headers)) if claim]
    if not claims:
        raise WebhookVerificationError("signature_missing")
    timely = [claim for claim in claims if abs(now - int(claim[0])) <= tolerance_seconds]
    if not timely:
        raise WebhookVerificationError("timestamp_out_of_tolerance")
    if not any(is_valid(secret, body) for _, is_valid in timely for secret in secrets):
        raise WebhookVerificationError("signature_mismatch")
    try:
        event = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("body_invalid") from error
    if not isinstance(event, dict) or not isinstance(event.get("id"), str) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError("body_invalid")
    return event


def sign_own(secret: str, timestamp: str, body: bytes) -> bytes:
    """Returns the HMAC-SHA-256 of "<timestamp>.<body>" with the whole text of the secret."""
    return _hmac(secret.encode(), f"{timestamp}.".encode() + body)


def sign_standard(secret: str, message_id: str, timestamp: str, body: bytes) -> bytes:
    """Returns the HMAC-SHA-256 of "<id>.<timestamp>.<body>" with the decoded secret (Standard Webhooks)."""
    return _hmac(_standard_key(secret), f"{message_id}.{timestamp}.".encode() + body)


def _own_claim(headers: Headers, name: str) -> Optional[Claim]:
    """Parses the header of the service: t=<unix seconds>,v1=<hex>."""
    parts = [part.strip() for part in (headers.get(name) or "").split(",")]
    timestamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,15}", part)]
    signatures = [bytes.fromhex(part[3:]) for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if len(timestamps) != 1 or not signatures:
        return None
    timestamp = timestamps[0]
    return timestamp, lambda secret, body: _is_among(sign_own(secret, timestamp, body), signatures)


def _standard_claim(headers: Headers) -> Optional[Claim]:
    """Parses the headers of Standard Webhooks: one or more v1,<base64>, separated by spaces."""
    message_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp") or ""
    parts = (headers.get("webhook-signature") or "").split(" ")
    signatures = [base64.b64decode(part[3:]) for part in parts if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", part)]
    if not message_id or not re.fullmatch(r"[0-9]{1,15}", timestamp) or not signatures:
        return None
    return timestamp, lambda secret, body: _is_among(sign_standard(secret, message_id, timestamp, body), signatures)


def _standard_key(secret: str) -> bytes:
    """Returns the key that follows "whsec_" in base64. The key of any other secret is the bytes of the secret."""
    encoded = secret[6:] if secret.startswith("whsec_") else ""
    if not re.fullmatch(r"(?=.{4})[A-Za-z0-9+/]+={0,2}", encoded):
        return secret.encode()
    digits = encoded.rstrip("=")
    digits = digits[:-1] if len(digits) % 4 == 1 else digits
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


def _hmac(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()


def _is_among(expected: bytes, signatures: Sequence[bytes]) -> bool:
    """Returns whether a signature is the expected one. Compares in constant time, always with every signature."""
    return any([hmac.compare_digest(signature, expected) for signature in signatures])
