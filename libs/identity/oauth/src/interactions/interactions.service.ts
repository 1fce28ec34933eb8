import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { type ActiveSession, SessionCallersService } from '#identity/session-access';
import type { ApplicationObstacle } from '../approval/application-rule.js';
import { ApprovalNotNeeded } from '../approval/approval-errors.js';
import { ApplicationApprovalsService } from '../approval/application-approvals.service.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { ResourceScopes } from '../clients/oauth-client.entity.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import type { InteractionResult, StoredInteraction } from '../provider/library.js';
import { type DescribedResource, DescribedResourcesService } from '../resources/described-resources.service.js';
import { InteractionElsewhere, InteractionNotFound } from './interaction-errors.js';
import { loginOf } from '../provider/session-payload.js';
import { InteractionStoreService } from './interaction-store.service.js';
import { InteractionPagesService } from './interaction-pages.service.js';
import { OrganizationChoiceService } from './organization-choice.service.js';
import { type RequestDestination, RequestDestinationsService } from './request-destinations.service.js';

/** The new scopes of a request, which the user is asked to allow. */
export interface AskedScopes {
  readonly scopes: readonly string[];
  readonly resourceScopes: ResourceScopes;
}

/** An authorization request that waits for an answer of the signed-in user. */
interface OpenInteraction {
  readonly interaction: StoredInteraction;
  readonly client: KnownClient;
  readonly candidates: readonly OrganizationScope[];
  readonly organization?: OrganizationScope;
  readonly asked: AskedScopes;
  /** Why the user can't use the application in the organization. */
  readonly obstacle?: ApplicationObstacle;
}

/** An authorization request with what people need to decide about it. */
export interface ShownInteraction extends OpenInteraction {
  readonly resources: readonly DescribedResource[];
  readonly destination: RequestDestination;
  /** Set if the user can't use the application yet. */
  readonly approval?: { readonly canAsk: boolean; readonly status: 'pending' | 'denied' | null };
}

