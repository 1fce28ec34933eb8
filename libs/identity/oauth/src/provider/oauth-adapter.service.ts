import { Injectable } from '@nestjs/common';
import { Clock, isInNetworks, PLATFORM_TENANT } from '#platform/common';
import { AppConfig } from '#platform/config';
import { hashToken } from '#platform/crypto';
import type { Request } from 'express';
import { DeviceRequestsService } from '../devices/device-requests.service.js';
import { userCodeArtifact } from '../devices/user-code.js';
import { grantKeyText, parseGrantKey } from '../grants/grant-key.js';
import { allowedScopes, secretOf } from '../clients/client-rights.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { MetadataDocumentUnusable } from '../registration/metadata-document.js';
import { SelfDescribedClientsService } from '../registration/self-described-clients.service.js';
import { scopesOf } from '../tokens/claims.service.js';
import { type ArtifactKind, OAuthArtifactQuery } from '../tokens/oauth-artifact.query.js';
import { type Standing, StandingService, type TokenOrigin } from '../tokens/standing.service.js';
import { clientMetadata } from './client-metadata.js';
import { type Adapter, loadLibrary, type Payload } from './library.js';
import { credentialsOf } from './form-credentials.js';
import { currentRequest, type OAuthRequest } from './oauth-request.js';
import { plainFormOf } from './plain-form.js';
import { sessionPayload } from './session-payload.js';
import { INTERACTION_SECONDS } from './token-lifetimes.js';
import { isTokenOf } from './token-shape.js';

/** Codes and tokens of users, which are good only as long as what they stand for. */
const OF_GRANTS = new Set<string>(['AuthorizationCode', 'RefreshToken', 'AccessToken']);
const STORED = new Set<string>([
  ...OF_GRANTS,
  'ClientCredentials',
  'DeviceCode',
  'Interaction',
  'PushedAuthorizationRequest',
  'ReplayDetection',
]);

const REFRESH_FIELDS = new Set(['grant_type', 'refresh_token', 'scope', 'resource', 'client_id', 'client_secret']);

/** How long a row stays after it expired, so that a late second use is still noticed. The payload has the expiry itself. */
const KEPT_SECONDS: Readonly<Record<string, number>> = {
  AuthorizationCode: 3_600,
  DeviceCode: 600,
  // The questions of the request can take as long.
  PushedAuthorizationRequest: INTERACTION_SECONDS,
};

/**
 * Gives the library its models. Clients, grants and sessions are those of this service, and are never written by the library. Codes, tokens
 * and authorization requests are written when the request ends, in one transaction (`OAuthRequestsService`).
 */
