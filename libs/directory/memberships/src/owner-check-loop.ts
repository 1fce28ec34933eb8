import {
  newId,
  type OrganizationScope,
  ownPermissionsAt,
  permissionsBeyond,
  type RequestContext,
  systemContext,
  WorkerLoop,
} from '#platform/common';
import type { EffectiveSettings, OrganizationSettings } from '#directory/organizations';
import type { UserGrants } from './user-grants.read.js';

const INTERVAL_MS = 30_000;
const BATCH = 200;

/** What can be wrong with the user who owns an API key or a webhook. */
export const OWNER_FLAGS = ['owner_suspended', 'owner_deleted', 'permissions_lost'] as const;
export type OwnerFlag = (typeof OWNER_FLAGS)[number];

/** Something of an organization that a user owns. */
export interface Owned {
  readonly ownerTenantId: string;
  readonly ownerId: string;
  readonly organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>;
}

/** What was found out about an owner, with the settings of the organization. */
export interface OwnerCheck {
  readonly flag: OwnerFlag | null;
  /** The permissions that the owner lacks. */
  readonly missing: readonly string[];
  readonly settings: OrganizationSettings;
}

/** Checks the owners of all things of a kind, a batch in each run. */
export abstract class OwnerCheckLoop<T extends Owned> extends WorkerLoop {
  /** The last one of the batch before; undefined at the beginning of a round. */
  private after: T | undefined;

  protected constructor(
    config: { readonly role: string },
    name: string,
    private readonly grants: UserGrants,
    private readonly settings: EffectiveSettings,
  ) {
    super(config, name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const batch = await this.next(ctx, this.after, BATCH);
    this.after = batch.length === BATCH ? batch.at(-1) : undefined;
    // The ids of users are unique over all tenants.
    const keys = new Map(batch.map(({ ownerTenantId: tenantId, ownerId: id }) => [id, { tenantId, id }]));
    const owners = new Map((await this.grants.ofOwners(ctx, [...keys.values()])).map((owner) => [owner.id, owner]));
    const settings = await this.settings.ofMany(
      ctx,
      batch.map(({ organization }) => organization),
    );
    for (const owned of batch) {
      const { values } = settings.get(owned.organization.id)!;
      await this.apply(ctx, owned, { ...this.judge(owned, owners.get(owned.ownerId)), settings: values });
    }
    return this.after !== undefined;
  }

  /** Returns those behind the given one, in a stable order. */
  protected abstract next(ctx: RequestContext, after: T | undefined, limit: number): Promise<T[]>;

  /** The permissions that the owner must hold in the organization. */
  protected abstract needs(owned: T): readonly string[];

  /** Writes down what has changed, if anything has. */
  protected abstract apply(ctx: RequestContext, owned: T, check: OwnerCheck): Promise<void>;

  private judge(
    owned: T,
    owner: Awaited<ReturnType<UserGrants['ofOwners']>>[number] | undefined,
  ): Pick<OwnerCheck, 'flag' | 'missing'> {
    if (!owner || owner.status === 'deleted') return { flag: 'owner_deleted', missing: [] };
    if (owner.status === 'suspended') return { flag: 'owner_suspended', missing: [] };
    const caller = { kind: 'user', permissions: [], grants: owner.grants } as const;
    const missing = permissionsBeyond(ownPermissionsAt(caller, owned.organization), this.needs(owned));
    return { flag: missing.length > 0 ? 'permissions_lost' : null, missing };
  }
}
