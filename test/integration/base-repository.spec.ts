import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { InvalidCursor, newId, type Page, type PageRequest, type RequestContext, systemContext } from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import {
  anyOf,
  BaseQuery,
  BaseRepository,
  column,
  DatabaseModule,
  entityRow,
  lockKey,
  pipeline,
  type QueryOptions,
  row,
  type RowType,
  TransactionRunner,
} from '#platform/database';
import { Client } from 'pg';
import { Column, DataSource, Entity, PrimaryColumn, Repository } from 'typeorm';
// Another entity of this table would remain in the data sources of later test files.
import { Role } from '../../libs/directory/roles/src/role.entity.js';
import '../support/verify-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

@Entity('documents')
class Document {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'shown_name' }) name!: string;
  @Column('bytea', { nullable: true }) digest!: Buffer | null;
}

class NameTaken extends Error {}

@Injectable()
class DocumentRepository extends BaseRepository<Document> {
  constructor(@InjectRepository(Document) documents: Repository<Document>) {
    super(documents);
  }

  list(ctx: RequestContext, tenantId: string, request: PageRequest): Promise<Page<Document>> {
    return this.findPage(ctx, 'role', { tenantId }, request);
  }

  find(ctx: RequestContext, key: Partial<Record<keyof Document, string>>, lock?: 'FOR SHARE'): Promise<Document | null> {
    return this.findByKey(ctx, key, lock);
  }

  async rename(ctx: RequestContext, id: string, name: string): Promise<number> {
    return (await this.rows(ctx).update({ id }, { name })).affected ?? 0;
  }

  async insert(ctx: RequestContext, document: Document): Promise<void> {
    await this.rows(ctx).insert(document);
  }

  insertLater(ctx: RequestContext, documents: readonly Document[], translate?: (error: unknown) => Error | undefined): void {
    this.insertDeferred(ctx, documents, translate);
  }

  count(ctx: RequestContext): Promise<number> {
    return this.rows(ctx).count();
  }
}

/** A repository of a table with a history. */
@Injectable()
class RoleRepository extends BaseRepository<Role> {
  constructor(@InjectRepository(Role) roles: Repository<Role>) {
    super(roles);
  }

  find = this.findRows;
  save = this.saveRow;
  insert = this.insertRow;
  insertLater = this.insertDeferred;
  update = this.updateRows;
  delete = this.deleteRows;
  present = this.rows;
}

const NAMED = row({ name: column.text() });

@Injectable()
class DocumentQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  rowsOf<T>(ctx: RequestContext, type: RowType<T>, sql: string, parameters?: unknown[], options?: QueryOptions): Promise<T[]> {
    return this.query(ctx, type, sql, parameters, options);
  }

  changed(ctx: RequestContext, sql: string, parameters?: unknown[]): Promise<number> {
    return this.execute(ctx, sql, parameters);
  }

  insertLater(ctx: RequestContext, rows: object[], table = 'documents'): void {
    const sql = `INSERT INTO ${table} SELECT r.* FROM json_to_recordset($1::json) AS r (tenant_id text, id text, shown_name text, digest bytea)`;
    this.executeDeferred(ctx, { sql, rows });
  }

  documents(ctx: RequestContext): Promise<Document[]> {
    return this.query(ctx, entityRow(Document), `${this.selectOf(Document)} ORDER BY t.id`);
  }

  async process(ctx: RequestContext, options?: QueryOptions): Promise<number> {
    const [found] = await this.query(ctx, row({ pid: column.integer() }), 'SELECT pg_backend_pid() AS pid', [], options);
    return found?.pid ?? 0;
  }
}

const ctx = systemContext('test');
let database: TestDatabase;
let app: INestApplicationContext;
let documents: DocumentRepository;
let query: DocumentQuery;
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
  const imports = [
    ConfigModule.forRoot(config),
    DatabaseModule.forRoot(({ databaseUrl }) => ({
      type: 'postgres',
      url: databaseUrl!,
      poolSize: 6,
      extra: { pipeline: true },
    })),
    TypeOrmModule.forFeature([Document, Role]),
  ];
  app = await NestFactory.createApplicationContext(
    { module: class TestModule {}, imports, providers: [DocumentRepository, RoleRepository, DocumentQuery] },
    { logger: false, abortOnError: false },
  );
  [documents, query, transactions] = [app.get(DocumentRepository), app.get(DocumentQuery), app.get(TransactionRunner)];
  const columns = 'tenant_id text, id text, shown_name text UNIQUE, digest bytea, seq bigint GENERATED ALWAYS AS IDENTITY';
  await query.changed(ctx, `CREATE TABLE documents (${columns})`);
  await query.changed(ctx, `CREATE TABLE drafts (${columns})`);
});

