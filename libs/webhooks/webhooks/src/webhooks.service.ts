import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  changesBetween,
  demandUnchanged,
  holdsPermission,
  newId,
  organizationOf,
  ownerFor,
  ownPermissionsAt,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { constantTimeEqual } from '#platform/crypto';
import { OrganizationScopes, OrganizationSuspended } from '#directory/organizations';
import { generateWebhookSecret } from './signing-secret.js';
import { changesSubscription, decidesWhatIsSent, hiddenChanges, takenOver } from './webhook-changes.js';
import { EventsReadRequired, WebhookLimitReached, WEBHOOKS_PER_ORGANIZATION_MAX } from './webhook-errors.js';
import { unmaskedHeaders, type WebhookInput, WebhookInputCheck, type WebhookPatch } from './webhook-input.js';
import { maskedSecret, WebhookSecrets } from './webhook-secrets.js';
import { webhookData } from './webhook-data.js';
import type { Webhook } from './webhook.entity.js';
import { type WebhookRow, WebhooksRead } from './webhooks.read.js';
import { type NewWebhook, type WebhookChanges, WebhooksRepository } from './webhooks.repository.js';

/** An attempt begins so soon after its webhook was found to be there and switched on, or not at all. */
export const ATTEMPT_BEGINS_WITHIN_MS = 2_000;
const UNDER_WAY_POLL_MS = 100;

