import { beforeAll, expect, it } from '@jest/globals';
import { type BigTree, createBigTree } from '../support/big-tree.js';
import { quantile } from '../support/quantile.js';
import { testApp } from '../support/test-app.js';

const ORGANIZATIONS = 10_000;
const DEPTH = 10;
const TURNS = 5;
const RATIO_MAX = 10;

const app = testApp({ role: 'api' });
let tree: BigTree;

beforeAll(async () => {
  tree = await createBigTree(app, { organizations: ORGANIZATIONS, depth: DEPTH });
}, 120_000);

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return quantile(times, 0.5);
}

it(`the hierarchy of ${ORGANIZATIONS} organizations loads in less than ${RATIO_MAX} times the SQL time`, async () => {
  const rowsMs = await medianMs(() =>
    app.database.query('SELECT id, parent_id, name FROM organizations WHERE tenant_id = $1', [tree.rootId]),
  );
  const hierarchyMs = await medianMs(() => app.api.platform.get('/v1/organizations/root/hierarchy').expect(200));
  process.stdout.write(`hierarchy ${hierarchyMs.toFixed(1)} ms over HTTP, rows ${rowsMs.toFixed(1)} ms\n`);
  expect(hierarchyMs / rowsMs).toBeLessThan(RATIO_MAX);
});
