import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scarfSettings?: unknown;
  allowScripts: Readonly<Record<string, boolean>>;
};
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('a dependency of the service', () => {
  it('is pinned by version and content hash', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('has the packages of every platform in the lock file', () => {
    const names = new Set(packages.map(([path]) => nameOf(path)));
    const lacking = packages.flatMap(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !names.has(name)),
    );
    expect(lacking).toEqual([]);
  });

  it('has an accepted license', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/licenses.mjs', '--all'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^express \d\S+: MIT$/m);
  });

  it('runs no code during the installation', () => {
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    const { allowScripts } = manifest;
    expect(scripted.filter((name) => allowScripts[name] !== false)).toEqual([]);
    expect(Object.keys(allowScripts).filter((name) => !scripted.includes(name))).toEqual([]);
  });

  it('reports no installation to the publisher', () => {
    // Swagger UI depends on Scarf. By default, Scarf reports each installation to its vendor.
    expect(manifest.scarfSettings).toEqual({ enabled: false });
  });
});
