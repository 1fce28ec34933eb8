import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type RequestContext, systemContext } from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import { BaseQuery, column, DatabaseModule, row, TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const TENANT = 'org_prepared';
const INSERT = `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
  SELECT tenant_id, tenant_id, 'user', 'active', 1 FROM json_to_recordset($1::json) AS r (tenant_id text)`;

@Injectable()
class DeltaQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async read(ctx: RequestContext): Promise<void> {
    await this.query(ctx, row({ name: column.text() }), 'SELECT name FROM organizations WHERE tenant_id = $1', [TENANT]);
  }

  insertDeferred(ctx: RequestContext): void {
    this.executeDeferred(ctx, { sql: INSERT, rows: [{ tenant_id: TENANT }] });
  }

  /** Citus deletes the rows after some seconds. */
  async listPrepared(ctx: RequestContext): Promise<string[]> {
    return (await this.query(ctx, row({ gid: column.text() }), 'SELECT gid FROM pg_dist_transaction')).map(({ gid }) => gid);
  }
}

const ctx = systemContext('test');
let database: TestDatabase;
let app: INestApplicationContext;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') });
  @Module({
    imports: [
      ConfigModule.forRoot(config),
      DatabaseModule.forRoot(({ databaseUrl }) => ({
        type: 'postgres',
        url: databaseUrl!,
        entities: [],
        extra: { pipeline: true, isDistributed: true },
      })),
    ],
    providers: [DeltaQuery],
  })
  class TestModule {}
  app = await NestFactory.createApplicationContext(TestModule, { logger: false });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

it('prepares deferred rows on the worker, although the transaction has read there before', async () => {
  const deltas = app.get(DeltaQuery);
  const before = new Set(await deltas.listPrepared(ctx));
  await app.get(TransactionRunner).run(ctx, async (inTransaction) => {
    await deltas.read(inTransaction);
    deltas.insertDeferred(inTransaction);
  });
  expect((await deltas.listPrepared(ctx)).filter((gid) => !before.has(gid))).toHaveLength(1);
});
