import { ApiError, ConnectionError } from './errors.js';
import { type StreamedMessage, messagesIn } from './server-sent-events.js';
import { reasonOf, sleep } from './retries.js';
import type { components, operations, webhooks } from './schema.gen.js';

type LoggedEventBase = Omit<components['schemas']['EventResponse'], 'type' | 'data' | 'redactedAt'>;
type DataOf<Type extends keyof webhooks> = webhooks[Type]['post']['requestBody']['content']['application/json']['data'];

/** An event of the event log. `type` determines the type of `data`. A redacted event has no personal data. */
export type LoggedEvent = {
  [Type in keyof webhooks]:
    | (LoggedEventBase & { type: Type; data: DataOf<Type>; redactedAt: null })
    | (LoggedEventBase & { type: Type; data: Partial<DataOf<Type>>; redactedAt: string });
}[keyof webhooks];

type StreamQuery = NonNullable<operations['streamEvents']['parameters']['query']>;

/** Which events to follow: the organization, and the filters of `listEvents`. */
export type FollowInput = { org: string } & Omit<StreamQuery, 'after'> & {
    /** The event or position after which the stream starts. */
    after?: string;
  };

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Called each time the service accepts the stream. */
  readonly onConnect?: () => void;
  /** Called when the connection is lost, before the client reconnects. */
  readonly onDisconnect?: (error: Error) => void;
}

/** Opens the stream after an event or position. @throws ConnectionError, ApiError */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** The service sends data about every 10 seconds. A connection without data for this time counts as lost. */
const SILENCE_MS = 30_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** Yields the events after a position, until the service ends the stream at `until`. After a lost connection, continues after the last event. */
export async function* followEvents(
  open: OpenStream,
  { after, until }: Pick<FollowInput, 'after' | 'until'>,
  { signal, onConnect, onDisconnect }: FollowOptions,
): AsyncGenerator<LoggedEvent, void, undefined> {
  let lastEventId = after;
  for (let failures = 0; ; failures += 1) {
    if (signal?.aborted) return;
    const connection = new AbortController();
    const end = (): void => connection.abort();
    signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await open(lastEventId, connection.signal);
      onConnect?.();
      for await (const { id, data } of untilSilence(messagesIn(response.body!), connection)) {
        failures = 0;
        if (data !== '') yield JSON.parse(data) as LoggedEvent;
        // Updated after the caller has processed the event, so that an event is repeated if its processing fails.
        if (id !== undefined) lastEventId = id;
      }
      if (until !== undefined && Date.now() >= Date.parse(until)) return;
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTemporary(error)) throw error;
      onDisconnect?.(error);
      const waitSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      const backoffMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
      await sleep(waitSeconds === undefined ? backoffMs : waitSeconds * 1_000, signal).catch(() => undefined);
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
  }
}

function isTemporary(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ApiError) return error.status >= SERVER_ERROR || error.status === TOO_MANY;
  return error instanceof ConnectionError;
}

/** Yields the messages of a connection. @throws ConnectionError if the connection broke, or without data for `SILENCE_MS` */
async function* untilSilence(
  messages: AsyncIterable<StreamedMessage>,
  connection: AbortController,
): AsyncGenerator<StreamedMessage> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(new Error(`no data for ${SILENCE_MS} ms`)), SILENCE_MS);
  };
  restart();
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await iterator.next().catch((cause: unknown) => {
        throw new ConnectionError(`The event stream was interrupted: ${reasonOf(cause)}`, { cause });
      });
      if (done) return;
      // The time limit does not include the time in which the caller processes an event.
      clearTimeout(timer);
      yield value;
      restart();
    }
  } finally {
    clearTimeout(timer);
  }
}
