import { Injectable } from '@nestjs/common';
import { Clock, newId, ownPermissionsAt, permissionsBeyond, systemContext, WorkerLoop } from '#common';
import { AppConfig } from '#config';
import { TransactionRunner } from '#database';
import { DomainEventBus } from '#events';
import { type UserGrant, UserGrants } from '#memberships';
import { EffectiveSettings } from '#organizations';
import type { ApiKeyFlag } from './api-key.entity.js';
import { ApiKeyRepository, type OwnedKey } from './api-key.repository.js';
import { KeyLookups } from './key-lookups.js';

const INTERVAL_MS = 30_000;
const BATCH = 200;

/**
 * Flags API keys whose owner is suspended or deleted, or lacks permissions that the key has, and disables them where the organization
 * wants it; takes both back when the reason is gone.
 */
@Injectable()
export class FlaggedKeys extends WorkerLoop {
  /** The last key of the batch before; undefined at the beginning of a round over all keys. */
  private after: OwnedKey | undefined;

  constructor(
    config: AppConfig,
    private readonly keys: ApiKeyRepository,
    private readonly grants: UserGrants,
    private readonly settings: EffectiveSettings,
    private readonly lookups: KeyLookups,
    private readonly transactions: TransactionRunner,
    private readonly events: DomainEventBus,
    private readonly clock: Clock,
  ) {
    super(config, 'FlaggedKeys', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const batch = await this.keys.owned(ctx, this.clock.now(), this.after, BATCH);
    this.after = batch.length === BATCH ? batch.at(-1) : undefined;
    const grants = await this.grantsOf(batch);
    const settings = await this.settings.ofMany(
      ctx,
      batch.map(({ organization }) => organization),
    );
    for (const key of batch) {
      const { flag, missing } = judge(key, grants.get(ownerOf(key)) ?? []);
      const isDisabled = flag !== null && settings.get(key.organization.id)!.values.disableFlaggedApiKeys;
      if (flag === key.flag && isDisabled === key.isDisabled) continue;
      await this.transactions.run(ctx, async (ctx) => {
        if (!(await this.keys.setFlag(ctx, key, flag, isDisabled, this.clock.now()))) return;
        const { id, name, prefix, scopes } = key;
        const data = { id, name, prefix, scopes: [...scopes], flag, missing, disabled: isDisabled };
        await this.events.publish(ctx, 'security.api_key_flagged', key.organization, data);
        this.lookups.changed(ctx, id);
      });
    }
    return this.after !== undefined;
  }

  private async grantsOf(keys: readonly OwnedKey[]): Promise<ReadonlyMap<string, readonly UserGrant[]>> {
    const ctx = systemContext(newId('request'));
    const found = new Map<string, readonly UserGrant[]>();
    for (const tenantId of new Set(keys.map(({ ownerTenantId }) => ownerTenantId))) {
      const ofTenant = keys.filter(({ ownerTenantId }) => ownerTenantId === tenantId);
      const ids = [...new Set(ofTenant.map(({ ownerId }) => ownerId))];
      for (const [id, grants] of await this.grants.ofUsers(ctx, tenantId, ids)) found.set(`${tenantId} ${id}`, grants);
    }
    return found;
  }
}

const ownerOf = ({ ownerTenantId, ownerId }: OwnedKey): string => `${ownerTenantId} ${ownerId}`;

function judge(
  { ownerStatus, organization, scopes }: OwnedKey,
  grants: readonly UserGrant[],
): { flag: ApiKeyFlag | null; missing: string[] } {
  if (ownerStatus === null || ownerStatus === 'deleted') return { flag: 'creator_deleted', missing: [] };
  if (ownerStatus === 'suspended') return { flag: 'creator_suspended', missing: [] };
  const missing = permissionsBeyond(ownPermissionsAt({ kind: 'user', permissions: [], grants }, organization), scopes);
  return { flag: missing.length > 0 ? 'permissions_lost' : null, missing };
}