afterAll(async () => {
  Client.prototype.query = send as typeof Client.prototype.query;
  await app?.close();
  await database?.drop();
});

beforeEach(async () => {
  await app.get(DataSource).query('DELETE FROM documents');
  sent = [];
});

const documentOf = (tenantId: string, name: string): Document =>
  Object.assign(new Document(), { tenantId, id: newId('role'), name, digest: null });

async function insertAll<T extends Document[]>(...all: T): Promise<T> {
  await transactions.run(ctx, async (ctx) => documents.insertLater(ctx, all));
  return all;
}

describe('a page', () => {
  const seven = () =>
    insertAll(...Array.from({ length: 7 }, (_, index) => documentOf('t1', `name ${index}`)), documentOf('t2', 'other'));

  it('contains the rows of the tenant, newest first', async () => {
    await seven();
    const names = async (page?: number) => {
      const { items, ...rest } = await documents.list(ctx, 't1', { limit: 3, ...(page ? { page } : {}) });
      return [items.map(({ name }) => name), rest];
    };
    expect(await names()).toEqual([['name 6', 'name 5', 'name 4'], { total: 7, page: 1, limit: 3, hasMore: true }]);
    expect(await names(2)).toEqual([['name 3', 'name 2', 'name 1'], { total: 7, page: 2, limit: 3, hasMore: true }]);
    expect(await names(3)).toEqual([['name 0'], { total: 7, page: 3, limit: 3, hasMore: false }]);
  });

  it('continues after the previous page despite inserts and deletes', async () => {
    const all = await seven();
    const first = await documents.list(ctx, 't1', { limit: 3 });
    await insertAll(documentOf('t1', 'newer'));
    await app.get(DataSource).query('DELETE FROM documents WHERE id = $1', [first.items[2]!.id]);
    const second = await documents.list(ctx, 't1', { limit: 3, after: first.items[2]!.id });
    expect(second.items.map(({ name }) => name)).toEqual(['name 3', 'name 2', 'name 1']);
    expect(second).toMatchObject({ total: 7, page: 2, hasMore: true });
    const last = await documents.list(ctx, 't1', { limit: 3, after: all[1]!.id });
    expect([last.items.map(({ name }) => name), last.page, last.hasMore]).toEqual([['name 0'], 3, false]);
  });

  it('rejects a cursor of another resource kind', async () => {
    for (const after of ['', 'x', newId('user'), `${newId('role')}'`])
      await expect(documents.list(ctx, 't1', { limit: 3, after })).rejects.toThrow(InvalidCursor);
  });
});

describe('a lookup by key', () => {
  it('returns an entity or null', async () => {
    const [a, b] = await insertAll(documentOf('t1', 'a'), documentOf('t2', 'b'));
    const found = await documents.find(ctx, { tenantId: 't1', id: a.id });
    expect(found).toBeInstanceOf(Document);
    expect(found).toEqual(a);
    expect(await documents.find(ctx, { tenantId: 't1', id: b.id })).toBeNull();
    expect(await documents.find(ctx, { name: 'b' })).toEqual(b);
  });

  it('locks the row until the transaction ends', async () => {
    const [a] = await insertAll(documentOf('t1', 'a'));
    let isRenamed = false;
    let renaming: Promise<unknown> | undefined;
    await transactions.run(ctx, async (inside) => {
      await documents.find(inside, { id: a.id }, 'FOR SHARE');
      renaming = documents.rename(ctx, a.id, 'b').then(() => (isRenamed = true));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isRenamed).toBe(false);
    });
    await renaming;
    expect((await documents.find(ctx, { id: a.id }))?.name).toBe('b');
  });

  it('rejects a property that is not a column', async () => {
    await expect(documents.find(ctx, { color: 'red' } as never)).rejects.toThrow('Document has no color.');
  });
});

