import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Caller } from '#platform/common';
import { AppConfig } from '#platform/config';
import { RedisConnections } from '#platform/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;
/** Maximum requests per minute from one IP address without credentials. This limit can't be disabled. */
const ANONYMOUS_LIMIT = 600;
const REDIS_TIMEOUT_MS = 500;

/** The state of a limit of `limit` requests in each window. The current window allows `remaining` more requests and ends in `resetSeconds`. */
export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Counts requests, and uses of operations. Counts in Redis for all instances, or in memory if Redis is not configured or does not respond. */
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

  /** Counts a request. Returns undefined if the caller has no rate limit. */
  async count(caller: Caller): Promise<RateLimitState | undefined> {
    const limit = caller.kind === 'platform' ? this.config.rateLimitPlatform : this.config.rateLimit;
    if (limit === 0 || caller.id === undefined) return undefined;
    return this.countUse('rate', caller.id, limit, WINDOW_SECONDS);
  }

  async countAnonymous(address: string): Promise<RateLimitState> {
    return this.countUse('guess', address, ANONYMOUS_LIMIT, WINDOW_SECONDS);
  }

  /** Counts one use, identified by `kind` and `key`. Each window allows `limit` uses. */
  async countUse(kind: string, key: string, limit: number, windowSeconds: number): Promise<RateLimitState> {
    try {
      return stateOf(limit, windowSeconds, await this.limiter(kind, limit, windowSeconds).consume(key), false);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) return stateOf(limit, windowSeconds, rejection, true);
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

const stateOf = (
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
