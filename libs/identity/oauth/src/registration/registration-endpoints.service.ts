import { Injectable } from '@nestjs/common';
import { Clock, GRANTABLE_SCOPES, type RequestContext, STANDARD_SCOPES } from '#platform/common';
import { AppConfig } from '#platform/config';
import { addressGroup, type ServiceRequest } from '#platform/http';
import { unneeded } from '#directory/privileges';
import { RateLimitService } from '#identity/auth';
import express, { type Request, type Response } from 'express';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { OAuthClientRepository } from '../clients/oauth-client.repository.js';
import type { KoaContext } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { AllowedRegistrationsQuery } from './allowed-registrations.query.js';
import { type ClientDescription, clientOf, descriptionOf, InvalidClientMetadata } from './client-description.js';
import { SealedRegistrationsService } from './sealed-registrations.service.js';

const PATH = '/oauth/register';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const PER_ADDRESS_AND_HOUR_MAX = 100;
const readJson = express.json({ limit: '16kb', type: () => true });
const BEARER = /^Bearer (\S+)$/i;

/** An error response of RFC 7591 and RFC 7592. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

/** A registration, and the client if a user has allowed it something. */
interface FoundRegistration {
  readonly description: ClientDescription;
  readonly issuedAt: number;
  readonly stored?: KnownClient;
}

/**
 * Lets applications that know nothing about this service get access: says how, in the metadata of the API (RFC 9728) and of the endpoints
 * (RFC 8414), and lets clients register themselves (RFC 7591) and manage their registration (RFC 7592). A registration stores nothing. Its
 * only caller, `LibraryHandlerService`, would have 14 dependencies with it.
 */
