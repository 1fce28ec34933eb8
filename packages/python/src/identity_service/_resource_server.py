from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

_TOLERANCE_SECONDS = 60
_ALGORITHMS = {"ES256": "EC", "RS256": "RSA", "PS256": "RSA", "Ed25519": "OKP", "EdDSA": "OKP"}
# The members of a key that make its thumbprint, in their order (RFC 7638).
_MEMBERS = {"EC": ("crv", "kty", "x", "y"), "RSA": ("e", "kty", "n"), "OKP": ("crv", "kty", "x")}

DPOP_CHALLENGE = f'DPoP error="invalid_dpop_proof", algs="{" ".join(_ALGORITHMS)}"'
"""The header `WWW-Authenticate` of a response to a request without a valid proof."""


class DpopProofError(Exception):
    """The request does not prove that the client has the key of the access token.

    Respond with 401 and `DPOP_CHALLENGE`. `code` is `proof_missing`, `proof_invalid`, `proof_expired`, `proof_mismatch` or
    `proof_reused`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class DpopVerifier:
    """Checks that clients have the keys to which their access tokens are bound (DPoP, RFC 9449).

    Needs the package `cryptography`: `pip install identity-service[dpop]`. Remembers used proofs in this process.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._lock = threading.Lock()

    def verify(self, proof: str | None, *, method: str, url: str, access_token: str, jkt: str) -> None:
        """Checks a request whose access token has the claim `cnf.jkt`.

        Verify the access token first. If it has the claim, accept it only as `Authorization: DPoP`, with such a proof.

        Args:
            proof: The header `DPoP`.
            method: The method of the request.
            url: The address as the client sees it, not behind a proxy. The query makes no difference.
            access_token: The access token.
            jkt: The claim `cnf.jkt` of the access token.

        Raises:
            DpopProofError: Respond with 401.
        """
        if not proof:
            raise DpopProofError("proof_missing", "The header DPoP is missing.")
        try:
            claims, thumbprint = _verified(proof)
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
            message = "The proof is no JWT that is signed with the key in its header."
            raise DpopProofError("proof_invalid", message) from error
        now, issued_at = time.time(), claims.get("iat")
        if not isinstance(issued_at, int | float) or abs(now - issued_at) > _TOLERANCE_SECONDS:
            raise DpopProofError("proof_expired", "The time of the proof is too far from now.")
        expected = [method, _without_query(url), _encode(hashlib.sha256(access_token.encode()).digest()), jkt]
        if [claims.get("htm"), _without_query(claims.get("htu")), claims.get("ath"), thumbprint] != expected:
            raise DpopProofError("proof_mismatch", "The proof is for another request or key.")
        proof_id = claims.get("jti")
        if not isinstance(proof_id, str) or not proof_id:
            raise DpopProofError("proof_invalid", "The proof has no id (jti).")
        self._use(f"{thumbprint}:{proof_id}", now)

    def _use(self, proof_id: str, now: float) -> None:
        with self._lock:
            self._used = {each: until for each, until in self._used.items() if until > now}
            if proof_id in self._used:
                raise DpopProofError("proof_reused", "The proof was used before.")
            self._used[proof_id] = now + 2 * _TOLERANCE_SECONDS


def step_up_challenge(
    claims: Mapping[str, Any],
    *,
    acr_values: Sequence[str] = (),
    max_age_seconds: int | None = None,
    scheme: str = "Bearer",
) -> str | None:
    """Returns the header `WWW-Authenticate` of a 401 response if a sign-in is too old or too weak for an operation, or None.

    The client then sends the user to the authorization endpoint with `acr_values` and `max_age` (RFC 9470).

    Args:
        claims: The claims of the access token, with `acr` and `auth_time`.
        acr_values: Acceptable classes: `aal1`, `aal2`. A sign-in with a second factor satisfies both.
        max_age_seconds: How old the sign-in can be.
        scheme: `Bearer` or `DPoP`, as the client sent the token.
    """
    acr, signed_in_at = claims.get("acr"), claims.get("auth_time")
    is_strong = not acr_values or acr in acr_values or (acr == "aal2" and "aal1" in acr_values)
    is_recent = max_age_seconds is None or (
        isinstance(signed_in_at, int | float) and time.time() - signed_in_at <= max_age_seconds
    )
    if is_strong and is_recent:
        return None
    parameters = [
        'error="insufficient_user_authentication"',
        'error_description="A newer or stronger sign-in is required"',
        *([f'acr_values="{" ".join(acr_values)}"'] if acr_values else []),
        *([] if max_age_seconds is None else [f'max_age="{max_age_seconds}"']),
    ]
    return f"{scheme} {', '.join(parameters)}"


def _verified(proof: str) -> tuple[dict[str, Any], str]:
    """Returns the claims of a proof, and the thumbprint of its key."""
    head, body, signature = proof.split(".")
    header = json.loads(_decode(head))
    algorithm, key = header["alg"], header["jwk"]
    key_type = _ALGORITHMS[algorithm]
    if header["typ"] != "dpop+jwt" or key["kty"] != key_type or "d" in key:
        raise ValueError("The header is not that of a proof.")
    _check_signature(algorithm, key, _decode(signature), f"{head}.{body}".encode())
    members = json.dumps({name: key[name] for name in _MEMBERS[key_type]}, separators=(",", ":"))
    claims = json.loads(_decode(body))
    if not isinstance(claims, dict):
        raise ValueError("The claims are no object.")
    return claims, _encode(hashlib.sha256(members.encode()).digest())


def _check_signature(algorithm: str, key: Mapping[str, str], signature: bytes, signed: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

    def number(name: str) -> int:
        return int.from_bytes(_decode(key[name]), "big")

    try:
        if algorithm == "ES256":
            if key["crv"] != "P-256" or len(signature) != 64:
                raise ValueError("The key or the signature has another size.")
            point = ec.EllipticCurvePublicNumbers(number("x"), number("y"), ec.SECP256R1()).public_key()
            pair = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
            point.verify(utils.encode_dss_signature(*pair), signed, ec.ECDSA(hashes.SHA256()))
        elif algorithm in ("RS256", "PS256"):
            scheme = padding.PKCS1v15() if algorithm == "RS256" else padding.PSS(padding.MGF1(hashes.SHA256()), 32)
            rsa.RSAPublicNumbers(number("e"), number("n")).public_key().verify(signature, signed, scheme, hashes.SHA256())
        else:
            ed25519.Ed25519PublicKey.from_public_bytes(_decode(key["x"])).verify(signature, signed)
    except InvalidSignature as error:
        raise ValueError("The signature is of another key.") from error


def _without_query(address: object) -> str | None:
    if not isinstance(address, str):
        return None
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower() + (parts.path or "/") if parts.netloc else None


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
