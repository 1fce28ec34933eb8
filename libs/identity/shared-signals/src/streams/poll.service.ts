import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext, systemContext } from '#platform/common';
import { EventStreams, EventWakeups } from '#platform/event-log';
import { SecurityEventTokensService } from '../events/security-event-tokens.service.js';
import { STREAM_EVENT_TYPES } from '../events/stream-event-types.js';
import { type PolledResult, StreamDeliveryQuery } from './stream-delivery.query.js';
import { type ReceivingStream, SsfStreamQuery } from './ssf-stream.query.js';
import type { SsfStream } from './ssf-stream.entity.js';

const EVENTS_MAX = 100;
/** Time after which a poll without events is answered. Proxies close connections that are silent for longer. */
const WAIT_MAX_MS = 25_000;
/** Time between two looks into the database, because notifications can get lost. */
const LOOK_INTERVAL_MS = 1_000;

/** The error with which a receiver rejects a token (RFC 8936, section 2.4). */
export interface SetError {
  readonly err: string;
  readonly description: string;
}

export interface PollInput {
  readonly maxEvents?: number | undefined;
  readonly returnImmediately: boolean;
  /** The ids of accepted tokens. */
  readonly ack: readonly string[];
  readonly setErrs: ReadonlyMap<string, SetError>;
}

/** Tokens by id, oldest first. */
export interface PollResult {
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

const NOTHING: PollResult = { sets: {}, moreAvailable: false };

/** Answers polls (RFC 8936) with the pending deliveries of a stream. A delivery is pending until the receiver acknowledges or rejects it. */
@Injectable()
export class PollService {
  constructor(
    private readonly deliveries: StreamDeliveryQuery,
    private readonly streams: SsfStreamQuery,
    private readonly tokens: SecurityEventTokensService,
    private readonly openStreams: EventStreams,
    private readonly wakeups: EventWakeups,
    private readonly clock: Clock,
  ) {}

  /**
   * Never call it in a transaction: it can wait for events. `closed` says that the receiver does not wait any longer.
   * @throws TooManyStreams (429) if the receiver waits in too many requests
   */
  async poll(ctx: RequestContext, stream: SsfStream, input: PollInput, closed: AbortSignal): Promise<PollResult> {
    await this.deliveries.end(ctx, stream, resultsOf(input));
    const limit = Math.min(input.maxEvents ?? EVENTS_MAX, EVENTS_MAX);
    if (limit === 0) return NOTHING;
    const found = await this.read(stream, limit);
    if (input.returnImmediately || Object.keys(found.sets).length > 0) return found;
    let later = found;
    await this.openStreams.run(ctx.caller, async (ending) => {
      later = await this.waitForEvents(stream, limit, AbortSignal.any([closed, ending]));
    });
    return later;
  }

  private async waitForEvents(stream: SsfStream, limit: number, ended: AbortSignal): Promise<PollResult> {
    const until = performance.now() + WAIT_MAX_MS;
    const wakeup = this.wakeups.subscribe(stream.tenantId);
    const wake = (): void => wakeup.wake();
    ended.addEventListener('abort', wake);
    try {
      for (;;) {
        const found = await this.read(stream, limit);
        if (Object.keys(found.sets).length > 0 || ended.aborted || performance.now() >= until) return found;
        await wakeup.next(Math.max(0, Math.min(LOOK_INTERVAL_MS, until - performance.now())));
      }
    } finally {
      ended.removeEventListener('abort', wake);
      wakeup.close();
    }
  }

  /** Reads the stream anew, because its status and its receiver can change during a wait. */
  private async read({ tenantId, id }: SsfStream, limit: number): Promise<PollResult> {
    const ctx = systemContext('ssf-poll');
    const [stream] = await this.streams.listReceiving(ctx, [{ tenantId, id }], this.clock.now());
    if (!stream?.isAllowed || stream.deliveryMethod !== 'poll') return NOTHING;
    const types = stream.status === 'enabled' ? null : STREAM_EVENT_TYPES;
    for (;;) {
      const pending = await this.deliveries.listPending(ctx, stream, types, limit + 1);
      const { sets, unwanted } = await this.encode(ctx, stream, pending.slice(0, limit));
      await this.deliveries.end(ctx, stream, unwanted);
      const moreAvailable = pending.length > limit;
      if (Object.keys(sets).length > 0 || !moreAvailable) return { sets, moreAvailable };
    }
  }

  private async encode(
    ctx: RequestContext,
    stream: ReceivingStream,
    pending: readonly { readonly eventId: string; readonly payload: string | null }[],
  ): Promise<{ sets: Record<string, string>; unwanted: PolledResult[] }> {
    const sets: Record<string, string> = {};
    const unwanted: PolledResult[] = [];
    for (const { eventId, payload } of pending) {
      const token = payload === null ? undefined : await this.tokens.encode(ctx, stream, payload);
      if (token === undefined) unwanted.push({ eventId, status: 'skipped' });
      else sets[eventId] = token;
    }
    return { sets, unwanted };
  }
}

function resultsOf({ ack, setErrs }: PollInput): PolledResult[] {
  const rejected = [...setErrs].map(([eventId, { err, description }]): PolledResult => {
    return { eventId, status: 'failed', error: description === '' ? err : `${err}: ${description}` };
  });
  const accepted = ack
    .filter((eventId) => !setErrs.has(eventId))
    .map((eventId): PolledResult => ({ eventId, status: 'succeeded' }));
  return [...rejected, ...accepted];
}
