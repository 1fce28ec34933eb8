import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { type OwnerCheck, OwnerCheckLoop, UserGrants } from '#directory/memberships';
import { EffectiveSettings } from '#directory/organizations';
import { type OwnedWebhook, WebhooksRepository } from './webhooks.repository.js';

/**
 * Flags webhooks whose owner is suspended or deleted, or may not read events, and switches them off where the organization wants it. Removes the flag,
 * and switches them on again, once the reason no longer applies.
 */
@Injectable()
export class FlaggedWebhooks extends OwnerCheckLoop<OwnedWebhook> {
  constructor(
    config: AppConfig,
    grants: UserGrants,
    settings: EffectiveSettings,
    private readonly webhooks: WebhooksRepository,
    private readonly work: UnitOfWork,
  ) {
    super(config, 'FlaggedWebhooks', grants, settings);
  }

  protected next(ctx: RequestContext, after: OwnedWebhook | undefined, limit: number): Promise<OwnedWebhook[]> {
    return this.webhooks.owned(ctx, after, limit);
  }

  protected needs(): readonly string[] {
    return ['events:read'];
  }

  protected async apply(ctx: RequestContext, webhook: OwnedWebhook, { flag, settings }: OwnerCheck): Promise<void> {
    const { id, name, organization, enabled, disabledBy } = webhook;
    const mustBeOff = flag !== null && settings.disableFlaggedWebhooks;
    const isOff = disabledBy === 'owner';
    const switches = mustBeOff ? enabled : isOff;
    if (flag === webhook.flag && !switches) return;
    await this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      if (!(await this.webhooks.setFlag(ctx, webhook, flag, now))) return;
      const switched = switches && (await this.switch(ctx, webhook, mustBeOff, now));
      if (flag === webhook.flag && !switched) return;
      const disabled = switched ? mustBeOff : isOff;
      const data = { id, organizationId: organization.id, name, flag, disabled };
      await this.work.publish(ctx, 'security.webhook_flagged', organization, data);
    });
  }

  /** Whether it did: another process may have been faster. */
  private async switch(ctx: RequestContext, { tenantId, id }: OwnedWebhook, off: boolean, now: Date): Promise<boolean> {
    if (off) return (await this.webhooks.disable(ctx, tenantId, [id], 'owner', now)).length > 0;
    return this.webhooks.enableAgain(ctx, tenantId, id, 'owner', now);
  }
}
