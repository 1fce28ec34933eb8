import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'rolldown';
import config from '../apps/server/rolldown.config.mjs';
import { projectDir } from './build-if-stale.mjs';

// Builds and starts the server, and restarts it when a source changes.
let server;
watch(config).on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message);
  if (event.code !== 'BUNDLE_END') return;
  await event.result.close();
  if (server && server.exitCode === null && server.kill()) await once(server, 'exit');
  server = spawn(process.execPath, ['dist/server/main.js'], { cwd: projectDir, stdio: 'inherit' });
});
