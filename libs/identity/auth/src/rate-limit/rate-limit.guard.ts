import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { addressGroup, LIMITED_USE, type LimitedUse, requestOf, type ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { oncePerHandler } from '../access/once-per-handler.js';
import { RateLimited } from './rate-limit-errors.js';
import { RateLimitService, type RateLimitState } from './rate-limit.service.js';

/** Paths of operations with which secrets can be guessed. Anonymous requests to these paths are counted by IP address. */
const SIGN_IN_PATHS = /^\/v1\/(?:auth|oauth\/interactions)(?:\/|$)/i;

/** The maximum length of an id. Longer path parameters are cut. */
const MAX_KEY_LENGTH = 80;

/**
 * Limits the requests of each caller, and the uses of operations with `@LimitUse`. Runs after the access guard, which authenticates the
 * caller.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly readDeclaredLimit = oncePerHandler((context) =>
    this.reflector.get<LimitedUse | undefined>(LIMITED_USE, context.getHandler()),
  );

  constructor(
    private readonly rateLimit: RateLimitService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws RateLimited (429) */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    await this.assertUsesLeft(request, this.readDeclaredLimit(context));
    const state = await this.count(request);
    if (!state) return true;
    writeRateLimit(context.switchToHttp().getResponse<Response>(), state);
    if (state.exceeded) throw new RateLimited(state.resetSeconds);
    return true;
  }

  /** Counts a use of an operation, or lets its handler count the uses for many resources. @throws RateLimited (429) */
  private async assertUsesLeft(request: ServiceRequest, limit: LimitedUse | undefined): Promise<void> {
    if (!limit) return;
    const countUse = (resource: string) => this.countUse(request, limit, resource);
    if (limit.param === undefined) request.countUse = countUse;
    else await countUse(String(request.params[limit.param]));
  }

  /** Counts uses by organization, so that one organization can't exhaust the limit of another. @throws RateLimited (429) */
  private async countUse({ context }: ServiceRequest, limit: LimitedUse, resource: string): Promise<void> {
    const key = `${context.organization?.id ?? ''}:${resource.slice(0, MAX_KEY_LENGTH)}`;
    const { exceeded, resetSeconds } = await this.rateLimit.countUse(limit.kind, key, limit.uses, limit.windowSeconds);
    if (exceeded) throw new RateLimited(resetSeconds);
  }

  private async count({ context, path }: ServiceRequest): Promise<RateLimitState | undefined> {
    const { caller, forwardedBy } = context;
    if (caller.kind !== 'anonymous' || !SIGN_IN_PATHS.test(path)) return this.rateLimit.count(caller);
    // A credential can name any address, so its own limit holds for all the addresses together.
    const ofCredential = forwardedBy && (await this.rateLimit.count(forwardedBy));
    if (ofCredential?.exceeded) return ofCredential;
    const ofAddress = await this.rateLimit.countAnonymous(addressGroup(context));
    return ofAddress.exceeded ? ofAddress : (ofCredential ?? ofAddress);
  }
}

/** Writes the headers of draft-ietf-httpapi-ratelimit-headers. */
export function writeRateLimit(response: Response, { limit, windowSeconds, remaining, resetSeconds }: RateLimitState): void {
  response.setHeader('RateLimit-Policy', `"default";q=${limit};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
}
