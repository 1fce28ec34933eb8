import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import commandLine from '../../ormconfig.js';
import { testApp } from '../support/test-app.js';

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
