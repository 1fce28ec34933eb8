import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken } from '#platform/crypto';
import { SigningKeysService } from '#identity/session-access';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { canExchange } from '../clients/client-rights.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { parseGrantKey } from '../grants/grant-key.js';
import { isTokenOf } from '../provider/token-shape.js';
import { scopesOf } from '../tokens/claims.service.js';
import { OAuthArtifactQuery } from '../tokens/oauth-artifact.query.js';
import { type Standing, StandingService, type TokenOrigin } from '../tokens/standing.service.js';
import { actorsOf, passedOn, type TokenChain } from './token-chain.js';

/** What an access token says, before anybody asked whether it is still good for anything. */
interface TokenContents {
  /** The client to which the token was issued. */
  readonly clientId: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  /** In seconds since 1970. */
  readonly expiresAt: number;
  readonly chain: TokenChain;
  /** The sign-in that the token comes from. Not set for tokens of machine clients. */
  readonly origin?: TokenOrigin;
  /** The hash of the stored token that it comes from, which tokens for the same sign-in name. */
  readonly sourceHash?: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly key?: string;
}

/** An access token that a client can exchange. */
export interface Subject extends TokenContents {
  /** The organization of the sign-in or of the machine client. Null for a machine client of the platform. */
  readonly organization: OrganizationScope | null;
  /** The client to which the first token was issued. */
  readonly firstClient: KnownClient;
  /** Not set for tokens of machine clients. */
  readonly standing?: Standing;
}

/** The token that a client gets for the subject token. */
interface NextToken {
  readonly chain: TokenChain;
  /** The client that exchanges. */
  readonly client: KnownClient;
}

/** Finds the access tokens that clients exchange (`subject_token`). */
@Injectable()
export class SubjectTokensService {
  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly standing: StandingService,
    private readonly signingKeys: SigningKeysService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns a token if the client is the program of its API or it was issued to the client, and if the new token would be good for something: the
   * user, the clients and the organization are active, and all clients, with the new one, can act in the organization.
   */
  async find(ctx: RequestContext, client: KnownClient, token: string): Promise<Subject | undefined> {
    const contents = await this.read(ctx, token);
    if (!contents || !canExchange(client, contents)) return undefined;
    const next = { chain: passedOn(contents.chain, client), client };
    return contents.origin ? this.ofUser(ctx, contents, contents.origin, next) : this.ofMachine(ctx, contents, next);
  }

  /** Scopes that the user or the first client has lost are left out. */
  private async ofUser(
    ctx: RequestContext,
    contents: TokenContents,
    origin: TokenOrigin,
    { chain, client }: NextToken,
  ): Promise<Subject | undefined> {
    const standing = await this.standing.find(ctx, { ...origin, chain }, { client });
    if (!standing) return undefined;
    const { grant, client: firstClient, organization } = standing;
    const allowed = Object.entries(grant.resourceScopes).flatMap(([identifier, scopes]) =>
      scopes.filter((scope) => firstClient.registration || firstClient.resourceScopes[identifier]?.includes(scope)),
    );
    return { ...contents, origin, scopes: common(contents.scopes, allowed), organization, firstClient, standing };
  }

  private async ofMachine(
    ctx: RequestContext,
    contents: TokenContents,
    { chain, client }: NextToken,
  ): Promise<Subject | undefined> {
    const machine = await this.standing.findMachine(ctx, chain, client);
    if (!machine) return undefined;
    const { client: firstClient } = machine;
    const scopes = common(contents.scopes, Object.values(firstClient.resourceScopes).flat());
    return { ...contents, scopes, organization: firstClient.organization, firstClient };
  }

  private async read(ctx: RequestContext, token: string): Promise<TokenContents | undefined> {
    const kind = (['AccessToken', 'ClientCredentials'] as const).find((each) => isTokenOf(each, token));
    const now = this.clock.now();
    if (!kind) return this.readJwt(ctx, token, now);
    const stored = await this.artifacts.find(ctx, kind, token, now);
    const payload = stored?.payload as (TokenOrigin & { aud?: string; scope?: string; exp: number; jkt?: string }) | undefined;
    if (!payload || stored?.consumedAt || payload.aud === undefined || payload.exp * 1_000 <= now.getTime()) return undefined;
    const { clientId, aud: audience, exp: expiresAt, chain = { clientId, actors: [] } } = payload;
    return {
      clientId,
      audience,
      scopes: scopesOf(payload.scope),
      expiresAt,
      chain,
      ...keyOf(payload),
      ...(parseGrantKey(payload.grantId) ? { origin: payload, sourceHash: hashToken(token).toString('base64url') } : {}),
    };
  }

  /** A JWT says nothing about its sign-in. Its id names the stored code or token that it comes from, which ends with the sign-in. */
  private async readJwt(ctx: RequestContext, token: string, now: Date): Promise<TokenContents | undefined> {
    const claims = await this.verify(token, now);
    if (!claims) return undefined;
    const { sub, aud, exp, jti = '', scope, client_id: clientId, act, cnf } = claims;
    if (typeof sub !== 'string' || typeof aud !== 'string' || typeof clientId !== 'string' || exp === undefined) return undefined;
    const [, sourceHash] = jti.split('.');
    const scopes = scopesOf(scope as string | undefined);
    const shared = { clientId, audience: aud, scopes, expiresAt: exp, ...keyOf(cnf) };
    const actors = actorsOf(act);
    if (sourceHash === undefined) return { ...shared, chain: { clientId: sub, actors } };
    const source = await this.artifacts.findByHash(ctx, Buffer.from(sourceHash, 'base64url'), now);
    const origin = source?.payload as TokenOrigin | undefined;
    if (origin?.accountId !== sub) return undefined;
    return { ...shared, origin, sourceHash, chain: { clientId: origin.chain?.clientId ?? origin.clientId, actors } };
  }

  private async verify(token: string, now: Date): Promise<JWTPayload | undefined> {
    try {
      const keys = createLocalJWKSet({ keys: await this.signingKeys.listPublicKeys() });
      const { baseUrl: issuer } = this.config;
      const { payload } = await jwtVerify(token, keys, { issuer, typ: 'at+jwt', algorithms: ['ES256'], currentDate: now });
      return payload;
    } catch {
      return undefined;
    }
  }
}

/** Returns the key of what a token says about its binding. */
const keyOf = (binding: unknown): Pick<TokenContents, 'key'> => {
  const { jkt } = (binding ?? {}) as { jkt?: string };
  return jkt === undefined ? {} : { key: jkt };
};

const common = (first: readonly string[], second: readonly string[]): string[] => first.filter((each) => second.includes(each));
