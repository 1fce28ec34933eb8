import { Injectable } from '@nestjs/common';
import { Clock, newId, type RequestContext, systemContext, WorkerLoop } from '#common';
import { AppConfig } from '#config';
import { TransactionRunner } from '#database';
import { DomainEventBus } from '#events';
import { OwnerStanding } from '#memberships';
import { EffectiveSettings } from '#organizations';
import { type OwnedWebhook, WebhooksRepository } from './webhooks.repository.js';

const INTERVAL_MS = 30_000;
const BATCH = 200;

/**
 * Flags webhooks whose owner is suspended or deleted, or may not read events, and switches them off where the organization wants it. Removes the flag,
 * and switches them on again, once the reason no longer applies.
 */
@Injectable()
export class FlaggedWebhooks extends WorkerLoop {
  /** The last webhook of the batch before; undefined at the beginning of a round over all webhooks. */
  private after: OwnedWebhook | undefined;

  constructor(
    config: AppConfig,
    private readonly webhooks: WebhooksRepository,
    private readonly owners: OwnerStanding,
    private readonly settings: EffectiveSettings,
    private readonly transactions: TransactionRunner,
    private readonly events: DomainEventBus,
    private readonly clock: Clock,
  ) {
    super(config, 'FlaggedWebhooks', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const batch = await this.webhooks.owned(ctx, this.after, BATCH);
    this.after = batch.length === BATCH ? batch.at(-1) : undefined;
    const judgements = await this.owners.judge(ctx, batch, () => ['events:read']);
    const settings = await this.settings.ofMany(
      ctx,
      batch.map(({ organization }) => organization),
    );
    for (const [index, webhook] of batch.entries()) {
      const { flag } = judgements[index]!;
      const { disableFlaggedWebhooks } = settings.get(webhook.organization.id)!.values;
      await this.apply(webhook, flag, flag !== null && disableFlaggedWebhooks);
    }
    return this.after !== undefined;
  }

  private async apply(webhook: OwnedWebhook, flag: OwnedWebhook['flag'], mustBeOff: boolean): Promise<void> {
    const { id, name, organization, enabled, disabledBy } = webhook;
    const isOff = disabledBy === 'owner';
    const switches = mustBeOff ? enabled : isOff;
    if (flag === webhook.flag && !switches) return;
    await this.transactions.run(systemContext(newId('request')), async (ctx) => {
      const now = this.clock.now();
      if (!(await this.webhooks.setFlag(ctx, webhook, flag, now))) return;
      const switched = switches && (await this.switch(ctx, webhook, mustBeOff, now));
      if (flag === webhook.flag && !switched) return;
      const disabled = switched ? mustBeOff : isOff;
      await this.events.publish(ctx, 'security.webhook_flagged', organization, {
        id,
        organizationId: organization.id,
        name,
        flag,
        disabled,
      });
    });
  }

  /** Whether it did: another process may have been faster. */
  private async switch(ctx: RequestContext, { tenantId, id }: OwnedWebhook, off: boolean, now: Date): Promise<boolean> {
    if (off) return (await this.webhooks.disable(ctx, tenantId, [id], 'owner', now)).length > 0;
    return this.webhooks.enableAgain(ctx, tenantId, id, 'owner', now);
  }
}
