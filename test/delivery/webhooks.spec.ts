import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { type Caller, type OrganizationScope, type RequestContext } from '#platform/common';
import { WebhookSecrets, WebhooksService } from '#webhooks/webhooks';
import { WebhookResponse } from '../../libs/webhooks/webhooks/src/webhook.responses.js';
import { testReceiver } from '../support/receiver.js';
import { deliveryTestService } from '../support/delivery-app.js';

const deliveryTest = deliveryTestService();
const receiver = testReceiver();
let app: INestApplicationContext;
let webhooks: WebhooksService;
let child: OrganizationScope;

beforeAll(async () => {
  app = await deliveryTest.start({ role: 'api' });
  webhooks = app.get(WebhooksService);
  child = await deliveryTest.insertChild(deliveryTest.organization);
});
beforeEach(() => deliveryTest.sql.query('TRUNCATE webhooks, webhook_health, webhook_sequences, deliveries, delivery_attempts'));

const asCaller = (caller: Partial<Caller>): RequestContext => {
  const { organization: _, ...ctx } = deliveryTest.context();
  return { ...ctx, caller: { kind: 'key', permissions: ['*'], ...caller } };
};
const ids = async (ctx: RequestContext) => (await webhooks.list(ctx, { limit: 100 })).items.map(({ id }) => id);

describe('webhooks', () => {
  it('stores secrets and headers encrypted and returns masked values', async () => {
    const { webhook, secret } = await webhooks.create(deliveryTest.context(), {
      url: receiver.url,
      events: ['user.*'],
      headers: { Authorization: 'Bearer very-secret-token' },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ name: new URL(receiver.url).host, enabled: true });
    const rows = JSON.stringify(await deliveryTest.rows('SELECT * FROM webhooks'));
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain('very-secret-token');
    const secrets = app.get(WebhookSecrets, { strict: false });
    const stored = await webhooks.get(deliveryTest.context(), webhook.id);
    expect(WebhookResponse.from(stored, secrets)).toMatchObject({
      secret: `whsec_…${secret.slice(-4)}`,
      headers: { Authorization: '********' },
      metadata: { failureCount: 0 },
    });
    expect(secrets.openAll(stored)).toEqual({ current: secret });
  });

  it('limits an organization to 50 webhooks under concurrent requests', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 60 }, () => deliveryTest.createWebhook(app, { url: receiver.url })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    const refusals = made.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: string }).code] : []));
    expect(new Set(refusals)).toEqual(new Set(['webhook_limit']));
    const [first] = await ids(deliveryTest.context());
    await webhooks.delete(deliveryTest.context(), first!);
    await deliveryTest.createWebhook(app, { url: receiver.url });
  });

  it('keeps a header whose value in the request is masked', async () => {
    const headers = { 'X-One': '1', 'X-Two': '2' };
    const { id } = await deliveryTest.createWebhook(app, { url: receiver.url, headers });
    const changed = { headers: { 'X-One': '********', 'X-Three': '3' } };
    const { headersSealed } = await webhooks.update(deliveryTest.context(), id, changed);
    const secrets = app.get(WebhookSecrets, { strict: false });
    expect(secrets.openHeaders(id, headersSealed)).toEqual({ 'X-One': '1', 'X-Three': '3' });
  });

  it('returns only accessible webhooks on paths with and without an organization', async () => {
    const rootWebhook = await deliveryTest.createWebhook(app, { url: receiver.url });
    const childWebhook = await deliveryTest.createWebhook(app, { url: receiver.url }, child);
    const tenantId = deliveryTest.organization.id;
    expect(await ids(deliveryTest.context())).toEqual([rootWebhook.id]);
    expect(await ids(asCaller({ kind: 'platform' }))).toEqual([childWebhook.id, rootWebhook.id]);
    expect(await ids(asCaller({ tenantIds: [tenantId], organizationIds: [tenantId] }))).toEqual([
      childWebhook.id,
      rootWebhook.id,
    ]);
    expect(await ids(asCaller({ tenantIds: [tenantId], organizationIds: [child.id] }))).toEqual([childWebhook.id]);
    expect(await ids(asCaller({ tenantIds: ['org_other'], organizationIds: ['org_other'] }))).toEqual([]);
    expect(await ids(asCaller({ kind: 'anonymous' }))).toEqual([]);
    await deliveryTest.sql.query(`UPDATE organizations SET deleted_at = now() WHERE id = $1`, [child.id]);
    expect(await ids(asCaller({ kind: 'platform' }))).toEqual([rootWebhook.id]);
    await deliveryTest.sql.query(`UPDATE organizations SET deleted_at = NULL WHERE id = $1`, [child.id]);
  });
});
