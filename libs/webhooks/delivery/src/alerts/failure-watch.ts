import { Injectable } from '@nestjs/common';
import { BackgroundLoop, newId, systemContext } from '#platform/common';
import { FailingWebhooksQuery } from './failing-webhooks.query.js';
import { WebhookAlerts } from './webhook-alerts.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 100;

/** Time without a success after which a webhook is disabled, in milliseconds. */
const DISABLED_AFTER_MS = 5 * 86_400_000;
const WARNED_AFTER_MS = DISABLED_AFTER_MS / 2;

/** Finds webhooks whose deliveries only fail. Warns their owners after half of the time, and disables the webhooks after the whole time. */
@Injectable()
export class FailureWatch {
  private readonly loop = new BackgroundLoop('Failure watch', INTERVAL_MS, () => this.check());

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

  /** Checks one batch of webhooks. Returns true if webhooks may be left. */
  async check(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const failed = await this.failing.find(ctx, DISABLED_AFTER_MS, false, BATCH_SIZE);
    for (const { tenantId, id } of failed) await this.alerts.disable(tenantId, id, 'failures');
    const unwarned = await this.failing.find(ctx, WARNED_AFTER_MS, true, BATCH_SIZE);
    for (const webhook of unwarned) {
      await this.alerts.warn(webhook, new Date((webhook.failingSince?.getTime() ?? 0) + DISABLED_AFTER_MS));
    }
    return failed.length === BATCH_SIZE || unwarned.length === BATCH_SIZE;
  }
}
