import { parseArgs } from 'node:util';
import { buildWebIfStale } from './build-if-stale.mjs';
import { measureLoading } from './page-speed/loading.mjs';
import { measureWithLighthouse } from './page-speed/lighthouse.mjs';
import { startSite } from './page-speed/site.mjs';

// npm run page-speed [-- --runs 5]: loads five pages in Chromium at 1.6 Mbit/s and 150 ms, and prints the medians.
// npm run page-speed -- --lighthouse: prints the performance that Lighthouse measures. The first run downloads Lighthouse.
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, lighthouse: { type: 'boolean', default: false } },
});

buildWebIfStale();
const site = await startSite();
try {
  console.table(values.lighthouse ? await measureWithLighthouse(site) : await measureLoading(site, Number(values.runs)));
} finally {
  await site.close();
}
process.exit();
