import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

// Runs openapi-generator with the parameters of this command. The first run downloads it with Maven.
const NAME = 'openapi-generator-cli';
const VERSION = '7.17.0';
const folder = join(projectDir, '.cache/openapi-generator');
const jar = join(folder, `${NAME}-${VERSION}.jar`);

if (!existsSync(jar)) download();
const { status, error } = spawnSync('java', ['-jar', jar, ...process.argv.slice(2)], { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;

/** Downloads to a temporary name, because another process can check for the file at the same time. */
function download() {
  mkdirSync(folder, { recursive: true });
  const unfinished = mkdtempSync(join(folder, 'download-'));
  const options = [`-Dartifact=org.openapitools:${NAME}:${VERSION}`, `-DoutputDirectory=${unfinished}`];
  execFileSync('mvn', ['-q', 'dependency:copy', ...options], { cwd: unfinished, stdio: ['ignore', 2, 2] });
  renameSync(join(unfinished, `${NAME}-${VERSION}.jar`), jar);
  rmSync(unfinished, { recursive: true });
}
