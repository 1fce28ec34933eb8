import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownPermissionsAt, permissionsBeyond, type RequestContext } from '#common';
import { UserGrants } from './user-grants.read.js';

/** What can be wrong with the user who owns an API key or a webhook. */
export const OWNER_FLAGS = ['creator_suspended', 'creator_deleted', 'permissions_lost'] as const;
export type OwnerFlag = (typeof OWNER_FLAGS)[number];

/** Something of an organization that a user owns. */
export interface Owned {
  readonly ownerTenantId: string;
  readonly ownerId: string;
  /** Null when there is no such user any more. */
  readonly ownerStatus: string | null;
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
    const grants = new Map<string, Awaited<ReturnType<UserGrants['ofUsers']>>>();
    for (const tenantId of new Set(owned.map(({ ownerTenantId }) => ownerTenantId))) {
      const ofTenant = owned.filter(({ ownerTenantId }) => ownerTenantId === tenantId);
      const ids = [...new Set(ofTenant.map(({ ownerId }) => ownerId))];
      grants.set(tenantId, await this.grants.ofUsers(ctx, tenantId, ids));
    }
    return owned.map((each): OwnerJudgement => {
      const { ownerStatus, ownerTenantId, ownerId, organization } = each;
      if (ownerStatus === null || ownerStatus === 'deleted') return { flag: 'creator_deleted', missing: [] };
      if (ownerStatus === 'suspended') return { flag: 'creator_suspended', missing: [] };
      const owner = { kind: 'user', permissions: [], grants: grants.get(ownerTenantId)?.get(ownerId) ?? [] } as const;
      const missing = permissionsBeyond(ownPermissionsAt(owner, organization), needs(each));
      return { flag: missing.length > 0 ? 'permissions_lost' : null, missing };
    });
  }
}
