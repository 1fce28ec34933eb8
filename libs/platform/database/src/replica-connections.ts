import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppConfig } from '#platform/config';
import { Pool, type QueryConfig, type QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { LookupConnections } from './lookup-connections.js';
import { OUTLIVES_CONNECTIONS } from './lost-connections.js';

/** Where the primary's log ends: all that is visible to others now lies before. */
const END_OF_LOG = 'SELECT pg_current_wal_insert_lsn()::text AS lsn';
const CAUGHT_UP = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "caughtUp"';
/** How often a replica is asked, and how long after one another: one that follows closely is a few milliseconds behind. */
const TRIES = 4;
const TRY_AGAIN_MS = 5;
const CONNECT_TIMEOUT_MS = 1_000;
const CHECK_TIMEOUT_MS = 500;
const READ_TIMEOUT_MS = 10_000;
/** After a failure, so that a replica that is away costs next to nothing. */
const LEFT_ALONE_MS = 5_000;

/**
 * Lists and searches on read replicas (`DATABASE_REPLICA_URLS`). A replica is read from only when it has replayed all that the primary had
 * when it was asked: whoever reads sees every change that was answered before, its own and others', whichever process made it. When none is
 * so far within some milliseconds, or none answers, the primary is read.
 */
@Injectable()
export class ReplicaConnections implements BeforeApplicationShutdown {
  private static readonly ofDataSource = new WeakMap<DataSource, ReplicaConnections>();
  private readonly replicas: Replica[];
  private next = 0;

  constructor(
    private readonly dataSource: DataSource,
    config: AppConfig,
  ) {
    this.replicas = config.databaseReplicaUrls.map((url) => new Replica(url, config.databasePoolSize));
    if (this.replicas.length > 0) ReplicaConnections.ofDataSource.set(dataSource, this);
  }

  /** Those that belong to a data source; undefined when there are none, or the application is shutting down. */
  static of(dataSource: DataSource): ReplicaConnections | undefined {
    return this.ofDataSource.get(dataSource);
  }

  /** What a replica answers; undefined when the primary has to be asked. */
  async read(statement: QueryConfig): Promise<QueryResult | undefined> {
    this.next = (this.next + 1) % this.replicas.length;
    const replica = this.replicas[this.next]!;
    const primary = LookupConnections.of(this.dataSource);
    if (!primary || replica.leftAlone) return undefined;
    // Where that fails (the primary is away, or is none at the moment), so will the read there, and say why.
    const answer = await primary.query(END_OF_LOG, []).catch(() => undefined);
    return answer && replica.read((answer.rows[0] as { lsn: string }).lsn, statement);
  }

  async beforeApplicationShutdown(): Promise<void> {
    ReplicaConnections.ofDataSource.delete(this.dataSource);
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

class Replica {
  private readonly logger = new Logger(ReplicaConnections.name);
  private readonly pool: Pool;
  private leftAloneUntil = 0;

  constructor(url: string, poolSize: number) {
    this.pool = new Pool({
      connectionString: url,
      max: poolSize,
      application_name: 'identity-service',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: READ_TIMEOUT_MS,
      keepAlive: true,
      ...OUTLIVES_CONNECTIONS,
    });
    // Of a connection that nobody uses; the next one is told by its own failure.
    this.pool.on('error', () => undefined);
  }

  get leftAlone(): boolean {
    return performance.now() < this.leftAloneUntil;
  }

  async read(lsn: string, statement: QueryConfig): Promise<QueryResult | undefined> {
    try {
      const client = await this.pool.connect();
      let failure: Error | undefined;
      try {
        return (await this.reaches(lsn, (check) => client.query(check))) ? await client.query(statement) : undefined;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    } catch (error) {
      this.leftAloneUntil = performance.now() + LEFT_ALONE_MS;
      this.logger.warn(`A read replica failed (${(error as Error).message}); using the primary instead.`);
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async reaches(lsn: string, ask: (check: QueryConfig) => Promise<QueryResult>): Promise<boolean> {
    const check = { name: 'caught-up', text: CAUGHT_UP, values: [lsn], query_timeout: CHECK_TIMEOUT_MS };
    for (let attempt = 1; ; attempt++) {
      const { rows } = await ask(check);
      // NULL from a server that is no replica.
      if ((rows[0] as { caughtUp: boolean | null }).caughtUp === true) return true;
      if (attempt === TRIES) return false;
      await sleep(TRY_AGAIN_MS);
    }
  }
}
