import { buildAll } from './build-if-stale.mjs';

buildAll();
