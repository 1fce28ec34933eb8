import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';
import { KeyLookups } from './key-lookups.js';

/** When an organization is purged, its API keys go with it; they stop working with its deletion, on every instance. */
@Injectable()
export class KeysFollowOrganizationsRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationFollowers,
    private readonly lookups: KeyLookups,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onDeleted(ctx: RequestContext): Promise<void> {
    this.lookups.changed(ctx, '*');
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.query(
      ctx,
      `WITH gone AS (DELETE FROM api_keys WHERE tenant_id = $1 AND organization_id = ANY($2) RETURNING tenant_id, id)
       DELETE FROM token_hashes h USING gone g WHERE h.tenant_id = g.tenant_id AND h.subject_id = g.id AND h.kind = 'api_key'`,
      [tenantId, ids],
    );
  }
}
