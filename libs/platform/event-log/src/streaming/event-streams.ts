import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type Caller, DomainError } from '#platform/common';

const MAX_STREAMS_PER_CALLER = 20;
const RETRY_AFTER_SECONDS = 10;

/** The caller already has the maximum number of open streams in this process. */
export class TooManyStreams extends DomainError {
  readonly code = 'too_many_streams';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super(
      `This caller already has ${MAX_STREAMS_PER_CALLER} open event streams. Close one, or follow several organizations with one stream.`,
    );
  }
}

/** The open streams of this process. Limits the streams of a caller, and ends all streams when the process stops. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly openByCaller = new Map<string, number>();
  private open = 0;
  private readonly ending = new AbortController();

  get openCount(): number {
    return this.open;
  }

  /** Ends all streams. Clients reconnect, to another process or after the restart. */
  end(): void {
    this.ending.abort();
  }

  beforeApplicationShutdown(): void {
    this.end();
  }

  /**
   * Runs a stream of a caller. The stream must end when the signal `ending` is aborted.
   * @throws TooManyStreams (429)
   */
  async run(caller: Caller, stream: (ending: AbortSignal) => Promise<void>): Promise<void> {
    const callerId = caller.id ?? '';
    const open = this.openByCaller.get(callerId) ?? 0;
    if (open >= MAX_STREAMS_PER_CALLER) throw new TooManyStreams();
    this.openByCaller.set(callerId, open + 1);
    this.open++;
    try {
      await stream(this.ending.signal);
    } finally {
      this.open--;
      const remaining = (this.openByCaller.get(callerId) ?? 1) - 1;
      if (remaining > 0) this.openByCaller.set(callerId, remaining);
      else this.openByCaller.delete(callerId);
    }
  }
}
