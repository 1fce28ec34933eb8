import { performance } from 'node:perf_hooks';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#platform/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AdaptiveRequestLimit, type Load } from './adaptive-request-limit.js';
import { MetricsService } from './metrics.service.js';

const SAMPLE_MS = 250;
const RETRY_AFTER_SECONDS = 1;
const LOG_INTERVAL_MS = 10_000;
/** Paths of health checks and metrics. They must work during an overload. */
const ALWAYS_ACCEPTED = /^\/(?:health\/|metrics$)/;

/** The process can't finish its requests in time. */
export class ServiceOverloaded extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The service is overloaded and did not process this request. Try again shortly.');
  }
}

/** Load measurements from other libraries. */
export interface LoadSources {
  /** Returns the number of open streams. Streams are requests that stay open for hours. */
  openStreams(): number;
  waitingForDatabase(): number;
}

/**
 * Rejects requests with 503 while the process is overloaded, so that accepted requests are finished soon. A timer computes the limit, so
 * each request costs only a comparison and a counter.
 */
@Injectable()
export class OverloadGuard implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OverloadGuard.name);
  private readonly limit = new AdaptiveRequestLimit();
  private readonly rejected;
  private sources: LoadSources = { openStreams: () => 0, waitingForDatabase: () => 0 };
  private timer: NodeJS.Timeout | undefined;
  private inFlight = 0;
  private finished = 0;
  private rejectedSinceLog = 0;
  private loggedAt = -Infinity;

  constructor(metrics: MetricsService) {
    this.rejected = metrics.counter({ name: 'http_requests_refused_total', help: 'Requests refused because of overload (503).' });
    const inFlight = (): number => this.inFlight;
    metrics.gauge({
      name: 'http_requests_in_flight',
      help: 'Requests under way.',
      collect() {
        this.set(inFlight());
      },
    });
  }

  watch(sources: LoadSources): void {
    this.sources = sources;
    let loop = performance.eventLoopUtilization();
    let at = performance.now();
    this.timer = setInterval(() => {
      const [now, loopNow] = [performance.now(), performance.eventLoopUtilization()];
      this.updateLimit((now - at) / 1_000, performance.eventLoopUtilization(loopNow, loop).utilization);
      [at, loop] = [now, loopNow];
    }, SAMPLE_MS).unref();
  }

  /** Stops before the database connections are closed, because the guard counts requests that wait for a connection. */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Express middleware. Must be installed before all middleware that takes time. */
  readonly handle: RequestHandler = (request: Request, response: Response, next: NextFunction) => {
    if (this.inFlight >= this.limit.value && this.isRejected(request)) {
      next(new ServiceOverloaded());
      return;
    }
    this.inFlight++;
    response.once('close', this.leave);
    next();
  };

  private readonly leave = (): void => {
    this.inFlight--;
    this.finished++;
  };

  private updateLimit(seconds: number, loopUtilization: number): void {
    const load: Load = {
      seconds,
      finished: this.finished,
      inFlight: this.inFlight - this.sources.openStreams(),
      loopUtilization,
      waitingForDatabase: this.sources.waitingForDatabase(),
    };
    this.finished = 0;
    this.limit.update(load);
  }

  private isRejected({ path }: Request): boolean {
    if (ALWAYS_ACCEPTED.test(path) || this.inFlight - this.sources.openStreams() < this.limit.value) return false;
    this.rejected.inc();
    this.rejectedSinceLog++;
    const now = performance.now();
    if (now - this.loggedAt >= LOG_INTERVAL_MS) {
      this.logger.warn(
        `Overloaded: ${this.inFlight} requests are in progress, and ${this.rejectedSinceLog} more were rejected recently.`,
      );
      this.loggedAt = now;
      this.rejectedSinceLog = 0;
    }
    return true;
  }
}