@Injectable()
export class RegistrationEndpointsService {
  constructor(
    private readonly registrations: SealedRegistrationsService,
    private readonly clientQuery: OAuthClientQuery,
    private readonly clients: OAuthClientRepository,
    private readonly allowed: AllowedRegistrationsQuery,
    private readonly rateLimit: RateLimitService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Responds to requests for the metadata of this service's API, and to registrations. Returns whether it did. */
  async respond(request: ServiceRequest, response: Response): Promise<boolean> {
    if (this.respondWithMetadata(request, response)) return true;
    const { path, method } = request;
    if (path !== PATH && !path.startsWith(`${PATH}/`)) return false;
    // Pages of any origin can register, because a registration needs no credentials.
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
    if (method === 'OPTIONS') {
      const headers = {
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': 'authorization, content-type',
      };
      response.status(204).set(headers).end();
      return true;
    }
    try {
      await (path === PATH ? this.register(request, response) : this.manage(request, response));
    } catch (error) {
      if (error instanceof InvalidClientMetadata) sendError(response, 400, error.error, error.message);
      else if (error instanceof Refusal) sendError(response, error.status, error.error, error.message);
      else throw error;
    }
    return true;
  }

  /** Adds to the metadata of the endpoints what organizations allow. Runs around the library. */
  readonly extendMetadata = async (ctx: KoaContext, next: () => Promise<void>): Promise<void> => {
    await next();
    if (!ctx.req.url?.startsWith('/.well-known/o') || typeof ctx.body !== 'object' || ctx.body === null) return;
    Object.assign(ctx.body, await this.additions(currentRequest().ctx));
  };

  /** Responds with the metadata of this service's API. Returns whether it did. */
  private respondWithMetadata(request: Request, response: Response): boolean {
    if (request.path !== RESOURCE_PATH || request.method !== 'GET') return false;
    const { baseUrl, serviceName } = this.config;
    response.set('Access-Control-Allow-Origin', '*').json({
      resource: baseUrl,
      resource_name: serviceName,
      authorization_servers: [baseUrl],
      scopes_supported: [...GRANTABLE_SCOPES.filter((scope) => !scope.includes('*')), ...STANDARD_SCOPES],
      bearer_methods_supported: ['header'],
      resource_documentation: `${baseUrl}/docs`,
    });
    return true;
  }

  private async additions(ctx: RequestContext): Promise<object> {
    const [describe, register] = await Promise.all([this.allowed.isDomainAllowed(ctx), this.allowed.isRegistrationAllowed(ctx)]);
    return {
      ...(describe ? { client_id_metadata_document_supported: true } : {}),
      ...(register ? { registration_endpoint: `${this.config.baseUrl}/oauth/register` } : {}),
    };
  }

  private async register(request: ServiceRequest, response: Response): Promise<void> {
    const { context, method } = request;
    if (method !== 'POST') throw new Refusal(405, 'invalid_request', 'send the client metadata with POST');
    if (!(await this.allowed.isRegistrationAllowed(context)))
      throw new Refusal(
        403,
        'access_denied',
        'no organization allows clients that register themselves (setting dynamicClientRegistration)',
      );
    await this.limit(context);
    const description = descriptionOf(await bodyOf(request, response), { canHaveKeys: false });
    const sealed = this.registrations.seal(description);
    if (!sealed) throw new InvalidClientMetadata('invalid_redirect_uri', 'the redirect URIs are too long together');
    response.status(201).json(this.informationOf(sealed.clientId, description, sealed.issuedAt));
  }

  private async manage(request: ServiceRequest, response: Response): Promise<void> {
    const { context, method, path, headers } = request;
    const clientId = path.slice(PATH.length + 1);
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    const found =
      token !== undefined && this.registrations.isManagementToken(clientId, token)
        ? await this.find(context, clientId)
        : undefined;
    if (!found) throw new Refusal(401, 'invalid_token', 'the registration access token is not valid for a client');
    if (method === 'GET') {
      response.json(this.informationOf(clientId, found.description, found.issuedAt));
      return;
    }
    if (!found.stored)
      throw new Refusal(
        400,
        'invalid_request',
        'nobody has used the client yet, so nothing is stored; it expires within an hour, and you can register again',
      );
    if (method === 'DELETE') {
      // What users allowed the client ends with it.
      await this.clients.end(context, found.stored, this.clock.now(), unneeded<'loss'>('self_described_client'));
      response.status(204).end();
      return;
    }
    if (method !== 'PUT') throw new Refusal(405, 'invalid_request', 'use GET, PUT or DELETE');
    const body = await bodyOf(request, response);
    if ((body as { client_id?: unknown } | undefined)?.client_id !== clientId)
      throw new InvalidClientMetadata('invalid_client_metadata', 'client_id must be that of the client');
    const description = descriptionOf(body, { canHaveKeys: false });
    await this.update(context, found.stored, description);
    response.json(this.informationOf(clientId, description, found.issuedAt));
  }

  private async find(ctx: RequestContext, clientId: string): Promise<FoundRegistration | undefined> {
    const stored = await this.clientQuery.findById(ctx, clientId, this.clock.now());
    if (stored) return stored.isActive ? { ...registrationOf(stored), stored } : undefined;
    const sealed = this.registrations.open(clientId);
    return sealed && { description: sealed, issuedAt: sealed.issuedAt };
  }

  private async update(
    ctx: RequestContext,
    { tenantId, id, clientId }: KnownClient,
    description: ClientDescription,
  ): Promise<void> {
    const { name, type, redirectUris, origins, ...client } = clientOf(clientId, 'dynamic', description);
    const { backchannelLogoutUri, backchannelLogoutSessionRequired } = client;
    const changed = { name, type, redirectUris, origins, backchannelLogoutUri, backchannelLogoutSessionRequired };
    await this.clients.updateDescription(ctx, { tenantId, id }, changed, this.clock.now());
  }

  private async limit(ctx: RequestContext): Promise<void> {
    const { exceeded, resetSeconds } = await this.rateLimit.countUse(
      'oauth-register',
      addressGroup(ctx),
      PER_ADDRESS_AND_HOUR_MAX,
      3_600,
    );
    if (exceeded)
      throw new Refusal(
        429,
        'temporarily_unavailable',
        `too many registrations from this network; try again in ${resetSeconds} seconds`,
      );
  }

  /** Clients are public, because nobody checks who registers. */
  private informationOf(clientId: string, description: ClientDescription, issuedAt: number): object {
    const { name, redirectUris, backchannelLogoutUri, backchannelLogoutSessionRequired } = description;
    return {
      client_id: clientId,
      client_id_issued_at: issuedAt,
      client_name: name,
      redirect_uris: redirectUris,
      ...(backchannelLogoutUri === null
        ? {}
        : {
            backchannel_logout_uri: backchannelLogoutUri,
            backchannel_logout_session_required: backchannelLogoutSessionRequired,
          }),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      registration_access_token: this.registrations.managementToken(clientId),
      registration_client_uri: `${this.config.baseUrl}${PATH}/${clientId}`,
    };
  }
}

const registrationOf = ({ name, redirectUris, createdAt, ...client }: KnownClient): FoundRegistration => ({
  description: {
    name,
    redirectUris,
    backchannelLogoutUri: client.backchannelLogoutUri,
    backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
    authentication: 'none',
    jwks: null,
    jwksUri: null,
  },
  issuedAt: Math.floor(createdAt.getTime() / 1_000),
});

/** @throws InvalidClientMetadata */
async function bodyOf(request: ServiceRequest, response: Response): Promise<unknown> {
  const failure = await new Promise<unknown>((resolve) => readJson(request, response, resolve));
  if (failure) throw new InvalidClientMetadata('invalid_client_metadata', 'the body must be JSON of at most 16 kB');
  return request.body as unknown;
}

function sendError(response: Response, status: number, error: string, description: string): void {
  if (status === 401) response.set('WWW-Authenticate', `Bearer error="${error}"`);
  response.status(status).json({ error, error_description: description });
}
