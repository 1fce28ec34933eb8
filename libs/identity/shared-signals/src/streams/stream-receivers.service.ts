import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SecretSealer } from '#platform/crypto';
import type { EventPayload, EventType } from '#platform/events';
import {
  type Admission,
  type DeliveredEvent,
  type EventReceiver,
  type Message,
  type ReceivableEvent,
  type ReceiverKey,
  type ReceiverKind,
  ReceiverKinds,
  type ReceiverTarget,
} from '#webhooks/delivery';
import { SecurityEventTokensService } from '../events/security-event-tokens.service.js';
import { MAPPED_TYPES, securityEventOf } from '../events/security-events.js';
import { STREAM_EVENT_TYPES } from '../events/stream-event-types.js';
import { deliveredEvents } from '../protocol/stream-configuration.js';
import { authorizationContext } from './authorization-context.js';
import { type CandidateStream, type ReceivingStream, SsfStreamQuery } from './ssf-stream.query.js';

/** The answer with which a receiver rejects a token for good (RFC 8935, section 2.3). */
const BAD_REQUEST = 400;

/** Makes streams receivers of events, with the deliveries of webhooks: relay, queue, attempts, retries and history. */
@Injectable()
export class StreamReceiversService implements ReceiverKind, OnModuleInit {
  readonly idPrefix = 'ssf_';
  readonly eventTypes: ReadonlySet<EventType> = new Set<EventType>([
    ...MAPPED_TYPES,
    'ssf_stream.updated',
    'ssf_stream.verification_requested',
  ]);

  constructor(
    private readonly kinds: ReceiverKinds,
    private readonly streams: SsfStreamQuery,
    private readonly tokens: SecurityEventTokensService,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async receiversOf(ctx: RequestContext, tenantId: string, events: readonly ReceivableEvent[]): Promise<EventReceiver[]> {
    const streams = await this.streams.listCandidates(ctx, tenantId, this.clock.now());
    if (streams.length === 0) return [];
    const started = new Set<string>();
    return events.flatMap((event) => {
      const payload = JSON.parse(event.payload) as EventPayload;
      return streams
        .filter((stream) => contains(stream, event, payload))
        .map((stream) => {
          // Only the first delivery of a batch is due. Each other one starts when the delivery before it has ended.
          const isFirst = !started.has(stream.id);
          started.add(stream.id);
          const admission = admissionOf(stream, event.type);
          return {
            eventId: event.id,
            receiverId: stream.id,
            waits: admission === 'wait' || (admission === 'in_order' && !isFirst),
          };
        });
    });
  }

  async findTargets(ctx: RequestContext, keys: readonly ReceiverKey[]): Promise<ReadonlyMap<string, ReceiverTarget>> {
    const streams = await this.streams.listReceiving(ctx, keys, this.clock.now());
    return new Map(streams.map((stream) => [stream.id, this.targetOf(ctx, stream)]));
  }

  private targetOf(ctx: RequestContext, stream: ReceivingStream): ReceiverTarget {
    const isSending = stream.isAllowed && stream.status === 'enabled' && stream.deliveryMethod === 'push';
    return {
      url: stream.endpointUrl ?? '',
      encode: (event) => this.messageOf(ctx, stream, event),
      admit: (eventType) => admissionOf(stream, eventType),
      releases: isSending ? 'oldest' : 'none',
      isRejection: (status, body) => status === BAD_REQUEST && errorOf(body) !== undefined,
    };
  }

  private async messageOf(
    ctx: RequestContext,
    stream: ReceivingStream,
    { payload }: DeliveredEvent,
  ): Promise<Message | undefined> {
    const token = await this.tokens.encode(ctx, stream, payload);
    if (token === undefined) return undefined;
    const { id, authorizationSealed } = stream;
    return {
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        'user-agent': `${this.config.serviceName}-ssf/1.0`,
        ...(authorizationSealed === null
          ? {}
          : { authorization: this.sealer.open(authorizationSealed, authorizationContext(id)) }),
      },
      body: token,
    };
  }
}

/** Returns whether a stream contains an event. An event about a stream is only for this stream, and only if somebody else caused it. */
function contains(stream: CandidateStream, event: ReceivableEvent, payload: EventPayload): boolean {
  if (BigInt(stream.createdSeq) > event.seq) return false;
  if (payload.type === 'ssf_stream.verification_requested') return (payload.data as { id: string }).id === stream.id;
  if (payload.type === 'ssf_stream.updated') {
    const { id, changedBy, changes } = (payload as EventPayload<'ssf_stream.updated'>).data;
    return id === stream.id && changedBy === 'administrator' && 'status' in changes;
  }
  if (stream.status === 'disabled') return false;
  const isCovered =
    event.organizationId === stream.organizationId ||
    (stream.includeDescendants && event.ancestorIds.includes(stream.organizationId));
  if (!isCovered) return false;
  const found = securityEventOf(payload);
  return found !== undefined && deliveredEvents(stream).includes(found.uri);
}

/** Returns when a delivery of a stream is sent. Deliveries of streams that are polled always wait. */
function admissionOf({ status, deliveryMethod, isAllowed }: CandidateStream | ReceivingStream, eventType: string): Admission {
  if (deliveryMethod === 'poll') return 'wait';
  if (!isAllowed) return 'wait';
  if (STREAM_EVENT_TYPES.includes(eventType)) return 'now';
  if (status === 'enabled') return 'in_order';
  return status === 'paused' ? 'wait' : 'skip';
}

/** Returns the error code of a response, if it has the form of RFC 8935. */
function errorOf(body: string): string | undefined {
  try {
    const { err } = JSON.parse(body) as { err?: unknown };
    return typeof err === 'string' ? err : undefined;
  } catch {
    return undefined;
  }
}