/** Shows authorization requests that wait for the user, and records the answers. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly store: InteractionStoreService,
    private readonly sessionCallers: SessionCallersService,
    private readonly organizationChoice: OrganizationChoiceService,
    private readonly grants: OAuthGrantsService,
    private readonly pages: InteractionPagesService,
    private readonly approvals: ApplicationApprovalsService,
    private readonly resources: DescribedResourcesService,
    private readonly destinations: RequestDestinationsService,
  ) {}

  /** Returns a request and its client, also before the user has signed in. @throws InteractionNotFound (404) */
  async find(ctx: RequestContext, id: string): Promise<{ interaction: StoredInteraction; client: KnownClient }> {
    const interaction = await this.store.find(ctx, id);
    return { interaction, client: await this.store.findClient(ctx, interaction) };
  }

  /** Returns what the signed-in user is asked, and what the user needs to decide. @throws InteractionNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ShownInteraction> {
    const open = await this.open(ctx, id);
    const { client, asked, interaction } = open;
    const [resources = []] = await this.resources.describe(ctx, [{ client, resourceScopes: asked.resourceScopes }]);
    const shown = { ...open, resources, destination: await this.destinations.find(ctx, interaction, client) };
    const { organization, obstacle } = open;
    if (!organization || !obstacle) return shown;
    const status = await this.approvals.findOwn(ctx, organization, client);
    return { ...shown, approval: { canAsk: obstacle === 'approval_needed', status } };
  }

  /** Chooses the organization. Returns where the browser continues. @throws InteractionNotFound (404), InteractionElsewhere (409) */
  async chooseOrganization(ctx: RequestContext, id: string, organizationId: string): Promise<string> {
    const { interaction, client } = await this.open(ctx, id);
    if (!['organization', 'select_account'].includes(interaction.prompt.name))
      throw new InteractionElsewhere(interaction.prompt.name);
    const choice = await this.organizationChoice.find(ctx, await this.getSession(ctx), client, organizationId);
    if (!choice.organization) throw new InteractionNotFound();
    return this.answer(ctx, interaction, { select_account: {}, organization: { id: choice.organization.id } });
  }

  /** Allows what the client asks for. Returns where the browser continues. @throws InteractionNotFound (404), InteractionElsewhere (409) */
  async allow(ctx: RequestContext, id: string): Promise<string> {
    const { interaction, client, organization, asked } = await this.open(ctx, id);
    if (interaction.prompt.name !== 'consent' || !organization) throw new InteractionElsewhere(interaction.prompt.name);
    const user = ownUserOf(ctx);
    await this.store.storeClient(ctx, client);
    await this.grants.allow(ctx, { id: this.grants.newGrantId(), organization, client, user, ...asked });
    return this.answer(ctx, interaction, { consent: {}, organization: { id: organization.id } });
  }

  /**
   * Asks the owners of the organization for the application. Returns where the browser continues after the decision.
   * @throws InteractionNotFound (404), InteractionElsewhere, ApprovalNotNeeded, ApprovalDenied, ApprovalRequestLimit (409)
   */
  async askForApproval(ctx: RequestContext, id: string, reason: string): Promise<string> {
    const { interaction, client, organization, obstacle } = await this.open(ctx, id);
    if (interaction.prompt.name !== 'approval' || !organization) throw new InteractionElsewhere(interaction.prompt.name);
    if (obstacle === 'owners_only') throw new ApprovalNotNeeded('Only owners of the organization can use this application.');
    if (obstacle) {
      await this.store.storeClient(ctx, client);
      await this.approvals.ask(ctx, organization, client, reason);
    }
    return this.answer(ctx, interaction, { approval: {}, organization: { id: organization.id } });
  }

  /**
   * Denies the request, also without a session or with another session than the question was asked in. Returns where the browser continues.
   * @throws InteractionNotFound (404)
   */
  async deny(ctx: RequestContext, id: string): Promise<string> {
    const { session: _session, ...request } = await this.store.find(ctx, id);
    return this.answer(ctx, request, { error: 'access_denied', error_description: 'the user denied the request' });
  }

  /** Records an answer. Returns where the browser continues. */
  async answer(ctx: RequestContext, interaction: StoredInteraction, result: InteractionResult): Promise<string> {
    await this.store.answer(ctx, interaction, result);
    return this.pages.resumeAddress(interaction.jti);
  }

  /** Asks the questions of a request anew for another account, without the answers of the account before. Returns where the browser continues. */
  async startAnew(ctx: RequestContext, interaction: StoredInteraction, active: ActiveSession): Promise<string> {
    const { session: _session, lastSubmission: _answers, ...request } = interaction;
    return this.answer(ctx, request, { login: loginOf(active), select_account: {} });
  }

  /** Returns what the signed-in user is asked. @throws InteractionNotFound (404) */
  private async open(ctx: RequestContext, id: string): Promise<OpenInteraction> {
    const { interaction, client } = await this.find(ctx, id);
    const session = await this.getSession(ctx);
    const requested = interaction.lastSubmission?.organization?.id ?? interaction.params['organization'];
    const choice = await this.organizationChoice.find(ctx, session, client, requested);
    return {
      interaction,
      client,
      candidates: choice.candidates,
      ...(choice.organization ? { organization: choice.organization } : {}),
      asked: askedScopes(interaction),
      ...(choice.obstacle ? { obstacle: choice.obstacle } : {}),
    };
  }

  private async getSession(ctx: RequestContext): Promise<ActiveSession> {
    const session = await this.sessionCallers.findById(ownUserOf(ctx), sessionOf(ctx).id);
    if (!session) throw new InteractionNotFound();
    return session;
  }
}

function askedScopes({ prompt: { details } }: StoredInteraction): AskedScopes {
  return {
    scopes: (details['missingOIDCScope'] as string[] | undefined) ?? [],
    resourceScopes: (details['missingResourceScopes'] as ResourceScopes | undefined) ?? {},
  };
}
