import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { addressGroup, requestOf, type ServiceRequest } from '#http';
import type { Response } from 'express';
import { RateLimited } from './rate-limited.js';
import { RateLimits, type RateLimitStanding } from './rate-limits.js';

/** Open to all, and so to all who guess: counted by address. */
const GUESSABLE = /^\/v1\/auth(?:\/|$)/i;

/** Keeps one caller from taking all there is. Stands behind the access guard, so that it knows who calls. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** Writes the headers of draft-ietf-httpapi-ratelimit-headers. @throws RateLimited (429) */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const standing = await this.standing(requestOf(context));
    if (!standing) return true;
    const { limit, windowSeconds, remaining, resetSeconds, exceeded } = standing;
    const response = context.switchToHttp().getResponse<Response>();
    response.setHeader('RateLimit-Policy', `"default";q=${limit};w=${windowSeconds}`);
    response.setHeader('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw new RateLimited(resetSeconds);
    return true;
  }

  private async standing({ context, path }: ServiceRequest): Promise<RateLimitStanding | undefined> {
    const { caller, ipAddress } = context;
    if (caller.kind === 'anonymous' && GUESSABLE.test(path)) return this.limits.countGuess(addressGroup(ipAddress));
    return this.limits.count(caller);
  }
}
