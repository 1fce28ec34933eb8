import 'reflect-metadata';
import { openPostgres } from '/work/wt2/bench/stores.mjs';
import { measureWrites } from '/work/wt2/bench/as-of.mjs';
const log = (l) => console.error(new Date().toISOString(), l);
const postgres = await openPostgres({ dataDir: '/tmp/h/pgbench', keep: false }, log);
try {
  const rows = await measureWrites(postgres.url, { rounds: Number(process.argv[2]), seconds: Number(process.argv[3]), baseline: '/tmp/h/base' }, log);
  for (const r of rows) console.log(r.name, r.withHistory.perSecond.toFixed(1), r.without.perSecond.toFixed(1), r.ratio.toFixed(3), r.withHistory.p50Ms, r.without.p50Ms);
} finally { await postgres.close(); process.exit(); }
