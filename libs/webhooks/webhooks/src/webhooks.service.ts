import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  changesBetween,
  assertUnchanged,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationSuspended } from '#directory/organizations';
import { WebhookAccessService } from './webhook-access.service.js';
import { changesSubscription, copiesEvents, isOwnerChange, hiddenChanges, ownerChanges } from './webhook-changes.js';
import { WebhookLimitReached, WEBHOOKS_PER_ORGANIZATION_MAX } from './webhook-errors.js';
import { WebhookDraftsService } from './webhook-drafts.service.js';
import type { WebhookInput, WebhookPatch } from './webhook-input.js';
import { webhookData } from './webhook-data.js';
import type { Webhook } from './webhook.entity.js';
import { type WebhookDetails, WebhookDetailsQuery } from './webhook-details.query.js';
import { type NewWebhook, type WebhookChanges, type WebhookKey, WebhookRepository } from './webhook.repository.js';
import { WebhookStateQuery } from './webhook-state.query.js';

/** Maximum time between the reading of a webhook and the start of an attempt, in milliseconds. A later attempt does not start. */
export const ATTEMPT_BEGINS_WITHIN_MS = 2_000;
const IN_PROGRESS_POLL_MS = 100;
const RELAY_POLL_MS = 20;

/**
 * Manages webhooks of the organization in the path. Without an organization, manages webhooks of all organizations that the caller can
 * access.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly states: WebhookStateQuery,
    private readonly details: WebhookDetailsQuery,
    private readonly drafts: WebhookDraftsService,
    private readonly access: WebhookAccessService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a webhook in the organization of the context. The webhook receives later events.
   * @throws EventsReadRequired (403), ReauthenticationRequired (401)
   * @throws InvalidRequest for a URL that deliveries may not reach, and for headers that can't be sent
   * @throws WebhookLimitReached
   */
  async create(ctx: RequestContext, input: WebhookInput): Promise<{ webhook: NewWebhook; secret: string }> {
    await this.drafts.assertSendable(input);
    return this.createSendable(ctx, input);
  }

  /** Same as `create`, after `WebhookDraftsService.assertSendable`. */
  async createSendable(ctx: RequestContext, input: WebhookInput): Promise<{ webhook: NewWebhook; secret: string }> {
    const organization = organizationOf(ctx);
    this.access.assertCanCopyEvents(ctx, organization);
    const { webhook, secret } = this.drafts.draft(ctx, organization, input);
    await this.work.run(ctx, async (ctx) => {
      await this.webhooks.lockCount(ctx, organization.id);
      const count = await this.webhooks.countOf(ctx, organization.tenantId, organization.id);
      if (count >= WEBHOOKS_PER_ORGANIZATION_MAX) throw new WebhookLimitReached();
      await this.webhooks.insert(ctx, webhook);
      await this.states.insertCounters(ctx, webhook);
      await this.work.publish(ctx, 'webhook.created', organization, webhookData(webhook));
    });
    return { webhook, secret };
  }

  async list(ctx: RequestContext, request: PageRequest): Promise<Page<WebhookDetails>> {
    return this.details.list(ctx, request);
  }

  /**
   * Returns a webhook to whose destination the caller copies events of the past.
   * @throws ResourceNotFound, EventsReadRequired (403), ReauthenticationRequired (401)
   */
  async getForCopy(ctx: RequestContext, id: string): Promise<WebhookDetails> {
    const webhook = await this.get(ctx, id);
    this.access.assertCanCopyEvents(ctx, await this.access.organizationOf(ctx, webhook));
    return webhook;
  }

  /** Returns a webhook. @throws ResourceNotFound */
  async get(ctx: RequestContext, id: string): Promise<WebhookDetails> {
    const webhook = await this.details.find(ctx, id);
    if (!webhook) throw new ResourceNotFound('webhook', id);
    return webhook;
  }

  /**
   * Returns a webhook whose secret the caller will receive, and publishes that the secret was revealed.
   * @throws ResourceNotFound, GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async reveal(ctx: RequestContext, id: string): Promise<WebhookDetails> {
    return this.work.run(ctx, async (ctx) => {
      const webhook = await this.get(ctx, id);
      await this.access.assertCanKnowSecret(ctx, webhook);
      await this.publishRevealed(ctx, webhook);
      return webhook;
    });
  }

  /**
   * Replaces the secret. The new secret takes effect after `activateInSeconds`. A next secret that has not taken effect yet is dropped.
   * @throws ResourceNotFound, GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async rotateSecret(ctx: RequestContext, id: string, activateInSeconds: number, newSecret?: string): Promise<WebhookDetails> {
    const found = await this.getForChange(ctx, id);
    await this.access.assertCanKnowSecret(ctx, found);
    const secretSealed = this.drafts.sealSecret(id, newSecret);
    return this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      await this.states.setNextSecret(ctx, webhook, secretSealed, activateInSeconds);
      const changed = await this.get(ctx, id);
      await this.publishUpdate(ctx, webhook, changed, { nextSecretSealed: changed.nextSecretSealed });
      await this.publishRevealed(ctx, changed);
      return changed;
    });
  }

  /**
   * Changes the fields of the patch. A webhook that is enabled by the patch receives its pending deliveries.
   * @throws ResourceNotFound, EventsReadRequired (403), ReauthenticationRequired (401) for a new secret and for changes of the
   * destination or of the selected events
   * @throws InvalidRequest as `create` does
   */
  async update(ctx: RequestContext, id: string, patch: WebhookPatch): Promise<WebhookDetails> {
    const found = await this.getForChange(ctx, id);
    if (isOwnerChange(patch)) this.access.assertCanReadEvents(ctx, await this.access.organizationOf(ctx, found));
    if (patch.url !== undefined && patch.url !== found.url) await this.drafts.assertSendable({ url: patch.url });
    return this.updateFound(ctx, found, patch);
  }

  /** Same as `update`, after `WebhookDraftsService.assertSendable`. */
  async updateSendable(ctx: RequestContext, id: string, patch: WebhookPatch): Promise<WebhookDetails> {
    const found = await this.getForChange(ctx, id);
    if (isOwnerChange(patch)) this.access.assertCanReadEvents(ctx, await this.access.organizationOf(ctx, found));
    return this.updateFound(ctx, found, patch);
  }

  private async updateFound(ctx: RequestContext, found: WebhookDetails, patch: WebhookPatch): Promise<WebhookDetails> {
    const { id } = found;
    const updated = await this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      const changes = this.drafts.changesOf(webhook, found, patch);
      if (changes.secretSealed) await this.access.assertCanKnowSecret(ctx, found);
      if (copiesEvents(changes)) assertRecentlyAuthenticated(ctx, this.work.now());
      // A user who changes the destination or which events are sent becomes the owner.
      if (isOwnerChange(patch) && Object.keys(changes).length > 0) Object.assign(changes, ownerChanges(ctx, webhook, patch));
      if (Object.keys(changes).length > 0) await this.webhooks.update(ctx, webhook, { ...changes, updatedAt: this.work.now() });
      if (changesSubscription(changes)) await this.states.restartSubscription(ctx, webhook);
      if (changes.enabled) await this.states.clearFailures(ctx, webhook);
      const changed = await this.get(ctx, id);
      await this.publishUpdate(ctx, webhook, changed, changes);
      return changed;
    });
    if (found.enabled && !updated.enabled) await this.waitForAttemptsToStart(ctx, found);
    return updated;
  }

  /**
   * Deletes a webhook. Waits up to `ATTEMPT_BEGINS_WITHIN_MS` for workers that read the webhook before the deletion, so that no attempt
   * starts after the method has returned.
   * @throws ResourceNotFound
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const found = await this.getForChange(ctx, id);
    await this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      await this.states.markDeleted(ctx, webhook, this.work.now());
      await this.work.publish(ctx, 'webhook.deleted', await this.access.organizationOf(ctx, found), webhookData(webhook));
    });
    await this.waitForAttemptsToStart(ctx, found);
  }

  /**
   * Waits for a relay and for workers that read the webhook before a change, because they still use the previous state. Has no effect in a
   * transaction, which is not committed yet.
   */
  private async waitForAttemptsToStart(ctx: RequestContext, webhook: WebhookDetails): Promise<void> {
    if (ctx.transaction) return;
    const deadline = performance.now() + ATTEMPT_BEGINS_WITHIN_MS;
    while (performance.now() < deadline && (await this.details.isRelayInProgress(ctx, webhook.tenantId)))
      await delay(RELAY_POLL_MS);
    while (performance.now() < deadline && (await this.details.hasDeliveriesInProgress(ctx, webhook)))
      await delay(IN_PROGRESS_POLL_MS);
  }

  /** Disables webhooks whose destination responded 410 or that failed for too long. Their deliveries stay pending. */
  async disable(ctx: RequestContext, tenantId: string, ids: readonly string[], reason: 'failures' | 'gone'): Promise<string[]> {
    return this.states.disable(ctx, tenantId, ids, reason, this.work.now());
  }

  /** Enables a webhook that failures disabled, and clears the failures. */
  async enable(ctx: RequestContext, webhook: WebhookKey): Promise<boolean> {
    return this.work.run(ctx, async (ctx) => {
      const enabled = await this.webhooks.enable(ctx, webhook, 'failures', this.work.now());
      if (enabled) await this.states.clearFailures(ctx, webhook);
      return enabled;
    });
  }

  private async publishUpdate(
    ctx: RequestContext,
    before: Webhook,
    after: WebhookDetails,
    changed: Partial<WebhookChanges>,
  ): Promise<void> {
    const changes = { ...changesBetween(webhookData(before), webhookData(after)), ...hiddenChanges(changed) };
    if (Object.keys(changes).length === 0) return;
    await this.work.publish(ctx, 'webhook.updated', await this.access.organizationOf(ctx, after), {
      ...webhookData(after),
      changes,
    });
  }

  private async publishRevealed(ctx: RequestContext, webhook: WebhookDetails): Promise<void> {
    const { id, organizationId, name } = webhook;
    const data = { id, organizationId, name };
    await this.work.publish(ctx, 'webhook.secret_revealed', await this.access.organizationOf(ctx, webhook), data);
  }

  private async getForChange(ctx: RequestContext, id: string): Promise<WebhookDetails> {
    const webhook = await this.get(ctx, id);
    if (webhook.organizationStatus === 'suspended') throw new OrganizationSuspended();
    return webhook;
  }

  private async lock(ctx: RequestContext, found: WebhookDetails): Promise<Webhook> {
    const webhook = await this.webhooks.lock(ctx, found);
    if (!webhook) throw new ResourceNotFound('webhook', found.id);
    assertUnchanged(ctx, webhook.version);
    return webhook;
  }
}
