import { isStaleConnection } from '#platform/outbound';
import type { Dispatcher } from 'undici';
import { describeError, type HttpOutcome } from './http-outcome.js';
import { ResponseBody } from './response-body.js';

/** Maximum number of retries of a request because of stale connections. Each connection to the destination can be stale. */
const STALE_CONNECTIONS_MAX = 3;

type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * One request and its response, as a handler of undici. `request` of undici would create a stream for every response, which costs more than
 * the rest of an exchange. An exchange has exactly one outcome.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly body = new ResponseBody();
  private controller?: Dispatcher.DispatchController;
  private status = 0;
  private headers: ParsedHeaders = {};
  private settled = false;
  private staleConnections = 0;
  private send: () => void = () => undefined;

  constructor(private readonly settle: (outcome: HttpOutcome) => void) {}

  /** Sends the request, unless it is already stopped. */
  begin(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): void {
    this.send = () => {
      if (this.settled) return;
      try {
        dispatcher.dispatch(request, this);
      } catch (error) {
        this.fail(error);
      }
    };
    this.send();
  }

  /** Ends the exchange with the reason as its outcome, even if it has no connection yet. */
  stop(reason: Error): void {
    if (this.settled) return;
    this.fail(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) controller.abort(new Error('The request was canceled.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ParsedHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.body.append(chunk)) return;
    this.answer();
    controller.abort(new Error('The response is too long to be read completely.'));
  }

  onResponseEnd(): void {
    this.answer();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!isStaleConnection(error) || this.staleConnections >= STALE_CONNECTIONS_MAX) return this.fail(error);
    this.staleConnections += 1;
    queueMicrotask(this.send);
  }

  private answer(): void {
    this.end({ kind: 'response', status: this.status, headers: joinedHeaders(this.headers), ...this.body.read() });
  }

  private fail(error: unknown): void {
    this.end({ kind: 'error', ...describeError(error) });
  }

  private end(outcome: WithoutDuration<HttpOutcome>): void {
    if (this.settled) return;
    this.settled = true;
    this.settle({ ...outcome, durationMs: Math.round(performance.now() - this.startedAt) });
  }
}

function joinedHeaders(headers: ParsedHeaders): Record<string, string> {
  // Without a prototype, so that no header name refers to an inherited property.
  const joined = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) joined[name] = [value ?? ''].flat().join(', ');
  return joined;
}

type WithoutDuration<Outcome> = Outcome extends unknown ? Omit<Outcome, 'durationMs'> : never;
