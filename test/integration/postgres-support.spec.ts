import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('creates databases that sort by code point', async () => {
    const rows = await query(
      database.url,
      `SELECT lower('ÄÖÜÇŁ') AS lower, 'Z' < 'a' AS by_code_point, current_setting('TimeZone') AS zone,
              pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()`,
    );
    expect(rows).toEqual([{ lower: 'äöüçł', by_code_point: true, zone: 'UTC', encoding: 'UTF8' }]);
  });

  it('uses a server that requires a password', async () => {
    const wrong = Object.assign(new URL(database.url), { password: 'wrong' }).href;
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await query(database.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(database.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  });
});
