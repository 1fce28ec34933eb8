import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const WINDOW_MS = 200;
/** With so many requests served at once on average, they wait for one another; with fewer than half of it, no longer. */
const BUSY_AT = 12;
/** What takes longer waits for something else than this process, such as a stream of events. */
const COUNTED_MAX_MS = 1_000;

interface Served {
  readonly request: object;
}

/** Tells whether this process is busy serving HTTP requests: by Little's law, from the durations of those that ended lately. */
export class RequestLoad {
  private readonly begun = new WeakMap<object, number>();
  private servedMs = 0;
  private servedCount = 0;
  private lookedAt = 0;
  private busy = false;
  private timer?: NodeJS.Timeout;

  /** `onLook` is told five times a second whether it is busy, and how many requests ended since the last time. */
  constructor(private readonly onLook: (busy: boolean, servedCount: number) => void) {}

  start(): void {
    subscribe('http.server.request.start', this.begin);
    subscribe('http.server.response.finish', this.end);
    this.lookedAt = performance.now();
    this.timer = setInterval(() => this.look(), WINDOW_MS).unref();
  }

  stop(): void {
    unsubscribe('http.server.request.start', this.begin);
    unsubscribe('http.server.response.finish', this.end);
    clearInterval(this.timer);
  }

  private readonly begin = (message: unknown): void => {
    this.begun.set((message as Served).request, performance.now());
  };

  private readonly end = (message: unknown): void => {
    const begunAt = this.begun.get((message as Served).request);
    if (begunAt === undefined) return;
    this.servedMs += Math.min(performance.now() - begunAt, COUNTED_MAX_MS);
    this.servedCount++;
  };

  private look(): void {
    const nowMs = performance.now();
    const servedAtOnce = this.servedMs / (nowMs - this.lookedAt);
    this.busy = servedAtOnce >= (this.busy ? BUSY_AT / 2 : BUSY_AT);
    this.onLook(this.busy, this.servedCount);
    this.servedMs = 0;
    this.servedCount = 0;
    this.lookedAt = nowMs;
  }
}
