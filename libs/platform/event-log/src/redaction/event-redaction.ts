import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { payloadDigests } from '#platform/events';
import { parsedPayload } from '../chain/parsed-payload.js';
import { EventRedactionQuery, type RedactableEvent, type Redaction, type RedactionRequest } from './event-redaction.query.js';
import { redactedPayload } from './redacted-payload.js';

const INTERVAL_MS = 60_000;
const REQUESTS_PER_ROUND = 200;
const EVENTS_PER_BATCH = 200;
/** Delay before redaction, in milliseconds, so that clients have time to read the user's last events. */
const REDACTED_AFTER_MS = 3_600_000;
/** Maximum time that a redaction waits for the deliveries of an event, in milliseconds. Later deliveries send the redacted payload. */
const WAITS_FOR_DELIVERIES_MS = 7 * 24 * 3_600_000;

/** A user to redact. `tenantIds` are all tenants whose logs can contain events about the user or by the user. */
export interface RedactedUser {
  readonly userId: string;
  readonly tenantIds: readonly string[];
}

/**
 * Removes the personal data of permanently deleted users from the log. Removes all data of events about the user. From events that the
 * user caused, removes only email address, IP address and user agent. Keeps the digests, so the hash chain stays valid.
 */
@Injectable()
export class EventRedaction extends WorkerLoop {
  private readonly ctx: RequestContext = systemContext('event-redaction');

  constructor(
    config: AppConfig,
    private readonly eventRedaction: EventRedactionQuery,
    private readonly clock: Clock,
  ) {
    super(config, 'Event redaction', INTERVAL_MS);
  }

  /**
   * Requests the redaction of users in all their tenants, in the transaction that permanently deletes the users. A worker redacts an event after an hour,
   * when all deliveries of the event are finished.
   */
  async request(ctx: RequestContext, users: readonly RedactedUser[]): Promise<void> {
    const requests = users.flatMap(({ userId, tenantIds }) => tenantIds.map((tenantId) => ({ tenantId, userId })));
    if (requests.length > 0) await this.eventRedaction.insertRequests(ctx, requests);
  }

  /** Redacts up to 200 events per request, for up to 200 requests. Returns true if more events may need redaction. */
  async run(): Promise<boolean> {
    let hasMore = false;
    const before = new Date(this.clock.now().getTime() - REDACTED_AFTER_MS);
    for (const request of await this.eventRedaction.listRequests(this.ctx, before, REQUESTS_PER_ROUND)) {
      const count = await this.redactBatch(request);
      if (count < EVENTS_PER_BATCH) await this.eventRedaction.complete(this.ctx, request);
      else hasMore = true;
    }
    return hasMore;
  }

  private async redactBatch(request: RedactionRequest): Promise<number> {
    const includesPending = this.clock.now().getTime() - request.requestedAt.getTime() > WAITS_FOR_DELIVERIES_MS;
    const events = await this.eventRedaction.listEvents(this.ctx, request, includesPending, EVENTS_PER_BATCH);
    if (events.length > 0)
      await this.eventRedaction.redact(this.ctx, request.tenantId, events.map(redactionOf), this.clock.now());
    return events.length;
  }
}

function redactionOf(event: RedactableEvent): Redaction {
  const redacted = (data: unknown) => ({ eventId: event.id, payload: redactedPayload(event, data) });
  // Events of earlier releases have one digest for the whole payload, so no part of the payload can be kept and verified.
  const hasOneDigest = createHash('sha256').update(event.payload).digest().equals(event.payload_digest);
  if (event.isRedacted || hasOneDigest) return { ...redacted({}), envelopeDigest: null, dataDigest: null };
  // A payload that was changed in the database is redacted, too. The stored digests reveal the change.
  const payload = parsedPayload(event.payload) ?? { data: {} };
  const { envelope, data } = payloadDigests(payload);
  return { ...redacted(event.isAboutUser ? {} : payload.data), envelopeDigest: envelope, dataDigest: data };
}
