import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findFreePort } from '../support/free-port.js';
import type { TestClient } from '../support/http-client.js';
import { openPool } from '../support/pool.js';
import { checkHistory, type DeliveryHistory, type Verdict } from './history-check.js';
import { ObservedReceiver, PATHS } from './observed-receiver.js';
import { Random } from './random.js';
import { type ServiceEnvironment, type ServiceProcess, TestService } from '../support/service-process.js';
import { Stores, type StoresOptions } from './stores.js';
import { Writers } from './writers.js';

const SERVICE_NAME = 'faulty';
/** Has more retries than the receiver has failures: every delivery eventually succeeds. */
const RETRY_SCHEDULE = '300ms,300ms,600ms,600ms,1s,1s,2s,2s';
/** A delivery of a killed worker is retried after its lease. The lease is this timeout plus 15 s. */
const WEBHOOK_TIMEOUT = '3s';
const DRAIN_LIMIT_MS = 90_000;
/** The time for which a query of the test is retried while the database recovers. */
const QUERY_LIMIT_MS = 15_000;

export type Role = 'all' | 'api' | 'second api' | 'worker' | 'second worker';

/** The components of the system. With Redis, the API and the workers are separate processes. Without Redis, one process has all roles. */
export interface SystemOptions extends StoresOptions {
  /** The number of API processes. Only with Redis. Default: 1. */
  readonly apis?: 1 | 2;
  /** The number of worker processes. Only with Redis. Default: 1. */
  readonly workers?: 1 | 2;
  readonly writers: number;
  /** The number of tenants. The first tenant has all webhooks, each other tenant has one. Default: 1. */
  readonly tenants?: number;
  /** The total number of requests per second. The number of writers increases as required. Default: no rate. */
  readonly requestsPerSecond?: number;
  /** The paths of the webhooks. Default: all. */
  readonly webhookPaths?: readonly string[];
  /** Further variables of all processes. */
  readonly environment?: ServiceEnvironment;
}

interface Tenant extends Pick<DeliveryHistory, 'tenantId'> {
  readonly slug: string;
  /** The webhooks by URL path. */
  readonly webhooks: Map<string, { id: string; secret: string }>;
}

/** The service in separate processes, its stores, the receivers, and writers that change the tenants. */
export class SystemUnderTest {
  readonly database: Pool;
  /** The number of successful responses to the writers or the directory. */
  readonly progress = { answered: 0 };
  /** A key of the delivery queue. All keys of the queue are in one slot of the Redis cluster. */
  readonly queueKey = `{${SERVICE_NAME}}:deliveries:wait`;
  /** The URLs of the API processes. */
  readonly urls: string[] = [];
  private readonly processes = new Map<Role, { environment: ServiceEnvironment; process: ServiceProcess }>();
  private readonly killed: ServiceProcess[] = [];
  private readonly tenants: Tenant[] = [];
  private writing?: Writers;

  private constructor(
    readonly stores: Stores,
    readonly receiver: ObservedReceiver,
    private readonly service: TestService,
    private readonly options: SystemOptions,
  ) {
    this.database = openPool(stores.ownDatabaseUrl ?? stores.databaseUrl, 1);
    this.database.on('error', () => undefined);
  }

  /** Starts the system. Resolves when the writers are running. */
  static async create(options: SystemOptions, random: Random): Promise<SystemUnderTest> {
    const [stores, receiver] = await Promise.all([
      Stores.open(options),
      ObservedReceiver.start(new Random(random.between(0, 2 ** 31))),
    ]);
    const service = await TestService.create({
      SERVICE_NAME,
      DATABASE_URL: stores.databaseUrl,
      DATABASE_POOL_SIZE: '8',
      WEBHOOK_TIMEOUT,
      WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
      ...(options.redis ? { REDIS_URL: stores.redisUrls.join() } : {}),
      ...options.environment,
    });
    const system = new SystemUnderTest(stores, receiver, service, options);
    try {
      await system.populate(random);
    } catch (error) {
      await system.close();
      throw error;
    }
    return system;
  }

