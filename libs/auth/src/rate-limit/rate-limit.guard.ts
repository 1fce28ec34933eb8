import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '#http';
import type { Response } from 'express';
import { RateLimited } from './rate-limited.js';
import { RateLimits } from './rate-limits.js';

/** Keeps one caller from taking all there is. Stands behind the access guard, so that it knows who calls. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** Writes the headers of draft-ietf-httpapi-ratelimit-headers. @throws RateLimited (429) */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const standing = await this.limits.count(requestOf(context).context.caller);
    if (!standing) return true;
    const { limit, windowSeconds, remaining, resetSeconds, exceeded } = standing;
    const response = context.switchToHttp().getResponse<Response>();
    response.setHeader('RateLimit-Policy', `"default";q=${limit};w=${windowSeconds}`);
    response.setHeader('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw new RateLimited(resetSeconds);
    return true;
  }
}
