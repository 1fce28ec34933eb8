import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { measureAsOf } from './as-of.mjs';
import { measureCitus } from './citus.mjs';
import { citusTables } from './citus-report.mjs';
import { measureDeliveries } from './deliveries.mjs';
import { explainReads } from './explain.mjs';
import { measureLoad } from './load.mjs';
import { measureMoves } from './moves.mjs';
import { measureOAuth } from './oauth.mjs';
import { measureReads } from './reads.mjs';
import { report } from './report.mjs';
import { measureStart } from './start.mjs';
import { openPostgres } from './stores.mjs';

const USAGE = `Usage: npm run bench -- [--quick] [--reads | --load | --oauth | --deliveries | --start | --move | --as-of | --explain | --citus] [--keep] [--data-dir <dir>] [--only <operation>] [--profile]
  --quick       small sizes, about 90 s
  --reads       only this part; so with the others. --explain writes the plans of the reads and measures nothing
  --peers       with --load or --oauth: compares with Keycloak, too, which needs Java and is downloaded with Maven, and with better-auth from npm
  --only        of the load and of OAuth, the operations with this in their name; of the deliveries, the queue (Bull, in-process)
  --citus       compares one PostgreSQL with Citus on this machine, and measures nothing else; builds Citus first
  --tenants     with --citus: the number of tenants; so with --users-each and --large, the users of a tenant and of the largest tenant
  --users       with --as-of: the number of users
  --baseline    with --as-of: the folder of a version without history, whose writes are compared; by default, writes are not compared
  --profile     with --load, --oauth or --start: write profiles of the service's processor time to bench/results
  --keep        keep the seeded database for the next run, in .cache/bench or the given directory
DATABASE_URL    use this server instead of an embedded one; it may create databases, and keeps what is seeded`;

const FULL = {
  reads: { sizes: [1_000, 100_000, 1_000_000], rounds: 200, writes: 20_000 },
  load: { rounds: 3, seconds: 5, peerWarmUpSeconds: 30 },
  oauth: { users: 10_000, rounds: 5, seconds: 5, keycloakWarmUpSeconds: 30 },
  deliveries: { rounds: 3, warmUp: 800, paced: 200, events: 1_000, backlog: 10_000, seconds: 5 },
  start: { rounds: 5 },
  asOf: { users: 1_000_000, rounds: 5, seconds: 5 },
  move: { sizes: [100, 1_000, 10_000], rounds: 20 },
  citus: { tenants: 1_000, usersEach: 1_000, large: 500_000, sessions: 50_000, rounds: 3, seconds: 5, backlog: 20_000 },
};
const QUICK = {
  reads: { sizes: [1_000, 10_000], rounds: 40, writes: 1_000 },
  load: { rounds: 1, seconds: 2, peerWarmUpSeconds: 5 },
  oauth: { users: 500, rounds: 1, seconds: 2, keycloakWarmUpSeconds: 5 },
  deliveries: { rounds: 1, warmUp: 100, paced: 40, events: 300, backlog: 3_000, seconds: 2 },
  start: { rounds: 1 },
  asOf: { users: 10_000, rounds: 1, seconds: 2 },
  move: { sizes: [100, 1_000], rounds: 4 },
  citus: { tenants: 20, usersEach: 200, large: 5_000, sessions: 5_000, rounds: 1, seconds: 2, backlog: 2_000 },
};
const RESULTS = join(import.meta.dirname, 'results');
/** The options that replace sizes of the comparison with Citus. */
const CITUS_SIZES = new Map([
  ['tenants', 'tenants'],
  ['users-each', 'usersEach'],
  ['large', 'large'],
]);
const PARTS = ['reads', 'load', 'oauth', 'deliveries', 'start', 'move', 'as-of'];

const startedAt = performance.now();
const log = (line) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);

try {
  await bench(readOptions());
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
// Closes resources that a failed part left open.
process.exit();

function readOptions() {
  const flags = ['quick', 'keep', 'explain', 'profile', 'peers', 'citus', ...PARTS];
  const texts = ['data-dir', 'only', 'users', 'baseline', ...CITUS_SIZES.keys()];
  try {
    const options = [...flags.map((name) => [name, { type: 'boolean' }]), ...texts.map((name) => [name, { type: 'string' }])];
    return parseArgs({ options: Object.fromEntries(options) }).values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(1);
  }
}

async function bench(options) {
  buildIfStale();
  const sizes = options.quick ? QUICK : FULL;
  if (options.citus) return compareWithCitus(options, sizes.citus);
  const chosen = PARTS.filter((part) => options[part]);
  const wants = (part) => !options.explain && (chosen.length === 0 || chosen.includes(part));
  const postgres = await openPostgres({ dataDir: options['data-dir'], keep: options.keep }, log);
  try {
    if (options.explain) {
      save('explain.md', await explainReads(postgres, sizes.reads.sizes, log));
      return;
    }
    const results = { at: new Date().toISOString(), node: process.version, processors: availableParallelism() };
    try {
      if (wants('reads')) results.reads = await measureReads(postgres.url, sizes.reads, log);
      if (wants('load'))
        results.load = await measureLoad(
          postgres.url,
          { ...sizes.load, only: options.only, peers: options.peers, nodeOptions: profiling(options) },
          log,
        );
      if (wants('oauth'))
        results.oauth = await measureOAuth(
          postgres.url,
          { ...sizes.oauth, only: options.only, peers: options.peers, nodeOptions: profiling(options) },
          log,
        );
      if (wants('start'))
        results.start = await measureStart(postgres.url, { ...sizes.start, nodeOptions: profiling(options) }, log);
      if (wants('as-of'))
        results.asOf = await measureAsOf(
          postgres.url,
          { ...sizes.asOf, ...(options.users && { users: Number(options.users) }), baseline: options.baseline },
          log,
        );
      if (wants('move')) results.move = await measureMoves(postgres.url, sizes.move, log);
      if (wants('deliveries')) results.deliveries = await measureDeliveries(postgres.url, sizes.deliveries, log, options.only);
    } finally {
      // A failed part doesn't discard the results of earlier parts.
      console.log(`\n${report(results)}\n`);
      save(`${results.at.replaceAll(':', '-')}.json`, `${JSON.stringify(results, null, 2)}\n`);
    }
  } finally {
    await postgres.close();
  }
}

async function compareWithCitus(options, defaults) {
  const given = [...CITUS_SIZES].flatMap(([option, size]) => (options[option] ? [[size, Number(options[option])]] : []));
  const sizes = { ...defaults, ...Object.fromEntries(given) };
  const results = await measureCitus(sizes, log);
  console.log(`\n${citusTables(results)}\n`);
  save(`citus-${new Date().toISOString().replaceAll(':', '-')}.json`, `${JSON.stringify({ sizes, results }, null, 2)}\n`);
}

function profiling({ profile }) {
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${RESULTS}`] : [];
}

function save(name, text) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, name), text);
  log(`Wrote bench/results/${name}`);
}
