import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InvalidCursor, newId, type Page, type PageRequest, type RequestContext, systemContext } from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import { SqlRepository, DatabaseModule, TransactionRunner } from '#platform/database';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

@Entity('things')
class Thing {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'shown_name' }) name!: string;
}

class NameTaken extends Error {}

/** What subclasses may do, for everybody. */
@Injectable()
class Things extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  page(ctx: RequestContext, tenantId: string, request: PageRequest): Promise<Page<Thing>> {
    return this.pageById(ctx, Thing, 'role', { tenantId }, request);
  }

  find(ctx: RequestContext, key: Partial<Record<keyof Thing, string>>, lock?: 'FOR SHARE'): Promise<Thing | null> {
    return this.findRow(ctx, Thing, key, lock);
  }

  rename(ctx: RequestContext, id: string, name: string): Promise<number> {
    return this.execute(ctx, 'UPDATE things SET shown_name = $2 WHERE id = $1', [id, name]);
  }

  createTable(ctx: RequestContext): Promise<number> {
    return this.execute(ctx, 'CREATE TABLE IF NOT EXISTS things (tenant_id text, id text, shown_name text UNIQUE)', []);
  }

  addLater(ctx: RequestContext, things: readonly Thing[], errorMeaning?: (error: unknown) => Error | undefined): void {
    this.insertLater(ctx, Thing, things, errorMeaning);
  }

  addByTypeOrm(ctx: RequestContext, thing: Thing): Promise<unknown> {
    return this.rows(ctx, Thing).insert(thing);
  }

  all(ctx: RequestContext): Promise<Thing[]> {
    return this.query(ctx, `${this.selectOf(Thing)} ORDER BY t.id`);
  }

  listed(ctx: RequestContext): Promise<{ name: string }[]> {
    return this.queryList(ctx, 'SELECT shown_name AS name FROM things ORDER BY id', []);
  }

  listedPrepared(ctx: RequestContext): Promise<{ name: string }[]> {
    return this.preparedList(ctx, 'SELECT shown_name AS name FROM things ORDER BY id DESC', []);
  }

  process(ctx: RequestContext): Promise<{ pid: number }[]> {
    return this.lookUp(ctx, 'SELECT pg_backend_pid() AS pid', []);
  }

  processOfQuery(ctx: RequestContext): Promise<{ pid: number }[]> {
    return this.query(ctx, 'SELECT pg_backend_pid() AS pid');
  }

  preparedNames(ctx: RequestContext): Promise<{ statement: string }[]> {
    return this.query(ctx, 'SELECT statement FROM pg_prepared_statements');
  }

  lock(ctx: RequestContext, ...words: string[]): Promise<void> {
    return this.lockWords(ctx, ...words);
  }

  /** The advisory locks of this database; `pg_locks` also lists those of databases of other tests. */
  locks(ctx: RequestContext): Promise<{ key: string }[]> {
    return this.query(
      ctx,
      `SELECT (classid::bigint << 32 | objid::bigint)::text AS key FROM pg_locks
       WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  }

  keyOf(ctx: RequestContext, text: string): Promise<{ key: string }[]> {
    return this.prepared(ctx, 'SELECT hashtextextended($1, 0)::text AS key', [text]);
  }
}

const ctx = systemContext('test');
let database: TestDatabase;
let app: INestApplicationContext;
let things: Things;
let transactions: TransactionRunner;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') });
  const imports = [
    ConfigModule.forRoot(config),
    DatabaseModule.forRoot(({ databaseUrl }) => ({ type: 'postgres', url: databaseUrl!, entities: [Thing], poolSize: 5 })),
  ];
  app = await NestFactory.createApplicationContext(
    { module: class TestModule {}, imports, providers: [Things] },
    { logger: false, abortOnError: false },
  );
  [things, transactions] = [app.get(Things), app.get(TransactionRunner)];
  await things.createTable(ctx);
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(() => app.get(DataSource).query('DELETE FROM things'));

const thing = (tenantId: string, name: string): Thing => Object.assign(new Thing(), { tenantId, id: newId('role'), name });
async function given(...all: Thing[]): Promise<Thing[]> {
  await transactions.run(ctx, async (ctx) => things.addLater(ctx, all));
  return all;
}

describe('a page by id', () => {
  const seven = () => given(...Array.from({ length: 7 }, (_, index) => thing('t1', `name ${index}`)), thing('t2', 'other'));

  it('has the newest first, of this tenant alone, by number', async () => {
    const all = await seven();
    const names = async (page?: number) => {
      const { items, ...rest } = await things.page(ctx, 't1', { limit: 3, ...(page ? { page } : {}) });
      return [items.map(({ name }) => name), rest];
    };
    expect(all).toHaveLength(8);
    expect(await names()).toEqual([['name 6', 'name 5', 'name 4'], { total: 7, page: 1, limit: 3, hasMore: true }]);
    expect(await names(2)).toEqual([['name 3', 'name 2', 'name 1'], { total: 7, page: 2, limit: 3, hasMore: true }]);
    expect(await names(3)).toEqual([['name 0'], { total: 7, page: 3, limit: 3, hasMore: false }]);
  });

  it('goes on after the last one seen, though others came and went', async () => {
    const all = await seven();
    const first = await things.page(ctx, 't1', { limit: 3 });
    await given(thing('t1', 'newer'));
    await app.get(DataSource).query('DELETE FROM things WHERE id = $1', [first.items[2]!.id]);
    const second = await things.page(ctx, 't1', { limit: 3, after: first.items[2]!.id });
    expect(second.items.map(({ name }) => name)).toEqual(['name 3', 'name 2', 'name 1']);
    expect(second).toMatchObject({ total: 7, page: 2, hasMore: true });
    const last = await things.page(ctx, 't1', { limit: 3, after: all[1]!.id });
    expect([last.items.map(({ name }) => name), last.page, last.hasMore]).toEqual([['name 0'], 3, false]);
  });

  it('takes no cursor that is no such id', async () => {
    for (const after of ['', 'x', newId('user'), `${newId('role')}'`])
      await expect(things.page(ctx, 't1', { limit: 3, after })).rejects.toThrow(InvalidCursor);
  });
});

