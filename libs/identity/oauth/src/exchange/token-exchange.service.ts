import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#platform/events';
import { TOKEN_EXCHANGE } from '../clients/oauth-client.entity.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { issueAccessToken } from '../provider/issue-access-token.js';
import type { GrantType, KoaContext, Library, ResourceServer } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { acrOf } from '../provider/session-payload.js';
import { ResourceServersService } from '../provider/resource-servers.service.js';
import { scopesOf } from '../tokens/claims.service.js';
import { type Subject, SubjectTokensService } from './subject-tokens.service.js';
import { MAX_ACTORS, passedOn, type TokenChain } from './token-chain.js';

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

/**
 * Exchanges an access token that a client received for one with which it calls another API on behalf of the same user (RFC 8693). The new
 * token never has more scopes, and never lives longer. The claim `act` names the client.
 */
@Injectable()
export class TokenExchangeService implements GrantType {
  readonly name = TOKEN_EXCHANGE;
  readonly parameters = PARAMETERS;
  readonly repeatable = TARGETS;

  constructor(
    private readonly subjects: SubjectTokensService,
    private readonly resourceServers: ResourceServersService,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws InvalidRequest, InvalidTarget, InvalidScope, InvalidGrant */
  async respond(library: Library, koa: KoaContext): Promise<void> {
    const { oidc } = koa;
    const { ctx, clients } = currentRequest();
    const client = clients.get(oidc.client.clientId)!;
    const parameters: Parameters = oidc.params;
    const target = targetOf(library, parameters);
    const subject = await this.subjects.find(ctx, client, subjectTokenOf(library, parameters));
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
