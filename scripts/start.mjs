import { buildIfStale, buildPagesInBackground } from './build-if-stale.mjs';

// The server runs in this process, so that it receives signals and sets the exit code. Commands such as `dashboard-link` need no pages.
buildIfStale();
if (process.argv.length === 2) buildPagesInBackground();
await import('../dist/server/main.js');
