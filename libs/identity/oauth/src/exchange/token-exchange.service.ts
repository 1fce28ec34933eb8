import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { SigningKeysService } from '#identity/session-access';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { canExchange } from '../clients/client-rights.js';
import { TOKEN_EXCHANGE } from '../clients/oauth-client.entity.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { parseGrantKey } from '../grants/grant-key.js';
import { issueAccessToken } from '../provider/issue-access-token.js';
import type { GrantType, KoaContext, Library, ResourceServer } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { acrOf } from '../provider/session-payload.js';
import { ResourceServersService } from '../provider/resource-servers.service.js';
import { isTokenOf } from '../provider/token-shape.js';
import { scopesOf } from '../tokens/claims.service.js';
import { OAuthArtifactQuery } from '../tokens/oauth-artifact.query.js';
import { type Standing, StandingService, type TokenOrigin } from '../tokens/standing.service.js';
import { actorsOf, MAX_ACTORS, passedOn, type TokenChain } from './token-chain.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const TARGETS = ['resource', 'audience'];
const PARAMETERS = [
  ...TARGETS,
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
  'actor_token_type',
  'scope',
];

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

type Issued = Awaited<ReturnType<typeof issueAccessToken>>;

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
interface Subject extends TokenContents {
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

/**
 * Exchanges an access token that a client received for one with which it calls another API on behalf of the same user (RFC 8693). The new
 * token never has more scopes, and never lives longer. The claim `act` names the client. Its only caller, `LibraryHandlerService`, would
 * have 13 dependencies with it.
 */
@Injectable()
export class TokenExchangeService implements GrantType {
  readonly name = TOKEN_EXCHANGE;
  readonly parameters = PARAMETERS;
  readonly repeatable = TARGETS;

  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly standing: StandingService,
    private readonly signingKeys: SigningKeysService,
    private readonly resourceServers: ResourceServersService,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /** @throws InvalidRequest, InvalidTarget, InvalidScope, InvalidGrant */
  async respond(library: Library, koa: KoaContext): Promise<void> {
    const { oidc } = koa;
    const { ctx, clients } = currentRequest();
    const client = clients.get(oidc.client.clientId)!;
    const parameters: Parameters = oidc.params;
    const target = targetOf(library, parameters);
    const subject = await this.findSubject(ctx, client, subjectTokenOf(library, parameters));
    if (!subject)
      throw new library.errors.InvalidRequest(
        'the subject_token has ended, or its organization does not allow that the client acts with it',
      );
    assertBinding(library, subject);
    if (subject.chain.actors.length >= MAX_ACTORS)
      throw new library.errors.InvalidRequest(`the subject_token was exchanged ${MAX_ACTORS} times already`);
    const server = await this.resourceServers.find(library, target, client);
    const scopes = grantedScopes(library, subject, server, client, scopesOf(oidc.params['scope']));
    const chain = passedOn(subject.chain, client);
    const issued = await this.issue(oidc, subject, server, scopes, chain);
    this.publish(client, subject, target, issued, chain);
    koa.body = { ...issued, issued_token_type: ACCESS_TOKEN };
  }

  private async issue(
    oidc: KoaContext['oidc'],
    { origin, standing, firstClient, sourceHash, expiresAt }: Subject,
    server: ResourceServer,
    scopes: readonly string[],
    chain: TokenChain,
  ): Promise<Issued> {
    const request = currentRequest();
    const seconds = Math.min(server.accessTokenTTL, expiresAt - Math.floor(this.work.now().getTime() / 1_000));
    request.clients.set(firstClient.clientId, firstClient);
    request.chain = chain;
    if (origin && standing) {
      request.source = { ...origin, acr: acrOf(origin.amr) };
      request.standings.set(origin.grantId, standing);
      if (sourceHash !== undefined) request.sourceHash = sourceHash;
    }
    return issueAccessToken(oidc, server, scopes, {
      accountId: origin?.accountId ?? chain.clientId,
      grantId: origin?.grantId,
      sessionUid: origin?.sessionUid,
      gty: 'token_exchange',
      seconds,
    });
  }

