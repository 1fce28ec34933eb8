import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  credentialIdFor,
  newId,
  organizationOf,
  ownerFor,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { hashToken, randomToken } from '#platform/crypto';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { type LossAuthorization, PrivilegesService, unneeded } from '#directory/privileges';
import { SETUP_TOKEN_PREFIX } from './setup-link.authenticator.js';
import { SETUP_LINKS_PER_ORGANIZATION_MAX, SetupLinkLimit } from './setup-link-errors.js';
import { SetupLink } from './setup-link.entity.js';
import { SetupLinkQuery } from './setup-link.query.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import { type CreateSetupLinkRequest, DEFAULT_LIFETIME_SECONDS } from './setup-link.requests.js';
import { permissionsOf } from './setup-step-permissions.js';
import { setupLinkData } from './setup-links.definitions.js';

/** A setup link with its URL, which is returned only once. */
export interface IssuedSetupLink {
  readonly setupLink: SetupLink;
  readonly url: string;
}

/** Manages the setup links of the organization in the request. Setup links of other organizations are not found. */
@Injectable()
export class SetupLinksService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly setupLinks: SetupLinkRepository,
    private readonly setupLinkQuery: SetupLinkQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
    private readonly config: AppConfig,
    private readonly privileges: PrivilegesService,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<SetupLink>> {
    return this.setupLinks.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<SetupLink> {
    const setupLink = await this.setupLinks.find(ctx, organizationOf(ctx), id);
    if (!setupLink) throw new ResourceNotFound('setup_link', id);
    return setupLink;
  }

  /** Replaces expired links of the organization. @throws GrantBeyondOwn (403), ReauthenticationRequired (401), SetupLinkLimit (409) */
  async create(ctx: RequestContext, { steps, expiresInSeconds }: CreateSetupLinkRequest): Promise<IssuedSetupLink> {
    const gain = this.privileges.authorizePermissions(ctx, organizationOf(ctx), 'The setup link', permissionsOf(steps));
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const now = this.work.now();
      await this.setupLinkQuery.deleteExpired(ctx, organization, now);
      if ((await this.setupLinks.countLocked(ctx, organization)) >= SETUP_LINKS_PER_ORGANIZATION_MAX) throw new SetupLinkLimit();
      const token = SETUP_TOKEN_PREFIX + randomToken();
      const setupLink = Object.assign(new SetupLink(), {
        tenantId: organization.tenantId,
        id: newId('setupLink'),
        organizationId: organization.id,
        steps,
        ...ownerFor(ctx.caller),
        createdByKeyId: credentialIdFor(ctx),
        expiresAt: new Date(now.getTime() + (expiresInSeconds ?? DEFAULT_LIFETIME_SECONDS) * 1_000),
        openedAt: null,
        createdAt: now,
      } satisfies SetupLink);
      await this.setupLinks.insert(ctx, setupLink, gain);
      await this.setupLinkQuery.insertHash(ctx, hashToken(token), setupLink);
      await this.work.publish(ctx, 'setup_link.created', organization, setupLinkData(setupLink));
      // Browsers don't send the fragment, so no log contains the token.
      return { setupLink, url: `${this.config.baseUrl}/setup#token=${token}` };
    });
  }

  /** @throws ResourceNotFound (404), GrantBeyondOwn (403) if the caller did not create the link and lacks permissions of its steps */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const setupLink = await this.setupLinks.lock(ctx, organizationOf(ctx), id);
      if (!setupLink) throw new ResourceNotFound('setup_link', id);
      await this.setupLinkQuery.delete(ctx, setupLink, this.authorizeRevocation(ctx, setupLink));
      await this.work.publish(ctx, 'setup_link.revoked', organizationOf(ctx), setupLinkData(setupLink));
    });
  }

  private authorizeRevocation(ctx: RequestContext, { steps, ownerId, createdByKeyId }: SetupLink): LossAuthorization {
    const { kind, id } = ctx.caller;
    const credentialId = credentialIdFor(ctx);
    if ((kind === 'user' && id === ownerId) || (credentialId !== null && credentialId === createdByKeyId))
      return unneeded<'loss'>('own_credential');
    return this.privileges.authorizeRevocation(ctx, organizationOf(ctx), 'The setup link', permissionsOf(steps));
  }

  /** Deletes the setup links of purged organizations, in the transaction of the purge. */
  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.setupLinkQuery.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }
}
