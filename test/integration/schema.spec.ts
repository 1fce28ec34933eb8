import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameKey, searchKey } from '#platform/common';
import { MIGRATIONS, TRACKED_TABLES } from '#platform/database';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { createTestDatabase } from '../support/postgres.js';

const LIBRARIES = join(import.meta.dirname, '../../libs');

async function entitiesOfLibraries(): Promise<(abstract new () => unknown)[]> {
  const files = readdirSync(LIBRARIES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.entity.ts'));
  const modules = await Promise.all(files.map((file) => import(join(LIBRARIES, file)) as Promise<Record<string, unknown>>));
  const entities = new Set(getMetadataArgsStorage().tables.map(({ target }) => target));
  return modules.flatMap((exported) => Object.values(exported)).filter((value) => entities.has(value as never)) as never[];
}

describe('the migrated schema', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    const options = dataSourceOptions({ databaseUrl: database.url, databasePoolSize: 2 });
    dataSource = await new DataSource({ ...options, entities: await entitiesOfLibraries() }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('has exactly the columns of the entities', async () => {
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(10);
    const differences: string[] = [];
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const rows = await dataSource.query<
        {
          column_name: string;
          data_type: string;
          is_nullable: string;
        }[]
      >(`SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = $1`, [tableName]);
      for (const column of columns) {
        const row = rows.find(({ column_name }) => column_name === column.databaseName);
        if (!row) differences.push(`${tableName}.${column.databaseName} is missing`);
        else if ((row.is_nullable === 'YES') !== column.isNullable)
          differences.push(`${tableName}.${column.databaseName} differs in being nullable`);
        else if (row.data_type !== (column.isArray ? 'ARRAY' : dataSource.driver.normalizeType(column)))
          differences.push(`${tableName}.${column.databaseName} is ${row.data_type}`);
      }
    }
    expect(differences).toEqual([]);
  });

  it('has a history with the columns of each tracked table', async () => {
    const columnsOf = async (table: string) =>
      (
        await dataSource.query<{ name: string; type: string }[]>(
          `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
           WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
          [table],
        )
      ).map(({ name, type }) => `${name} ${type}`);
    const excluded = new Set([
      'configuration jsonb',
      'client_secret_sealed text',
      'setup_link_id text',
      'tested_at timestamp with time zone',
    ]);
    for (const table of Object.keys(TRACKED_TABLES)) {
      const expected = (await columnsOf(table)).filter((column) => table !== 'identity_providers' || !excluded.has(column));
      const period = ['valid_from timestamp with time zone', 'valid_to timestamp with time zone'];
      expect((await columnsOf(`${table}_history`)).toSorted()).toEqual([...expected, ...period].toSorted());
    }
  });

  it('starts every key of a tenant-owned table with tenant_id', async () => {
    const keys = await dataSource.query<{ table: string; first: string }[]>(
      `SELECT c.relname AS table, a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const acrossTenants = keys.filter(({ first }) => first !== 'tenant_id').map(({ table }) => table);
    expect(acrossTenants).toEqual([
      'history_start',
      'idempotency_records',
      'migrations',
      'oauth_artifacts',
      'oidc_sign_ins',
      'operator_links',
      'operator_sessions',
      'organization_handles',
      'signing_keys',
      'token_hashes',
      'verified_domains',
    ]);
  });

  it('folds stored names as the service does, and keeps names that differ only in case', async () => {
    const undone = MIGRATIONS.length - MIGRATIONS.findIndex(({ name }) => name.startsWith('NameKeys'));
    for (let index = 0; index < undone; index++) await dataSource.undoLastMigration();
    const letters = Array.from({ length: 0x2_0000 }, (_, code) =>
      code < 0xa0 || (code >= 0xd800 && code < 0xe000) ? '' : String.fromCodePoint(code),
    )
      .filter((letter) => letter !== '' && letter === letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase())
      .join('');
    await dataSource.query(
      `INSERT INTO organizations (tenant_id, id, name, slug, search_text, created_at, updated_at)
       VALUES ('org_1', 'org_1', 'Łódź', 'lodz', $1, now(), now())`,
      [letters],
    );
    await dataSource.query(
      `INSERT INTO directory_entries (tenant_id, organization_id, user_id, user_tenant_id, user_organization_id, managed, member, status, email_key, search_text)
       SELECT 'org_1', 'org_1', 'usr_' || n, 'org_1', 'org_1', true, true, 'active', n || '@example.com', CASE WHEN n % 2 = 0 THEN E' ł@example.com\n łukasz straße' ELSE ' ada' END
       FROM generate_series(1, 11000) n`,
    );
    for (const table of ['groups', 'groups_history', 'roles'])
      await dataSource.query(
        `INSERT INTO ${table} (tenant_id, id, organization_id, name, created_at, updated_at${table === 'groups_history' ? ', version, valid_from, valid_to' : ''})
         SELECT 'org_1', 'x_' || n, 'org_1', name, now(), now()${table === 'groups_history' ? `, 1, '-infinity', 'infinity'` : ''}
         FROM unnest('{Sales,sales,İzmir}'::text[]) WITH ORDINALITY u (name, n)`,
      );
    await dataSource.query(
      `INSERT INTO scim_connections (tenant_id, id, organization_id, name, adopt_existing_users, allow_local_changes, created_at, updated_at)
       VALUES ('org_1', 'scim_1', 'org_1', 'Okta', false, false, now(), now())`,
    );
    await dataSource.query(
      `INSERT INTO scim_preview_users (tenant_id, connection_id, user_id, action, deleted, active, email, email_key, email_keys, user_name,
         user_name_key, fields, attributes, created_at, updated_at)
       SELECT 'org_1', 'scim_1', 'usr_' || n, 'create', false, true, n || '@b.example', n || '@b.example', '{a@bücher.example}', user_name,
         user_name, '{}', '{}', now(), now() FROM unnest('{Cafe\u0301,jörg@büro,jörg@123}'::text[]) WITH ORDINALITY u (user_name, n)`,
    );
    await dataSource.runMigrations();
    expect(await dataSource.query('SELECT user_name_key, email_keys FROM scim_preview_users ORDER BY user_id')).toEqual(
      ['caf\u00e9', 'jörg@büro', 'jörg@123'].map((key) => ({
        user_name_key: key,
        email_keys: ['a@bücher.example', 'a@xn--bcher-kva.example'],
      })),
    );

    const [folded] = await dataSource.query<{ search_text: string }[]>('SELECT search_text FROM organizations');
    expect(folded!.search_text.split('\n')).toEqual([letters, searchKey(letters)]);
    expect(await dataSource.query('SELECT search_text, count(*)::int FROM directory_entries GROUP BY 1 ORDER BY 1')).toEqual([
      { search_text: ' ada', count: 5_500 },
      { search_text: ' ł@example.com\n łukasz straße\n l@example.com\n lukasz strasse', count: 5_500 },
    ]);
    const keys = ['sales', 'sales\u0001x_2', nameKey('İzmir')];
    expect(await dataSource.query('SELECT name_key FROM groups ORDER BY id')).toEqual(keys.map((key) => ({ name_key: key })));
    expect(await dataSource.query('SELECT name_key FROM roles ORDER BY id')).toEqual(keys.map((key) => ({ name_key: key })));
    expect(await dataSource.query('SELECT search_text FROM groups_history ORDER BY id')).toEqual(
      ['sales', 'sales', 'izmir'].map((text) => ({ search_text: text })),
    );
    for (const table of ['scim_connections', 'groups', 'groups_history', 'roles', 'directory_entries', 'organizations'])
      await dataSource.query(`DELETE FROM ${table}`);
  });

  it('is unchanged after a migration down and up', async () => {
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
    const left = await dataSource.query<unknown[]>(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S') ORDER BY 1`,
    );
    expect(left).toEqual([{ relname: 'migrations' }, { relname: 'migrations_id_seq' }]);
    await dataSource.runMigrations();
    expect(await dataSource.query(`SELECT count(*)::int AS count FROM organizations`)).toEqual([{ count: 0 }]);
  });
});
