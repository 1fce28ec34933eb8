import { Injectable } from '@nestjs/common';
import { Clock, isInNetworks } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { ServiceRequest } from '#platform/http';
import { canInspect, secretOf } from '../clients/client-rights.js';
import { ClientUsageService } from '../clients/client-usage.service.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { AccessTokensService } from '../tokens/access-tokens.service.js';
import type { Claims } from '../tokens/claims.service.js';
import { StandingService } from '../tokens/standing.service.js';
import { credentialsOf } from './form-credentials.js';
import { plainFormOf } from './plain-form.js';

const FIELDS = new Set(['token', 'token_type_hint', 'client_id', 'client_secret']);

/** Answers a usual introspection request without the library (`DirectResponsesService`). */
@Injectable()
export class DirectIntrospectionService {
  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly clientUsage: ClientUsageService,
    private readonly standing: StandingService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Returns what an active access token of a user says, or undefined if the library must answer. */
  async find(request: ServiceRequest): Promise<Claims | undefined> {
    const { context, headers } = request;
    const form = plainFormOf(request, FIELDS);
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