describe('a row by its key', () => {
  it('is found with all values, as an entity, or is none', async () => {
    const [a, b] = await given(thing('t1', 'a'), thing('t2', 'b'));
    const found = await things.find(ctx, { tenantId: 't1', id: a!.id });
    expect(found).toBeInstanceOf(Thing);
    expect(found).toEqual(a);
    expect(await things.find(ctx, { tenantId: 't1', id: b!.id })).toBeNull();
    expect(await things.find(ctx, { name: 'b' })).toEqual(b);
  });

  it('is held until the transaction ends, if wanted', async () => {
    const [a] = await given(thing('t1', 'a'));
    let renamed = false;
    let renaming: Promise<unknown> | undefined;
    await transactions.run(ctx, async (inside) => {
      await things.find(inside, { id: a!.id }, 'FOR SHARE');
      renaming = things.rename(ctx, a!.id, 'b').then(() => (renamed = true));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(renamed).toBe(false);
    });
    await renaming;
    expect((await things.find(ctx, { id: a!.id }))?.name).toBe('b');
  });

  it('can’t be looked for by what is no column', async () => {
    await expect(things.find(ctx, { color: 'red' } as never)).rejects.toThrow('Thing has no color.');
  });
});

describe('statements', () => {
  it('tell how many rows they touched', async () => {
    const [a] = await given(thing('t1', 'a'), thing('t1', 'b'));
    expect([await things.rename(ctx, a!.id, 'c'), await things.rename(ctx, 'none', 'd')]).toEqual([1, 0]);
    expect(await things.createTable(ctx)).toBe(0);
  });

  it('run in the transaction of the context, and else on connections of their own', async () => {
    const pid = async (found: Promise<{ pid: number }[]>) => (await found)[0]!.pid;
    const [shared, alsoShared] = [await pid(things.process(ctx)), await pid(things.process(ctx))];
    await transactions.run(ctx, async (inside) => {
      const own = await pid(things.processOfQuery(inside));
      expect(await pid(things.process(inside))).toBe(own);
      expect([shared, alsoShared]).not.toContain(own);
      await things.addByTypeOrm(inside, thing('t1', 'unseen'));
      expect([(await things.all(inside)).length, (await things.all(ctx)).length]).toEqual([1, 0]);
    });
    expect(await things.all(ctx)).toHaveLength(1);
    // Two connections serve all look-ups, and no query takes them away.
    const pids = await Promise.all(Array.from({ length: 12 }, () => pid(things.process(ctx))));
    expect(new Set([...pids, shared, alsoShared]).size).toBe(2);
    expect([shared, alsoShared]).not.toContain(await pid(things.processOfQuery(ctx)));
  });

  it('are planned once for each connection only where they say so', async () => {
    await transactions.run(ctx, async (inside) => {
      await things.keyOf(inside, 'a');
      await things.process(inside);
      await things.all(inside);
      const statements = (await things.preparedNames(inside)).map(({ statement }) => statement);
      expect(statements).toEqual(expect.arrayContaining([expect.stringContaining('hashtextextended($1, 0)::text')]));
      expect(statements).toEqual(expect.arrayContaining([expect.stringContaining('pg_backend_pid()')]));
      expect(statements.filter((statement) => statement.endsWith('ORDER BY t.id'))).toEqual([]);
    });
  });

  it('that list are answered by the primary where there is no replica, and see what their transaction did', async () => {
    await given(thing('t1', 'a'));
    await transactions.run(ctx, async (inside) => {
      await things.addByTypeOrm(inside, thing('t1', 'b'));
      expect(await things.listed(inside)).toEqual([{ name: 'a' }, { name: 'b' }]);
      expect(await things.listedPrepared(inside)).toEqual([{ name: 'b' }, { name: 'a' }]);
      expect([await things.listed(ctx), await things.listedPrepared(ctx)]).toEqual([[{ name: 'a' }], [{ name: 'a' }]]);
      const statements = (await things.preparedNames(inside)).map(({ statement }) => statement);
      const lists = statements.filter((statement) => statement.startsWith('SELECT shown_name AS name FROM things'));
      expect(lists).toEqual([expect.stringMatching(/DESC$/)]);
    });
  });
});

