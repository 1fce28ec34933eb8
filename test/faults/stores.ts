import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CitusCluster, startCitus } from '../support/citus.js';
import { postgresAccount } from '../support/debian-postgres.js';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.js';
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

/** The PostgreSQL and the Redis of a system, with their faults. */
export class Stores {
  /** The URL of the database that the service uses. */
  databaseUrl = '';
  /** The URL of the database that the test uses. */
  ownDatabaseUrl = '';
  redisUrls: readonly string[] = [];
  private readonly cleanups: (() => Promise<unknown>)[] = [];
  private own?: OwnPostgres;
  private replicas?: ReplicatedPostgres;
  private smallDisk?: SmallDisk;
  private proxy?: TcpProxy;
  private oneRedis?: RedisServer;
  private cluster?: RedisCluster;
  private citus?: CitusCluster;

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

  get postgres(): PostgresProcess {
    return required(this.own, 'PostgreSQL of its own').server;
  }

  get replicated(): ReplicatedPostgres {
    return required(this.replicas, 'replicated PostgreSQL');
  }

  get disk(): SmallDisk {
    return required(this.smallDisk, 'disk of its own');
  }

  get network(): TcpProxy {
    return required(this.proxy, 'network');
  }

  get redis(): RedisServer {
    return required(this.oneRedis, 'Redis');
  }

  get redisCluster(): RedisCluster {
    return required(this.cluster, 'Redis cluster');
  }

  /** Kills a worker of Citus with SIGKILL, and starts the worker after `durationMs`. */
  async loseCitusWorker(index: number, durationMs: number): Promise<void> {
    const { url, dataDir } = required(this.citus, 'Citus').workers[index]!;
    const worker = await PostgresProcess.of(url, dataDir, postgresAccount());
    await worker.kill();
    await sleep(durationMs);
    await worker.start();
  }

  async pauseRedis(durationMs: number): Promise<void> {
    await this.redis.kill('SIGSTOP');
    await sleep(durationMs);
    await this.redis.kill('SIGCONT');
  }

  /** Kills Redis with SIGKILL, and starts an empty Redis on the same port after `durationMs`. */
  async loseRedis(durationMs: number): Promise<void> {
    const { port } = this.redis;
    await this.redis.kill('SIGKILL');
    await this.redis.stop();
    await sleep(durationMs);
    this.oneRedis = await startRedis({ port });
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).toReversed()) await cleanup();
  }

  private async openPostgres(kind: StoresOptions['postgres']): Promise<void> {
    if (kind === undefined) {
      const database = await createTestDatabase();
      this.cleanups.push(() => database.drop());
      this.ownDatabaseUrl = this.databaseUrl = database.url;
    } else if (kind === 'replicated') {
      const replicas = (this.replicas = await startReplicatedPostgres());
      this.cleanups.push(() => replicas.stop());
      this.ownDatabaseUrl = this.databaseUrl = replicas.url;
    } else if (kind === 'citus') {
      // Otherwise a killed server loses its last transactions. Unlike a crash of the machine, a killed process needs no `fsync`.
      const settings = { synchronous_commit: 'on' };
      const citus = (this.citus = await startCitus(mkdtempSync(join('/dev/shm', 'citus-faults-')), { settings }));
      this.cleanups.push(async () => citus.stop());
      this.ownDatabaseUrl = this.databaseUrl = await createDistributedDatabase(citus, 'identity');
    } else {
      const disk = kind === 'on a small disk' ? (this.smallDisk = await mountSmallDisk(SMALL_DISK_MB)) : undefined;
      if (disk) this.cleanups.push(() => disk.remove());
      const own = (this.own = await startOwnPostgres(disk ? { folder: `${disk.folder}/data`, settings: ON_SMALL_DISK } : {}));
      this.cleanups.push(() => own.stop());
      this.ownDatabaseUrl = this.databaseUrl = own.url;
      if (kind === 'far') await this.openNetwork(own);
    }
  }

  private async openNetwork(own: OwnPostgres): Promise<void> {
    const proxy = (this.proxy = await TcpProxy.start(own.server.port));
    this.cleanups.push(() => proxy.stop());
    this.databaseUrl = proxy.through(own.url);
  }

  private async openRedis(kind: StoresOptions['redis']): Promise<void> {
    if (kind === 'one') {
      this.oneRedis = await startRedis();
      this.cleanups.push(() => this.redis.stop());
      this.redisUrls = [this.redis.url];
    } else if (kind === 'cluster') {
      const cluster = (this.cluster = await startRedisCluster());
      this.cleanups.push(() => cluster.stop());
      this.redisUrls = cluster.urls;
    }
  }
}

function required<Store>(store: Store | undefined, name: string): Store {
  if (store === undefined) throw new Error(`This system has no ${name}.`);
  return store;
}
