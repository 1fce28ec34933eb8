import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { addressGroup, LIMITED_USE, type LimitedUse, requestOf, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { RateLimited } from './rate-limit-errors.js';
import { RateLimitService, type RateLimitState } from './rate-limit.service.js';

/** Open to all, and so to all who guess: counted by address. */
const GUESSABLE = /^\/v1\/auth(?:\/|$)/i;

/** Of whatever a path names, as much as any id has. */
const KEY_CHARACTERS = 80;

/**
 * Keeps one caller from taking all there is, and all of them from what is to happen seldom. Stands behind the access guard, so that it
 * knows who calls.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly declared = new WeakMap<object, LimitedUse | null>();

  constructor(
    private readonly limits: RateLimitService,
    private readonly reflector: Reflector,
  ) {}

  /** Writes the headers of draft-ietf-httpapi-ratelimit-headers. @throws RateLimited (429) */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    await this.assertUsesLeft(request, this.declaredAt(context));
    const standing = await this.standing(request);
    if (!standing) return true;
    const { limit, windowSeconds, remaining, resetSeconds, exceeded } = standing;
    const response = context.switchToHttp().getResponse<Response>();
    response.setHeader('RateLimit-Policy', `"default";q=${limit};w=${windowSeconds}`);
    response.setHeader('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
    if (exceeded) throw new RateLimited(resetSeconds);
    return true;
  }

  /** What `@LimitUse` says of the handler; read once for each. */
  private declaredAt(context: ExecutionContext): LimitedUse | null {
    const handler = context.getHandler();
    const known = this.declared.get(handler);
    if (known !== undefined) return known;
    const declared = this.reflector.get<LimitedUse | undefined>(LIMITED_USE, handler) ?? null;
    this.declared.set(handler, declared);
    return declared;
  }

  /** By organization, so that nobody uses up what others have. @throws RateLimited (429) */
  private async assertUsesLeft({ context, params }: ServiceRequest, limit: LimitedUse | null): Promise<void> {
    if (!limit) return;
    const key = `${context.organization?.id ?? ''}:${String(params[limit.param]).slice(0, KEY_CHARACTERS)}`;
    const { exceeded, resetSeconds } = await this.limits.countUse(limit.kind, key, limit.uses, limit.windowSeconds);
    if (exceeded) throw new RateLimited(resetSeconds);
  }

  private async standing({ context, path }: ServiceRequest): Promise<RateLimitState | undefined> {
    const { caller, ipAddress } = context;
    if (caller.kind === 'anonymous' && GUESSABLE.test(path)) return this.limits.countGuess(addressGroup(ipAddress));
    return this.limits.count(caller);
  }
}
