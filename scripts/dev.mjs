import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'rolldown';
import config from '../apps/server/rolldown.config.mjs';
import { buildPagesInBackground, projectDir } from './build-if-stale.mjs';

// Builds and starts the server, and restarts it when a source changes. Builds the pages that the server serves, and then serves the pages
// with reload on every change at an address of their own, which passes requests of the API on to the server.
let server;
watch(config).on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message);
  if (event.code !== 'BUNDLE_END') return;
  await event.result.close();
  if (server && server.exitCode === null && server.kill()) await once(server, 'exit');
  server = spawn(process.execPath, ['dist/server/main.js'], { cwd: projectDir, stdio: 'inherit' });
});

const build = buildPagesInBackground();
// The build installs Vite if it is absent.
if (build) build.once('exit', servePages);
else servePages();

function servePages() {
  const env = { DEV_SERVER_URL: `http://localhost:${process.env.PORT || 3000}`, ...process.env };
  const pages = spawn('npm', ['run', '--silent', 'dev:web'], { cwd: projectDir, stdio: 'inherit', env });
  process.once('exit', () => pages.kill());
}
