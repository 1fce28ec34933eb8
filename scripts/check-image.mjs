import { join } from 'node:path';
import { installProgram } from '../test/support/apt-get.ts';
import { IMAGE, buildImage, podman, run } from './image/podman.mjs';
import { tryImage } from './image/try-image.mjs';

// Builds the Dockerfile with podman, which needs no daemon, and tests the image. Requires root on Debian and a network. Takes about 2 minutes.
const INSTALL_LIMIT_MB = 250;

const startedAt = performance.now();
const log = (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);

async function install(name) {
  await installProgram(name, [name, '--version']);
}

function assertSmall() {
  const root = podman(['image', 'mount', IMAGE]);
  const megabytes = (path) => Number(run('du', ['-s', '--apparent-size', '-B1', join(root, path)]).split('\t')[0]) / 1e6;
  const install = megabytes('app');
  const sizes = {
    'installation (packages, server, pages)': install,
    'installation with Node.js': install + megabytes('usr/local/bin/node'),
    'whole root file system': megabytes('.'),
  };
  podman(['image', 'unmount', IMAGE]);
  for (const [part, size] of Object.entries(sizes)) log(`${size.toFixed(0).padStart(5)} MB  ${part}`);
  if (install > INSTALL_LIMIT_MB)
    throw new Error(`The installation has ${install.toFixed(0)} MB; the limit is ${INSTALL_LIMIT_MB} MB.`);
}

try {
  if (process.platform !== 'linux' || process.getuid() !== 0) throw new Error('The image check needs root on Linux.');
  for (const name of ['podman', 'runc', 'mmdebstrap']) await install(name);
  buildImage(log);
  assertSmall();
  await tryImage(log);
  podman(['image', 'rm', '--force', IMAGE]);
  log('The image check passed.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
