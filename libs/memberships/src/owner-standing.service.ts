import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownPermissionsAt, permissionsBeyond, type RequestContext } from '#common';
import { UserGrants } from './user-grants.read.js';

/** What can be wrong with the user who owns an API key or a webhook. */
export const OWNER_FLAGS = ['owner_suspended', 'owner_deleted', 'permissions_lost'] as const;
export type OwnerFlag = (typeof OWNER_FLAGS)[number];

/** Something of an organization that a user owns. */
export interface Owned {
  readonly ownerTenantId: string;
  readonly ownerId: string;
  readonly organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>;
}

export interface OwnerJudgement {
  readonly flag: OwnerFlag | null;
  /** The permissions that the owner lacks. */
  readonly missing: readonly string[];
}

/** Judges whether owners may still have what they own. */
@Injectable()
export class OwnerStanding {
  constructor(private readonly grants: UserGrants) {}

  /** Returns a judgement for each, in the same order; `needs` gives the permissions that its owner must hold. */
  async judge<T extends Owned>(
    ctx: RequestContext,
    owned: readonly T[],
    needs: (each: T) => readonly string[],
  ): Promise<OwnerJudgement[]> {
    const keys = new Map(owned.map(({ ownerTenantId: tenantId, ownerId: id }) => [id, { tenantId, id }]));
    const owners = new Map((await this.grants.ofOwners(ctx, [...keys.values()])).map((owner) => [owner.id, owner]));
    return owned.map((each): OwnerJudgement => {
      const owner = owners.get(each.ownerId);
      if (!owner || owner.status === 'deleted') return { flag: 'owner_deleted', missing: [] };
      if (owner.status === 'suspended') return { flag: 'owner_suspended', missing: [] };
      const caller = { kind: 'user', permissions: [], grants: owner.grants } as const;
      const missing = permissionsBeyond(ownPermissionsAt(caller, each.organization), needs(each));
      return { flag: missing.length > 0 ? 'permissions_lost' : null, missing };
    });
  }
}
