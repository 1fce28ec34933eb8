import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Caller } from '#platform/common';
import { AppConfig } from '#platform/config';
import { RedisConnections } from '#platform/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;
/** Requests a minute of one address to what anybody may call and guess at; always on. */
const GUESSABLE_LIMIT = 600;
const REDIS_TIMEOUT_MS = 500;

/** How a caller stands: at most `limit` requests a window, `remaining` of them left, all back in `resetSeconds`. */
export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Counts requests by caller, and other uses: in Redis over all instances, else in this process; also while Redis does not answer. */
@Injectable()
export class RateLimitService implements OnApplicationShutdown {
  private readonly connections?: RedisConnections;
  private readonly limiters = new Map<string, RateLimiterMemory | RateLimiterRedis>();
  private readonly client;

  constructor(private readonly config: AppConfig) {
    if (config.redisUrls.length === 0) return;
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: REDIS_TIMEOUT_MS };
    this.connections = new RedisConnections(config.redisUrls, options, 'Until then, each process counts requests on its own.');
    this.client = this.connections.open();
  }

  onApplicationShutdown(): void {
    this.connections?.close();
  }

  /** Counts one request of the caller; undefined when callers of its kind are not limited. */
  async count(caller: Caller): Promise<RateLimitState | undefined> {
    const limit = caller.kind === 'platform' ? this.config.rateLimitPlatform : this.config.rateLimit;
    if (limit === 0 || caller.id === undefined) return undefined;
    return this.countUse('rate', caller.id, limit, WINDOW_SECONDS);
  }

  /** Counts one request of an address to what is open to all and can be guessed at. */
  async countGuess(address: string): Promise<RateLimitState> {
    return this.countUse('guess', address, GUESSABLE_LIMIT, WINDOW_SECONDS);
  }

  /** Counts one use of anything, named by `kind` and `key`, of which there may be `limit` in each window. */
  async countUse(kind: string, key: string, limit: number, windowSeconds: number): Promise<RateLimitState> {
    try {
      return standing(limit, windowSeconds, await this.limiter(kind, limit, windowSeconds).consume(key), false);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) return standing(limit, windowSeconds, rejection, true);
      throw rejection;
    }
  }

  private limiter(kind: string, points: number, duration: number): RateLimiterMemory | RateLimiterRedis {
    const name = `${kind} ${points} ${duration}`;
    const existing = this.limiters.get(name);
    if (existing) return existing;
    const options = { points, duration, keyPrefix: `${this.config.serviceName}:${kind}` };
    const inProcess = new RateLimiterMemory(options);
    const limiter = this.client
      ? new RateLimiterRedis({ ...options, storeClient: this.client, insuranceLimiter: inProcess, rejectIfRedisNotReady: true })
      : inProcess;
    this.limiters.set(name, limiter);
    return limiter;
  }
}

const standing = (
  limit: number,
  windowSeconds: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
  exceeded: boolean,
): RateLimitState => ({
  limit,
  windowSeconds,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  exceeded,
});
