import { Injectable } from '@nestjs/common';
import { newId, ownPermissionsAt, permissionsBeyond, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken } from '#platform/crypto';
import { UserGrantsQuery } from '#directory/memberships';
import { SetupLinkInvalid } from './setup-link-errors.js';
import { type KnownSetupLink, SetupLinkQuery } from './setup-link.query.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import { permissionsOf } from './setup-step-permissions.js';
import { setupLinkData } from './setup-links.definitions.js';

export type OpenedSetupLink = Pick<KnownSetupLink, 'id' | 'organization' | 'steps' | 'expiresAt'>;

/** Finds the setup link of a token, and opens setup links. */
@Injectable()
export class OpenedSetupLinksService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly setupLinks: SetupLinkRepository,
    private readonly setupLinkQuery: SetupLinkQuery,
    private readonly grants: UserGrantsQuery,
  ) {}

  /**
   * Returns the setup link of a token, or null if the link is unknown, revoked or expired. A link that a user created works only while the
   * user is active and has the permissions of the link.
   */
  async find(token: string): Promise<KnownSetupLink | null> {
    const ctx = systemContext(newId('request'));
    const link = await this.setupLinkQuery.findByHash(ctx, hashToken(token));
    return link && link.expiresAt > this.work.now() && (await this.isSupported(ctx, link)) ? link : null;
  }

  /** Returns the link and publishes its first opening. @throws SetupLinkInvalid (401) */
  async open(ctx: RequestContext, token: string): Promise<OpenedSetupLink> {
    const link = await this.find(token);
    if (!link) throw new SetupLinkInvalid();
    const { id, organization, steps, expiresAt, createdAt } = link;
    const opener = { ...ctx, actor: { type: 'setup_link', id } } as const;
    await this.work.run(opener, async (ctx) => {
      const now = this.work.now();
      if (!(await this.setupLinks.open(ctx, link, now))) return;
      const data = setupLinkData({ id, organizationId: organization.id, steps, expiresAt, createdAt });
      await this.work.publish(ctx, 'setup_link.opened', organization, data);
    });
    return link;
  }

  private async isSupported(
    ctx: RequestContext,
    { ownerTenantId, ownerId, organization, steps }: KnownSetupLink,
  ): Promise<boolean> {
    if (ownerTenantId === null || ownerId === null) return true;
    const [owner] = await this.grants.listOwners(ctx, [{ tenantId: ownerTenantId, id: ownerId }]);
    if (owner?.status !== 'active') return false;
    const caller = { kind: 'user', permissions: [], grants: owner.grants } as const;
    return permissionsBeyond(ownPermissionsAt(caller, organization), permissionsOf(steps)).length === 0;
  }
}
