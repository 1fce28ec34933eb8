import { spawnSync } from 'node:child_process';
import { installProgram } from './apt-get.js';

/**
 * Makes sure that a real redis-server is there: installed with apt-get where we are root on Debian or its like.
 * @throws Error naming the command that installs it everywhere else.
 */
export const installRedisServer = (): Promise<void> =>
  installProgram({
    debianPackage: 'redis-server',
    homebrewPackage: 'redis',
    described: 'redis-server (>= 6.2)',
    isThere: () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0,
  });
