import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ALLOWED_WHILE_SUSPENDED,
  type Caller,
  type OrganizationScope,
  PUBLIC_ROUTE,
  reaches,
  type RequestContext,
  REQUIRED_ACCESS,
  type RequiredAccess,
  ResourceNotFound,
} from '#common';
import { requestOf, type ServiceRequest } from '#http';
import { OrganizationScopes } from '#organizations';
import { bearerToken, demandPermission, demandWritable } from './access-decisions.js';
import { Unauthenticated } from './access-errors.js';
import { type AuthenticatedCaller, CREDENTIAL_AUTHENTICATORS, type CredentialAuthenticator } from './credential-authenticator.js';

/**
 * The one authorizer: who calls (401), does it reach the organization in the path (404), has it the permission (403), does the
 * organization take changes (409), in this order. What it finds out becomes the request's context.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly organizations: OrganizationScopes,
    @Inject(CREDENTIAL_AUTHENTICATORS) private readonly authenticators: readonly CredentialAuthenticator[],
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.read<string>(context, PUBLIC_ROUTE)) return true;
    const access = this.read<RequiredAccess>(context, REQUIRED_ACCESS);
    if (!access) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access.`);

    const request = requestOf(context);
    const { caller, actor } = await this.authenticate(bearerToken(request.headers.authorization));
    const organization = await this.addressed(request, caller, access);
    demandPermission(caller, access.permission);
    if (organization && !this.read<boolean>(context, ALLOWED_WHILE_SUSPENDED)) demandWritable(request.method, organization);
    const known: RequestContext = { ...request.context, caller, actor, ...(organization ? { organization } : {}) };
    request.context = known;
    return true;
  }

  /** What a decorator declares about the handler, else about its class. */
  private read<T>(context: ExecutionContext, key: string): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }

  private async authenticate(token: string): Promise<AuthenticatedCaller> {
    for (const authenticator of this.authenticators) {
      const authenticated = await authenticator.authenticate(token);
      if (authenticated) return authenticated;
    }
    throw new Unauthenticated('The token is not an API key of this service. Check that it was copied whole.');
  }

  /** The organization of the path. One that the caller does not reach is answered exactly as one that does not exist. */
  private async addressed(
    request: ServiceRequest,
    caller: Caller,
    { organizationParam }: RequiredAccess,
  ): Promise<OrganizationScope | undefined> {
    if (organizationParam === undefined) return undefined;
    const handle = request.params[organizationParam];
    if (typeof handle !== 'string') throw new Error(`The route has no path parameter "${organizationParam}".`);
    const organization = handle.includes('\0') ? null : await this.organizations.findScope(request.context, handle);
    if (!organization || !reaches(caller, organization)) throw new ResourceNotFound('organization', handle);
    return organization;
  }
}
