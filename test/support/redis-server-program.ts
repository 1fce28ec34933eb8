import { spawnSync } from 'node:child_process';
import { installProgram } from './apt-get.js';

/**
 * Installs redis-server with apt-get if it is missing. Needs root on Debian or a similar system.
 * @throws Error with the command that installs it on other systems
 */
export const installRedisServer = (): Promise<void> =>
  installProgram({
    debianPackage: 'redis-server',
    homebrewPackage: 'redis',
    described: 'redis-server (>= 6.2)',
    isThere: () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0,
  });
