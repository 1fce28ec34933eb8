import { type RequestContext, Transaction } from '#platform/common';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { writeTogether } from './pipelining.js';
import { executeStatement } from './execute-statement.js';
import { HistoryBatch, type RowKey, type TrackOptions } from './history/history-batch.js';
import { TrackedWrites } from './history/tracked-writes.js';
import type { TrackedTable } from './history/tracked-tables.js';
import { repeatedStatementName, statementName } from './statement-names.js';
import { type DeferredRows, WriteBatch } from './write-batch.js';

/** The warning with which Citus commits, although a worker that was lost at this moment may have lost its part of the transaction. */
const LOST_PART = /^failed to commit transaction on /;

/** `transaction_resolution_unknown` */
const SQLSTATE = '08007';

/** The transaction may or may not be committed. */
class UnknownCommitResult extends Error {
  readonly code = SQLSTATE;

  constructor() {
    super('A worker was lost during the commit. The transaction may or may not be committed.');
  }
}

/** Watches a connection for the warning of a lost part until `stop()`. */
function commitFailureOf(client: PoolClient): { occurred: boolean; stop(): void } {
  const onNotice = ({ message }: { message?: string | undefined }): void => {
    if (message !== undefined && LOST_PART.test(message)) watch.occurred = true;
  };
  const watch = { occurred: false, stop: () => void client.removeListener('notice', onNotice) };
  client.on('notice', onNotice);
  return watch;
}

/**
 * The open transaction of `RequestContext.transaction`. Sends `BEGIN` together with the first statement. Writes deferred rows together with
 * the next statement or the commit. A change of many tables therefore needs few round trips.
 *
 * Each method sends its statement before it returns. PostgreSQL executes the statements in the order of the calls.
 */
