"""Verifies deliveries of the identity service's webhooks. Python 3.8 or newer, standard library only.

    event = verify_webhook(request.get_data(), request.headers, [os.environ["WEBHOOK_SECRET"]])
"""

import base64
import hashlib
import hmac
import json
import re
import time

TOLERANCE_SECONDS = 300


class WebhookVerificationError(Exception):
    """The request is no delivery of the service, or can't be known to be one. Answer it with 401."""


def verify_webhook(body, headers, secrets, signature_header="service-signature", now=None):
    """The event of a genuine delivery, as a dict.

    body: the bytes as they came, before any JSON parser.
    headers: anything with .get(name); plain dicts need names in lower case.
    secrets: the webhook's secret in a list; both while it is being replaced.
    """
    now = time.time() if now is None else now
    claims = [claim for claim in (_own_claim(headers.get(signature_header)), _standard_claim(headers)) if claim]
    if not claims:
        raise WebhookVerificationError("signature_missing")
    timely = [claim for claim in claims if abs(now - int(claim[0])) <= TOLERANCE_SECONDS]
    if not timely:
        raise WebhookVerificationError("timestamp_out_of_tolerance")
    if not any(fits(secret, body) for _, fits in timely for secret in secrets):
        raise WebhookVerificationError("signature_mismatch")
    try:
        event = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("body_invalid") from error
    if not isinstance(event, dict) or not isinstance(event.get("id"), str) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError("body_invalid")
    return event


def _own_claim(header):
    """t=<unix seconds>,v1=<hex>: HMAC-SHA-256 of "<t>.<body>" with the whole text of the secret."""
    parts = [part.strip() for part in (header or "").split(",")]
    timestamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,15}", part)]
    signatures = [bytes.fromhex(part[3:]) for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if len(timestamps) != 1 or not signatures:
        return None
    prefix = timestamps[0].encode() + b"."
    return timestamps[0], lambda secret, body: _fits(secret.encode(), prefix + body, signatures)


def _standard_claim(headers):
    """Standard Webhooks: v1,<base64>, HMAC-SHA-256 of "<id>.<timestamp>.<body>" with the decoded secret."""
    message_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp") or ""
    parts = (headers.get("webhook-signature") or "").split(" ")
    signatures = [base64.b64decode(part[3:]) for part in parts if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", part)]
    if not message_id or not re.fullmatch(r"[0-9]{1,15}", timestamp) or not signatures:
        return None
    prefix = f"{message_id}.{timestamp}.".encode()
    return timestamp, lambda secret, body: _fits(_standard_key(secret), prefix + body, signatures)


def _standard_key(secret):
    """Behind "whsec_" the key stands as base64; any other secret is its own bytes."""
    encoded = secret[6:] if secret.startswith("whsec_") else ""
    if not re.fullmatch(r"(?=.{4})[A-Za-z0-9+/]+={0,2}", encoded):
        return secret.encode()
    digits = encoded.rstrip("=")
    digits = digits[:-1] if len(digits) % 4 == 1 else digits
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


def _fits(key, signed, signatures):
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    return any([hmac.compare_digest(signature, expected) for signature in signatures])
