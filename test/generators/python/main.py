import importlib
import json
import os
import pkgutil
import time

import identity_service_client
from identity_service_client import AuthenticatedClient
from identity_service_client.api.events import list_events
from identity_service_client.api.organizations import create_organization, get_organization, list_organizations
from identity_service_client.api.users import create_user
from identity_service_client.models import (
    CreatedOrganizationEnvelope,
    CreatedUserEnvelope,
    CreateOrganizationRequest,
    CreateUserRequest,
    EventList,
    ListEventsSort,
    OrganizationEnvelope,
    OrganizationList,
    ProblemResponse,
)
from identity_service_client.types import UNSET

# A module that the program does not use can also fail to load.
for module in pkgutil.walk_packages(identity_service_client.__path__, "identity_service_client."):
    importlib.import_module(module.name)

slug = os.environ["SLUG"]
client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])


def organizations() -> list[str]:
    """Returns all organizations, page by page."""
    ids: list[str] = []
    while True:
        page = list_organizations.sync(client=client, limit=2, after=ids[-1] if ids else UNSET)
        assert isinstance(page, OrganizationList), page
        ids += [organization.id for organization in page.data]
        if not page.pagination.has_more:
            return ids


def problem(answer: object) -> str:
    assert isinstance(answer, ProblemResponse), answer
    return f"{answer.status} {answer.code}"


before = len(organizations())
wanted = CreateOrganizationRequest(name="From Python", slug=slug)
created = create_organization.sync(client=client, body=wanted)
assert isinstance(created, CreatedOrganizationEnvelope), created
user = create_user.sync(created.data.id, client=client, body=CreateUserRequest(email=f"ada@{slug}.example"))
assert isinstance(user, CreatedUserEnvelope), user
missing: OrganizationEnvelope | ProblemResponse | None = get_organization.sync("no-such-organization", client=client)
again = create_organization.sync(client=client, body=wanted)
types: list[str] = []
# An event appears in the log a moment after the change.
while "user.created" not in types:
    time.sleep(0.05)
    events = list_events.sync(created.data.id, client=client, sort=ListEventsSort.POSITION)
    assert isinstance(events, EventList), events
    types = [event.type_ for event in events.data]
print(
    json.dumps(
        {
            "email": user.data.email,
            "added": len(organizations()) - before,
            "notFound": problem(missing),
            "conflict": problem(again),
            "events": types,
        }
    )
)
