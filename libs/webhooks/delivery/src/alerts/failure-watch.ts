import { Injectable } from '@nestjs/common';
import { BackgroundLoop, newId, systemContext } from '#platform/common';
import { FailingWebhooksQuery } from './failing-webhooks.query.js';
import { WebhookAlerts } from './webhook-alerts.js';

const INTERVAL_MS = 60_000;
const BATCH = 100;

/** A webhook that has only failed for so long is switched off. */
const DISABLED_AFTER_MS = 5 * 86_400_000;
const WARNED_AFTER_MS = DISABLED_AFTER_MS / 2;

/** Looks for webhooks that fail and fail: warns their owners half-way, and switches them off. */
@Injectable()
export class FailureWatch {
  private readonly loop = new BackgroundLoop('Failure watch', INTERVAL_MS, () => this.look());

  constructor(
    private readonly failing: FailingWebhooksQuery,
    private readonly alerts: WebhookAlerts,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** One round; true when there may be more. */
  async look(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const hopeless = await this.failing.find(ctx, DISABLED_AFTER_MS, false, BATCH);
    for (const { tenantId, id } of hopeless) await this.alerts.disable(tenantId, id, 'failures');
    const unwarned = await this.failing.find(ctx, WARNED_AFTER_MS, true, BATCH);
    for (const webhook of unwarned) {
      await this.alerts.warn(webhook, new Date((webhook.failingSince?.getTime() ?? 0) + DISABLED_AFTER_MS));
    }
    return hopeless.length === BATCH || unwarned.length === BATCH;
  }
}
