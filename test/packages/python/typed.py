"""Is type-checked and never runs. mypy reports each "type: ignore" that is not needed."""

from identity_service import IdentityClient, NotFoundError, UntypedEvent, WebhookEvent, Webhooks, parse_event
from identity_service.models import EventResponse, SettingsRequest, UserCreatedEvent, UserListItemResponse

identity = IdentityClient("http://localhost:3000", api_key="k", timeout=5, retries=1)


def use() -> str:
    user = identity.create_user("acme", email="ada@example.com", roles=["admin"], metadata={"team": "engines"})
    ids: list[str] = [user.id]
    for each in identity.list_users("acme", status="active", limit=10):
        listed: UserListItemResponse = each
        ids.append(listed.email)
    total: int = identity.list_members("acme").page().pagination.total
    csv: str = identity.export_users("acme", format_="csv")
    logo: bytes = identity.get_logo("org_1")
    tested: bool = identity.test_webhook("acme", "wh_1", event_type="user.login").success
    identity.suspend_user("acme", user.id)
    identity.update_organization("acme", settings=SettingsRequest(allow_public_signup=True), if_match='"1"')
    identity.update_organization("acme", settings={"allowPublicSignup": True}, description=None)
    identity.create_user("acme", first_name="Ada")  # type: ignore[call-arg]
    identity.get_user("acme")  # type: ignore[call-arg]
    identity.list_users("acme", color="red")  # type: ignore[call-arg]
    identity.list_users("acme", status="happy")  # type: ignore[arg-type]
    identity.get_user("acme", 7)  # type: ignore[arg-type]
    return f"{ids} {total} {csv} {logo!r} {tested} {user.surname}"  # type: ignore[attr-defined]


def data_of(event: WebhookEvent) -> str:
    if isinstance(event, UserCreatedEvent):
        return event.data.email
    if isinstance(event, UntypedEvent):
        return str(event.data["email"])
    return event.data.email  # type: ignore[union-attr]


def follow() -> None:
    for event in identity.follow_events("acme", type_=["user.created"]):
        logged: EventResponse = event
        print(logged.position, data_of(parse_event(logged)))


def receive(body: bytes, headers: dict[str, str]) -> WebhookEvent:
    return Webhooks(["next", "current"]).verify(body, headers)


def find() -> str | None:
    try:
        return identity.get_user("acme", "usr_1").email
    except NotFoundError as error:
        return error.code if error.code == "user_not_found" else None
