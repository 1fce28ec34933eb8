import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { type OwnerCheck, OwnerCheckLoop, UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService } from '#directory/organizations';
import { WebhookRepository } from './webhook.repository.js';
import { type OwnedWebhook, WebhookStateQuery } from './webhook-state.query.js';

/**
 * Flags webhooks whose owner is suspended, is deleted or lacks `events:read`. Disables flagged webhooks if the setting
 * `disableFlaggedWebhooks` is set. Removes the flag and enables the webhook when the reason no longer applies.
 */
@Injectable()
export class FlaggedWebhooks extends OwnerCheckLoop<OwnedWebhook> {
  constructor(
    config: AppConfig,
    grants: UserGrantsQuery,
    settings: EffectiveSettingsService,
    private readonly webhooks: WebhookRepository,
    private readonly states: WebhookStateQuery,
    private readonly work: UnitOfWork,
  ) {
    super(config, 'FlaggedWebhooks', grants, settings);
  }

  protected next(ctx: RequestContext, after: OwnedWebhook | undefined, limit: number): Promise<OwnedWebhook[]> {
    return this.states.listOwned(ctx, after, limit);
  }

  protected needs(): readonly string[] {
    return ['events:read'];
  }

  protected async apply(ctx: RequestContext, webhook: OwnedWebhook, { flag, settings }: OwnerCheck): Promise<void> {
    const { id, name, organization, enabled, disabledBy } = webhook;
    const mustBeDisabled = flag !== null && settings.disableFlaggedWebhooks;
    const isDisabled = disabledBy === 'owner';
    const mustChange = mustBeDisabled ? enabled : isDisabled;
    if (flag === webhook.flag && !mustChange) return;
    await this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      if (!(await this.states.setFlag(ctx, webhook, flag, now))) return;
      const hasChanged = mustChange && (await this.setEnabled(ctx, webhook, mustBeDisabled, now));
      if (flag === webhook.flag && !hasChanged) return;
      const disabled = hasChanged ? mustBeDisabled : isDisabled;
      const data = { id, organizationId: organization.id, name, flag, disabled };
      await this.work.publish(ctx, 'security.webhook_flagged', organization, data);
    });
  }

  /** Enables or disables a webhook. Returns false if the state did not change. */
  private async setEnabled(
    ctx: RequestContext,
    { tenantId, id }: OwnedWebhook,
    mustBeDisabled: boolean,
    now: Date,
  ): Promise<boolean> {
    if (mustBeDisabled) return (await this.states.disable(ctx, tenantId, [id], 'owner', now)).length > 0;
    return this.webhooks.enable(ctx, { tenantId, id }, 'owner', now);
  }
}
