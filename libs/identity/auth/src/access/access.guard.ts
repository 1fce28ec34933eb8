import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ALLOWED_WHILE_SUSPENDED,
  bindingSessionOf,
  type Caller,
  callerFor,
  CONNECTION_PARAM,
  type OrganizationScope,
  OWN_ACCOUNT,
  type OwnAccountAccess,
  PUBLIC_ROUTE,
  reaches,
  type RequestContext,
  REQUIRED_ACCESS,
  type RequiredAccess,
  ResourceNotFound,
  SETUP_STEP,
  type SetupStep,
  type SuspensionException,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import { requestOf, type ServiceRequest } from '#platform/http';
import { OrganizationScopeQuery, SessionRequirementsQuery } from '#directory/organizations';
import type { Response } from 'express';
import {
  assertAllowedWhileImpersonating,
  assertConnection,
  assertOwnAccount,
  assertPermission,
  assertSetupStep,
  assertWritable,
  isReadMethod,
} from './access-decisions.js';
import { CallerSuspended, MfaEnrolmentRequired } from './access-errors.js';
import { oncePerHandler } from './once-per-handler.js';
import { RequestAuthenticationService } from './request-authentication.service.js';
import { SessionAcceptanceService } from './session-acceptance.service.js';

interface DeclaredAccess {
  readonly isPublic: boolean;
  readonly ownAccount: OwnAccountAccess | undefined;
  readonly access: RequiredAccess | undefined;
  readonly setupStep: SetupStep | undefined;
  readonly suspensionException: SuspensionException | undefined;
}

/**
 * Authorizes each request. Checks in this order: credentials (401), suspension of the caller's organization (403), access to the
 * organization in the path (404), permission, network and MFA (403), times of the session (401), changes of a suspended organization (409).
 * Adds the organization, the caller and the caller's permissions for the operation to the context.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly readDeclaredAccess = oncePerHandler((context): DeclaredAccess => {
    const read = <T>(key: string): T | undefined =>
      this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
    return {
      isPublic: read<string>(PUBLIC_ROUTE) !== undefined,
      ownAccount: read<OwnAccountAccess>(OWN_ACCOUNT),
      access: read<RequiredAccess>(REQUIRED_ACCESS),
      setupStep: read<SetupStep>(SETUP_STEP),
      suspensionException: read<SuspensionException>(ALLOWED_WHILE_SUSPENDED),
    };
  });

  constructor(
    private readonly reflector: Reflector,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly sessionRequirements: SessionRequirementsQuery,
    private readonly sessionAcceptance: SessionAcceptanceService,
    private readonly requestAuthentication: RequestAuthenticationService,
    private readonly config: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, ownAccount, access, setupStep, suspensionException } = this.readDeclaredAccess(context);
    if (isPublic) return true;
    if (!access && !ownAccount)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} does not declare its access.`);

    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    // Without a past moment, which the route can add later.
    const received = request.context;
    const authenticate = async (): Promise<RequestContext> => ({
      ...received,
      ...(await this.requestAuthentication.authenticate(request, response)),
    });
    const authorize = async (ctx: RequestContext): Promise<RequestContext> => {
      if (!suspensionException?.forSuspendedCallers) this.assertNotSuspended(request.method, ctx.caller);
      assertSetupStep(ctx.caller, setupStep);
      assertConnection(ctx.caller, access, request.params);
      if (ownAccount) assertOwnAccount(ctx, ownAccount);
      assertAllowedWhileImpersonating(ctx, { method: request.method, ownAccount, access, parameters: request.params });
      return access ? this.authorizeAccess(request, ctx, access, suspensionException !== undefined) : ctx;
    };
    // Set before the authorization, so that the log contains the caller of a rejected request.
    request.context = await authenticate();
    request.context = await authorize(request.context);
    request.authorizeAgain = async () => authorize(await authenticate());
    return true;
  }

  private assertNotSuspended(method: string, caller: Caller): void {
    if (!caller.suspended || (this.config.suspendedOrganizationReads && isReadMethod(method))) return;
    throw new CallerSuspended();
  }

  /** Authorizes the caller. Returns the context with the organization in the path. */
  private async authorizeAccess(
    request: ServiceRequest,
    ctx: RequestContext,
    access: RequiredAccess,
    allowedWhileSuspended: boolean,
  ): Promise<RequestContext> {
    if (ctx.session?.enrolmentOnly) throw new MfaEnrolmentRequired();
    const organization = await this.getOrganization(request, ctx, access);
    const caller = callerFor(ctx.caller, access.permission, organization);
    assertPermission(caller, access.permission);
    if (!organization) return { ...ctx, caller: await this.withInaccessibleOrganizations(ctx, caller) };
    const session = bindingSessionOf(ctx);
    if (session) await this.sessionAcceptance.assertAccepted(ctx, session, organization);
    if (!allowedWhileSuspended) assertWritable(request.method, organization);
    return { ...ctx, caller, organization };
  }

  /** Excludes organizations whose rules the session does not satisfy. Used for routes without an organization in the path. */
  private async withInaccessibleOrganizations(ctx: RequestContext, caller: Caller): Promise<Caller> {
    const session = bindingSessionOf(ctx);
    if (!session) return caller;
    return { ...caller, inaccessibleOrganizationIds: await this.sessionRequirements.listUnmet(ctx, caller, session) };
  }

  /**
   * Returns the organization in the path, or undefined if the route has no such parameter.
   * @throws ResourceNotFound (404) if the organization does not exist or the caller has no access to the organization
   */
  private async getOrganization(
    request: ServiceRequest,
    ctx: RequestContext,
    { organizationParam }: RequiredAccess,
  ): Promise<OrganizationScope | undefined> {
    if (organizationParam === undefined) return undefined;
    if (organizationParam === CONNECTION_PARAM) return ctx.caller.scim?.organization;
    const handle = request.params[organizationParam];
    if (typeof handle !== 'string') throw new Error(`The route has no path parameter "${organizationParam}".`);
    const organization = handle.includes('\0') ? null : await this.organizationScopes.findScope(ctx, handle);
    if (!organization || !reaches(ctx.caller, organization)) throw new ResourceNotFound('organization', handle);
    return organization;
  }
}
