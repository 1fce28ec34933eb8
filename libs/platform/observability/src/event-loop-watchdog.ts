import { performance } from 'node:perf_hooks';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppLogger } from './app-logger.js';
import { requestIdOf, routeOf } from './request-log.js';

const INTERVAL_MS = 50;
/** No request should need more processor time at once. During that time, all other requests wait. */
const BLOCKED_MS = 500;
const MAX_LOGGED_REQUESTS = 10;

/**
 * Logs which requests were in progress while the event loop was blocked, with the same fields as `requestLog`. The metric
 * `nodejs_eventloop_lag_max_seconds` has the longest time.
 */
@Injectable()
export class EventLoopWatchdog implements BeforeApplicationShutdown {
  private readonly inProgress = new Set<Response>();
  /** The requests that ended since the last check. A request that blocks the event loop can end before the timer can run. */
  private ended: Response[] = [];
  private checkedAt = performance.now();
  private readonly timer = setInterval(() => this.check(), INTERVAL_MS).unref();

  constructor(private readonly logger: AppLogger) {}

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Express middleware. Must be installed before all middleware that takes time. */
  readonly handle: RequestHandler = (_request: Request, response: Response, next: NextFunction) => {
    this.inProgress.add(response);
    response.once('close', () => {
      this.inProgress.delete(response);
      this.ended.push(response);
    });
    next();
  };

  private check(): void {
    const now = performance.now();
    const [blockedMs, ended] = [now - this.checkedAt, this.ended];
    this.checkedAt = now;
    this.ended = [];
    if (blockedMs < BLOCKED_MS) return;
    // The newest first: a request that has waited for long did not begin the work that blocked the event loop.
    const responses = [...this.inProgress, ...ended].toReversed();
    if (responses.length === 0) return;
    const requests = responses.slice(0, MAX_LOGGED_REQUESTS).map((response) => ({
      method: response.req.method,
      route: routeOf(response.req),
      requestId: requestIdOf(response),
    }));
    this.logger.warn('event loop blocked', { ms: Math.round(blockedMs), inProgress: responses.length, requests });
  }
}
