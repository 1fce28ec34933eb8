import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppConfig } from '#platform/config';
import { Pool, type QueryConfig, type QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { LookupConnections } from './lookup-connections.js';
import { IGNORE_LOST_CONNECTIONS } from './lost-connections.js';

/** The end of the primary's write-ahead log, after all committed changes. */
const END_OF_LOG = 'SELECT pg_current_wal_insert_lsn()::text AS lsn';
const CAUGHT_UP = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "caughtUp"';
/** Maximum number of checks whether a replica has caught up. A healthy replica is only a few milliseconds behind the primary. */
const MAX_CHECKS = 4;
const CHECK_INTERVAL_MS = 5;
const CONNECT_TIMEOUT_MS = 1_000;
const CHECK_TIMEOUT_MS = 500;
const READ_TIMEOUT_MS = 10_000;
/** How long a replica is not used after an error, so that requests do not wait for an unavailable replica. */
const PAUSE_MS = 5_000;

/**
 * Executes lists and searches on read replicas (`DATABASE_REPLICA_URLS`). Uses a replica only if the replica has replayed all changes that
 * the primary had at the time of the request. A caller therefore sees every change that any process has confirmed before. Uses the primary
 * if the replica does not catch up within some milliseconds or does not respond.
 */
@Injectable()
export class ReplicaConnections implements BeforeApplicationShutdown {
  private static readonly byDataSource = new WeakMap<DataSource, ReplicaConnections>();
  private readonly replicas: Replica[];
  private next = 0;

  constructor(
    private readonly dataSource: DataSource,
    config: AppConfig,
  ) {
    this.replicas = config.databaseReplicaUrls.map((url) => new Replica(url, config.databasePoolSize));
    if (this.replicas.length > 0) ReplicaConnections.byDataSource.set(dataSource, this);
  }

  /**
   * Returns the replicas of a data source. Returns undefined if there are no replicas, or after the shutdown of the application has
   * started.
   */
  static of(dataSource: DataSource): ReplicaConnections | undefined {
    return this.byDataSource.get(dataSource);
  }

  /** Returns the result of a replica, or undefined if the caller must execute the statement on the primary. */
  async read(statement: QueryConfig): Promise<QueryResult | undefined> {
    this.next = (this.next + 1) % this.replicas.length;
    const replica = this.replicas[this.next]!;
    const primary = LookupConnections.of(this.dataSource);
    if (!primary || replica.isPaused) return undefined;
    // If this query fails, the statement fails on the primary with a clear error.
    const endOfLog = await primary.query(END_OF_LOG, []).catch(() => undefined);
    return endOfLog && replica.read((endOfLog.rows[0] as { lsn: string }).lsn, statement);
  }

  async beforeApplicationShutdown(): Promise<void> {
    ReplicaConnections.byDataSource.delete(this.dataSource);
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

class Replica {
  private readonly logger = new Logger(ReplicaConnections.name);
  private readonly pool: Pool;
  private pausedUntil = 0;

  constructor(url: string, poolSize: number) {
    this.pool = new Pool({
      connectionString: url,
      max: poolSize,
      application_name: 'identity-service',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: READ_TIMEOUT_MS,
      keepAlive: true,
      ...IGNORE_LOST_CONNECTIONS,
    });
    // Ignores errors of idle connections. The next statement opens a new connection.
    this.pool.on('error', () => undefined);
  }

  get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
  }

  async read(lsn: string, statement: QueryConfig): Promise<QueryResult | undefined> {
    try {
      const client = await this.pool.connect();
      let failure: Error | undefined;
      try {
        return (await this.hasReached(lsn, (statement) => client.query(statement))) ? await client.query(statement) : undefined;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    } catch (error) {
      this.pausedUntil = performance.now() + PAUSE_MS;
      this.logger.warn(`A read replica failed (${(error as Error).message}); using the primary instead.`);
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async hasReached(lsn: string, execute: (statement: QueryConfig) => Promise<QueryResult>): Promise<boolean> {
    const statement = { name: 'caught-up', text: CAUGHT_UP, values: [lsn], query_timeout: CHECK_TIMEOUT_MS };
    for (let check = 1; ; check++) {
      const { rows } = await execute(statement);
      // The result is NULL if the server is not a replica.
      if ((rows[0] as { caughtUp: boolean | null }).caughtUp === true) return true;
      if (check === MAX_CHECKS) return false;
      await sleep(CHECK_INTERVAL_MS);
    }
  }
}
