import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type RequestContext, systemContext } from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import { BaseQuery, column, DatabaseModule, row, TransactionRunner } from '#platform/database';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { eventually } from '../support/delivery-app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

class NameTaken extends Error {}

const INSERT = (table: string) => `INSERT INTO ${table} (name) SELECT name FROM json_to_recordset($1::json) AS r (name text)`;

const NAME = row({ name: column.text() });
const PROCESS = row({ pid: column.integer() });

@Injectable()
class NameQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  insertLater(ctx: RequestContext, table: string, ...names: string[]): void {
    const errorMeaning = (error: unknown) =>
      (error as { constraint?: string }).constraint === 'names_pkey' ? new NameTaken() : undefined;
    this.executeDeferred(ctx, { sql: INSERT(table), rows: names.map((name) => ({ name })), errorMeaning });
  }

  async all(ctx: RequestContext, table: string): Promise<string[]> {
    return (await this.query(ctx, NAME, `SELECT name FROM ${table} ORDER BY seq`, [], { prepared: true })).map(
      ({ name }) => name,
    );
  }

  async found(ctx: RequestContext, name: string): Promise<number> {
    return (await this.query(ctx, NAME, 'SELECT name FROM names WHERE name = $1', [name], { connection: 'shared' })).length;
  }

  async processOf(ctx: RequestContext): Promise<number> {
    const [found] = await this.query(ctx, PROCESS, 'SELECT pg_backend_pid() AS pid', [], { connection: 'shared' });
    return found!.pid;
  }
}

const ctx = systemContext('test');
let database: TestDatabase;
let app: INestApplicationContext;
let names: NameQuery;
let transactions: TransactionRunner;
let sent: string[] = [];
const send = Client.prototype.query as (...parameters: unknown[]) => unknown;

beforeAll(async () => {
  Client.prototype.query = function query(this: Client, ...parameters: unknown[]) {
    const [config] = parameters as [string | { text: string }];
    sent.push((typeof config === 'string' ? config : config.text).trim().split(' ')[0]!);
    return send.apply(this, parameters);
  } as typeof Client.prototype.query;
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') });
  @Module({
    imports: [
      ConfigModule.forRoot(config),
      DatabaseModule.forRoot(({ databaseUrl }) => ({
        type: 'postgres',
        url: databaseUrl!,
        entities: [],
        poolSize: 6,
        extra: { pipeline: true },
      })),
    ],
    providers: [NameQuery],
  })
  class TestModule {}
  app = await NestFactory.createApplicationContext(TestModule, { logger: false });
  [names, transactions] = [app.get(NameQuery), app.get(TransactionRunner)];
  await app
    .get(DataSource)
    .query(
      'CREATE TABLE names (seq bigint GENERATED ALWAYS AS IDENTITY, name text PRIMARY KEY); CREATE TABLE words (LIKE names INCLUDING IDENTITY)',
    );
});
afterAll(async () => {
  Client.prototype.query = send as typeof Client.prototype.query;
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  await app.get(DataSource).query('DELETE FROM names; DELETE FROM words');
  sent = [];
});

describe('a transaction', () => {
  it('inserts deferred rows of several tables with one statement', async () => {
    await transactions.run(ctx, async (ctx) => {
      names.insertLater(ctx, 'names', 'b', 'a');
      names.insertLater(ctx, 'words', 'x');
      names.insertLater(ctx, 'names', 'c');
    });
    expect(sent).toEqual(['WITH']);
    expect([await names.all(ctx, 'names'), await names.all(ctx, 'words')]).toEqual([['b', 'a', 'c'], ['x']]);
  });

  it('opens no database transaction without statements', async () => {
    expect(await transactions.run(ctx, async () => 7)).toBe(7);
    expect(sent).toEqual([]);
  });

  it('shows deferred rows to the next statement', async () => {
    await transactions.run(ctx, async (ctx) => {
      names.insertLater(ctx, 'names', 'a');
      expect(await names.all(ctx, 'names')).toEqual(['a']);
      names.insertLater(ctx, 'names', 'b');
      expect(await names.found(ctx, 'b')).toBe(1);
      expect(await names.found(systemContext('other'), 'b')).toBe(0);
    });
    expect(sent).toEqual(['BEGIN', 'WITH', 'SELECT', 'WITH', 'SELECT', 'SELECT', 'COMMIT']);
  });

  it('runs no after-commit callback after a rollback', async () => {
    let isCalled = false;
    const work = transactions.run(ctx, async (ctx) => {
      transactions.afterCommit(ctx, () => (isCalled = true));
      names.insertLater(ctx, 'names', 'a');
      await names.all(ctx, 'names');
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect([isCalled, await names.all(ctx, 'names')]).toEqual([false, []]);
  });

  it('rolls back if a nested transaction fails', async () => {
    await transactions.run(ctx, async (ctx) => names.insertLater(ctx, 'names', 'a'));
    const work = transactions.run(ctx, async (outer) => {
      const inner = transactions.run(outer, async (ctx) => names.insertLater(ctx, 'names', 'a'));
      await expect(inner).rejects.toThrow(NameTaken);
    });
    // PostgreSQL has rolled back the transaction. The commit must fail.
    await expect(work).rejects.toThrow('rolled back');
  });
});

describe('a lookup', () => {
  /** Returns the server processes of two lookups, one after the other. */
  const processes = async (): Promise<number[]> => [await names.processOf(ctx), await names.processOf(ctx)];

  it('uses one of two shared connections', async () => {
    await transactions.run(ctx, async (ctx) => names.insertLater(ctx, 'names', ...Array.from({ length: 50 }, (_, i) => `n${i}`)));
    const wanted = Array.from({ length: 200 }, (_, index) => `n${index % 100}`);
    const found = await Promise.all(wanted.map((name) => names.found(ctx, name)));
    expect(found).toEqual(wanted.map((_, index) => (index % 100 < 50 ? 1 : 0)));
    expect(new Set([...(await processes()), ...(await processes())]).size).toBe(2);
    // The lookups of one turn of the event loop need one write.
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => names.processOf(ctx)))).size).toBe(1);
  });

  it('uses a new connection after the server closes the connection', async () => {
    const before = await processes();
    await app.get(DataSource).query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [before]);
    const after = async () => processes().catch(() => before);
    await eventually(async () => !(await after()).some((pid) => before.includes(pid)), 20_000, 'new connections');
  });

  it('fails alone if the value is invalid', async () => {
    const asked = [names.found(ctx, 'a'), names.found(ctx, 'a\0b'), names.found(ctx, 'c')];
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