describe('a statement of a query', () => {
  it('returns the number of changed rows', async () => {
    const [a] = await insertAll(documentOf('t1', 'a'), documentOf('t1', 'b'));
    const rename = (id: string) => query.changed(ctx, 'UPDATE documents SET shown_name = $2 WHERE id = $1', [id, 'c']);
    expect([await rename(a.id), await rename('none')]).toEqual([1, 0]);
  });

  it('runs in the transaction of the context', async () => {
    const shared = { connection: 'shared' } as const;
    await transactions.run(ctx, async (inside) => {
      const own = await query.process(inside);
      expect([await query.process(inside, shared), await query.process(inside, { connection: 'replica' })]).toEqual([own, own]);
      await documents.insert(inside, documentOf('t1', 'uncommitted'));
      expect([(await query.documents(inside)).length, await documents.count(inside)]).toEqual([1, 1]);
      expect([(await query.documents(ctx)).length, await documents.count(ctx)]).toEqual([0, 0]);
    });
    expect(await query.documents(ctx)).toHaveLength(1);
    const pids = new Set(await Promise.all(Array.from({ length: 12 }, () => query.process(ctx, shared))));
    // The lookups of one turn of the event loop share a connection, which the pool does not have.
    expect(pids.size).toBe(1);
    expect(pids.has(await query.process(ctx))).toBe(false);
  });

  it('is prepared only if the prepared option is set', async () => {
    await transactions.run(ctx, async (inside) => {
      const sql = (text: string) => `SELECT shown_name AS name FROM documents WHERE shown_name <> '${text}'`;
      await query.rowsOf(inside, NAMED, sql('planned once'), [], { prepared: true });
      await query.rowsOf(inside, NAMED, sql('planned each time'));
      const names = row({ statement: column.text() });
      const statements = await query.rowsOf(inside, names, 'SELECT statement FROM pg_prepared_statements');
      expect(statements).toEqual(expect.arrayContaining([{ statement: sql('planned once') }]));
      expect(statements).not.toContainEqual({ statement: sql('planned each time') });
    });
  });

  it('with a short list is planned for all lists after five times', async () => {
    await transactions.run(ctx, async (inside) => {
      await query.changed(
        inside,
        "INSERT INTO documents (tenant_id, id, shown_name) SELECT 't1', 'doc_' || n, n FROM generate_series(1, 10000) n",
      );
      await query.changed(inside, 'ANALYZE documents');
      const sql = `SELECT shown_name AS name FROM documents WHERE tenant_id = $1 AND id ${anyOf('$2')}`;
      for (let number = 1; number <= 10; number++)
        expect(await query.rowsOf(inside, NAMED, sql, ['t1', [`doc_${number}`]], { prepared: true })).toHaveLength(1);
      const plans = row({ custom: column.integer(), generic: column.integer() });
      const counts =
        'SELECT custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements WHERE statement = $1';
      expect(await query.rowsOf(inside, plans, counts, [sql])).toEqual([{ custom: 5, generic: 5 }]);
    });
  });
});

describe('a row type', () => {
  const select = (type: RowType<unknown>, columns: string) => query.rowsOf(ctx, type, `SELECT ${columns}`);

  it.each([
    ['a missing column', "'a'::text AS other", 'name is missing; other is not declared'],
    ['an additional column', "'a'::text AS name, 1 AS count", 'count is not declared'],
    ['a wrong type', '1::bigint AS name', 'name has the type 20, not 25 or 1043 or 19'],
    ['a null', 'null::text AS name', 'name is null'],
  ])('rejects %s', async (_, columns, message) => {
    await expect(select(NAMED, columns)).rejects.toThrow(message);
  });
});