  /** Clients of the platform belong to no organization, and so have no event log. */
  private publish(client: KnownClient, subject: Subject, audience: string, issued: Issued, chain: TokenChain): void {
    const { organization, origin, firstClient } = subject;
    if (!organization) return;
    const { id, name } = client;
    const data = {
      subjectId: origin?.accountId ?? firstClient.id,
      clientId: id,
      clientName: name,
      issuedToClientId: firstClient.id,
      actorClientIds: [...chain.actors],
      fromAudience: subject.audience,
      audience,
      scopes: scopesOf(issued.scope),
      expiresAt: new Date(this.work.now().getTime() + issued.expires_in * 1_000).toISOString(),
    };
    currentRequest().writes.others.push((ctx) =>
      this.work.publish(
        { ...ctx, actor: { type: 'api', id, client: { id, name } } },
        'token.exchanged',
        organization,
        data,
        origin ? { userId: origin.accountId } : {},
      ),
    );
  }

  /**
   * Returns a token if the client is the program of its API or it was issued to the client, and if the new token would be good for something: the
   * user, the clients and the organization are active, and all clients, with the new one, can act in the organization.
   */
  private async findSubject(ctx: RequestContext, client: KnownClient, token: string): Promise<Subject | undefined> {
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
    const now = this.work.now();
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

/** Returns the one API for which the new token is. `audience` is another name of the parameter `resource`. @throws InvalidTarget */
function targetOf({ errors }: Library, parameters: Parameters): string {
  const [target, ...others] = new Set(TARGETS.flatMap((name) => parameters[name] ?? []));
  if (target !== undefined && others.length === 0) return target;
  throw new errors.InvalidTarget('resource or audience must name the one API for which the new token is');
}

/** @throws InvalidRequest */
function subjectTokenOf({ errors }: Library, parameters: Parameters): string {
  const { subject_token: token, subject_token_type: type, requested_token_type: requested = ACCESS_TOKEN } = parameters;
  if (typeof token !== 'string') throw new errors.InvalidRequest("missing required parameter 'subject_token'");
  if (type !== ACCESS_TOKEN) throw new errors.InvalidRequest(`subject_token_type must be ${ACCESS_TOKEN}`);
  if (requested !== ACCESS_TOKEN) throw new errors.InvalidRequest(`requested_token_type must be ${ACCESS_TOKEN}`);
  if (parameters['actor_token'] !== undefined || parameters['actor_token_type'] !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported, because the client that authenticates is the actor');
  return token;
}

/** A program that received a bound token does not have its key, so it can't pass the access on. @throws InvalidGrant */
function assertBinding({ errors }: Library, { key }: Subject): void {
  if (key !== undefined && key !== currentRequest().proofKey)
    throw new errors.InvalidGrant('the subject_token is bound to a key, and the request has no DPoP proof of it');
}

/**
 * Returns the scopes of the new token: those of the subject token that the client can have for the API, and with its own token also only
 * those that the user allowed for the API.
 * @throws InvalidScope
 */
function grantedScopes(
  { errors }: Library,
  { scopes, chain, standing }: Subject,
  server: ResourceServer,
  client: KnownClient,
  requested: readonly string[],
): readonly string[] {
  const isOwn = chain.actors.length === 0 && chain.clientId === client.clientId;
  const consented = isOwn && standing ? (standing.grant.resourceScopes[server.audience] ?? []) : scopes;
  const possible = scopesOf(server.scope).filter((scope) => scopes.includes(scope) && consented.includes(scope));
  const beyond = requested.filter((scope) => !possible.includes(scope));
  if (beyond.length > 0 || possible.length === 0)
    throw new errors.InvalidScope(
      'the subject_token or the client does not have these scopes for the API',
      beyond.join(' ') || undefined,
    );
  return requested.length > 0 ? [...new Set(requested)] : possible;
}

/** Returns the key of what a token says about its binding. */
const keyOf = (binding: unknown): Pick<TokenContents, 'key'> => {
  const { jkt } = (binding ?? {}) as { jkt?: string };
  return jkt === undefined ? {} : { key: jkt };
};

const common = (first: readonly string[], second: readonly string[]): string[] => first.filter((each) => second.includes(each));
