import setUpServers from './global-setup.mjs';
import { buildPackagesIfStale } from '../../scripts/build-if-stale.mjs';

/** Starts the servers and builds the published packages, once per test run. */
export default async function setUp() {
  buildPackagesIfStale();
  await setUpServers();
}
