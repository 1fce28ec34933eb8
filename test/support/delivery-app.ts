import { randomBytes } from 'node:crypto';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Pool } from 'pg';
import { newId, type OrganizationScope, type RequestContext, systemContext } from '#platform/common';
import { configWith, loadConfig, type Settings } from '#platform/config';
import { TransactionRunner } from '#platform/database';
import { DomainEventBus, EVENTS, type EventType } from '#platform/events';
import { WebhooksService } from '#webhooks/webhooks';
import { ServerModule } from '../../apps/server/src/server.module.js';
import './verify-rows.js';
import { insertOrganizations } from './insert-rows.js';
import { createTestDatabase, TEST_DISTRIBUTION } from './postgres.js';
import { openPool } from './pool.js';
import { testServer } from './test-server.js';

/** A database with one tenant, and processes of the service on the database. */
export class DeliveryTestService {
  readonly organization: OrganizationScope;
  private readonly apps: INestApplicationContext[] = [];
  private readonly secretsKey = randomBytes(32);

  private constructor(
    readonly databaseUrl: string,
    readonly sql: Pool,
    private readonly dropDatabase: () => Promise<void>,
  ) {
    const id = newId('organization');
    this.organization = { id, tenantId: id, name: 'Acme', slug: 'acme', status: 'active', ancestorIds: [] };
  }

  static async create(): Promise<DeliveryTestService> {
    const database = await createTestDatabase();
    const deliveryTest = new DeliveryTestService(database.url, openPool(database.url, 3), () => database.drop());
    await insertOrganizations(deliveryTest.sql, deliveryTest.organization);
    await deliveryTest.sql.query('INSERT INTO event_streams (tenant_id) VALUES ($1)', [deliveryTest.organization.id]);
    return deliveryTest;
  }

  async insertChild(parent: OrganizationScope): Promise<OrganizationScope> {
    const id = newId('organization');
    const child = { ...parent, id, slug: id.slice(-20), ancestorIds: [...parent.ancestorIds, parent.id] };
    await insertOrganizations(this.sql, child);
    return child;
  }

  /** Starts an instance of the service. `modules` are additional modules of the test. */
  async start(settings: Partial<Settings> = {}, modules: readonly Type[] = []): Promise<INestApplicationContext> {
    const base = loadConfig({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', SECRETS_KEY: this.secretsKey.toString('base64') });
    const config = configWith(base, {
      databaseUrl: this.databaseUrl,
      databasePoolSize: 8,
      databaseDistributed: TEST_DISTRIBUTION,
      logLevel: 'silent',
      ...settings,
    });
    const app = await NestFactory.createApplicationContext(
      { module: class TestModule {}, imports: [ServerModule.forRoot(config), ...modules] },
      {
        logger: process.env['LOGS'] ? undefined : false,
      },
    );
    this.apps.push(app);
    return app;
  }

  context(organization = this.organization): RequestContext {
    return { ...systemContext(newId('request')), organization };
  }

  async createWebhook(
    app: INestApplicationContext,
    input: Partial<Parameters<WebhooksService['create']>[1]> & { url: string },
    organization?: OrganizationScope,
  ) {
    const { webhook } = await app
      .get(WebhooksService, { strict: false })
      .create(this.context(organization), { events: ['*'], ...input });
    return webhook;
  }

  /** Publishes each of `count` events in a separate transaction, with at most 100 concurrent transactions. */
  async publish(
    app: INestApplicationContext,
    count = 1,
    type: EventType = 'user.created',
    organization = this.organization,
  ): Promise<void> {
    const transactions = app.get(TransactionRunner, { strict: false });
    const bus = app.get(DomainEventBus, { strict: false });
    let left = count;
    const publishSome = async () => {
      while (left-- > 0) {
        await transactions.run(this.context(organization), (ctx) =>
          bus.publish(ctx, type, organization, EVENTS[type].example as never),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(count, 100) }, publishSome));
  }

  async rows<T extends object>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.sql.query<T>(sql, parameters)).rows;
  }

  /** Returns the number of deliveries with each status. */
  async statuses(): Promise<Record<string, number>> {
    const rows = await this.rows<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM deliveries GROUP BY status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  async stop(): Promise<void> {
    for (const app of this.apps.splice(0)) await app.close();
  }

  /** Stops the instances, and removes all events, webhooks and deliveries. */
  async reset(): Promise<void> {
    await this.stop();
    await this.sql.query(
      `TRUNCATE events, event_subscriber_cursors, deliveries, delivery_attempts, webhooks, webhook_health, webhook_daily_stats, webhook_sequences, webhook_paces;
       UPDATE event_streams SET last_position = 0, chained_position = 0`,
    );
  }

  async drop(): Promise<void> {
    await this.stop();
    await this.sql.end();
    await this.dropDatabase();
  }
}

/** Creates a `DeliveryTestService` before the tests of the file or block and drops it after them. Only tests and hooks can use it. */
export const deliveryTestService = (): DeliveryTestService => testServer(() => DeliveryTestService.create());

export { eventually } from './eventually.js';
