import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { logStatements, readShardPositions, readStatements } from '../test/support/citus-statements.ts';
import { seedTenants } from './citus-seed.mjs';
import { SYSTEMS } from './citus-systems.mjs';
import { openOutbox } from './deliveries-outbox.mjs';
import { startReceiver } from './deliveries-receiver.mjs';
import { OPERATIONS, run } from './load.mjs';
import { call, startService } from './service.mjs';
import { median } from './statistics.mjs';
import { withClient } from './stores.mjs';

const MEASURED = new Set(['get user', 'list users (20)', 'exact email', 'search users', 'create user', 'create organization']);
const CONNECTIONS = 16;
/** The number of tenants to which the requests go in turn. */
const SAMPLED_TENANTS = 20;
const DELIVERING_TENANTS = 10;
const COUNTED_REQUESTS = 100;
const IDLE_MS = 30_000;
const LOG_DELAY_MS = 300;
const SHOWN_CHARACTERS = 400;
const WARM_UP_SECONDS = 1;
/** The partitions of a table, or the table. */
const RELATIONS = '(SELECT t::regclass AS relid UNION SELECT relid FROM pg_partition_tree(t::regclass))';
const SIZED_TABLES = [
  'organizations',
  'organization_handles',
  'users',
  'directory_entries',
  'memberships',
  'role_assignments',
  'events',
  'deliveries',
  'delivery_attempts',
  'sessions',
  'token_hashes',
];

/**
 * Measures operations on one PostgreSQL, and on Citus with one and two workers, all on this machine: rates, statements and shards of a
 * request, and the bytes of a row of each table.
 */
export async function measureCitus(sizes, log) {
  const results = [];
  for (const { name, open } of SYSTEMS) {
    log(`Citus: ${name}`);
    const system = await open();
    try {
      results.push({ name, ...(await measureSystem(system, sizes, log)) });
    } finally {
      system.close();
    }
  }
  return results;
}

async function measureSystem(system, sizes, log) {
  const targets = await seedTenants(system.url, sizes, Math.min(SAMPLED_TENANTS, sizes.tenants), log);
  const receiver = await startReceiver();
  const service = await startService(system.url, { ...system.environment, RATE_LIMIT: '1000000000' });
  const outbox = await openOutbox(system.url);
  try {
    for (const target of targets) target.key = await createKey(service, target);
    const rates = await measureRates(service, targets, sizes, log);
    await outbox.drained();
    log('  deliveries');
    const deliveriesPerSecond = await measureDeliveries({ service, receiver, outbox }, sizes);
    const bytes = await measureBytes(system);
    const statements = system.cluster ? await countStatements(system, service, targets, log) : undefined;
    return { rates, deliveriesPerSecond, bytes, statements };
  } finally {
    await service.stop();
    await outbox.close();
    await receiver.stop();
  }
}

async function createKey(service, { slug }) {
  const body = { name: 'Bench', scopes: ['*'] };
  return (await call(service, 'POST', `/v1/organizations/${slug}/api-keys`, body)).data.key;
}

const operations = () => OPERATIONS.filter(({ name }) => MEASURED.has(name));

/** Returns an operation that goes to the tenants in turn, with the API key of each. */
const spread = (operation, targets, headers) => ({
  ...operation,
  request: (_target, next) => {
    const target = targets[next % targets.length];
    const request = operation.request(target, Math.floor(next / targets.length));
    return { ...request, headers: { ...headers, authorization: `Bearer ${target.key}` } };
  },
});