@Injectable()
export class OAuthAdapterService {
  constructor(
    private readonly selfDescribed: SelfDescribedClientsService,
    private readonly artifacts: OAuthArtifactQuery,
    private readonly standing: StandingService,
    private readonly deviceRequests: DeviceRequestsService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  readonly adapterOf = (kind: string): Adapter => ({
    find: (id) => this.find(kind, id),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: async (id, payload, expiresInSeconds) => {
      if (!isStorable(payload)) throw new (await loadLibrary()).errors.InvalidRequest('a parameter has invalid characters');
      this.insert(kind, id, payload, expiresInSeconds);
    },
    consume: async (id) => void currentRequest().writes.consumed.add(id),
    destroy: async (id) => {
      if (STORED.has(kind)) currentRequest().writes.deleted.add(id);
    },
    revokeByGrantId: async (grantId) => {
      const { chain, writes } = currentRequest();
      const key = parseGrantKey(grantId);
      // A token that was passed on ends alone.
      if (key && !chain) writes.endedSignIns.add(key.signInId);
    },
  });

  /** Begins to read the client and the token of a usual refresh together. The library asks for one after the other. */
  readAhead(request: Request): void {
    if (request.path !== '/oauth/token') return;
    const form = plainFormOf(request, REFRESH_FIELDS);
    const clientId = form && credentialsOf(form, request.headers.authorization)?.id;
    const refreshToken = form?.['refresh_token'];
    if (!clientId || !refreshToken || !isTokenOf('RefreshToken', refreshToken)) return;
    const { ctx, ahead } = currentRequest();
    const now = this.clock.now();
    const client = this.selfDescribed.find(ctx, clientId, 'token');
    const stored = this.artifacts.find(ctx, 'RefreshToken', refreshToken, now);
    // The library may refuse the request without asking for them.
    for (const read of [client, stored]) read.catch(() => undefined);
    ahead.clients.set(clientId, client);
    ahead.refreshTokens.set(refreshToken, stored);
  }

  /** Returns the client if it can be used. */
  async findClient(id: string): Promise<KnownClient | undefined> {
    const { ctx, clients, ahead, clientUse } = currentRequest();
    const known = clients.get(id) ?? (await (ahead.clients.get(id) ?? this.selfDescribed.find(ctx, id, clientUse)));
    // The id of a client that registered itself is for the API only.
    if (!known?.isActive || known.clientId !== id || (known.registration && id === known.id)) return undefined;
    clients.set(id, known);
    return known;
  }

  /** Returns whether a text is one of the valid secrets of a client that the request has read. */
  readonly isSecretOf = (clientId: string, secret: string): boolean => {
    const request = currentRequest();
    const client = request.clients.get(clientId);
    const found = client && secretOf(client, secret, this.clock.now());
    if (found) request.secretId = found.id;
    return found !== undefined;
  };

  private async find(kind: string, id: string): Promise<Payload | undefined> {
    if (kind === 'Client') {
      const client = await this.findClient(id).catch(rejectUnusable);
      return client && canCall(client) ? clientMetadata(client) : undefined;
    }
    if (kind === 'Session') return sessionPayload(currentRequest().session, id);
    if (kind === 'Grant') return this.findGrant(id);
    return STORED.has(kind) && isTokenOf(kind, id) ? this.findStored(kind as ArtifactKind, id) : undefined;
  }

  private async findStored(kind: ArtifactKind, id: string): Promise<Payload | undefined> {
    const request = currentRequest();
    const { ctx, ahead } = request;
    const read = kind === 'RefreshToken' ? ahead.refreshTokens.get(id) : undefined;
    const stored = await (read ?? this.artifacts.find(ctx, kind, id, this.clock.now()));
    if (!stored) return undefined;
    const { payload, consumedAt } = stored;
    if (kind === 'Interaction') return { ...payload, jti: id, returnTo: `${this.config.baseUrl}/oauth/authorize/${id}` };
    if (kind === 'ClientCredentials') {
      if (!(await this.findClient(payload['clientId'] as string))) return undefined;
      return { ...payload, jti: id };
    }
    if (kind === 'DeviceCode' && payload['grantId'] === undefined) {
      if (isAwaited(payload, this.clock.now())) await this.deviceRequests.countPoll(id);
      return { ...payload, jti: id };
    }
    if (OF_GRANTS.has(kind) || kind === 'DeviceCode') {
      const origin = payload as unknown as TokenOrigin;
      if (consumedAt) request.reused = { kind, grantId: origin.grantId };
      // A code or token that was used before must be found, so that the library ends the sign-in.
      else if (!(await this.isGood(origin))) return undefined;
      if (kind === 'AccessToken') request.chain = origin.chain;
      else {
        request.source = payload;
        request.sourceHash = hashToken(id).toString('base64url');
      }
    }
    return { ...payload, jti: id, ...(consumedAt ? { consumed: Math.floor(consumedAt.getTime() / 1_000) } : {}) };
  }

  /** Returns whether a code or token is still good for anything. A token of a machine client that was passed on has no grant. */
  private async isGood(origin: TokenOrigin): Promise<boolean> {
    const { grantId, chain } = origin;
    if (grantId !== undefined || !chain) return (await this.findStanding(origin)) !== undefined;
    return (await this.standing.findMachine(currentRequest().ctx, chain)) !== null;
  }

  /** Returns what a code or token stands for, or undefined if it is good for nothing. */
  private async findStanding(origin: TokenOrigin): Promise<Standing | undefined> {
    const { ctx, standings, clients, withProfile } = currentRequest();
    const found = await this.standing.find(ctx, origin, { client: clients.get(origin.clientId), withProfile });
    if (!found) return undefined;
    standings.set(grantKeyText(found.key), found);
    clients.set(found.client.clientId, found.client);
    return found;
  }

  private findGrant(id: string): Payload | undefined {
    const { standings, reused } = currentRequest();
    const standing = standings.get(id);
    if (standing) return grantPayload(id, standing);
    // The library ends the sign-in only if it finds the grant.
    return reused?.grantId === id ? { jti: id, ...reusedGrant() } : undefined;
  }

  private insert(kind: string, id: string, payload: Payload, expiresInSeconds: number): void {
    if (!STORED.has(kind)) return;
    const request = currentRequest();
    const { jti: _, returnTo: __, session: ___, userCode, ...stored } = payload;
    const key = typeof payload['grantId'] === 'string' ? parseGrantKey(payload['grantId']) : undefined;
    const client = request.clients.get(String(payload['clientId'] ?? (payload['params'] as Payload | undefined)?.['client_id']));
    const tenantId = key?.tenantId ?? (client ?? request.caller)?.tenantId ?? PLATFORM_TENANT;
    const expiryAfter = (seconds: number) => new Date(this.clock.now().getTime() + seconds * 1_000);
    request.writes.inserted.push({
      kind: kind as ArtifactKind,
      id,
      tenantId,
      payload: OF_GRANTS.has(kind) ? { ...stored, ...originOf(kind, payload, request) } : stored,
      signInId: OF_GRANTS.has(kind) ? (key?.signInId ?? null) : null,
      expiresAt: expiryAfter(expiresInSeconds + (KEPT_SECONDS[kind] ?? 0)),
    });
    if (typeof userCode === 'string')
      request.writes.inserted.push(userCodeArtifact(userCode, id, tenantId, expiryAfter(expiresInSeconds)));
  }
}

/** Returns whether a device waits for the answer of the user. */
const isAwaited = (payload: Payload, now: Date): boolean =>
  payload['error'] === undefined && Number(payload['exp']) * 1_000 > now.getTime();

/** Returns whether a client can call the endpoint from its network, however it authenticates. Other clients of the request don't call. */
function canCall(client: KnownClient): boolean {
  const request = currentRequest();
  if (!request.isOfClient) return true;
  request.caller ??= client;
  const { caller, ctx } = request;
  return caller.id !== client.id || !caller.allowedNetworks || isInNetworks(ctx, caller.allowedNetworks);
}

/** Says to the people who run the application why its document can't be used. */
async function rejectUnusable(error: unknown): Promise<never> {
  if (!(error instanceof MetadataDocumentUnusable)) throw error;
  throw new (await loadLibrary()).errors.InvalidClient(error.message);
}

/** JSON that PostgreSQL can't store: NUL, and halves of characters. JSON.stringify escapes both. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

const isStorable = (payload: Payload): boolean => !NOT_STORABLE.test(JSON.stringify(payload));

/** Returns what the library does not keep in access tokens. */
function originOf(
  kind: string,
  payload: Payload,
  { source, session, chain }: Pick<OAuthRequest, 'source' | 'session' | 'chain'>,
): Pick<TokenOrigin, 'offline' | 'amr' | 'authTime' | 'identityProviderId' | 'chain'> {
  const from = kind === 'AccessToken' ? (source ?? payload) : payload;
  const offline = from['offline'] ?? scopesOf(from['scope'] as string | undefined).includes('offline_access');
  const { amr = [], authTime = 0 } = from as Partial<TokenOrigin>;
  const signIn: Pick<TokenOrigin, 'identityProviderId'> | undefined = kind === 'AuthorizationCode' ? session?.session : source;
  const identityProviderId = signIn?.identityProviderId ?? null;
  return { offline: offline === true, amr, authTime, identityProviderId, ...(chain ? { chain } : {}) };
}

/** A grant allows what the user allowed and the client can still have. A token that was passed on is of the last client. */
function grantPayload(id: string, { grant, client, actors }: Standing): Payload {
  const resources = Object.entries(grant.resourceScopes).map(([identifier, scopes]) => [
    identifier,
    // A client that nobody created with the API has only what the user allowed.
    scopes.filter((scope) => client.registration || client.resourceScopes[identifier]?.includes(scope)).join(' '),
  ]);
  return {
    jti: id,
    accountId: grant.userId,
    clientId: (actors.at(-1) ?? client).clientId,
    openid: { scope: allowedScopes(grant, client).join(' ') },
    resources: Object.fromEntries(resources),
  };
}

/** The grant of a code or token that was used before. Allows nothing. */
function reusedGrant(): Payload {
  const { source } = currentRequest();
  return { accountId: source?.['accountId'], clientId: source?.['clientId'] };
}
