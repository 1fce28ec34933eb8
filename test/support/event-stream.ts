import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { TestBody } from './http-client.js';

export interface StreamedEvent {
  lastEventId: string;
  event: TestBody;
}

export class EventStreamClient {
  private constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly closing: AbortController,
    private readonly reader: ReadableStreamDefaultReader<StreamedEvent> | undefined,
    readonly problem: TestBody,
  ) {}

  static async open(url: string, key: string, lastEventId?: string): Promise<EventStreamClient> {
    const closing = new AbortController();
    const headers = { authorization: `Bearer ${key}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    const response = await fetch(url, { headers, signal: closing.signal });
    const { status } = response;
    if (status !== 200) return new EventStreamClient(status, response.headers, closing, undefined, await response.json());
    const events = response
      .body!.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
      .pipeThrough(new EventSourceParserStream())
      .pipeThrough(
        new TransformStream({
          transform: ({ id, data }, controller) => controller.enqueue({ lastEventId: id ?? '', event: JSON.parse(data) }),
        }),
      );
    return new EventStreamClient(status, response.headers, closing, events.getReader(), undefined);
  }

  /** Returns the next event, or undefined when the service has closed the stream gracefully. */
  async next(): Promise<StreamedEvent | undefined> {
    const { done, value } = await this.reader!.read();
    return done ? undefined : value;
  }

  async take(count: number): Promise<StreamedEvent[]> {
    const taken: StreamedEvent[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (!event) throw new Error(`The stream ended after ${taken.length} of ${count} events.`);
      taken.push(event);
    }
    return taken;
  }

  close(): void {
    this.reader?.closed.catch(() => undefined);
    this.closing.abort();
  }
}
