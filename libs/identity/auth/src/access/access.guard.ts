import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ALLOWED_WHILE_SUSPENDED,
  type Caller,
  callerFor,
  holdsSecondFactor,
  type OrganizationScope,
  OWN_ACCOUNT,
  type OwnAccountAccess,
  PUBLIC_ROUTE,
  reaches,
  type RequestContext,
  type RequestSession,
  REQUIRED_ACCESS,
  type RequiredAccess,
  ResourceNotFound,
  type SuspensionException,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import { requestOf, type ServiceRequest } from '#platform/http';
import { EffectiveSettingsService, OrganizationScopeQuery, SessionRequirementsQuery } from '#directory/organizations';
import type { Response } from 'express';
import { assertNetworkAllowed, assertOwnAccount, assertPermission, assertWritable, isReadMethod } from './access-decisions.js';
import { CallerSuspended, MfaEnrolmentRequired, MfaRequired } from './access-errors.js';
import { RequestAuthenticationService } from './request-authentication.service.js';

/** Who may call a route. */
interface DeclaredAccess {
  readonly isPublic: boolean;
  readonly ownAccount: OwnAccountAccess | undefined;
  readonly access: RequiredAccess | undefined;
  readonly suspensionException: SuspensionException | undefined;
}

/**
 * Authorizes each request, in this order: credentials (401), suspension of the caller's own organization (403), reach of the organization in the path
 * (404), permission, network and second factor (403), changes of a suspended organization (409). What it finds out becomes the request's context,
 * with the caller narrowed to what the operation needs.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly declared = new WeakMap<object, DeclaredAccess>();

  constructor(
    private readonly reflector: Reflector,
    private readonly organizations: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly demands: SessionRequirementsQuery,
    private readonly authentication: RequestAuthenticationService,
    private readonly config: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, ownAccount, access, suspensionException } = this.declaredAt(context);
    if (isPublic) return true;
    if (!access && !ownAccount)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} does not declare its access.`);

    const request = requestOf(context);
    const response = context.switchToHttp().getResponse<Response>();
    const authenticate = async (): Promise<RequestContext> => ({
      ...request.context,
      ...(await this.authentication.of(request, response)),
    });
    const judge = async (ctx: RequestContext): Promise<RequestContext> => {
      if (!suspensionException?.byItsOwn) this.assertNotSuspended(request.method, ctx.caller);
      if (ownAccount) assertOwnAccount(ctx, ownAccount);
      return access ? this.permitted(request, ctx, access, suspensionException !== undefined) : ctx;
    };
    // Known from here on, so that the log tells who was refused, too.
    request.context = await authenticate();
    request.context = await judge(request.context);
    request.authorizeAgain = async () => judge(await authenticate());
    return true;
  }

  /** What the decorators of the handler say, or else those of its class; read once for each route. */
  private declaredAt(context: ExecutionContext): DeclaredAccess {
    const handler = context.getHandler();
    const known = this.declared.get(handler);
    // Stryker disable next-line ConditionalExpression: reading again gives the same, only later
    if (known) return known;
    const read = <T>(key: string): T | undefined =>
      this.reflector.getAllAndOverride<T | undefined>(key, [handler, context.getClass()]);
    const declared = {
      isPublic: read<string>(PUBLIC_ROUTE) !== undefined,
      ownAccount: read<OwnAccountAccess>(OWN_ACCOUNT),
      access: read<RequiredAccess>(REQUIRED_ACCESS),
      suspensionException: read<SuspensionException>(ALLOWED_WHILE_SUSPENDED),
    };
    this.declared.set(handler, declared);
    return declared;
  }

  /** @throws CallerSuspended */
  private assertNotSuspended(method: string, caller: Caller): void {
    if (!caller.suspended || (this.config.suspendedOrganizationReads && isReadMethod(method))) return;
    throw new CallerSuspended();
  }

  /** The context of a request that may go on, with the organization that it addresses. */
  private async permitted(
    request: ServiceRequest,
    ctx: RequestContext,
    access: RequiredAccess,
    allowedWhileSuspended: boolean,
  ): Promise<RequestContext> {
    if (ctx.session?.enrolmentOnly) throw new MfaEnrolmentRequired();
    const organization = await this.addressed(request, ctx.caller, access);
    const caller = callerFor(ctx.caller, access.permission, organization);
    assertPermission(caller, access.permission);
    if (!organization) return { ...ctx, caller: await this.barred(ctx, caller) };
    if (ctx.session) await this.assertSessionAccepted(ctx, ctx.session, organization);
    if (!allowedWhileSuspended) assertWritable(request.method, organization);
    return { ...ctx, caller, organization };
  }

  /** A user without the organizations that `assertSessionAccepted` would refuse, were they addressed. */
  private async barred(ctx: RequestContext, caller: Caller): Promise<Caller> {
    if (!ctx.session) return caller;
    return { ...caller, barredOrganizationIds: await this.demands.listUnmet(ctx, caller.organizationIds ?? [], ctx.session) };
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

  /**
   * Asserts that the organization takes this session. For the organization signed in to, `enrolmentOnly` covers the second factor.
   * @throws NetworkNotAllowed, MfaRequired
   */
  private async assertSessionAccepted(
    ctx: RequestContext,
    session: RequestSession,
    organization: OrganizationScope,
  ): Promise<void> {
    if (session.organizationId === organization.id) return assertNetworkAllowed(ctx, organization, session.allowedNetworks);
    const { requireMfa, mfaMethods, allowedNetworks } = (await this.settings.of(ctx, organization)).values;
    assertNetworkAllowed(ctx, organization, allowedNetworks);
    if (requireMfa && !holdsSecondFactor(session.authenticationMethods, mfaMethods)) throw new MfaRequired();
  }
}
