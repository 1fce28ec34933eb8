import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Dependencies of the pages that only build them. */
const BUILD_TOOLS = ['vite', '@formatjs/icu-messageformat-parser'];

/**
 * Writes a CycloneDX document for the server package and the image: the packages of the server, and those in the bundles of the pages and the
 * guide, in the versions of the lock file. The other packages have no dependencies, or name them in their metadata (Python).
 */
export function makeSbom({ copy, out, version }) {
  const read = (path) => JSON.parse(readFileSync(join(copy, path), 'utf8'));
  const { dependencies, overrides, license } = read('package.json');
  const vue = read('package-lock.json').packages['node_modules/vue'].version;
  const shipped = { ...dependencies, ...read('apps/web/package.json').devDependencies, vue };
  for (const name of BUILD_TOOLS) delete shipped[name];

  const folder = mkdtempSync(join(tmpdir(), 'release-sbom-'));
  const npm = (...parameters) => run('npm', [...parameters, '--package-lock-only', '--no-update-notifier'], { cwd: folder });
  try {
    const manifest = { name: '@identity-service/server', version, license, dependencies: shipped, overrides };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    cpSync(join(copy, 'package-lock.json'), join(folder, 'package-lock.json'));
    npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const bill = JSON.parse(npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application'));
    // npm takes the name from the folder.
    bill.metadata.component.name = manifest.name;
    writeFileSync(join(out, `identity-service-server-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
