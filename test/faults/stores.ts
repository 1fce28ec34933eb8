import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CitusCluster, startCitus } from '../support/citus.js';
import { postgresAccount } from '../support/debian-postgres.js';
import { startOwnPostgres } from '../support/own-postgres.js';
import { createTestDatabase } from '../support/postgres.js';
import { PostgresProcess } from '../support/postgres-process.js';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createDistributedDatabase } from '../support/test-citus.js';

/** The disk size. The disk has space for the database and its write-ahead log, and the test can fill the disk quickly. */
const SMALL_DISK_MB = 400;
/** Settings that limit the write-ahead log. Only the test fills the disk. */
const ON_SMALL_DISK = { max_wal_size: '64MB', min_wal_size: '32MB' };

export interface StoresOptions {
  /** A separate PostgreSQL that faults can affect. `far` adds network delay. Default: a database on the shared PostgreSQL. */
  readonly postgres?: 'own' | 'far' | 'replicated' | 'on a small disk' | 'citus';
  /** Without Redis, the service is one process with an in-process queue. */
  readonly redis?: 'one' | 'cluster';
}

/** The PostgreSQL and the Redis of a system, with their faults. A system has only the servers of its options. */
export class Stores {
  /** The URL of the database that the service uses. */
  databaseUrl = '';
  /** The URL of the database that the test uses, if it differs. */
  ownDatabaseUrl?: string;
  redisUrls: readonly string[] = [];
  postgres?: PostgresProcess;
  replicated?: ReplicatedPostgres;
  disk?: SmallDisk;
  network?: TcpProxy;
  redis?: RedisServer;
  redisCluster?: RedisCluster;
  private citus?: CitusCluster;
  private readonly cleanups: (() => unknown)[] = [];

  static async open(options: StoresOptions): Promise<Stores> {
    const stores = new Stores();
    try {
      await stores.openPostgres(options.postgres);
      await stores.openRedis(options.redis);
    } catch (error) {
      await stores.close();
      throw error;
    }
    return stores;
  }

  /** Kills a worker of Citus with SIGKILL, and starts the worker after `durationMs`. */
  async loseCitusWorker(index: number, durationMs: number): Promise<void> {
    const { url, dataDir } = this.citus!.workers[index]!;
    const worker = await PostgresProcess.of(url, dataDir, postgresAccount());
    await worker.kill();
    await sleep(durationMs);
    await worker.start();
  }

  async pauseRedis(durationMs: number): Promise<void> {
    await this.redis!.kill('SIGSTOP');
    await sleep(durationMs);
    await this.redis!.kill('SIGCONT');
  }

  /** Kills Redis with SIGKILL, and starts an empty Redis on the same port after `durationMs`. */
  async loseRedis(durationMs: number): Promise<void> {
    const { port } = this.redis!;
    await this.redis!.stop();
    await sleep(durationMs);
    this.redis = await startRedis({ port });
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).toReversed()) await cleanup();
  }

  private async openPostgres(kind: StoresOptions['postgres']): Promise<void> {
    if (kind === undefined) {
      const database = await createTestDatabase();
      this.cleanups.push(() => database.drop());
      this.databaseUrl = database.url;
    } else if (kind === 'replicated') {
      const replicated = (this.replicated = await startReplicatedPostgres());
      this.cleanups.push(() => replicated.stop());
      this.databaseUrl = replicated.url;
    } else if (kind === 'citus') {
      // Otherwise a killed server loses its last transactions. Unlike a crash of the machine, a killed process needs no `fsync`.
      const settings = { synchronous_commit: 'on' };
      const citus = (this.citus = await startCitus(mkdtempSync(join('/dev/shm', 'citus-faults-')), { settings }));
      this.cleanups.push(() => citus.stop());
      this.databaseUrl = await createDistributedDatabase(citus, 'identity');
    } else await this.openOwnPostgres(kind);
  }

  private async openOwnPostgres(kind: 'own' | 'far' | 'on a small disk'): Promise<void> {
    const disk = kind === 'on a small disk' ? (this.disk = await mountSmallDisk(SMALL_DISK_MB)) : undefined;
    if (disk) this.cleanups.push(() => disk.remove());
    const own = await startOwnPostgres(disk ? { folder: `${disk.folder}/data`, settings: ON_SMALL_DISK } : {});
    this.cleanups.push(() => own.stop());
    this.postgres = own.server;
    this.databaseUrl = own.url;
    if (kind !== 'far') return;
    const network = (this.network = await TcpProxy.start(own.server.port));
    this.cleanups.push(() => network.stop());
    this.ownDatabaseUrl = own.url;
    this.databaseUrl = network.through(own.url);
  }

  private async openRedis(kind: StoresOptions['redis']): Promise<void> {
    if (kind === 'one') {
      this.redis = await startRedis();
      this.cleanups.push(() => this.redis!.stop());
      this.redisUrls = [this.redis.url];
    } else if (kind === 'cluster') {
      const cluster = (this.redisCluster = await startRedisCluster());
      this.cleanups.push(() => cluster.stop());
      this.redisUrls = cluster.urls;
    }
  }
}
