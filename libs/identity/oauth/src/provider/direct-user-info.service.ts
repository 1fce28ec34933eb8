import { Injectable } from '@nestjs/common';
import type { ServiceRequest } from '#platform/http';
import { allowedScopes } from '../clients/client-rights.js';
import { AccessTokensService } from '../tokens/access-tokens.service.js';
import { type Claims, CLAIMS_OF_SCOPES, ClaimsService, scopesOf } from '../tokens/claims.service.js';
import { StandingService } from '../tokens/standing.service.js';

const BEARER = /^Bearer ([\w-]+)$/i;
const CLAIMS: Readonly<Record<string, readonly string[] | undefined>> = CLAIMS_OF_SCOPES;

/** Answers a usual userinfo request without the library (`DirectResponsesService`). */
@Injectable()
export class DirectUserInfoService {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly standing: StandingService,
    private readonly claims: ClaimsService,
  ) {}

  /** Returns the claims that the access token allows, or undefined if the library must answer. */
  async find({ context, headers }: ServiceRequest): Promise<Claims | undefined> {
    const text = BEARER.exec(headers.authorization ?? '')?.[1];
    const token = text === undefined ? undefined : await this.accessTokens.find(context, text);
    if (!token || token.jkt !== undefined || token.aud !== undefined || token.claims !== undefined) return undefined;
    const scopes = scopesOf(token.scope);
    if (!scopes.includes('openid')) return undefined;
    const standing = await this.standing.find(context, token, { withProfile: true });
    if (!standing) return undefined;
    const allowed = allowedScopes(standing.grant, standing.client).filter((scope) => scopes.includes(scope));
    const claims = await this.claims.ofUser(context, standing);
    const names = allowed.flatMap((scope) => CLAIMS[scope] ?? []);
    return Object.fromEntries(names.filter((name) => name in claims).map((name) => [name, claims[name]]));
  }
}
