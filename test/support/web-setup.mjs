import setUpServers from './global-setup.mjs';
import { buildDocsIfStale, buildWebIfStale } from '../../scripts/build-if-stale.mjs';

/** Once for a run: the servers, and the pages as they are served. */
export default async function setUp() {
  buildWebIfStale();
  buildDocsIfStale();
  await setUpServers();
}
