import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { payloadDigests } from '#platform/events';
import {
  EventRedactionRepository,
  type RedactableEvent,
  type Redaction,
  type RedactionRequest,
} from './event-redaction.repository.js';
import { parsedPayload } from '../chain/parsed-payload.js';
import { redactedPayload } from './redacted-payload.js';

const INTERVAL_MS = 60_000;
const PEOPLE_PER_ROUND = 200;
const EVENTS_PER_BATCH = 200;
/** Whoever follows the log gets to see events, the deletion itself among them, before they are emptied. */
const STAYS_READABLE_MS = 3_600_000;
/** Deliveries carry the payload as it is then: an event waits for its webhooks, but not for ones that are away for long. */
const WAITS_FOR_DELIVERIES_MS = 7 * 24 * 3_600_000;

/**
 * Takes the personal data of people who were deleted for good out of the log. Events about them lose all data, events that they caused
 * lose what tells of them (e-mail, address, user agent) and keep what was done; the digests stay, and with them the chain.
 */
@Injectable()
export class EventRedaction extends WorkerLoop {
  private readonly ctx: RequestContext = systemContext('event-redaction');

  constructor(
    config: AppConfig,
    private readonly repository: EventRedactionRepository,
    private readonly clock: Clock,
  ) {
    super(config, 'Event redaction', INTERVAL_MS);
  }

  /**
   * Asks for users of a tenant to be redacted, in the transaction that deletes them for good. A worker does it an hour later, and once
   * their webhooks have been told.
   */
  async request(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length > 0) await this.repository.insert(ctx, tenantId, userIds);
  }

  /** Redacts what can be redacted now, at most 200 events of each of 200 people; true when there is more. */
  async run(): Promise<boolean> {
    let more = false;
    const before = new Date(this.clock.now().getTime() - STAYS_READABLE_MS);
    for (const request of await this.repository.openRequests(this.ctx, before, PEOPLE_PER_ROUND)) {
      const count = await this.redactSome(request);
      if (count < EVENTS_PER_BATCH) await this.repository.complete(this.ctx, request);
      else more = true;
    }
    return more;
  }

  private async redactSome({ userId, requestedAt }: RedactionRequest): Promise<number> {
    const waitedLong = this.clock.now().getTime() - requestedAt.getTime() > WAITS_FOR_DELIVERIES_MS;
    const events = await this.repository.events(this.ctx, userId, waitedLong, EVENTS_PER_BATCH);
    if (events.length > 0) await this.repository.redact(this.ctx, events.map(redactionOf));
    return events.length;
  }
}

function redactionOf(event: RedactableEvent): Redaction {
  const { tenant_id: tenantId, id: eventId } = event;
  const redacted = (data: unknown) => ({ tenantId, eventId, payload: redactedPayload(event, data) });
  // Events of an earlier release have one digest over everything: nothing that is kept of them could be proven.
  const isWhole = createHash('sha256').update(event.payload).digest().equals(event.payload_digest);
  if (event.redacted || isWhole) return { ...redacted({}), envelopeDigest: null, dataDigest: null };
  // One that was tampered with is emptied, too; that it was, its digests go on telling.
  const payload = parsedPayload(event.payload) ?? { data: {} };
  const { envelope, data } = payloadDigests(payload);
  return { ...redacted(event.about ? {} : payload.data), envelopeDigest: envelope, dataDigest: data };
}
