from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ._generated import EVENT_MODELS, KnownEvent
from ._generated.models import EventResponse


@dataclass(frozen=True)
class UntypedEvent:
    """An event whose data has no model: its type is newer than this version, or its personal data was removed.

    Attributes:
        id: Id of the event.
        type_: Type of the event.
        data: Data of the event, as received.
        raw: The complete event, as received.
    """

    id: str
    type_: str
    data: Mapping[str, Any]
    raw: Mapping[str, Any]


#: Any event. `isinstance(event, UserCreatedEvent)` narrows the type of its data.
WebhookEvent: TypeAlias = KnownEvent | UntypedEvent


def parse_event(event: EventResponse | Mapping[str, Any]) -> WebhookEvent:
    """Returns an event of the event log, or the body of a delivery, with typed data.

    Raises:
        KeyError, TypeError, ValueError: The event does not have the fields of its type.
    """
    raw = event.to_dict() if isinstance(event, EventResponse) else event
    model = EVENT_MODELS.get(raw["type"])
    if model is None or raw.get("redactedAt"):
        return UntypedEvent(id=raw["id"], type_=raw["type"], data=raw.get("data", {}), raw=raw)
    return model.from_dict(raw)
