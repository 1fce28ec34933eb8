import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { checkHistory, type Verdict } from '../faults/history-check.js';
import type { Observed } from '../faults/observed-receiver.js';
import { type CitusCluster, startCitus } from '../support/citus.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { openPool } from '../support/pool.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { runSql } from '../support/run-sql.js';
import { ServiceProcess } from '../support/service-process.js';
import { createDistributedDatabase } from '../support/test-citus.js';
import type { TenantWrite, WriterTenant } from './tenant-writers.js';

const SERVICE_NAME = 'citus';
const TENANTS = 20;
/** Every fourth tenant has a webhook. */
const WEBHOOK_EVERY = 4;
const DRAIN_LIMIT_MS = 120_000;

interface Tenant extends WriterTenant {
  /** The URL path of the webhook and the webhook, if the tenant has one. */
  readonly webhooks: ReadonlyMap<string, { id: string; secret: string }>;
}

/** A process of the service on a Citus cluster, with tenants and a webhook receiver. */
export class ServiceOnCitus {
  readonly platformKey = randomBytes(24).toString('hex');
  readonly tenants: Tenant[] = [];
  url = '';
  private service?: ServiceProcess;

  private constructor(
    readonly cluster: CitusCluster,
    readonly database: Pool,
    readonly receiver: Receiver,
  ) {}

  static async start(): Promise<ServiceOnCitus> {
    const cluster = await startCitus(mkdtempSync(join('/dev/shm', 'citus-faults-')));
    // Otherwise a killed server loses its last transactions. Unlike a crash of the machine, a killed process needs no `fsync`.
    for (const { url } of [cluster.coordinator, ...cluster.workers]) {
      await runSql(url, 'ALTER SYSTEM SET synchronous_commit = on');
      await runSql(url, 'SELECT pg_reload_conf()');
    }
    const databaseUrl = await createDistributedDatabase(cluster, 'identity');
    const started = new ServiceOnCitus(cluster, openPool(databaseUrl, 2), await startReceiver());
    try {
      await started.startService(databaseUrl);
      await started.createTenants();
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get client(): TestClient {
    return new TestClient(this.url, this.platformKey);
  }

  get output(): string {
    return `${this.service?.stdout}${this.service?.stderr}`;
  }

  /** Waits until every event has a position and no delivery is pending. Resolves to the waiting time in milliseconds. */
  async drain(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const { rows } = await this.database.query<{ waiting: number }>(
        `SELECT (SELECT count(*) FROM events WHERE position IS NULL) + (SELECT count(*) FROM deliveries WHERE status = 'pending') AS waiting`,
      );
      const tookMs = performance.now() - startedAt;
      if (Number(rows[0]!.waiting) === 0 || tookMs > DRAIN_LIMIT_MS) return tookMs;
      await sleep(100);
    }
  }

  /** Compares the changes, events, deliveries and received requests of each tenant. */
  async check(writes: readonly TenantWrite[]): Promise<Verdict[]> {
    const observed: Observed[] = this.receiver.requests.map((request) => ({
      ...request,
      eventId: String(request.headers['webhook-id']),
      answeredStatus: 200,
    }));
    const verdicts: Verdict[] = [];
    for (const { id, webhooks } of this.tenants) {
      const history = {
        tenantId: id,
        webhooks,
        signatureHeader: `${SERVICE_NAME}-signature`,
        writes: writes.filter(({ tenantId }) => tenantId === id),
        observed: observed.filter(({ path }) => webhooks.has(path)),
      };
      verdicts.push(await checkHistory(history, this.database));
    }
    return verdicts;
  }

  async stop(): Promise<void> {
    await this.service?.kill();
    await Promise.all([this.receiver.stop(), this.database.end().catch(() => undefined)]);
    this.cluster.stop();
  }

  private async startService(databaseUrl: string): Promise<void> {
    const port = await findFreePort();
    this.service = await ServiceProcess.start({
      SERVICE_NAME,
      DATABASE_URL: databaseUrl,
      DATABASE_DISTRIBUTED: 'citus',
      LOG_LEVEL: 'error',
      PLATFORM_API_KEY: this.platformKey,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_RETRY_SCHEDULE: '1s,1s,2s,2s',
      PORT: String(port),
    });
    this.url = `http://127.0.0.1:${port}`;
  }

  private async createTenants(): Promise<void> {
    for (let index = 0; index < TENANTS; index++) {
      const slug = `tenant-${index}`;
      const { id } = (await this.client.post('/v1/organizations', { name: slug, slug }).expect(201)).body.data;
      const webhooks = new Map<string, { id: string; secret: string }>();
      if (index % WEBHOOK_EVERY === 0) {
        const body = { url: new URL(`/${slug}`, this.receiver.url).href, events: ['*'], includeDescendants: true };
        webhooks.set(`/${slug}`, (await this.client.post(`/v1/organizations/${id}/webhooks`, body).expect(201)).body.data);
      }
      const child = await this.client
        .post('/v1/organizations', { name: 'Child', slug: `${slug}-child`, parentId: id })
        .expect(201);
      this.tenants.push({ id, childId: child.body.data.id, webhooks });
    }
  }
}
