import { spawnSync } from 'node:child_process';
import { installProgram } from './apt-get.js';

/**
 * Installs a missing redis-server with apt-get. Requires root on Debian or a similar system.
 * @throws Error with the install command on other systems
 */
export const installRedisServer = (): Promise<void> =>
  installProgram({
    debianPackage: 'redis-server',
    homebrewPackage: 'redis',
    described: 'redis-server (>= 6.2)',
    isThere: () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0,
  });