/**
 * Webhooks of the organization that the context addresses or, where the path names none, of all that the caller reaches.
 * What lies outside is not found.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly reader: WebhooksRead,
    private readonly secrets: WebhookSecrets,
    private readonly work: UnitOfWork,
    private readonly inputs: WebhookInputCheck,
    private readonly scopes: OrganizationScopes,
  ) {}

  /**
   * Makes a webhook in the addressed organization; it gets the events from now on.
   * @throws EventsReadRequired (403)
   * @throws InvalidRequest for a URL that deliveries may not reach, and for headers that can't be sent
   * @throws WebhookLimitReached
   */
  async create(ctx: RequestContext, input: WebhookInput): Promise<{ webhook: NewWebhook; secret: string }> {
    const headers = input.headers ?? {};
    this.inputs.assertHeaders(headers);
    await this.inputs.assertDestination(input.url);

    const organization = organizationOf(ctx);
    assertMayRead(ctx, organization);
    const id = newId('webhook');
    const secret = input.secret ?? generateWebhookSecret();
    const now = this.work.now();
    const enabled = input.enabled ?? true;
    const webhook: NewWebhook = {
      tenantId: organization.tenantId,
      id,
      organizationId: organization.id,
      name: input.name ?? new URL(input.url).host,
      url: input.url,
      events: input.events,
      enabled,
      disabledBy: enabled ? null : 'hand',
      disabledAt: enabled ? null : now,
      includeDescendants: input.includeDescendants ?? false,
      filter: input.filter ?? null,
      rateLimit: input.rateLimit ?? null,
      secretSealed: this.secrets.sealSecret(id, secret),
      nextSecretSealed: null,
      nextSecretAt: null,
      headersSealed: this.secrets.sealHeaders(id, headers),
      ...ownerFor(ctx.caller),
      flag: null,
      flaggedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.work.run(ctx, async (ctx) => {
      await this.webhooks.lockOrganization(ctx, organization.id);
      const count = await this.webhooks.countIn(ctx, organization.tenantId, organization.id);
      if (count >= WEBHOOKS_PER_ORGANIZATION_MAX) throw new WebhookLimitReached();
      await this.webhooks.insert(ctx, webhook);
      await this.work.publish(ctx, 'webhook.created', organization, webhookData(webhook));
    });
    return { webhook, secret };
  }

  async list(ctx: RequestContext, request: PageRequest): Promise<Page<WebhookRow>> {
    return this.reader.list(ctx, request);
  }

  /** @throws ResourceNotFound */
  async get(ctx: RequestContext, id: string): Promise<WebhookRow> {
    const webhook = await this.reader.find(ctx, id);
    if (!webhook) throw new ResourceNotFound('webhook', id);
    return webhook;
  }

  /**
   * Returns a webhook to somebody who is then shown its secret.
   * @throws ResourceNotFound
   */
  async reveal(ctx: RequestContext, id: string): Promise<WebhookRow> {
    return this.work.run(ctx, async (ctx) => {
      const webhook = await this.get(ctx, id);
      assertRecentlyAuthenticated(ctx, this.work.now());
      await this.publishRevealed(ctx, webhook);
      return webhook;
    });
  }

  /**
   * Replaces the secret: after so many seconds the new one takes over. One that was to take over and has not yet is dropped. The answer shows the
   * present secret, too.
   * @throws ResourceNotFound, ReauthenticationRequired (401)
   */
  async rotateSecret(ctx: RequestContext, id: string, activateInSeconds: number, given?: string): Promise<WebhookRow> {
    const found = await this.getForChange(ctx, id);
    assertRecentlyAuthenticated(ctx, this.work.now());
    const secret = given ?? generateWebhookSecret();
    return this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      await this.webhooks.setNextSecret(ctx, webhook, this.secrets.sealSecret(id, secret), activateInSeconds);
      const changed = await this.get(ctx, id);
      await this.publishUpdate(ctx, webhook, changed, { nextSecretSealed: changed.nextSecretSealed });
      await this.publishRevealed(ctx, changed);
      return changed;
    });
  }

  /**
   * Changes what is given. Switched on again, a webhook gets what waited for it meanwhile.
   * @throws ResourceNotFound, EventsReadRequired (403), ReauthenticationRequired (401) for a new secret
   * @throws InvalidRequest as `create` does
   */
  async update(ctx: RequestContext, id: string, patch: WebhookPatch): Promise<WebhookRow> {
    const found = await this.getForChange(ctx, id);
    if (decidesWhatIsSent(patch)) assertMayRead(ctx, await this.organizationOf(ctx, found));
    if (patch.url !== undefined && patch.url !== found.url) await this.inputs.assertDestination(patch.url);

    const updated = await this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      const changes = this.changesOf(webhook, found, patch);
      if (changes.secretSealed) assertRecentlyAuthenticated(ctx, this.work.now());
      // A user who changes what is sent, or where to, becomes the owner.
      if (decidesWhatIsSent(patch) && Object.keys(changes).length > 0) Object.assign(changes, takenOver(ctx, webhook, patch));
      if (Object.keys(changes).length > 0) await this.webhooks.update(ctx, webhook, { ...changes, updatedAt: this.work.now() });
      if (changesSubscription(changes)) await this.webhooks.restartSubscription(ctx, webhook);
      if (changes.enabled) await this.webhooks.restartHealth(ctx, webhook);
      const changed = await this.get(ctx, id);
      await this.publishUpdate(ctx, webhook, changed, changes);
      return changed;
    });
    if (found.enabled && !updated.enabled) await this.untilNothingBegins(ctx, found);
    return updated;
  }

  /**
   * Deletes a webhook. When it resolves, nothing is begun to be sent to it any more: what a worker has in hand may have been found good
   * for sending just before, so that is waited for, at most as long as such an attempt may take to begin.
   * @throws ResourceNotFound
   */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    const found = await this.getForChange(ctx, id);
    await this.work.run(ctx, async (ctx) => {
      const webhook = await this.lock(ctx, found);
      await this.webhooks.bury(ctx, webhook, this.work.now());
      await this.work.publish(ctx, 'webhook.deleted', await this.organizationOf(ctx, found), webhookData(webhook));
    });
    await this.untilNothingBegins(ctx, found);
  }

  /** Whoever took a delivery before a change sees the webhook as it was, and sends it within this time or not at all. */
  private async untilNothingBegins(ctx: RequestContext, webhook: WebhookRow): Promise<void> {
    const deadline = performance.now() + ATTEMPT_BEGINS_WITHIN_MS;
    while (performance.now() < deadline && (await this.reader.hasDeliveriesUnderWay(ctx, webhook)))
      await delay(UNDER_WAY_POLL_MS);
  }

  /** Switches off a webhook whose destination says that it is gone (410) or that has failed for too long; its events wait. */
  async disable(ctx: RequestContext, tenantId: string, ids: readonly string[], reason: 'failures' | 'gone'): Promise<string[]> {
    return this.webhooks.disable(ctx, tenantId, ids, reason, this.work.now());
  }

  /** Switches a webhook on again that failures had switched off; its failures are forgotten. */
  async enableAgain(ctx: RequestContext, tenantId: string, id: string): Promise<boolean> {
    return this.work.run(ctx, async (ctx) => {
      const enabled = await this.webhooks.enableAgain(ctx, tenantId, id, 'failures', this.work.now());
      if (enabled) await this.webhooks.restartHealth(ctx, { tenantId, id });
      return enabled;
    });
  }

  /** Publishes what differs, if anything does. */
  private async publishUpdate(
    ctx: RequestContext,
    before: Webhook,
    after: WebhookRow,
    changed: Partial<WebhookChanges>,
  ): Promise<void> {
    const changes = { ...changesBetween(webhookData(before), webhookData(after)), ...hiddenChanges(changed) };
    if (Object.keys(changes).length === 0) return;
    await this.work.publish(ctx, 'webhook.updated', await this.organizationOf(ctx, after), { ...webhookData(after), changes });
  }

  private async publishRevealed(ctx: RequestContext, webhook: WebhookRow): Promise<void> {
    const { id, organizationId, name } = webhook;
    const data = { id, organizationId, name };
    await this.work.publish(ctx, 'webhook.secret_revealed', await this.organizationOf(ctx, webhook), data);
  }

  /** The organization of a webhook that was found. */
  private async organizationOf(
    ctx: RequestContext,
    webhook: Pick<WebhookRow, 'tenantId' | 'organizationId' | 'id'>,
  ): Promise<OrganizationScope> {
    const [organization] = await this.scopes.ofTenant(ctx, webhook.tenantId, [webhook.organizationId]);
    if (!organization) throw new ResourceNotFound('webhook', webhook.id);
    return organization;
  }

  private async getForChange(ctx: RequestContext, id: string): Promise<WebhookRow> {
    const webhook = await this.get(ctx, id);
    if (webhook.organizationStatus === 'suspended') throw new OrganizationSuspended();
    return webhook;
  }

  private async lock(ctx: RequestContext, { tenantId, id }: WebhookRow): Promise<Webhook> {
    const webhook = await this.webhooks.lock(ctx, tenantId, id);
    if (!webhook) throw new ResourceNotFound('webhook', id);
    demandUnchanged(ctx, webhook.version);
    return webhook;
  }

  private changesOf(webhook: Webhook, found: WebhookRow, patch: WebhookPatch): Omit<WebhookChanges, 'updatedAt'> {
    const { name, url, events, includeDescendants, filter, rateLimit } = patch;
    const plain = Object.entries({ name, url, events, includeDescendants, filter, rateLimit }).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, webhook[field as keyof Webhook]),
    );
    return {
      ...(Object.fromEntries(plain) as Partial<Webhook>),
      ...this.switched(webhook, patch.enabled),
      ...this.newSecret(webhook, found, patch.secret),
      ...this.newHeaders(webhook, patch.headers),
    };
  }

  /** Switching off by hand what failures switched off is a change, too: what waits is then skipped. */
  private switched(webhook: Webhook, enabled: boolean | undefined): Partial<WebhookChanges> {
    if (enabled === undefined) return {};
    if (enabled) return webhook.enabled ? {} : { enabled, disabledBy: null, disabledAt: null };
    return webhook.disabledBy === 'hand' ? {} : { enabled, disabledBy: 'hand', disabledAt: this.work.now() };
  }

  /** In force at once; a replacement that was under way is dropped. The masked secret, sent back as it was shown, changes nothing. */
  private newSecret(webhook: Webhook, { nextSecretInForce }: WebhookRow, secret: string | undefined): Partial<WebhookChanges> {
    if (secret === undefined) return {};
    const { current } = this.secrets.openAll({ ...webhook, nextSecretInForce });
    if ([current, maskedSecret(current)].some((kept) => constantTimeEqual(secret, kept))) return {};
    return { secretSealed: this.secrets.sealSecret(webhook.id, secret), nextSecretSealed: null, nextSecretAt: null };
  }

  private newHeaders(webhook: Webhook, given: WebhookPatch['headers']): Partial<WebhookChanges> {
    if (given === undefined) return {};
    const kept = this.secrets.openHeaders(webhook.id, webhook.headersSealed);
    const headers = unmaskedHeaders(given, kept);
    this.inputs.assertHeaders(headers);
    return isDeepStrictEqual(headers, kept) ? {} : { headersSealed: this.secrets.sealHeaders(webhook.id, headers) };
  }
}

/** @throws EventsReadRequired (403) */
function assertMayRead({ caller }: RequestContext, organization: OrganizationScope): void {
  if (!holdsPermission(ownPermissionsAt(caller, organization), 'events:read')) throw new EventsReadRequired();
}
