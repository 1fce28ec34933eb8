import { Injectable } from '@nestjs/common';
import { Clock, isInNetworks } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { allowedScopes, canInspect, secretOf } from '../clients/client-rights.js';
import { ClientUsageService } from '../clients/client-usage.service.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { AccessTokensService } from '../tokens/access-tokens.service.js';
import { type Claims, CLAIMS_OF_SCOPES, ClaimsService, scopesOf } from '../tokens/claims.service.js';
import { StandingService } from '../tokens/standing.service.js';
import { credentialsOf } from './form-credentials.js';
import { plainFormOf } from './plain-form.js';

const BEARER = /^Bearer ([\w-]+)$/i;
const CLAIMS: Readonly<Record<string, readonly string[] | undefined>> = CLAIMS_OF_SCOPES;
const INTROSPECTION_FIELDS = new Set(['token', 'token_type_hint', 'client_id', 'client_secret']);

/**
 * Responds to usual introspection and userinfo requests as the library would, and to preflights of unknown pages. Leaves every other request
 * and every refusal to the library.
 * Together with fewer round trips this takes less than half of the processor time (docs/engineering/performance.md). Its only caller,
 * `OAuthEndpointsService`, would have 12 dependencies with it.
 */
@Injectable()
export class DirectResponsesService {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly clientUsage: ClientUsageService,
    private readonly standing: StandingService,
    private readonly claims: ClaimsService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Returns whether it responded. */
  async respond(request: ServiceRequest, response: Response): Promise<boolean> {
    if (await this.respondToPreflight(request, response)) return true;
    // The library checks the origin of requests that pages send.
    const body = request.headers.origin === undefined ? await this.findBody(request) : undefined;
    if (!body) return false;
    response.vary('Origin');
    response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const text = JSON.stringify(body);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
    return true;
  }

  private findBody(request: ServiceRequest): Promise<Claims | undefined> | undefined {
    const { method, url } = request;
    if (method === 'GET' && url === '/oauth/userinfo') return this.findUserInfo(request);
    if (method === 'POST' && url === '/oauth/introspect') return this.introspect(request);
    return undefined;
  }

  /**
   * Responds to a preflight (CORS) of a page that no client registered. The library answers other origins: it allows all, because a preflight
   * names no client, and compares the origin with those of the client at the request itself.
   */
  private async respondToPreflight({ method, path, headers, context }: ServiceRequest, response: Response): Promise<boolean> {
    const { origin } = headers;
    if (method !== 'OPTIONS' || !path.startsWith('/oauth/') || origin === undefined) return false;
    if (await this.clientQuery.isOrigin(context, origin, this.clock.now())) return false;
    response.vary('Origin');
    response.status(204).end();
    return true;
  }

  /** Returns the claims that the access token allows, or undefined if the library must answer. */
  private async findUserInfo({ context, headers }: ServiceRequest): Promise<Claims | undefined> {
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

  /** Returns what an active access token of a user says, or undefined if the library must answer. */
  private async introspect(request: ServiceRequest): Promise<Claims | undefined> {
    const { context, headers } = request;
    const form = plainFormOf(request, INTROSPECTION_FIELDS);
    const credentials = form && credentialsOf(form, headers.authorization);
    if (!form?.['token'] || !credentials) return undefined;
    const [client, token] = await Promise.all([
      this.clientQuery.findById(context, credentials.id, this.clock.now()),
      this.accessTokens.find(context, form['token']),
    ]);
    const secretId = client && this.authenticate(request, client, credentials.secret);
    if (!token || token.jkt !== undefined || !secretId || !canInspect(client, token, this.config.baseUrl)) return undefined;
    const known = client.clientId === token.clientId ? client : undefined;
    if (!(await this.standing.find(context, token, { client: known }))) return undefined;
    this.clientUsage.recordUse(client, secretId);
    const { accountId: sub, clientId: client_id, extra, exp, iat, sid, aud, scope } = token;
    const iss = this.config.baseUrl;
    return { active: true, sub, ...extra, client_id, exp, iat, sid, iss, aud, scope: scope || undefined, token_type: 'Bearer' };
  }

  /** Returns the id of the secret if the client authenticates with it and can call the endpoint from its network. */
  private authenticate({ context }: ServiceRequest, client: KnownClient, secret: string): string | undefined {
    const { authentication, allowedNetworks, isActive } = client;
    const hasSecret = authentication === 'client_secret_basic' || authentication === 'client_secret_post';
    if (!isActive || !hasSecret || (allowedNetworks && !isInNetworks(context, allowedNetworks))) return undefined;
    return secretOf(client, secret, this.clock.now())?.id;
  }
}
