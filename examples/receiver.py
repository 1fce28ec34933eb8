"""A webhook receiver in plain Python 3, without packages:

    WEBHOOK_SECRET=... python3 examples/receiver.py
"""

import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1_048_576

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode()
PORT = int(os.environ.get("RECEIVER_PORT", "4000"))
SIGNATURE_HEADER = os.environ.get("SIGNATURE_HEADER", "service-signature")

# An event can arrive more than once. Store the ids in your database, in the transaction that processes the event.
seen: set[str] = set()


def is_genuine(header: str, body: bytes) -> bool:
    """Returns whether the header "t=<unix seconds>,v1=<hex>" is a valid signature of these bytes, at most five minutes old."""
    parts = header.split(",")
    timestamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]+", part)]
    if not timestamps or time.time() - int(timestamps[0]) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamps[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    signatures = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BODY_BYTES:
            return self.answer(413)
        # The raw bytes. Parsed and serialized JSON has other bytes, so its signature differs.
        body = self.rfile.read(length)
        if not is_genuine(self.headers.get(SIGNATURE_HEADER, ""), body):
            print("REJECTED  a delivery with an invalid or expired signature", flush=True)
            return self.answer(401)
        event = json.loads(body)
        repeated = event["id"] in seen
        seen.add(event["id"])
        print("REPEATED " if repeated else "VERIFIED ", event["type"], event["id"], flush=True)
        if not repeated:
            print(json.dumps(event, indent=2, ensure_ascii=False), flush=True)
        return self.answer(204)

    def answer(self, status: int) -> None:
        self.close_connection = status != 204
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Disables the access log."""


if __name__ == "__main__":
    if not SECRET:
        sys.exit("Set WEBHOOK_SECRET to the webhook's secret.")
    print(f"Waiting for deliveries at http://127.0.0.1:{PORT}/", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
