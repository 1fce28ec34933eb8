import { buildIfStale, buildPagesMeanwhile } from './build-if-stale.mjs';

// In this very process, so that signals and the exit code are the server's own. Commands such as `dashboard-link` need no pages.
buildIfStale();
if (process.argv.length === 2) buildPagesMeanwhile();
await import('../dist/server/main.js');
