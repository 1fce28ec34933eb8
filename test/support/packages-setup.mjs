import setUpServers from './global-setup.mjs';
import { buildPackagesIfStale } from '../../scripts/build-if-stale.mjs';

export default async function setUp() {
  buildPackagesIfStale();
  await setUpServers();
}
