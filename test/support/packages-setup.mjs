import setUpServers from './global-setup.mjs';
import { buildPackagesIfStale } from '../../scripts/build-if-stale.mjs';

/** Once for a run: the servers, and the packages as they are handed out. */
export default async function setUp() {
  buildPackagesIfStale();
  await setUpServers();
}
