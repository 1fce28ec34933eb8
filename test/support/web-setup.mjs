import setUpServers from './global-setup.mjs';
import { buildDocsIfStale, buildWebIfStale } from '../../scripts/build-if-stale.mjs';

/** Starts the servers and builds the web pages, once per test run. */
export default async function setUp() {
  buildWebIfStale();
  buildDocsIfStale();
  await setUpServers();
}
