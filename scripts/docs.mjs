import { buildDocs } from './build-if-stale.mjs';

buildDocs();
