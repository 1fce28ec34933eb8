import {
  newId,
  type OrganizationScope,
  ownPermissionsAt,
  permissionsBeyond,
  type RequestContext,
  systemContext,
  WorkerLoop,
} from '#platform/common';
import type { EffectiveSettingsService, OrganizationSettings } from '#directory/organizations';
import type { UserGrantsQuery } from './user-grants.query.js';

const INTERVAL_MS = 30_000;
const BATCH_SIZE = 200;

/** Problems of the owner of an API key or webhook. */
export const OWNER_FLAGS = ['owner_suspended', 'owner_deleted', 'permissions_lost'] as const;
export type OwnerFlag = (typeof OWNER_FLAGS)[number];

/** An API key or webhook, with its owner and its organization. */
export interface Owned {
  readonly ownerTenantId: string;
  readonly ownerId: string;
  readonly organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>;
}

export interface OwnerCheck {
  readonly flag: OwnerFlag | null;
  /** The permissions that the owner lacks. */
  readonly missing: readonly string[];
  readonly settings: OrganizationSettings;
}

/** Checks the owners of all API keys or all webhooks, one batch per run. */
export abstract class OwnerCheckLoop<T extends Owned> extends WorkerLoop {
  /** The last item of the previous batch, or undefined at the start. */
  private after: T | undefined;

  protected constructor(
    config: { readonly role: string },
    name: string,
    private readonly grants: UserGrantsQuery,
    private readonly settings: EffectiveSettingsService,
  ) {
    super(config, name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const batch = await this.next(ctx, this.after, BATCH_SIZE);
    this.after = batch.length === BATCH_SIZE ? batch.at(-1) : undefined;
    // User ids are unique across tenants.
    const keys = new Map(batch.map(({ ownerTenantId: tenantId, ownerId: id }) => [id, { tenantId, id }]));
    const owners = new Map((await this.grants.listOwners(ctx, [...keys.values()])).map((owner) => [owner.id, owner]));
    const settings = await this.settings.getMany(
      ctx,
      batch.map(({ organization }) => organization),
    );
    for (const owned of batch) {
      const { values } = settings.get(owned.organization.id)!;
      await this.apply(ctx, owned, { ...this.checkOwner(owned, owners.get(owned.ownerId)), settings: values });
    }
    return this.after !== undefined;
  }

  /** Returns up to `limit` items after the item `after`, in a stable order. */
  protected abstract next(ctx: RequestContext, after: T | undefined, limit: number): Promise<T[]>;

  /** Returns the permissions that the owner must have in the organization. */
  protected abstract needs(owned: T): readonly string[];

  /** Saves the result of a check if the result changed. */
  protected abstract apply(ctx: RequestContext, owned: T, check: OwnerCheck): Promise<void>;

  private checkOwner(
    owned: T,
    owner: Awaited<ReturnType<UserGrantsQuery['listOwners']>>[number] | undefined,
  ): Pick<OwnerCheck, 'flag' | 'missing'> {
    if (!owner || owner.status === 'deleted') return { flag: 'owner_deleted', missing: [] };
    if (owner.status === 'suspended') return { flag: 'owner_suspended', missing: [] };
    const caller = { kind: 'user', permissions: [], grants: owner.grants } as const;
    const missing = permissionsBeyond(ownPermissionsAt(caller, owned.organization), this.needs(owned));
    return { flag: missing.length > 0 ? 'permissions_lost' : null, missing };
  }
}
