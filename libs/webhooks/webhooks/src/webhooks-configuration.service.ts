import { Injectable, type OnModuleInit } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import {
  assertResolved,
  type ConfigurationHandler,
  ConfigurationHandlers,
  type ConfigurationValues,
  defineConfigurationSection,
  environmentReference,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { WEBHOOKS_PER_ORGANIZATION_MAX } from './webhook-errors.js';
import type { WebhookDetails } from './webhook-details.query.js';
import { WebhookDraftsService } from './webhook-drafts.service.js';
import { WebhookConfiguration } from './webhook.requests.js';
import { MASKED_VALUE, WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const SECTION = defineConfigurationSection('webhooks', {
  type: WebhookConfiguration,
  description: 'Webhooks of the organization.',
  maxItems: WEBHOOKS_PER_ORGANIZATION_MAX,
  key: 'name',
  onlyAtCreation: ['secret'],
  permissions: { read: 'webhooks:read', write: 'webhooks:write' },
  rank: 3,
});

/** The webhooks of organizations in their configuration. */
@Injectable()
export class WebhooksConfigurationService implements ConfigurationHandler<WebhookConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly webhooks: WebhooksService,
    private readonly drafts: WebhookDraftsService,
    private readonly secrets: WebhookSecrets,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const { slug } = organizationOf(ctx);
    const webhooks = await readAll((request) => this.webhooks.list(ctx, request));
    return webhooks.map((webhook) => ({ id: webhook.id, values: this.valuesOf(slug, webhook) }));
  }

  /** Values of headers are secrets, which are not compared. */
  async normalize(ctx: RequestContext, values: ConfigurationValues): Promise<ConfigurationValues> {
    const { name, headers } = values;
    if (headers === undefined) return values;
    const names = Object.keys(headers as object);
    return { ...values, headers: headerReferences(organizationOf(ctx).slug, name as string, names) };
  }

  async check(
    _ctx: RequestContext,
    { url, headers }: WebhookConfiguration,
    changes: Partial<WebhookConfiguration> | undefined,
  ): Promise<void> {
    if (!changes) await this.drafts.assertSendable({ url, ...(headers ? { headers } : {}) });
    else if (changes.url !== undefined) await this.drafts.assertSendable({ url });
  }

  create(ctx: RequestContext, item: WebhookConfiguration): Promise<unknown> {
    assertResolved('/secret', item.secret);
    for (const [name, value] of Object.entries(item.headers ?? {})) assertResolved(`/headers/${name}`, value);
    const { secret, headers, format, enabled, includeDescendants, ...rest } = item;
    return this.webhooks.createSendable(ctx, {
      ...rest,
      ...(secret === undefined ? {} : { secret }),
      ...(headers === undefined ? {} : { headers }),
      ...(format === undefined ? {} : { format }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(includeDescendants === undefined ? {} : { includeDescendants }),
    });
  }

  update(ctx: RequestContext, { id, values }: StoredItem, changes: Partial<WebhookConfiguration>): Promise<unknown> {
    const { headers: stored } = values as { headers: Record<string, string> };
    if (!changes.headers) return this.webhooks.updateSendable(ctx, id, changes);
    const isStored = (name: string): boolean => Object.keys(stored).some((each) => each.toLowerCase() === name.toLowerCase());
    const headers = Object.entries(changes.headers).map(([name, value]) => {
      if (isStored(name)) return [name, MASKED_VALUE];
      assertResolved(`/headers/${name}`, value);
      return [name, value];
    });
    return this.webhooks.updateSendable(ctx, id, { ...changes, headers: Object.fromEntries(headers) as Record<string, string> });
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.webhooks.delete(ctx, id);
  }

  private valuesOf(slug: string, webhook: WebhookDetails): ConfigurationValues {
    const { id, name, url, format, events, enabled, disabledBy, includeDescendants, filter, rateLimit, headersSealed } = webhook;
    const headers = headerReferences(slug, name, Object.keys(this.secrets.openHeaders(id, headersSealed)));
    return {
      name,
      url,
      format,
      events,
      // What failures or the owner disabled is a state, not the configuration.
      enabled: enabled || disabledBy !== 'hand',
      includeDescendants,
      filter,
      rateLimit,
      secret: environmentReference(slug, name, 'secret'),
      headers,
    };
  }
}

const headerReferences = (slug: string, webhook: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.toSorted().map((name) => [name, environmentReference(slug, webhook, name)]));
