import { performance } from 'node:perf_hooks';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '#platform/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type Load, LoadJudge } from './load-judge.js';
import { MetricsService } from './metrics.service.js';

const SAMPLE_MS = 250;
const RETRY_AFTER_SECONDS = 1;
const LOG_INTERVAL_MS = 10_000;
/** Whoever decides whether this process still lives must get an answer above all when it is busy. */
const ALWAYS_TAKEN = /^\/(?:health\/|metrics$)/;

/** More requests came at once than the process serves in time: 503. */
export class ServiceOverloaded extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
  constructor() {
    super('The service is overloaded and did not process this request. Try again shortly.');
  }
}

/** What the guard can't see by itself. */
export interface LoadSources {
  /** How many of the requests under way are streams, which stay open for hours and wait for nobody. */
  openStreams(): number;
  /** How many wait for a connection to the database. */
  waitingForDatabase(): number;
}

/**
 * Refuses requests while those under way already are more than the process gets through in time: what was taken is finished soon, the rest is
 * told at once to come back. What a request costs is a comparison and a counter; a timer judges.
 */
@Injectable()
export class OverloadGuard implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OverloadGuard.name);
  private readonly judge = new LoadJudge();
  private readonly refused;
  private sources: LoadSources = { openStreams: () => 0, waitingForDatabase: () => 0 };
  private timer: NodeJS.Timeout | undefined;
  private inFlight = 0;
  private finished = 0;
  private refusedSinceLog = 0;
  private loggedAt = -Infinity;

  constructor(metrics: MetricsService) {
    this.refused = metrics.counter({ name: 'http_requests_refused_total', help: 'Requests refused because of overload (503).' });
    const inFlight = (): number => this.inFlight;
    metrics.gauge({
      name: 'http_requests_in_flight',
      help: 'Requests under way.',
      collect() {
        this.set(inFlight());
      },
    });
  }

  /** Begins to judge the load. */
  watch(sources: LoadSources): void {
    this.sources = sources;
    let loop = performance.eventLoopUtilization();
    let at = performance.now();
    this.timer = setInterval(() => {
      const [now, loopNow] = [performance.now(), performance.eventLoopUtilization()];
      this.judgeLoad((now - at) / 1_000, performance.eventLoopUtilization(loopNow, loop).utilization);
      [at, loop] = [now, loopNow];
    }, SAMPLE_MS).unref();
  }

  /** Before the connections to the database are closed, of which it asks. */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Express middleware, to be installed before anything that costs time. */
  readonly handle: RequestHandler = (request: Request, response: Response, next: NextFunction) => {
    if (this.inFlight >= this.judge.limit && this.refuses(request)) {
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

  private judgeLoad(seconds: number, loopUtilization: number): void {
    const load: Load = {
      seconds,
      finished: this.finished,
      inFlight: this.inFlight - this.sources.openStreams(),
      loopUtilization,
      waitingForDatabase: this.sources.waitingForDatabase(),
    };
    this.finished = 0;
    this.judge.judge(load);
  }

  private refuses({ path }: Request): boolean {
    if (ALWAYS_TAKEN.test(path) || this.inFlight - this.sources.openStreams() < this.judge.limit) return false;
    this.refused.inc();
    this.refusedSinceLog++;
    const now = performance.now();
    if (now - this.loggedAt >= LOG_INTERVAL_MS) {
      this.logger.warn(
        `Overloaded: ${this.inFlight} requests are in progress, and ${this.refusedSinceLog} more were rejected recently.`,
      );
      this.loggedAt = now;
      this.refusedSinceLog = 0;
    }
    return true;
  }
}
