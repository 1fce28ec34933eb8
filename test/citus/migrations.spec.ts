import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePartitions, MIGRATIONS, PARTITIONED_TABLES, runMigrations } from '#platform/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { addCitus } from '../support/citus.js';
import { createDatabaseOfNodes, createTestDatabase } from '../support/postgres.js';
import { runSql } from '../support/run-sql.js';

const DAY_MS = 24 * 3_600_000;
/** Earlier migrations run before the tables are distributed. */
const LAST_BEFORE_CITUS = 'TenantsOfGuests1796000000000';
let number = 1_900_000_000_000;

/** Adds a migration to the migrations of the service until the end of the test. */
function addMigration(up: readonly string[], down: readonly string[] = []): void {
  const name = `Added${++number}`;
  MIGRATIONS.push(
    class implements MigrationInterface {
      readonly name = name;
      async up(queryRunner: QueryRunner): Promise<void> {
        for (const sql of up) await queryRunner.query(sql);
      }
      async down(queryRunner: QueryRunner): Promise<void> {
        for (const sql of down) await queryRunner.query(sql);
      }
    } as never,
  );
}

describe('a migration of a distributed database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  const released = MIGRATIONS.length;
  const distributionOf = (...tables: string[]) =>
    runSql<{ name: string; column: string; tenants: boolean }>(
      database.url,
      `SELECT p.logicalrelid::text AS name, column_to_column_name(p.logicalrelid, p.partkey) AS column,
         p.colocationid = (SELECT o.colocationid FROM pg_dist_partition o WHERE o.logicalrelid = 'organizations'::regclass) AS tenants
       FROM pg_dist_partition p WHERE p.logicalrelid::text = ANY ('{${tables.join()}}') ORDER BY 1`,
    );
  const migrate = () => runMigrations(database.url, { distribution: 'small' });

  beforeAll(async () => {
    database = await createTestDatabase();
    await runSql(
      database.url,
      `INSERT INTO organizations (tenant_id, id, name, slug, created_at, updated_at)
       SELECT id, id, id, id, now(), now() FROM unnest('{org_1,org_2,org_3}'::text[]) id`,
    );
  });
  afterEach(() => {
    MIGRATIONS.length = released;
  });
  afterAll(() => database.drop());

  it('creates tables with foreign keys, which the next start distributes', async () => {
    addMigration(
      [
        `CREATE TABLE badges (
         tenant_id text COLLATE "C" NOT NULL,
         id text COLLATE "C" NOT NULL,
         organization_id text COLLATE "C" NOT NULL,
         PRIMARY KEY (tenant_id, id),
         CONSTRAINT badges_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
       )`,
        'CREATE INDEX badges_organization_idx ON badges (tenant_id, organization_id, id)',
        `CREATE TABLE badge_awards (
         tenant_id text COLLATE "C" NOT NULL,
         badge_id text COLLATE "C" NOT NULL,
         PRIMARY KEY (tenant_id, badge_id),
         FOREIGN KEY (tenant_id, badge_id) REFERENCES badges (tenant_id, id) ON DELETE CASCADE
       )`,
        'CREATE TABLE badge_kinds (id text PRIMARY KEY)',
      ],
      ['DROP TABLE badge_kinds', 'DROP TABLE badge_awards', 'DROP TABLE badges'],
    );
    await migrate();
    expect(await distributionOf('badges', 'badge_awards', 'badge_kinds')).toEqual([
      { name: 'badge_awards', column: 'tenant_id', tenants: true },
      { name: 'badges', column: 'tenant_id', tenants: true },
    ]);
    await runSql(database.url, `INSERT INTO badges VALUES ('org_1', 'badge_1', 'org_1')`);
    await expect(runSql(database.url, `INSERT INTO badges VALUES ('org_1', 'badge_2', 'org_2')`)).rejects.toThrow(/foreign key/);

    const dataSource = await new DataSource(dataSourceOptions({ databaseUrl: database.url, databasePoolSize: 2 })).initialize();
    await dataSource.undoLastMigration();
    await dataSource.destroy();
    expect(await runSql(database.url, `SELECT to_regclass('badges') AS table`)).toEqual([{ table: null }]);
  });

  it('can fill new tables with and without foreign keys', async () => {
    addMigration([
      `CREATE TABLE organization_notes (tenant_id text COLLATE "C", id text COLLATE "C", note text, PRIMARY KEY (tenant_id, id))`,
      'INSERT INTO organization_notes SELECT tenant_id, id, name FROM organizations',
      `CREATE TABLE organization_marks (tenant_id text COLLATE "C", id text COLLATE "C", PRIMARY KEY (tenant_id, id),
         FOREIGN KEY (tenant_id, id) REFERENCES organizations (tenant_id, id))`,
      'INSERT INTO organization_marks SELECT tenant_id, id FROM organizations',
    ]);
    await migrate();
    const distributed = ['organization_marks', 'organization_notes'];
    expect(await distributionOf(...distributed)).toEqual(
      distributed.map((name) => ({ name, column: 'tenant_id', tenants: true })),
    );
    expect(await runSql(database.url, 'SELECT note FROM organization_notes ORDER BY 1')).toEqual(
      ['org_1', 'org_2', 'org_3'].map((note) => ({ note })),
    );
    expect(await runSql(database.url, 'SELECT id FROM organization_marks')).toHaveLength(3);
  });

  it('changes columns, indexes and rows of distributed tables', async () => {
    addMigration([
      `ALTER TABLE organizations ADD COLUMN motto text NOT NULL DEFAULT ''`,
      'UPDATE organizations SET motto = upper(name)',
      'ALTER TABLE organizations ADD CONSTRAINT organizations_motto_check CHECK (length(motto) < 100)',
      'CREATE INDEX organizations_motto_idx ON organizations (tenant_id, motto)',
      'ALTER TABLE events ADD COLUMN note text',
    ]);
    await migrate();
    expect(await runSql(database.url, 'SELECT motto FROM organizations ORDER BY 1')).toEqual(
      ['ORG_1', 'ORG_2', 'ORG_3'].map((motto) => ({ motto })),
    );
  });

  it.each([
    [
      'a unique key without the tenant',
      'CREATE TABLE wrong (tenant_id text, id text PRIMARY KEY)',
      'unique key wrong_pkey of wrong',
    ],
    [
      'a reference to a table without tenants',
      'CREATE TABLE wrong (tenant_id text PRIMARY KEY, link bytea REFERENCES operator_links)',
      'reference a table without tenant_id: wrong.',
    ],
  ])('reports %s', async (_, sql, expected) => {
    await runSql(database.url, sql);
    await expect(migrate()).rejects.toThrow(expected);
    await runSql(database.url, 'DROP TABLE wrong');
  });

  it('needs one statement for each call, because Citus sends the whole text to the workers', async () => {
    const sql = 'CREATE INDEX roles_a_idx ON roles (tenant_id, name); CREATE INDEX roles_b_idx ON roles (tenant_id, name)';
    await expect(runSql(database.url, sql)).rejects.toThrow('cannot insert multiple commands into a prepared statement');
  });

  it('distributes the partitions of new weeks', async () => {
    await ensurePartitions((sql) => runSql(database.url, sql), new Date(Date.now() + 100 * DAY_MS));
    const partitions = await runSql<{ table: string; distributed: boolean }>(
      database.url,
      `SELECT i.inhparent::regclass::text AS table, bool_and(d.logicalrelid IS NOT NULL) AS distributed
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent AND c.relkind = 'p'
       LEFT JOIN pg_dist_partition d ON d.logicalrelid = i.inhrelid GROUP BY 1 ORDER BY 1`,
    );
    expect(partitions).toEqual([...PARTITIONED_TABLES].toSorted().map((table) => ({ table, distributed: true })));
  });
});

