import { Injectable } from '@nestjs/common';
import { type Grant, newId, ownPermissionsAt, permissionsBeyond, type RequestContext, systemContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken } from '#platform/crypto';
import { UserGrantsQuery } from '#directory/memberships';
import { ValidApiKeysQuery } from '#identity/auth';
import { SetupLinkInvalid } from './setup-link-errors.js';
import { MachineClientGrants } from './machine-client-grants.js';
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
    private readonly validApiKeys: ValidApiKeysQuery,
    private readonly machineClients: MachineClientGrants,
  ) {}

  /**
   * Returns the setup link of a token, or null if the link is unknown, revoked or expired. A link works only while its creator has
   * the permissions of the link: an active user, a valid key, a valid successor of an API key, or a machine client; and their active owner.
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

  private async isSupported(ctx: RequestContext, link: KnownSetupLink): Promise<boolean> {
    const { tenantId, ownerTenantId, ownerId, createdByKeyId } = link;
    const ownerKey = ownerTenantId !== null && ownerId !== null ? { tenantId: ownerTenantId, id: ownerId } : undefined;
    if (ownerKey) {
      const [owner] = await this.grants.listOwners(ctx, [ownerKey]);
      if (owner?.status !== 'active' || !isCovered(link, owner.grants)) return false;
    }
    if (createdByKeyId === null) return true;
    return (
      isCovered(link, await this.validApiKeys.listGrants(ctx, { tenantId, id: createdByKeyId })) ||
      isCovered(link, await this.machineClients.listGrants(ctx, createdByKeyId)) ||
      this.validApiKeys.isValidPlatformKey(ctx, createdByKeyId)
    );
  }
}

function isCovered({ organization, steps }: KnownSetupLink, grants: readonly Grant[]): boolean {
  const creator = { kind: 'user', permissions: [], grants } as const;
  return permissionsBeyond(ownPermissionsAt(creator, organization), permissionsOf(steps)).length === 0;
}
