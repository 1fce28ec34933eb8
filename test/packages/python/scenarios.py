"""The scenarios of client-scenarios.ts in Python. python.spec.ts runs them in a console that has the names of this file."""

import datetime, importlib.metadata, json, os, threading
import httpx
from identity_service import *
from identity_service.models import *

identity = IdentityClient(os.environ["BASE_URL"], api_key=os.environ["API_KEY"])
unreliable = IdentityClient(os.environ["PROXY_URL"] + "/", api_key=os.environ["API_KEY"], timeout=5)
org = "acme"


def failure(call):
    """Returns the error of a call as a dictionary, or None if the call succeeds."""
    try:
        call()
    except (IdentityServiceError, WebhookVerificationError, ValueError) as error:
        fields = ["code", "status", "message", "request_id", "retry_after_seconds"]
        details = {name: getattr(error, name) for name in fields if hasattr(error, name)}
        pointers = [field.pointer for field in getattr(error, "errors", None) or []]
        earliest = getattr(error, "earliest", None)
        return {
            "name": type(error).__name__,
            "text": str(error),
            **details,
            "requestId": details.get("request_id"),
            "fields": pointers,
            "earliest": earliest and earliest.isoformat(),
        }
    return None


def proofs(cases):
    verifier = DpopVerifier()

    def outcome(case):
        request = {"method": case["method"], "url": case["url"], "access_token": case["accessToken"], "jkt": case["jkt"]}
        try:
            verifier.verify(case["proof"], **request)
        except DpopProofError as error:
            return error.code
        return "ok"

    return {
        "proofs": [outcome(case) for case in cases["proofs"]],
        "stepUps": [
            step_up_challenge(case["claims"], acr_values=case["acrValues"], max_age_seconds=case["maxAgeSeconds"])
            for case in cases["stepUps"]
        ],
    }


def resources():
    made = identity.create_user(org, email="ada@example.com", first_name="Ada", metadata={"team": "engines"})
    etag = identity.http.get(f"/v1/organizations/{org}/users/{made.id}").headers["etag"]
    changed = identity.update_user(org, made.id, last_name="Lovelace", if_match=etag)
    late = failure(lambda: identity.update_user(org, made.id, last_name="Byron", if_match=etag))
    read = identity.get_user(org, made.id)
    deleted = identity.delete_user(org, made.id, permanent=True)
    return {
        "firstName": read.first_name,
        "lastName": changed.last_name,
        "late": late,
        "team": read.metadata["team"],
        "deleted": deleted is None,
        "afterDeletion": failure(lambda: identity.get_user(org, made.id)),
    }


def lists():
    users = identity.list_users(org, search="page-", limit=3)
    page = users.page()
    members = [member.user_id for member in identity.list_members(org, limit=2)]
    return {
        "emails": [user.email for user in users],
        "first": [user.email for user, _ in zip(users, range(2))],
        "fromSecond": len(list(identity.list_users(org, search="page-", limit=3, page=2))),
        "owner": "owner" in [role.name for role in identity.list_roles(org)],
        "allMembers": len(members) == len(set(members)) == identity.list_members(org).page().pagination.total,
        "page": [len(page.data), page.pagination.total, page.pagination.has_more],
        "pages": len(list(users.pages())),
    }


def errors():
    past = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
    nobody = IdentityClient(os.environ["BASE_URL"], api_key="service_sk_wrong")
    return {
        "conflict": failure(lambda: identity.create_organization(name="Acme", slug=org)),
        "invalid": failure(lambda: identity.create_user(org, email="no address")),
        "missing": failure(lambda: identity.get_user(org, "../../organizations")),
        "unauthenticated": failure(lambda: nobody.list_users(org).page()),
        "tooEarly": failure(lambda: identity.get_organization(org, as_of=past)),
        "empty": failure(lambda: identity.get_user(org, ""))["text"],
        "dots": [failure(lambda: identity.get_user(org, id))["name"] for id in (".", "..")],
        "badURL": failure(lambda: IdentityClient("localhost"))["text"],
    }


def bodies():
    csv = "email\nimport-2@example.com\nimport-3@example.com\n"
    return {
        "ndjson": identity.import_users(org, content='{"email":"import-1@example.com"}\n'),
        "csv": identity.import_users(org, content=csv, content_type="text/csv"),
        "exported": len(identity.export_users(org, search="import-").splitlines()),
    }



def newer_service():
    """Reads a response with a field and a value that a newer version of the service adds."""
    response = httpx.Response(200, json={"status": "new", "version": "2.0.0", "commit": "new", "added": 1})
    newer = IdentityClient("http://localhost", transport=httpx.MockTransport(lambda request: response))
    liveness = newer.get_liveness()
    return [liveness.status, liveness["added"]]


followed = []


def follow_roles():
    """Starts to follow the creations of roles in a thread. `followed` has their descriptions."""

    def follow():
        for event in unreliable.follow_events(org, type_=["role.created"]):
            followed.append(parse_event(event).data.description)

    threading.Thread(target=follow, daemon=True).start()


def follow_until_now():
    year = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    now = datetime.datetime.now(datetime.UTC)
    events = [event.type_ for event in identity.follow_events(org, since=year, until=now, type_=["organization.*"])]
    return [events, failure(lambda: next(identity.follow_events("nowhere")))["code"]]


def typed_events(body, headers, secret):
    webhooks = Webhooks(["the next secret", secret])
    event = webhooks.verify(body.encode(), headers)
    upper_case = {name.title(): value for name, value in headers.items()}
    return [
        [type(event).__name__, event.data.first_name, type(webhooks.verify(body, upper_case)).__name__],
        failure(lambda: Webhooks("another secret").verify(body, headers))["code"],
    ]


def untyped_events():
    def verified(body, header=None):
        webhooks = Webhooks("a secret")
        headers = webhooks.sign(body, "evt_1")
        return webhooks.verify(body, {name: value for name, value in headers.items() if name != header})

    event = verified('{"id":"evt_1","type":"user.teleported","data":{"to":"Mars"}}')
    own, standard = (verified('{"id":"evt_1","type":"x"}', name) for name in ("webhook-signature", "service-signature"))
    return [
        [type(event).__name__, event.id, event.type_, event.data["to"], own.id, standard.id],
        failure(lambda: verified('{"id":"evt_1","type":"user.created","data":{}}'))["code"],
        failure(lambda: verified("[]"))["code"],
        failure(lambda: Webhooks([]))["text"],
    ]


identity.create_organization(name="Acme", slug=org)