describe('the migrations since the first release with DATABASE_DISTRIBUTED', () => {
  let nodes: Awaited<ReturnType<typeof createDatabaseOfNodes>>;
  beforeAll(async () => {
    nodes = await createDatabaseOfNodes();
    await addCitus(nodes.urls);
  });
  afterAll(() => nodes.drop());

  it('run in both directions on a distributed database', async () => {
    const later = MIGRATIONS.splice(MIGRATIONS.findIndex(({ name }) => name === LAST_BEFORE_CITUS) + 1);
    const url = nodes.urls[0]!;
    await runMigrations(url, { distribution: 'small' });
    MIGRATIONS.push(...later);
    await runMigrations(url, { distribution: 'small' });
    const dataSource = await new DataSource(dataSourceOptions({ databaseUrl: url, databasePoolSize: 2 })).initialize();
    for (const _ of later) await dataSource.undoLastMigration();
    await dataSource.destroy();
    await runMigrations(url, { distribution: 'small' });
  });
});

describe('the start with DATABASE_DISTRIBUTED=citus', () => {
  let nodes: Awaited<ReturnType<typeof createDatabaseOfNodes>>;
  beforeAll(async () => {
    nodes = await createDatabaseOfNodes();
  });
  afterAll(() => nodes.drop());

  it('uses only the coordinator if Citus has no workers, and is required then', async () => {
    const [coordinator, worker] = nodes.urls;
    await runSql(coordinator!, 'CREATE EXTENSION citus');
    const lines: string[] = [];
    await runMigrations(coordinator!, { distribution: 'small', log: (line) => lines.push(line) });
    expect(lines).toEqual(['Citus has no workers. All rows stay on the coordinator.']);
    await expect(runMigrations(coordinator!)).rejects.toThrow(
      'The tables are distributed with Citus. Set DATABASE_DISTRIBUTED=citus.',
    );

    await runSql(coordinator!, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator!).port})`);
    await runSql(worker!, 'CREATE EXTENSION citus');
    await runSql(coordinator!, `SELECT citus_add_node('127.0.0.1', ${new URL(worker!).port})`);
    await expect(runMigrations(worker!, { distribution: 'small' })).rejects.toThrow('DATABASE_URL leads to a worker of Citus.');
  });
});
