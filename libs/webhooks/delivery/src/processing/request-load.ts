import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const WINDOW_MS = 200;
/** Average number of concurrent requests from which on the process is busy. It stops being busy below half of this number. */
const BUSY_AT = 12;
/** Maximum duration that counts, in milliseconds. Longer requests, such as event streams, do not keep this process busy. */
const COUNTED_MAX_MS = 1_000;

interface Served {
  readonly request: object;
}

/**
 * Measures whether this process is busy with HTTP requests. Computes the number of concurrent requests from the durations of requests that
 * ended recently (Little's law).
 */
export class RequestLoad {
  private readonly startedAt = new WeakMap<object, number>();
  private servedMs = 0;
  private servedCount = 0;
  private sampledAt = 0;
  private busy = false;
  private timer?: NodeJS.Timeout;

  /**
   * `onSample` is called five times a second. It receives whether the process is busy, and the number of requests that ended since the last
   * call.
   */
  constructor(private readonly onSample: (busy: boolean, servedCount: number) => void) {}

  start(): void {
    subscribe('http.server.request.start', this.onStart);
    subscribe('http.server.response.finish', this.onFinish);
    this.sampledAt = performance.now();
    this.timer = setInterval(() => this.sample(), WINDOW_MS).unref();
  }

  stop(): void {
    unsubscribe('http.server.request.start', this.onStart);
    unsubscribe('http.server.response.finish', this.onFinish);
    clearInterval(this.timer);
  }

  private readonly onStart = (message: unknown): void => {
    this.startedAt.set((message as Served).request, performance.now());
  };

  private readonly onFinish = (message: unknown): void => {
    const startedAtMs = this.startedAt.get((message as Served).request);
    if (startedAtMs === undefined) return;
    this.servedMs += Math.min(performance.now() - startedAtMs, COUNTED_MAX_MS);
    this.servedCount++;
  };

  private sample(): void {
    const nowMs = performance.now();
    const concurrentCount = this.servedMs / (nowMs - this.sampledAt);
    this.busy = concurrentCount >= (this.busy ? BUSY_AT / 2 : BUSY_AT);
    this.onSample(this.busy, this.servedCount);
    this.servedMs = 0;
    this.servedCount = 0;
    this.sampledAt = nowMs;
  }
}
