import { type ReceivedRequest, type Receiver, type ReceiverResponse, startReceiver } from '../support/receiver.js';
import { Random } from './random.js';

/** The paths of the webhooks. */
export const STEADY_PATH = '/steady';
export const FLAKY_PATH = '/flaky';
export const SLOW_PATH = '/slow';
export const PATHS = [STEADY_PATH, FLAKY_PATH, SLOW_PATH] as const;

const RESPONSE_MAX_MS = 80;
const SLOW_RESPONSE_MS = [200, 600] as const;
/** The share of events whose first attempts fail. With this share, retries are pending at any time. */
const FAILING_SHARE = 0.25;
/** The maximum number of failed attempts of an event. */
const FAILURES_MAX = 3;
const FAILURES = [500, 503, 429, 404, 301, 410] as const;

/** A received request with its response. */
export interface Observed extends ReceivedRequest {
  eventId: string;
  answeredStatus: number;
}

/**
 * Three receivers with separate ports and paths. Each receiver responds after a random time: attempts are in progress at any time. The flaky receiver
 * rejects up to three attempts of an event. The slow receiver has a longer response time.
 */
export class ObservedReceiver {
  readonly observed: Observed[] = [];
  private readonly bodies = new Map<string, Buffer>();
  private readonly failuresLeft = new Map<string, number>();
  private readonly receivers = new Map<string, Receiver>();

  private constructor(private readonly random: Random) {}

  static async start(random: Random): Promise<ObservedReceiver> {
    const observing = new ObservedReceiver(random);
    for (const path of PATHS) {
      const receiver = await startReceiver((request) => {
        receiver.requests.length = 0;
        return observing.respond(request);
      });
      observing.receivers.set(path, receiver);
    }
    return observing;
  }

  /** Returns a URL with the path. Paths without a receiver of their own use the steady receiver. */
  url(path: string): string {
    return new URL(path, (this.receivers.get(path) ?? this.receivers.get(STEADY_PATH)!).url).href;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.receivers.values()].map((receiver) => receiver.stop()));
  }

  private respond(request: ReceivedRequest): ReceiverResponse {
    const [minMs, maxMs] = request.path === SLOW_PATH ? SLOW_RESPONSE_MS : [0, RESPONSE_MAX_MS];
    return { status: this.observe(request), delayMs: this.random.between(minMs, maxMs), body: 'seen' };
  }

  private observe(request: ReceivedRequest): number {
    const eventId = String(request.headers['webhook-id']);
    const answeredStatus = request.path === FLAKY_PATH && this.fails(eventId) ? this.random.pick(FAILURES) : 200;
    this.observed.push({ ...this.compacted(request, eventId), eventId, answeredStatus });
    return answeredStatus;
  }

  /** Reduces the memory of a request: shares equal bodies, and removes headers that no check uses. */
  private compacted(request: ReceivedRequest, eventId: string): ReceivedRequest {
    const known = this.bodies.get(eventId);
    const body = known?.equals(request.body) ? known : request.body;
    if (!known) this.bodies.set(eventId, body);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /-signature$|-sequence$/.test(name)));
    return { ...request, body, headers };
  }

  private fails(eventId: string): boolean {
    const failing = this.random.chance(FAILING_SHARE) ? this.random.between(1, FAILURES_MAX) : 0;
    const left = this.failuresLeft.get(eventId) ?? failing;
    this.failuresLeft.set(eventId, left - 1);
    return left > 0;
  }
}
