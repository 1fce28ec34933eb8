import { buildDocsMeanwhileIfStale, buildIfStale, buildWebIfStale } from './build-if-stale.mjs';

// In this very process, so that signals and the exit code are the server's own.
buildIfStale();
buildWebIfStale();
buildDocsMeanwhileIfStale();
await import('../dist/server/main.js');
