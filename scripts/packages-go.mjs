import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';
import { makeGoSources } from './packages-go/sources.mjs';

// Builds the Go module in the layout of a module proxy, dist/packages/go (GOPROXY=file:///…/dist/packages/go), and as an archive of the folder,
// dist/packages/identity-service-go-<version>.tar.gz. Who installs them needs only Go.
const folder = join(projectDir, 'packages/go');
const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
for (const program of ['go', 'java', 'mvn'])
  if (spawnSync(program, ['-version'], { stdio: 'ignore' }).error) {
    console.error(`"${program}" is not installed. The Go module is made with Go 1.24 or newer, Java 11 or newer, and Maven.`);
    process.exit(1);
  }
makeGoSources();
copyFileSync(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
writeArchive(`identity-service-go-${version}`);
execFileSync('go', ['run', '.', folder, `v${version}`, join(projectDir, 'dist/packages/go')], {
  cwd: join(projectDir, 'scripts/packages-go/module-proxy'),
  stdio: ['ignore', 'inherit', 'inherit'],
});

/** Packs the folder under a name of its own. */
function writeArchive(name) {
  const staging = join(projectDir, 'dist/go-package');
  const archive = join(projectDir, 'dist/packages', `${name}.tar.gz`);
  rmSync(staging, { recursive: true, force: true });
  cpSync(folder, join(staging, name), { recursive: true });
  mkdirSync(dirname(archive), { recursive: true });
  execFileSync('tar', ['-czf', archive, '-C', staging, name]);
  console.log(archive);
}
