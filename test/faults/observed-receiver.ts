import type { EventEmitter } from 'node:events';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { Random } from './random.js';

/** Where the webhooks point. */
export const STEADY_PATH = '/steady';
export const FLAKY_PATH = '/flaky';

const LONGEST_ANSWER_MS = 80;
/** So many of the events fail at first, up to so many times: enough to have retries waiting at any time. */
const FAILING_SHARE = 0.25;
const FAILURES_MAX = 3;
const FAILURES = [500, 503, 429, 404, 301, 410] as const;

/** A request that came, and what it was answered. */
export interface Observed extends ReceivedRequest {
  eventId: string;
  answeredStatus: number;
}

/**
 * A receiver that answers after a random time, so that there are always attempts under way, and at its flaky path fails up to three
 * times for each event.
 */
export class ObservedReceiver {
  readonly observed: Observed[] = [];
  private readonly failuresLeft = new Map<string, number>();
  private receiver?: Receiver;

  private constructor(
    private readonly random: Random,
    /** Hears `received` for each request. */
    private readonly moments: EventEmitter,
  ) {}

  static async start(random: Random, moments: EventEmitter): Promise<ObservedReceiver> {
    const observing = new ObservedReceiver(random, moments);
    observing.receiver = await startReceiver((request) => {
      const status = observing.observe(request);
      return { status, delayMs: observing.random.between(0, LONGEST_ANSWER_MS), body: 'seen' };
    });
    return observing;
  }

  url(path: string): string {
    return new URL(path, this.receiver!.url).href;
  }

  async stop(): Promise<void> {
    await this.receiver?.stop();
  }

  private observe(request: ReceivedRequest): number {
    const eventId = String(request.headers['webhook-id']);
    const answeredStatus = request.path === FLAKY_PATH && this.fails(eventId) ? this.random.pick(FAILURES) : 200;
    this.observed.push({ ...request, eventId, answeredStatus });
    this.moments.emit('received');
    return answeredStatus;
  }

  private fails(eventId: string): boolean {
    const failing = this.random.chance(FAILING_SHARE) ? this.random.between(1, FAILURES_MAX) : 0;
    const left = this.failuresLeft.get(eventId) ?? failing;
    this.failuresLeft.set(eventId, left - 1);
    return left > 0;
  }
}