async function measureRates(service, targets, { rounds, seconds }, log) {
  const program = { name: 'service', ...service, next: 0 };
  const [large, others] = [targets.at(-1), targets.slice(0, -1)];
  const rows = [];
  for (const [where, chosen] of [
    ['many tenants', others],
    ['the large tenant', [large]],
  ]) {
    for (const operation of operations()) {
      log(`  ${operation.name}, ${where}`);
      const spreadOperation = spread(operation, chosen, service.headers);
      await run(program, spreadOperation, chosen[0], CONNECTIONS, WARM_UP_SECONDS);
      const measured = [];
      for (let round = 0; round < rounds; round++)
        measured.push(await run(program, spreadOperation, chosen[0], CONNECTIONS, seconds));
      const of = (key) => median(measured.map((each) => each[key]));
      rows.push({ operation: operation.name, where, perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') });
    }
  }
  return rows;
}

/** Measures the delivery of a backlog of several tenants with one webhook each, until the last attempt is recorded. */
async function measureDeliveries({ service, receiver, outbox }, { rounds, backlog }) {
  const slugs = Array.from({ length: DELIVERING_TENANTS }, (_, index) => `delivering-${index}`);
  for (const slug of slugs) {
    await call(service, 'POST', '/v1/organizations', { name: slug, slug });
    await call(service, 'POST', `/v1/organizations/${slug}/webhooks`, {
      url: `${receiver.url}/${slug}`,
      events: ['user.created'],
    });
    await call(service, 'POST', `/v1/organizations/${slug}/users`, { email: `first@${slug}.example.com` });
  }
  await outbox.drained();
  const each = Math.ceil(backlog / DELIVERING_TENANTS);
  const rates = [];
  for (let round = 0; round < rounds; round++) {
    const latencies = receiver.expect(each * DELIVERING_TENANTS);
    const startedAt = performance.now();
    for (const slug of slugs) await outbox.fill(slug, each);
    await latencies;
    await outbox.drained();
    rates.push((each * DELIVERING_TENANTS) / ((performance.now() - startedAt) / 1_000));
  }
  return median(rates);
}

/** Returns the bytes of each table and of its indexes, in each row. */
function measureBytes({ url, cluster }) {
  const sizeOf = cluster
    ? { table: 'citus_table_size(t::regclass)', total: 'citus_total_relation_size(t::regclass)' }
    : {
        table: `(SELECT sum(pg_table_size(relid)) FROM ${RELATIONS} relid)`,
        total: `(SELECT sum(pg_total_relation_size(relid)) FROM ${RELATIONS} relid)`,
      };
  return withClient(url, async (client) => {
    const rows = [];
    for (const table of SIZED_TABLES) {
      const { rows: counted } = await client.query(`SELECT count(*)::float8 AS rows FROM ${table}`);
      const { rows: sized } = await client.query(
        `SELECT ${sizeOf.table}::float8 AS bytes, ${sizeOf.total}::float8 AS total FROM (VALUES ('${table}')) AS v (t)`,
      );
      const [{ rows: count }] = counted;
      const [{ bytes, total }] = sized;
      rows.push({ table, rows: count, tableBytes: bytes / count, indexBytes: (total - bytes) / count });
    }
    return rows;
  });
}

/** Returns the statements and shards of a request of each operation, without those of the idle service. */
async function countStatements(system, service, targets, log) {
  log('  statements of a request');
  const { logFile } = system.cluster.coordinator;
  const positions = await readShardPositions(system.url);
  await logStatements(system.cluster);
  const idle = await countedDuring(logFile, positions, () => sleep(IDLE_MS));
  const rows = [];
  for (const operation of operations()) {
    const { request } = spread(operation, targets.slice(0, -1), service.headers);
    const counted = await countedDuring(logFile, positions, async () => {
      for (let next = 0; next < COUNTED_REQUESTS; next++) {
        // Other rows than in the load.
        const { method, path, body, headers } = request(undefined, 10_000_000 + next);
        const response = await fetch(`${service.url}${path}`, { method, headers, body });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${operation.name} gave ${response.status}.`);
      }
    });
    for (const sql of counted.severalShards) log(`    on several shards: ${sql.slice(0, SHOWN_CHARACTERS)}`);
    const perRequest = (key) => Math.max(0, counted[key] - (idle[key] * counted.ms) / idle.ms) / COUNTED_REQUESTS;
    rows.push({
      operation: operation.name,
      statements: perRequest('statements'),
      shards: perRequest('shards'),
      multiShard: perRequest('multiShard'),
    });
  }
  const perSecond = (key) => (idle[key] * 1_000) / idle.ms;
  const idleRow = { statements: perSecond('statements'), shards: perSecond('shards'), multiShard: perSecond('multiShard') };
  return { requests: rows, idlePerSecond: idleRow };
}

async function countedDuring(logFile, positions, work) {
  const start = statSync(logFile).size;
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  await sleep(LOG_DELAY_MS);
  const statements = await readStatements(logFile, positions, start);
  const sum = (of) => statements.reduce((total, statement) => total + of(statement), 0);
  return {
    ms,
    severalShards: statements
      .filter(({ multiShardExecutions }) => multiShardExecutions >= COUNTED_REQUESTS)
      .map(({ sql }) => sql),
    statements: sum(({ executions }) => executions),
    shards: sum(({ shardsOfAll }) => shardsOfAll),
    multiShard: sum(({ multiShardExecutions }) => multiShardExecutions),
  };
}
