import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { parseGrantKey } from '../grants/grant-key.js';
import { isTokenOf } from '../provider/token-shape.js';
import type { Claims } from './claims.service.js';
import { OAuthArtifactQuery } from './oauth-artifact.query.js';
import type { TokenOrigin } from './standing.service.js';

/** What an opaque access token of a user says. */
export interface AccessToken extends TokenOrigin {
  readonly aud?: string;
  readonly scope?: string;
  readonly iat: number;
  readonly exp: number;
  readonly sid?: string;
  readonly extra?: Claims;
  /** The parameter `claims` of the authorization request. */
  readonly claims?: unknown;
}

@Injectable()
export class AccessTokensService {
  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns an access token of a user that has not expired. Tokens of machine clients that were passed on have no grant. */
  async find(ctx: RequestContext, token: string): Promise<AccessToken | undefined> {
    if (!isTokenOf('AccessToken', token)) return undefined;
    const now = this.clock.now();
    const stored = await this.artifacts.find(ctx, 'AccessToken', token, now);
    const found = stored?.payload as AccessToken | undefined;
    const isOfUser = found !== undefined && parseGrantKey(found.grantId) !== undefined;
    return isOfUser && !stored?.consumedAt && found.exp > Math.floor(now.getTime() / 1_000) ? found : undefined;
  }
}
