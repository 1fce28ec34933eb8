import { type Actor, newId, type RequestContext } from '#platform/common';
import type { EventData, EventType } from './catalog.js';

/** The JSON that webhooks receive (specification 6.2). */
export interface EventPayload<T extends EventType = EventType> {
  id: string;
  type: T;
  timestamp: string;
  organization: { id: string; name: string };
  data: EventData<T>;
  actor?: Actor;
  metadata?: {
    ipAddress?: string;
    userAgent?: string;
    /** Id of the API key, platform key or machine client that sent the address and the user agent of the end user. */
    forwardedBy?: string;
    source: string;
    requestId: string;
  };
}

/** Creates the payload of an event. Takes the actor and the metadata from the context. */
export function eventPayload<T extends EventType>(
  ctx: RequestContext,
  type: T,
  organization: { id: string; name: string },
  data: EventData<T>,
  occurredAt: Date,
): EventPayload<T> {
  const { ipAddress, userAgent, forwardedBy, source, requestId } = ctx;
  return {
    id: newId('event'),
    type,
    timestamp: occurredAt.toISOString(),
    organization: { id: organization.id, name: organization.name },
    data,
    actor: ctx.actor,
    metadata: {
      ...(ipAddress ? { ipAddress } : {}),
      ...(userAgent ? { userAgent } : {}),
      ...(forwardedBy?.id ? { forwardedBy: forwardedBy.id } : {}),
      source,
      requestId,
    },
  };
}
