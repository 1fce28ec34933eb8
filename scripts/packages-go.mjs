import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';
import { makeGoSources } from './packages-go/sources.mjs';

// Builds the Go module in the layout of a module proxy: dist/packages/go, for GOPROXY=file:///…/dist/packages/go.
const folder = join(projectDir, 'packages/go');
const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
for (const program of ['go', 'java', 'mvn'])
  if (spawnSync(program, ['-version'], { stdio: 'ignore' }).error) {
    console.error(`"${program}" is not installed. The Go module is made with Go 1.24 or newer, Java 11 or newer, and Maven.`);
    process.exit(1);
  }
makeGoSources();
copyFileSync(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
execFileSync('go', ['run', '.', folder, `v${version}`, join(projectDir, 'dist/packages/go')], {
  cwd: join(projectDir, 'scripts/packages-go/module-proxy'),
  stdio: ['ignore', 'inherit', 'inherit'],
});
