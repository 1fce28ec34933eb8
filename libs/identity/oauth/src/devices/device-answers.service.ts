import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { randomToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { NetworkNotAllowed } from '#identity/auth';
import { type ActiveSession, SessionCallersService } from '#identity/session-access';
import { ApplicationNotAllowed } from '../approval/approval-errors.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { OPENID_SCOPES } from '../clients/openid-scopes.js';
import { grantKeyText } from '../grants/grant-key.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import type { AskedScopes } from '../interactions/interactions.service.js';
import { type OrganizationChoice, OrganizationChoiceService } from '../interactions/organization-choice.service.js';
import { type RequestDestination, RequestDestinationsService } from '../interactions/request-destinations.service.js';
import { acrOf } from '../provider/session-payload.js';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { ResourceScopesService } from '../resources/resource-scopes.service.js';
import { scopesOf } from '../tokens/claims.service.js';
import { DeviceRequestNotFound, DeviceSignInRequired } from './device-errors.js';
import { needsNewSignIn } from './device-proof.js';
import type { DeviceAnswer } from './device-request.query.js';
import { type DeviceRequest, DeviceRequestsService } from './device-requests.service.js';

/** The request of a device, for the user who entered its code. */
interface OpenDeviceRequest {
  readonly request: DeviceRequest;
  readonly session: ActiveSession;
  readonly choice: OrganizationChoice;
  readonly asked: AskedScopes;
  readonly needsNewSignIn: boolean;
}

/** The request of a device with what people need to decide about it. */
export interface ShownDeviceRequest extends OpenDeviceRequest {
  readonly resources: readonly DescribedResource[];
  /** The website of the client. */
  readonly website: RequestDestination | null;
}

/** Lets the user who entered the code of a device answer its request, with the rules of the code flow. */
@Injectable()
export class DeviceAnswersService {
  constructor(
    private readonly requests: DeviceRequestsService,
    private readonly resourceScopes: ResourceScopesService,
    private readonly resources: DescribedResourcesService,
    private readonly destinations: RequestDestinationsService,
    private readonly sessionCallers: SessionCallersService,
    private readonly organizationChoice: OrganizationChoiceService,
    private readonly grants: OAuthGrantsService,
    private readonly work: UnitOfWork,
  ) {}

  /** Binds a request to the session, and returns what the user is asked. @throws DeviceRequestNotFound (404), RateLimited (429) */
  async open(ctx: RequestContext, userCode: string, organizationId?: string): Promise<ShownDeviceRequest> {
    await this.requests.countCode(ctx);
    const request = await this.requests.get(ctx, userCode);
    await this.requests.open(ctx, request, { userId: ownUserOf(ctx).id, sessionId: sessionOf(ctx).id });
    const open = await this.describe(ctx, request, organizationId);
    const { client } = request;
    const { resourceScopes } = open.asked;
    const [resources = []] = await this.resources.describe(ctx, [{ client, resourceScopes }]);
    const website = client.homePageUri ?? client.redirectUris[0];
    return { ...open, resources, website: website === undefined ? null : await this.destinations.describe(ctx, website, client) };
  }

  /**
   * Lets the device act for the user in an organization.
   * @throws DeviceRequestNotFound (404), ApplicationNotAllowed, DeviceSignInRequired, NetworkNotAllowed (403)
   */
  async approve(ctx: RequestContext, userCode: string, organizationId: string): Promise<void> {
    const open = await this.describe(ctx, await this.getOpened(ctx, userCode), organizationId);
    const { request, session, choice, asked } = open;
    const { organization, unmetRule, obstacle } = choice;
    // The device can ask for another organization than the one that the user names.
    if (organization?.id !== organizationId) throw new DeviceRequestNotFound();
    if (obstacle) throw new ApplicationNotAllowed(obstacle);
    if (unmetRule === 'network')
      throw new NetworkNotAllowed("Access can't be allowed", ctx, 'Use a network of the organization.');
    if (open.needsNewSignIn) throw new DeviceSignInRequired();
    await this.work.run(ctx, async (ctx) => {
      const pending = { id: this.grants.newGrantId(), organization, client: request.client, user: ownUserOf(ctx), ...asked };
      const grant = await this.grants.allow(ctx, pending);
      await this.grants.recordUse(ctx, { id: grant.id, organization }, request.client, session);
      const answer = approvalOf(organization, grant.id, session, asked, request.client);
      await this.requests.answer(ctx, request, session.session.id, answer);
    });
  }

  /** Tells the device that the user denied the access. @throws DeviceRequestNotFound (404) */
  async deny(ctx: RequestContext, userCode: string): Promise<void> {
    const request = await this.getOpened(ctx, userCode);
    const answer = { error: 'access_denied', errorDescription: 'the user denied the request', signInId: null };
    await this.work.run(ctx, (ctx) => this.requests.answer(ctx, request, sessionOf(ctx).id, answer));
  }

  private getOpened(ctx: RequestContext, userCode: string): Promise<DeviceRequest> {
    return this.requests.getOpened(ctx, userCode, sessionOf(ctx).id);
  }

  private async describe(
    ctx: RequestContext,
    request: DeviceRequest,
    organizationId: string | undefined,
  ): Promise<OpenDeviceRequest> {
    const session = await this.sessionCallers.findById(ownUserOf(ctx), sessionOf(ctx).id);
    if (!session) throw new DeviceRequestNotFound();
    const requested = request.payload.params.organization ?? organizationId;
    const choice = await this.organizationChoice.find(ctx, session, request.client, requested);
    return {
      request,
      session,
      choice,
      asked: await this.findScopes(ctx, request),
      needsNewSignIn: needsNewSignIn(choice, session, request.payload, this.work.now()),
    };
  }

  /** Returns what a device asks for, without what its client can't have. */
  private async findScopes(ctx: RequestContext, { client, payload: { params } }: DeviceRequest): Promise<AskedScopes> {
    const requested = scopesOf(params.scope);
    const identifiers = [params.resource ?? []].flat();
    const known = await this.resourceScopes.listKnown(ctx, client.organization, identifiers);
    const allowedOf = (identifier: string): string[] =>
      requested.filter((scope) => client.resourceScopes[identifier]?.includes(scope) && known.get(identifier)?.includes(scope));
    return {
      scopes: requested.filter((scope) => OPENID_SCOPES.includes(scope) && client.scopes.includes(scope)),
      resourceScopes: Object.fromEntries(identifiers.map((identifier) => [identifier, allowedOf(identifier)])),
    };
  }
}

/** Returns what the device code stands for after the approval, as the library and `StandingService` read it. */
function approvalOf(
  { tenantId }: Pick<OrganizationScope, 'tenantId'>,
  grantId: string,
  { session }: ActiveSession,
  { scopes, resourceScopes }: AskedScopes,
  client: KnownClient,
): DeviceAnswer {
  const signInId = randomToken(16);
  const [first, ...others] = Object.keys(resourceScopes);
  return {
    accountId: session.userId,
    grantId: grantKeyText({ tenantId, grantId, signInId }),
    scope: [...new Set([...scopes, ...Object.values(resourceScopes).flat()])].join(' '),
    ...(first === undefined ? {} : { resource: others.length === 0 ? first : [first, ...others] }),
    sessionUid: session.id,
    ...(client.backchannelLogoutSessionRequired ? { sid: session.id } : {}),
    acr: acrOf(session.authenticationMethods),
    amr: [...session.authenticationMethods],
    authTime: Math.floor(session.authenticatedAt.getTime() / 1_000),
    identityProviderId: session.identityProviderId,
    offline: scopes.includes('offline_access'),
    signInId,
  };
}