describe('a deferred row', () => {
  it('is inserted at the commit', async () => {
    const [a, b] = [documentOf('t1', 'a'), Object.assign(documentOf('t1', 'b'), { digest: Buffer.from([0, 255]) })];
    const failed = transactions.run(ctx, async (ctx) => {
      documents.insertLater(ctx, [a]);
      throw new Error('changed its mind');
    });
    await expect(failed).rejects.toThrow('changed its mind');
    await insertAll(a, b);
    expect(await query.documents(ctx)).toEqual([a, b].sort((one, two) => (one.id < two.id ? -1 : 1)));
  });

  it('is visible to the next statement', async () => {
    await transactions.run(ctx, async (inside) => {
      documents.insertLater(inside, [documentOf('t1', 'a')]);
      expect(await query.documents(inside)).toHaveLength(1);
      query.insertLater(inside, [{ tenant_id: 't1', id: 'x', shown_name: 'b', digest: null }]);
      expect(await documents.count(inside)).toBe(2);
    });
  });

  it('causes the translated error if the insert fails', async () => {
    await insertAll(documentOf('t1', 'a'));
    const add = (isFollowed: boolean, translate?: (error: unknown) => Error | undefined) =>
      transactions.run(ctx, async (ctx) => {
        documents.insertLater(ctx, [documentOf('t1', 'a')], translate);
        if (isFollowed) await documents.count(ctx);
      });
    await expect(add(false, () => new NameTaken())).rejects.toThrow(NameTaken);
    await expect(add(true, () => new NameTaken())).rejects.toThrow(NameTaken);
    await expect(add(false)).rejects.toThrow(/duplicate key/);
  });

  it('is sent with the deferred rows of other tables in one statement', async () => {
    const named = (name: string) => ({ tenant_id: 't1', id: name, shown_name: name, digest: null });
    await transactions.run(ctx, async (ctx) => {
      query.insertLater(ctx, [named('b'), named('a')]);
      query.insertLater(ctx, [named('x')], 'drafts');
      query.insertLater(ctx, [named('c')]);
    });
    expect(sent).toEqual(['WITH']);
    const names = (table: string) => query.rowsOf(ctx, NAMED, `SELECT shown_name AS name FROM ${table} ORDER BY seq`);
    expect([await names('documents'), await names('drafts')]).toEqual([
      [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
      [{ name: 'x' }],
    ]);
  });
});

describe('a table with a history', () => {
  it('has the version of each change, and is read as of a moment', async () => {
    const roles = app.get(RoleRepository);
    const inTransaction = <T>(work: (ctx: RequestContext) => Promise<T>) => transactions.run(ctx, work);
    const versions = async () => {
      const type = row({ name: column.text(), isValid: column.boolean() });
      const sql = `SELECT name, valid_to = 'infinity' AS "isValid" FROM roles_history ORDER BY valid_from`;
      return (await query.rowsOf(ctx, type, sql)).map(({ name, isValid }) => (isValid ? `${name} is valid` : name));
    };
    const now = new Date();
    const organization = `INSERT INTO organizations (tenant_id, id, name, slug, created_at, updated_at) VALUES ('t1', 't1', '', '', $1, $1)`;
    await app.get(DataSource).query(organization, [now]);
    const texts = { tenantId: 't1', id: newId('role'), organizationId: 't1', name: 'a', nameKey: 'a', description: null };
    const role = Object.assign(new Role(), texts, { permissions: ['users:read'], createdAt: now, updatedAt: now });
    await inTransaction((inside) => roles.insert(inside, role));
    const moment = row({ at: column.text() });
    const [{ at } = { at: '' }] = await query.rowsOf(ctx, moment, 'SELECT clock_timestamp()::text AS at');
    await inTransaction((inside) => roles.save(inside, Object.assign(new Role(), role, { name: 'b' })));
    expect(await versions()).toEqual(['a', 'b is valid']);
    expect(await inTransaction((inside) => roles.update(inside, { id: role.id }, { name: 'c' }))).toBe(1);
    expect(await versions()).toEqual(['a', 'b', 'c is valid']);

    const asOf = { ...ctx, asOf: at };
    expect(await roles.find(asOf, { where: { tenantId: 't1' } })).toEqual([role]);
    expect((await roles.find(asOf, {}))[0]).toBeInstanceOf(Role);
    expect(await roles.find(ctx, {})).toMatchObject([{ id: role.id, name: 'c' }]);
    expect(() => roles.present(asOf)).toThrow("Role can't be read as of a moment this way.");

    expect(await inTransaction((inside) => roles.delete(inside, { id: role.id }))).toBe(1);
    expect(await versions()).toEqual(['a', 'b', 'c']);
    // Without changed rows, no transaction is necessary.
    expect(await roles.update(ctx, { id: role.id }, { name: 'd' })).toBe(0);
    sent = [];
    await inTransaction(async (inside) => roles.insertLater(inside, [{ ...role, name: 'e' }]));
    expect(sent).toEqual(['WITH']);
    expect(await versions()).toEqual(['a', 'b', 'c', 'e is valid']);
  });
});

describe('a pipeline', () => {
  it('returns the results in the order of the statements', async () => {
    const [a] = await insertAll(documentOf('t1', 'a'));
    const names = async (inside: RequestContext) => (await query.documents(inside)).map(({ name }) => name);
    await transactions.run(ctx, async (inside) => {
      const results = await pipeline(inside, [
        () => documents.rename(inside, a.id, 'b'),
        () => names(inside),
        () => documents.insert(inside, documentOf('t1', 'c')),
        () => documents.count(inside),
        () => Promise.resolve('nothing to send'),
        () => query.changed(inside, 'DELETE FROM documents'),
        () => documents.count(inside),
      ]);
      expect(results).toEqual([1, ['b'], undefined, 2, 'nothing to send', 2, 0]);
    });
  });

  it('sends all statements without waiting for results', async () => {
    await transactions.run(ctx, async (inside) => {
      const finished: string[] = [];
      const slow = query.changed(inside, 'SELECT pg_sleep(0.05)').then(() => finished.push('first'));
      const sent = pipeline(inside, [() => documents.count(inside).then(() => finished.push('second'))]);
      await Promise.all([slow, sent]);
      expect(finished).toEqual(['first', 'second']);
    });
  });

  it('fails with the first error', async () => {
    const failing = transactions.run(ctx, (inside) =>
      pipeline(inside, [() => query.changed(inside, 'SELECT 1/0'), () => documents.count(inside)]),
    );
    await expect(failing).rejects.toThrow('division by zero');
  });
});

describe('a transaction', () => {
  it('is required for deferred rows, pipelines and key locks', async () => {
    expect(() => documents.insertLater(ctx, [documentOf('t1', 'a')])).toThrow('requires a transaction');
    await expect(pipeline(ctx, [() => documents.count(ctx)])).rejects.toThrow('requires a transaction');
    await expect(lockKey(ctx, 'a')).rejects.toThrow('requires a transaction');
  });

  it('is not opened without statements', async () => {
    expect(await transactions.run(ctx, async () => 7)).toBe(7);
    expect(sent).toEqual([]);
  });

  it('runs no after-commit callback after a rollback', async () => {
    let isCalled = false;
    const work = transactions.run(ctx, async (ctx) => {
      transactions.afterCommit(ctx, () => (isCalled = true));
      documents.insertLater(ctx, [documentOf('t1', 'a')]);
      await query.documents(ctx);
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect([isCalled, await query.documents(ctx)]).toEqual([false, []]);
  });

  it('rolls back if a nested transaction fails', async () => {
    await insertAll(documentOf('t1', 'a'));
    const work = transactions.run(ctx, async (outer) => {
      const inner = transactions.run(outer, async (ctx) =>
        documents.insertLater(ctx, [documentOf('t1', 'a')], () => new NameTaken()),
      );
      await expect(inner).rejects.toThrow(NameTaken);
    });
    // PostgreSQL has rolled back the transaction. The commit must fail.
    await expect(work).rejects.toThrow('rolled back');
  });
});

describe('a lookup', () => {
  const found = async (name: string): Promise<number> => {
    const sql = 'SELECT shown_name AS name FROM documents WHERE shown_name = $1';
    return (await query.rowsOf(ctx, NAMED, sql, [name], { connection: 'shared' })).length;
  };

  it('uses one of two shared connections', async () => {
    await insertAll(...Array.from({ length: 50 }, (_, index) => documentOf('t1', `n${index}`)));
    const wanted = Array.from({ length: 200 }, (_, index) => `n${index % 100}`);
    expect(await Promise.all(wanted.map(found))).toEqual(wanted.map((_, index) => (index % 100 < 50 ? 1 : 0)));
    const pids = new Set<number>();
    for (let count = 0; count < 4; count++) pids.add(await query.process(ctx, { connection: 'shared' }));
    expect(pids.size).toBe(2);
  });

  it('fails alone if the value is invalid', async () => {
    const asked = [found('a'), found('a\0b'), found('c')];
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('a key lock', () => {
  it('blocks concurrent transactions until the transaction ends', async () => {
    const order: string[] = [];
    let second: Promise<unknown> | undefined;
    await transactions.run(ctx, async (inside) => {
      await lockKey(inside, 'a', 'b');
      second = transactions.run(ctx, async (other) => {
        await lockKey(other, 'a', 'b');
        order.push('second');
      });
      await transactions.run(ctx, (other) => lockKey(other, 'a', 'c'));
      order.push('first');
    });
    await second;
    expect(order).toEqual(['first', 'second']);
  });
});
