import { type RequestContext, Transaction } from '#platform/common';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { writeTogether } from './pipelining.js';
import { statementName, statementOf } from './statement-names.js';
import { type DeferredRows, WriteBatch } from './write-batch.js';

/**
 * The open transaction behind `RequestContext.transaction`. It begins with its first statement. Deferred rows are written with the next
 * statement, at the latest with the commit, so that a change of many tables takes few round trips.
 *
 * Statements reach the driver in the order of the calls, before a call returns, and PostgreSQL executes them in that order.
 */
export class DatabaseTransaction extends Transaction {
  readonly afterCommit: (() => void)[] = [];
  private readonly deferred = new WriteBatch();
  private begun = false;
  private onSent: (() => void)[] = [];
  private deferredError: unknown;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {
    super();
    // TypeORM's repositories send through this class, too, and open no transaction of their own.
    const databaseConnection = {
      query: (text: string, values?: readonly unknown[]) => this.query(text, values ?? []),
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
    };
    const send = runner.query.bind(runner) as (...parameters: unknown[]) => Promise<unknown>;
    const query = (...parameters: unknown[]): Promise<unknown> =>
      send(...parameters).catch((error: unknown) => {
        // TypeORM wraps every error in its own.
        throw this.deferredError ?? error;
      });
    Object.assign(runner, { databaseConnection, query, isTransactionActive: true });
  }

  /** Takes a connection; nothing is sent yet. */
  static async on(runner: QueryRunner): Promise<DatabaseTransaction> {
    return new DatabaseTransaction(runner, (await runner.connect()) as PoolClient);
  }

  /** Returns the transaction of a context. @throws Error when the context has none */
  static of({ transaction }: RequestContext): DatabaseTransaction {
    if (!(transaction instanceof DatabaseTransaction)) throw new Error('This requires a transaction.');
    return transaction;
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  /** Executes a statement; with a name, as one that the connection keeps prepared. */
  query<T extends QueryResultRow>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<T>> {
    const written = this.sendPending();
    const result = this.client.query<T>(statementOf(text, values, name));
    for (const notify of this.onSent.splice(0)) notify();
    // An error of the deferred rows comes first, and makes the statement fail as well.
    return written ? Promise.all([written, result]).then(([, answer]) => answer) : result;
  }

  /** Resolves when the next statement has been passed to the driver. */
  nextStatement(): Promise<void> {
    return new Promise((resolve) => this.onSent.push(resolve));
  }

  /** Keeps rows to write with the next statement or the commit, together with others. */
  defer(rows: DeferredRows): void {
    this.deferred.add(rows);
  }

  /** Writes the deferred rows. @throws what the rows say their database errors mean */
  async flush(): Promise<void> {
    if (!this.deferred.isEmpty) await this.sendPending();
  }

  /** @throws when deferred rows can't be written, or when an earlier statement failed: then nothing is committed */
  async commit(): Promise<void> {
    if (this.begun) {
      const written = this.sendPending();
      const [, { command }] = await Promise.all([written, this.client.query('COMMIT')]);
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back because one of its statements failed.');
    } else if (!this.deferred.isEmpty) {
      // One statement is a transaction of its own.
      await this.sendDeferred();
    }
    this.begun = false;
  }

  /** Returns the connection to the pool. Rolls back what was not committed. */
  async release(): Promise<void> {
    if (this.begun) await this.client.query('ROLLBACK').catch(() => undefined);
    await this.runner.release();
  }

  /** Sends `BEGIN` and the deferred rows if they wait; returns the answer to the latter. */
  private sendPending(): Promise<void> | undefined {
    writeTogether(this.client);
    if (!this.begun) {
      this.begun = true;
      // Not awaited: the statement behind it fails if this one does.
      this.client.query('BEGIN').catch(() => undefined);
    }
    return this.deferred.isEmpty ? undefined : this.sendDeferred();
  }

  private sendDeferred(): Promise<void> {
    const { text, values, errorMeaning } = this.deferred.take();
    return this.client.query(statementOf(text, values, statementName(text))).then(
      () => undefined,
      (error: unknown) => {
        this.deferredError = errorMeaning(error);
        throw this.deferredError;
      },
    );
  }
}