  /** The numbers of successful responses, and of requests at the receiver. */
  get counts() {
    return { ...this.progress, received: this.receiver.observed.length };
  }

  get apis(): Role[] {
    return this.options.apis === 2 ? ['api', 'second api'] : ['api'];
  }

  get workers(): Role[] {
    return this.options.workers === 2 ? ['worker', 'second worker'] : ['worker'];
  }

  /** The client of the platform key. The organization is "acme". */
  get client(): TestClient {
    return this.service.client;
  }

  /** The URL of the API. */
  get url(): string {
    return this.service.url;
  }

  /** The deliveries of a tenant. Default: "acme". */
  deliveryHistory({ tenantId, webhooks }: Tenant = this.tenants[0]!): DeliveryHistory {
    const observed = this.receiver.observed.filter(({ path }) => webhooks.has(path));
    return { tenantId, webhooks, signatureHeader: `${SERVICE_NAME}-signature`, observed };
  }

  get writers(): Writers {
    return this.writing!;
  }

  /** Kills the process with SIGKILL and restarts the process immediately. */
  async killAndRestart(role: Role): Promise<void> {
    const { environment, process } = this.processes.get(role)!;
    await process.kill();
    this.killed.push(process);
    this.processes.set(role, { environment, process: await this.service.start(environment) });
  }

  /** Sends SIGSTOP to the process, and SIGCONT after `durationMs`. */
  async pauseProcess(role: Role, durationMs: number): Promise<void> {
    const { process } = this.processes.get(role)!;
    process.signal('SIGSTOP');
    await sleep(durationMs);
    process.signal('SIGCONT');
  }

  /** Closes all connections of the service to PostgreSQL. */
  async terminateConnections(): Promise<void> {
    await this.database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }

  /** Moves the shard of the first tenant to the other worker of Citus. */
  async moveShard(): Promise<void> {
    await this.database.query(
      `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, o.nodename, o.nodeport, 'force_logical')
       FROM citus_shards s JOIN pg_dist_node o ON o.noderole = 'primary' AND o.groupid <> 0 AND o.nodeport <> s.nodeport
       WHERE s.shardid = get_shard_id_for_distribution_column('organizations', $1::text)`,
      [this.tenants[0]!.tenantId],
    );
  }

  /** Returns the number of failed deliveries that wait for their next attempt. */
  async countPendingRetries(): Promise<number> {
    return this.count(`FROM deliveries WHERE status = 'pending' AND attempt_count > 0 AND lease_until IS NULL`);
  }

  /** Returns the number of attempts in progress, including attempts of killed processes. */
  async countAttemptsInProgress(): Promise<number> {
    return this.count(`FROM deliveries WHERE status = 'pending' AND lease_until > clock_timestamp()`);
  }

