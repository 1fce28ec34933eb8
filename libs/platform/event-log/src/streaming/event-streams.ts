import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type Caller, DomainError } from '#platform/common';

const MAX_STREAMS_PER_CALLER = 20;
const RETRY_AFTER_SECONDS = 10;

/** More streams at once than a caller may have open on one process: 429. */
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

/** The streams that are open in this process: keeps one caller from opening too many, and ends all of them when the process stops. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly openByCaller = new Map<string, number>();
  private open = 0;
  private readonly ending = new AbortController();

  /** How many are open in this process. */
  get openCount(): number {
    return this.open;
  }

  /** Says to all streams that they are to end; each is resumed by its client, on another process or after the restart. */
  end(): void {
    this.ending.abort();
  }

  beforeApplicationShutdown(): void {
    this.end();
  }

  /**
   * Runs one stream in the caller's name; the signal tells it to end.
   * @throws TooManyStreams (429)
   */
  async run(caller: Caller, stream: (ending: AbortSignal) => Promise<void>): Promise<void> {
    const name = caller.id ?? '';
    const open = this.openByCaller.get(name) ?? 0;
    if (open >= MAX_STREAMS_PER_CALLER) throw new TooManyStreams();
    this.openByCaller.set(name, open + 1);
    this.open++;
    try {
      await stream(this.ending.signal);
    } finally {
      this.open--;
      const left = this.openByCaller.get(name)! - 1;
      if (left > 0) this.openByCaller.set(name, left);
      else this.openByCaller.delete(name);
    }
  }
}
