import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackagesIfStale, projectDir } from './build-if-stale.mjs';

// Builds the packages as published: dist/packages/*.tgz, which npm can install.
const target = join(projectDir, 'dist/packages');
buildPackagesIfStale();
mkdirSync(target, { recursive: true });
for (const name of ['client', 'webhooks', 'cli']) {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: join(projectDir, 'packages', name),
    encoding: 'utf8',
  });
  console.log(join(target, packed.trim()));
}
