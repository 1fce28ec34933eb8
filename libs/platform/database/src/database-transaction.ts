import { Transaction } from '#platform/common';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { writeTogether } from './pipelining.js';
import { statementName, statementOf } from './statement-names.js';
import { type RowsToWrite, WriteBatch } from './write-batch.js';

/**
 * The open transaction behind `RequestContext.transaction`. Only repositories look inside. It begins with its first statement, and writes
 * that nobody waits for go out together, at the latest with the commit: a change of many tables costs few round trips.
 */
export class DatabaseTransaction extends Transaction {
  readonly afterCommit: (() => void)[] = [];
  private readonly waiting = new WriteBatch();
  private begun = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {
    super();
    // What TypeORM's repositories send goes through here, too, and they are to open no transaction of their own.
    const send = runner.query.bind(runner) as (...parameters: unknown[]) => Promise<unknown>;
    const sendInOrder = async (...parameters: unknown[]): Promise<unknown> => {
      await this.makeReady();
      return send(...parameters);
    };
    Object.assign(runner, { query: sendInOrder, isTransactionActive: true });
  }

  /** Takes a connection; nothing is sent on it yet. */
  static async on(runner: QueryRunner): Promise<DatabaseTransaction> {
    return new DatabaseTransaction(runner, (await runner.connect()) as PoolClient);
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  /** Runs a statement; with a name, as one that the connection keeps prepared. */
  async query<T extends QueryResultRow>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<T>> {
    await this.makeReady();
    return this.client.query<T>(statementOf(text, values, name));
  }

  /** Leaves rows to be written before the next statement or with the commit, together with others. */
  writeLater(rows: RowsToWrite): void {
    this.waiting.add(rows);
  }

  /** Writes what waits. @throws what the rows say their database errors mean */
  async flush(): Promise<void> {
    if (this.waiting.isEmpty) return;
    this.begin();
    await this.writeWaiting();
  }

  /** @throws when something that waited can't be written, or when a statement before has failed: then all is undone */
  async commit(): Promise<void> {
    if (this.begun) {
      writeTogether(this.client);
      const written = this.waiting.isEmpty ? undefined : this.writeWaiting();
      const [, { command }] = await Promise.all([written, this.client.query('COMMIT')]);
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back because one of its statements failed.');
    } else if (!this.waiting.isEmpty) {
      // One statement is a transaction of its own.
      await this.writeWaiting();
    }
    this.begun = false;
  }

  /** Gives the connection back, undoing what was not committed. */
  async release(): Promise<void> {
    if (this.begun) await this.client.query('ROLLBACK').catch(() => undefined);
    await this.runner.release();
  }

  private async makeReady(): Promise<void> {
    this.begin();
    await this.flush();
  }

  private begin(): void {
    writeTogether(this.client);
    if (this.begun) return;
    this.begun = true;
    // Not awaited: it goes out with the statement behind it, which fails should this one.
    this.client.query('BEGIN').catch(() => undefined);
  }

  private async writeWaiting(): Promise<void> {
    const { text, values, meaningOf } = this.waiting.take();
    try {
      await this.client.query(statementOf(text, values, statementName(text)));
    } catch (error) {
      throw meaningOf(error);
    }
  }
}