  /** Returns the number of events of the first tenant. */
  async countEvents(): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM events WHERE tenant_id = $1';
    return (await this.database.query<{ count: number }>(sql, [this.tenants[0]!.tenantId])).rows[0]!.count;
  }

  /** Stops the writers, waits until no delivery is pending, and compares all records. */
  async settle(): Promise<Verdict & { drainMs: number }> {
    await this.writers.stop();
    const drainMs = await this.drain(DRAIN_LIMIT_MS);
    const verdict: Verdict = { violations: [], events: 0, attempts: 0, duplicates: [], deliveries: 0 };
    for (const tenant of this.tenants) {
      const writes = this.writers.log.filter(({ organization }) => organization === tenant.slug);
      const own = await checkHistory({ ...this.deliveryHistory(tenant), writes }, this.database);
      verdict.violations.push(...own.violations, ...(await this.reconciliationViolations(own.events, tenant)));
      verdict.duplicates.push(...own.duplicates);
      for (const count of ['events', 'attempts', 'deliveries'] as const) verdict[count] += own[count];
    }
    return { ...verdict, drainMs };
  }

  /** Waits until no delivery is pending, at most for `limitMs`. Returns the waiting time in milliseconds. */
  async drain(limitMs: number): Promise<number> {
    const startedAt = performance.now();
    while ((await this.countUndelivered()) > 0 && performance.now() - startedAt < limitMs) await sleep(100);
    return performance.now() - startedAt;
  }

  processLogs(): string {
    const processes = [...this.killed, ...[...this.processes.values()].map(({ process }) => process)];
    return processes.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  }

  async close(): Promise<void> {
    await this.writing?.stop();
    await this.service.stop();
    await Promise.all([this.database.end().catch(() => undefined), this.receiver.stop()]);
    await this.stores.close();
  }

  /** Checks that the service reports each event as delivered to each webhook of a tenant. Default: "acme". Returns the violations. */
  async reconciliationViolations(events: number, { slug, webhooks }: Tenant = this.tenants[0]!): Promise<string[]> {
    const violations: string[] = [];
    for (const [path, { id }] of webhooks) {
      const reconciliationPath = `/v1/organizations/${slug}/webhooks/${id}/reconciliation?since=2020-01-01T00:00:00Z`;
      const { data } = (await this.client.get(reconciliationPath).expect(200)).body;
      if (!data.complete || data.matched !== events) violations.push(`${path} is not reconciled: ${JSON.stringify(data)}`);
    }
    return violations;
  }

  private async countUndelivered(): Promise<number> {
    return (
      (await this.count('FROM events WHERE position IS NULL')) + (await this.count(`FROM deliveries WHERE status = 'pending'`))
    );
  }

  private async count(fromClause: string): Promise<number> {
    const deadline = performance.now() + QUERY_LIMIT_MS;
    for (;;) {
      try {
        return (await this.database.query<{ count: number }>(`SELECT count(*)::int AS count ${fromClause}`)).rows[0]!.count;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(100);
      }
    }
  }

  private async startProcesses(): Promise<void> {
    const roles: Role[] = this.options.redis ? [...this.apis, ...this.workers] : ['all'];
    await Promise.all(
      roles.map(async (role) => {
        const isFirst = role === roles[0];
        const port = isFirst ? this.service.port : await findFreePort();
        const environment = { ROLE: role.replace('second ', ''), PORT: String(port) };
        if (!this.workers.includes(role)) this.urls.push(`http://127.0.0.1:${port}`);
        const process = this.service.spawn(environment);
        this.processes.set(role, { environment, process });
        await process.ready();
      }),
    );
  }

  private async populate(random: Random): Promise<void> {
    await this.startProcesses();
    const { client } = this;
    for (let index = 0; index < (this.options.tenants ?? 1); index++) {
      const slug = index === 0 ? 'acme' : `tenant-${index}`;
      const { id: tenantId } = (await client.post('/v1/organizations', { name: slug, slug }).expect(201)).body.data;
      const webhooks: Tenant['webhooks'] = new Map();
      for (const path of index === 0 ? (this.options.webhookPaths ?? PATHS) : [`/${slug}`]) {
        const body = { url: this.receiver.url(path), events: ['*'], includeDescendants: true };
        webhooks.set(path, (await client.post(`/v1/organizations/${slug}/webhooks`, body).expect(201)).body.data);
      }
      this.tenants.push({ tenantId, slug, webhooks });
    }
    this.writing = new Writers(
      client,
      this.tenants.map(({ slug }) => slug),
      this.progress,
      {
        requestsPerSecond: this.options.requestsPerSecond,
        // A confirmed user, whose transaction a killed worker of Citus has only prepared, is visible some seconds later.
        isNotFoundExpected: this.options.postgres === 'citus',
      },
    );
    this.writing.start(this.options.writers, random);
  }
}
