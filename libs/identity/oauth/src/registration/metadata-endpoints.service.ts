import { Injectable } from '@nestjs/common';
import { GRANTABLE_SCOPES, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { Request, Response } from 'express';
import type { KoaContext } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { AllowedRegistrationsQuery } from './allowed-registrations.query.js';

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** Says how applications that know nothing about this service get access: metadata of the API (RFC 9728) and of the endpoints (RFC 8414). */
@Injectable()
export class MetadataEndpointsService {
  constructor(
    private readonly allowed: AllowedRegistrationsQuery,
    private readonly config: AppConfig,
  ) {}

  /** Responds with the metadata of this service's API. Returns whether it did. */
  respond(request: Request, response: Response): boolean {
    if (request.path !== RESOURCE_PATH || request.method !== 'GET') return false;
    const { baseUrl, serviceName } = this.config;
    response.set('Access-Control-Allow-Origin', '*').json({
      resource: baseUrl,
      resource_name: serviceName,
      authorization_servers: [baseUrl],
      scopes_supported: GRANTABLE_SCOPES.filter((scope) => !scope.includes('*')),
      bearer_methods_supported: ['header'],
      resource_documentation: `${baseUrl}/docs`,
    });
    return true;
  }

  /** Adds to the metadata of the endpoints what organizations allow. Runs around the library. */
  readonly extend = async (ctx: KoaContext, next: () => Promise<void>): Promise<void> => {
    await next();
    if (!ctx.req.url?.startsWith('/.well-known/o') || typeof ctx.body !== 'object' || ctx.body === null) return;
    Object.assign(ctx.body, await this.additions(currentRequest().ctx));
  };

  private async additions(ctx: RequestContext): Promise<object> {
    const [describe, register] = await Promise.all([this.allowed.isDomainAllowed(ctx), this.allowed.isRegistrationAllowed(ctx)]);
    return {
      ...(describe ? { client_id_metadata_document_supported: true } : {}),
      ...(register ? { registration_endpoint: `${this.config.baseUrl}/oauth/register` } : {}),
    };
  }
}
