import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { findFreePort } from './free-port.js';
import { type RedisServer, startRedis } from './redis.js';

const MASTERS = 3;
const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 2_000;
const COMPLETE_TIMEOUT_MS = 30_000;

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/**
 * Starts a cluster of three masters without replicas. A killed master loses its keys. Requires Redis 7 or newer for the setting of the cluster bus
 * port.
 */
export async function startRedisCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
  const nodes: ClusterNode[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(({ server }) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < MASTERS; index++) nodes.push(await startNode(join(folder, String(index))));
    // Assigns a third of the slots to each node.
    const addresses = nodes.map(({ server }) => `127.0.0.1:${server.port}`);
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    await waitUntilComplete(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urls: nodes.map(({ server }) => server.url),
    /** Returns the index of the master of a key. */
    masterOf: async (key: string): Promise<number> => {
      const slot = await withClient(nodes[0]!, (client) => client.cluster('KEYSLOT', key));
      return Math.floor((Number(slot) * MASTERS) / SLOTS);
    },
    /** Kills a master, and starts an empty master after `durationMs`. Resolves when the cluster serves all keys. */
    loseMaster: async (index: number, durationMs: number): Promise<void> => {
      const { server, options } = nodes[index]!;
      await server.kill('SIGKILL');
      await server.stop();
      await sleep(durationMs);
      nodes[index] = { server: await startRedis({ ...options, port: server.port }), options };
      await waitUntilComplete(nodes);
    },
    stop,
  };
}

interface ClusterNode {
  server: RedisServer;
  options: { directory: string; settings: readonly string[] };
}

async function startNode(directory: string): Promise<ClusterNode> {
  await mkdir(directory);
  const enabled = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS)];
  // The default port of the cluster bus is the port plus 10,000. The sum can exceed 65,535.
  const settings = [...enabled, '--cluster-port', String(await findFreePort())];
  const options = { directory, settings };
  return { server: await startRedis(options), options };
}

/** Waits until every node reports that the cluster is complete. */
async function waitUntilComplete(nodes: readonly ClusterNode[]): Promise<void> {
  for (const node of nodes) {
    const isComplete = async (): Promise<boolean> => {
      const info = String(await withClient(node, (client) => client.cluster('INFO')));
      return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info);
    };
    await eventually(isComplete, COMPLETE_TIMEOUT_MS, 'the Redis cluster is complete');
  }
}

async function withClient<Result>({ server }: ClusterNode, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(server.url, { lazyConnect: true });
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}
