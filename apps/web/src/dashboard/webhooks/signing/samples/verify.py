import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def is_genuine(headers, body: bytes, secret: str) -> bool:
    """body: the raw bytes, before any JSON parser (in Flask: request.get_data(); in Django: request.body)."""
    parts = headers.get("service-signature", "").split(",")
    timestamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]+", part)]
    if not timestamps or time.time() - int(timestamps[0]) > TOLERANCE_SECONDS:
        return False
    message = timestamps[0].encode() + b"." + body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(part, f"v1={expected}") for part in parts if part.startswith("v1="))
