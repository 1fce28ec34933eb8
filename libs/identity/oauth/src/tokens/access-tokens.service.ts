import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { type DpopRequest, InvalidDpopProof, Unauthenticated } from '#identity/auth';
import { parseGrantKey } from '../grants/grant-key.js';
import { isTokenOf } from '../provider/token-shape.js';
import type { Claims } from './claims.service.js';
import { DpopProofsService } from './dpop-proofs.service.js';
import { OAuthArtifactQuery } from './oauth-artifact.query.js';
import type { TokenOrigin } from './standing.service.js';

/** What an opaque access token of a user says. */
export interface AccessToken extends TokenOrigin {
  readonly aud?: string;
  readonly scope?: string;
  readonly iat: number;
  readonly exp: number;
  readonly sid?: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly jkt?: string;
  readonly extra?: Claims;
  /** The parameter `claims` of the authorization request. */
  readonly claims?: unknown;
}

@Injectable()
export class AccessTokensService {
  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly dpopProofs: DpopProofsService,
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

  /** Returns what a token of a user or a machine client says. @throws Unauthenticated (401) if it has expired */
  async get(ctx: RequestContext, kind: 'AccessToken' | 'ClientCredentials', token: string): Promise<AccessToken> {
    const now = this.clock.now();
    const stored = await this.artifacts.find(ctx, kind, token, now);
    const payload = stored?.payload as AccessToken | undefined;
    if (!payload || payload.exp * 1_000 <= now.getTime())
      throw new Unauthenticated('The access token has expired or does not exist.');
    return payload;
  }

  /** A bound token is worth nothing without the key, and a token without a key needs no proof. @throws InvalidDpopProof (401) */
  async assertBinding(
    ctx: RequestContext,
    token: string,
    { jkt }: Pick<AccessToken, 'jkt'>,
    request: DpopRequest | undefined,
  ): Promise<void> {
    if (jkt === undefined && request === undefined) return;
    if (jkt === undefined) throw new InvalidDpopProof('The access token is not bound to a key. Send it as Bearer.');
    if (request === undefined)
      throw new InvalidDpopProof('The access token is bound to a key. Send it as DPoP, with a proof in the header DPoP.');
    await this.dpopProofs.check(ctx, token, jkt, request);
  }
}