describe('rows that wait for the commit', () => {
  it('are there after it, and not without it', async () => {
    const [a, b] = [thing('t1', 'a'), thing('t1', 'b')];
    const undone = transactions.run(ctx, async (ctx) => {
      things.addLater(ctx, [a]);
      throw new Error('changed its mind');
    });
    await expect(undone).rejects.toThrow('changed its mind');
    await given(a, b);
    expect(await things.all(ctx)).toEqual([a, b].sort((one, two) => (one.id < two.id ? -1 : 1)));
  });

  it('fail with what their failure means, or with the failure itself', async () => {
    await given(thing('t1', 'a'));
    const add = (errorMeaning?: (error: unknown) => Error | undefined) =>
      transactions.run(ctx, async (ctx) => things.addLater(ctx, [thing('t1', 'a')], errorMeaning));
    await expect(add(() => new NameTaken())).rejects.toThrow(NameTaken);
    await expect(add()).rejects.toThrow(/duplicate key/);
  });

  it('need a transaction', () => {
    expect(() => things.addLater(ctx, [thing('t1', 'a')])).toThrow('requires a transaction');
  });
});

describe('words that are locked', () => {
  it('are locked together, until the transaction ends', async () => {
    await transactions.run(ctx, async (inside) => {
      await things.lock(inside, 'role', 'a b');
      const [expected] = await things.keyOf(ctx, 'role|a b');
      expect((await things.locks(inside)).map(({ key }) => BigInt.asIntN(64, BigInt(key)).toString())).toContain(expected!.key);
    });
    expect(await things.locks(ctx)).toEqual([]);
  });

  it('need a transaction', async () => {
    await expect(things.lock(ctx, 'a')).rejects.toThrow('requires a transaction');
  });
});
