import { parseArgs } from 'node:util';
import { buildWebIfStale } from './build-if-stale.mjs';
import { measureLoading } from './page-speed/loading.mjs';
import { startSite } from './page-speed/site.mjs';

// npm run page-speed [-- --runs 5]: loads five pages in Chromium at 1.6 Mbit/s and 150 ms, and prints the medians.
const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });

buildWebIfStale();
const site = await startSite();
try {
  console.table(await measureLoading(site, Number(values.runs)));
} finally {
  await site.close();
}
process.exit();
