import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#common';
import { AppConfig } from '#config';
import { TransactionRunner } from '#database';
import { DomainEventBus } from '#events';
import { OwnerStanding } from '#memberships';
import { EffectiveSettings } from '#organizations';
import { ApiKeyRepository, type OwnedKey } from './api-key.repository.js';
import { KeyLookups } from './key-lookups.js';

const INTERVAL_MS = 30_000;
const BATCH = 200;

/**
 * Flags API keys whose owner is suspended or deleted, or lacks permissions of the key, and disables them where the organization wants it. Removes the
 * flag, and enables them again, once the reason no longer applies.
 */
@Injectable()
export class FlaggedKeys extends WorkerLoop {
  /** The last key of the batch before; undefined at the beginning of a round over all keys. */
  private after: OwnedKey | undefined;

  constructor(
    config: AppConfig,
    private readonly keys: ApiKeyRepository,
    private readonly owners: OwnerStanding,
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
    const judgements = await this.owners.judge(ctx, batch, ({ scopes }) => scopes);
    const settings = await this.settings.ofMany(
      ctx,
      batch.map(({ organization }) => organization),
    );
    for (const [index, key] of batch.entries()) {
      const { flag, missing } = judgements[index]!;
      const isDisabled = flag !== null && settings.get(key.organization.id)!.values.disableFlaggedApiKeys;
      if (flag === key.flag && isDisabled === key.isDisabled) continue;
      await this.transactions.run(ctx, async (ctx) => {
        if (!(await this.keys.setFlag(ctx, key, flag, isDisabled, this.clock.now()))) return;
        const { id, name, prefix, scopes } = key;
        const data = { id, name, prefix, scopes: [...scopes], flag, missing: [...missing], disabled: isDisabled };
        await this.events.publish(ctx, 'security.api_key_flagged', key.organization, data);
        this.lookups.changed(ctx, id);
      });
    }
    return this.after !== undefined;
  }
}
