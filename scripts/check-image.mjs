import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rmSync } from 'node:fs';
import { projectDir } from './build-if-stale.mjs';
import { buildRoot } from './image/build-root.mjs';
import { readDockerfile } from './image/dockerfile.mjs';
import { megabytes } from './image/roots.mjs';
import { tryImage } from './image/try-image.mjs';

// Checks the Dockerfile where no Docker engine is: its own steps are carried out in roots made with debootstrap, and what comes out is
// started as the image would be, as its user, on a root that nobody can write to. As root, on Debian, with network; about 5 minutes.
const INSTALL_LIMIT_MB = 250;

const { values } = parseArgs({ options: { keep: { type: 'boolean' } } });
const startedAt = performance.now();
const log = (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);

if (process.platform !== 'linux' || process.getuid() !== 0) {
  console.error('The image check mounts file systems and uses chroot. Run it as root on Debian or a similar system.');
  process.exit(1);
}
const image = buildRoot(readDockerfile(join(projectDir, 'Dockerfile')), log);
try {
  const sizes = {
    'installation (packages, server, pages)': megabytes(join(image.root, image.workdir)),
    'installation with Node.js': megabytes(join(image.root, image.workdir)) + megabytes(join(image.root, 'usr/local/bin/node')),
    'whole root file system': megabytes(image.root),
  };
  for (const [what, size] of Object.entries(sizes)) log(`${size.toFixed(0).padStart(5)} MB  ${what}`);
  const install = Object.values(sizes)[0];
  if (install > INSTALL_LIMIT_MB)
    throw new Error(`The installation has ${install.toFixed(0)} MB; the limit is ${INSTALL_LIMIT_MB} MB.`);
  await tryImage(image, log);
  log('The image check passed.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  if (values.keep) log(`Kept in ${image.folder}`);
  else rmSync(image.folder, { recursive: true });
}
