import setUpServers from './global-setup.mjs';
import { buildDocsIfStale, buildWebIfStale } from '../../scripts/build-if-stale.mjs';

export default async function setUp() {
  buildWebIfStale();
  buildDocsIfStale();
  await setUpServers();
}
