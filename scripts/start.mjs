import { buildIfStale, buildPagesInBackground } from './build-if-stale.mjs';

// Runs in this process, so that signals and the exit code are those of the server. Commands such as `dashboard-link` need no pages.
buildIfStale();
if (process.argv.length === 2) buildPagesInBackground();
await import('../dist/server/main.js');
