import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppConfig } from '#platform/config';
import { IGNORE_LOST_CONNECTIONS } from '#platform/database';
import { Client, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { LookupConnections } from '../../libs/platform/database/src/lookup-connections.js';
import { ReplicaConnections } from '../../libs/platform/database/src/replica-connections.js';
import commandLine, { dataSourceOptions } from '../../ormconfig.js';
import { eventually } from '../support/eventually.js';
import { type Listener, listenTcp } from '../support/local-receiver.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { testApp } from '../support/test-app.js';

/**
 * Returns a message of the PostgreSQL protocol: type, length (including the length field), content.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const message = (type: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
};
const FIELDS = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
/** Three messages in one packet: authenticated, ready for queries, terminated. A server that stops during authentication sends the three messages. */
const OPENED_AND_ENDED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from(`${FIELDS.join('\0')}\0`)),
]);

/** Without an error listener, the connection ends the process of the test. */
describe('a connection that ends immediately', () => {
  let database: TestDatabase;
  let proxy: Listener;
  let url: string;
  let ending = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    proxy = await listenTcp((socket) => {
      if (ending > 0) {
        ending--;
        socket.once('data', () => socket.end(OPENED_AND_ENDED));
        return;
      }
      const server = connect(Number(port), hostname).on('error', () => socket.destroy());
      socket.on('close', () => server.destroy());
      socket.pipe(server).pipe(socket);
    });
    url = Object.assign(new URL(database.url), { host: `127.0.0.1:${proxy.port}`, search: '' }).href;
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  it('is replaced when the next statement runs', async () => {
    const dataSource = await new DataSource(dataSourceOptions({ databaseUrl: url, databasePoolSize: 4 })).initialize();
    const ask = () => dataSource.query<{ one: number }[]>('SELECT 1 AS one');
    // Reserves the open connection. The next statement opens a connection.
    const reservedConnection = dataSource.createQueryRunner();
    await reservedConnection.connect();
    ending = 1;
    await expect(ask()).rejects.toThrow();
    expect(await ask()).toEqual([{ one: 1 }]);
    await reservedConnection.release();
    await dataSource.destroy();
  });

  it('is replaced if lookups share the connection', async () => {
    const dataSource = await new DataSource(dataSourceOptions({ databaseUrl: url, databasePoolSize: 4 })).initialize();
    const reservedConnection = dataSource.createQueryRunner();
    await reservedConnection.connect();
    const lookups = new LookupConnections(dataSource);
    const ask = () => lookups.query('SELECT 1 AS one', []).then(({ rows }) => rows as unknown[]);
    ending = 2;
    const failed = await Promise.allSettled([ask(), ask()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const responses = async () => (await Promise.allSettled([ask(), ask()])).every(({ status }) => status === 'fulfilled');
    await eventually(responses, 20_000, 'new connections');
    expect(await Promise.all([ask(), ask()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await reservedConnection.release();
    await lookups.beforeApplicationShutdown();
    await dataSource.destroy();
  });

  it('is replaced by the primary if a replica ends the connection', async () => {
    const dataSource = await new DataSource(dataSourceOptions({ databaseUrl: database.url, databasePoolSize: 4 })).initialize();
    const lookups = new LookupConnections(dataSource);
    const config = { databaseReplicaUrls: [url], databasePoolSize: 2 } as unknown as AppConfig;
    const replicas = new ReplicaConnections(dataSource, config);
    ending = 1;
    expect(await replicas.read({ text: 'SELECT 1' })).toBeUndefined();
    expect(ending).toBe(0);
    await replicas.beforeApplicationShutdown();
    await lookups.beforeApplicationShutdown();
    await dataSource.destroy();
  });
});

it('the process keeps running when an idle connection ends', async () => {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 2, ...IGNORE_LOST_CONNECTIONS });
  // The drop of the database can close the idle connection before the pool.
  pool.on('error', () => undefined);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // `once` from node:events also adds an error listener.
  const ended = new Promise<void>((resolve) => client.on('end', resolve));
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
  await ended;
  client.release();
  await pool.end();
  await database.drop();
});

/** Selects the connections of the service to this database. */
const SERVICE = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'identity-service'`;

describe('a slow statement', () => {
  const app = testApp();

  const limit = async (dataSource: DataSource, name: string): Promise<string> => {
    const [row] = await dataSource.query<{ value: string }[]>('SELECT current_setting($1) AS value', [name]);
    return row!.value;
  };

  it('is canceled after a minute', async () => {
    const dataSource = app.app.get(DataSource);
    expect(await limit(dataSource, 'statement_timeout')).toBe('1min');
    expect(await limit(dataSource, 'idle_in_transaction_session_timeout')).toBe('1min');
  });

  it('is not canceled in a migration', () => {
    expect(Object.keys(commandLine.options).length).toBeGreaterThan(0);
    expect(commandLine.options).toMatchObject({ extra: { connectionTimeoutMillis: 10_000 } });
    const { driver: _, ...options } = commandLine.options as { driver?: unknown };
    expect(JSON.stringify(options)).not.toContain('statement_timeout');
  });

  it('causes a 503 with Retry-After', async () => {
    const { id } = (await app.api.platform.post('/v1/organizations', { name: 'Locked' }).expect(201)).body.data;
    const holder = new Client({ connectionString: app.config.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [id]);
      const waiting = app.api.platform.patch(`/v1/organizations/${id}`, { name: 'Other' });
      let pids: unknown[] = [];
      while (pids.length === 0) {
        pids = await app.database.query(`SELECT pid ${SERVICE} AND wait_event_type = 'Lock'`);
      }
      // PostgreSQL also cancels the statement at the time limit.
      await app.database.query(`SELECT pg_cancel_backend(pid) ${SERVICE} AND wait_event_type = 'Lock'`);
      const { status, body, headers } = await waiting;
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
    expect((await app.api.platform.patch(`/v1/organizations/${id}`, { name: 'Other' }).expect(200)).body.data.name).toBe('Other');
  });
});