export class DatabaseTransaction extends Transaction {
  readonly afterCommit: (() => void)[] = [];
  private readonly deferred: WriteBatch;
  private readonly history: HistoryBatch;
  private readonly trackedWrites = TrackedWrites.open();
  private hasBegun = false;
  private onSent: (() => void)[] = [];
  private deferredError: unknown;
  private committed?: Promise<void>;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
  ) {
    super();
    const { extra } = runner.connection.options as { extra?: { isDistributed?: boolean } };
    this.deferred = new WriteBatch(extra?.isDistributed ?? false);
    this.history = new HistoryBatch(runner.connection);
    // The query runner for TypeORM's repositories. Repositories must send their statements through this class and must not open a
    // transaction.
    const databaseConnection = {
      query: (text: string, values: readonly unknown[] = []) => this.query(text, values, repeatedStatementName(text, values)),
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
    };
    const send = runner.query.bind(runner) as (...parameters: unknown[]) => Promise<unknown>;
    const query = (...parameters: unknown[]): Promise<unknown> =>
      send(...parameters).catch((error: unknown) => {
        // TypeORM wraps every error in a QueryFailedError.
        throw this.deferredError ?? error;
      });
    Object.assign(runner, { databaseConnection, query, isTransactionActive: true });
  }

  /** Gets a connection from the pool. Sends no statement. */
  static async open(runner: QueryRunner): Promise<DatabaseTransaction> {
    return new DatabaseTransaction(runner, (await runner.connect()) as PoolClient);
  }

  /** Returns the transaction of a context. @throws Error if the context has no transaction */
  static of({ transaction }: RequestContext): DatabaseTransaction {
    if (!(transaction instanceof DatabaseTransaction)) throw new Error('This requires a transaction.');
    return transaction;
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  /** Executes a statement. If `name` is set, as a prepared statement. */
  query<T extends QueryResultRow>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<T>> {
    const deferredWrite = this.sendPending();
    const result = executeStatement<T>(this.client, text, values, name);
    this.trackedWrites?.add(text, result);
    for (const notify of this.onSent.splice(0)) notify();
    return deferredWrite ? answerAfter(deferredWrite, result) : result;
  }

  /** Resolves after the next statement was sent to the driver. */
  nextStatement(): Promise<void> {
    return new Promise((resolve) => this.onSent.push(resolve));
  }

  defer(rows: DeferredRows): void {
    this.deferred.add(rows);
  }

  /**
   * Copies rows that this transaction has inserted, updated or deleted to the history, immediately before the commit. The transaction must
   * have written or locked the rows.
   */
  trackChanges(table: TrackedTable, keys: readonly RowKey[], options: TrackOptions = {}): void {
    this.history.add(table, keys, options);
  }

  /** Writes the deferred rows. @throws the error that `errorMeaning` returns if the write fails */
  async flush(): Promise<void> {
    if (!this.deferred.isEmpty) await this.sendPending();
  }

  /**
   * Runs a part of the transaction. If the part throws, undoes its statements, so that the transaction can continue. Only for transactions that
   * roll back (`TransactionRunner.rehearse`), because the history and the effects after the commit are not undone.
   */
  async attempt<T>(part: () => Promise<T>): Promise<T> {
    await this.query('SAVEPOINT attempt', []);
    try {
      const result = await part();
      await this.flush();
      await this.query('RELEASE SAVEPOINT attempt', []);
      return result;
    } catch (error) {
      this.deferred.clear();
      this.deferredError = undefined;
      await this.query('ROLLBACK TO SAVEPOINT attempt', []);
      throw error;
    }
  }

  /**
   * Writes the deferred rows and commits. A second call returns the result of the first.
   * @throws if the rows can't be written or an earlier statement failed; nothing is committed then
   */
  commit(): Promise<void> {
    return (this.committed ??= this.writeAndCommit());
  }

  private async writeAndCommit(): Promise<void> {
    this.trackedWrites?.assertTracked(this.history);
    const commitFailure = commitFailureOf(this.client);
    try {
      await this.sendCommit();
    } finally {
      commitFailure.stop();
    }
    if (commitFailure.occurred) throw new UnknownCommitResult();
  }

  private async sendCommit(): Promise<void> {
    const withHistory = !this.deferred.isEmpty && this.history.isComplete;
    if (this.hasBegun || !(this.history.isEmpty || withHistory)) {
      const deferredWrite = this.sendPending(withHistory);
      const historyWrite = this.history.isEmpty ? undefined : this.sendHistory();
      const [, , { command }] = await Promise.all([deferredWrite, historyWrite, this.client.query('COMMIT')]);
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back because one of its statements failed.');
    } else if (!this.deferred.isEmpty) {
      // A single statement needs no BEGIN and COMMIT.
      await this.sendDeferred(withHistory);
    }
    this.hasBegun = false;
  }

  /** Rolls back if the transaction was not committed. Returns the connection to the pool. */
  async release(): Promise<void> {
    if (this.hasBegun) await this.client.query('ROLLBACK').catch(() => undefined);
    await this.runner.release();
  }

  /** Sends the deferred rows, after `BEGIN` if the transaction has not begun. Returns the result of the deferred rows, if any. */
  private sendPending(withHistory = false): Promise<void> | undefined {
    writeTogether(this.client);
    if (!this.hasBegun) {
      this.hasBegun = true;
      // Not awaited: if `BEGIN` fails, the next statement also fails.
      this.client.query('BEGIN').catch(() => undefined);
    }
    return this.deferred.isEmpty ? undefined : this.sendDeferred(withHistory);
  }

  private async sendHistory(): Promise<void> {
    const { parts, values, isPrepared } = this.history.take();
    const text = `WITH ${parts.join(', ')} SELECT`;
    await executeStatement(this.client, text, values, isPrepared ? statementName(text) : undefined);
  }

  private sendDeferred(withHistory: boolean): Promise<void> {
    const { text, values, errorMeaning } = this.deferred.take(withHistory && !this.history.isEmpty ? this.history : undefined);
    return executeStatement(this.client, text, values, statementName(text)).then(
      () => undefined,
      (error: unknown) => {
        this.deferredError = errorMeaning(error);
        throw this.deferredError;
      },
    );
  }
}

/**
 * Returns the result of a statement that was sent with deferred rows. If the rows fail, the statement also fails, and both errors can arrive
 * at once. The error of the rows is thrown, because this error is the cause.
 */
async function answerAfter<T>(deferredWrite: Promise<void>, result: Promise<T>): Promise<T> {
  const [write, answer] = await Promise.allSettled([deferredWrite, result]);
  if (write.status === 'rejected') throw write.reason;
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}
