import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copySources } from './copy-sources.mjs';

// Adds this resource to a copy of the project, runs the related checks and tests, and removes the resource. The copy must then equal the
// original.
const RESOURCE = 'access-badges';

const jest = (project, ...patterns) => [
  'run',
  'jest',
  '--',
  '--forceExit',
  '--selectProjects',
  project,
  '--testPathPatterns',
  ...patterns,
];
const STEPS = [
  ['add:resource', ['run', 'add:resource', '--', RESOURCE]],
  ['lint', ['run', 'lint']],
  ['format', ['run', 'format:check']],
  ['types', ['run', 'typecheck']],
  ['unit and architecture tests', jest('unit', '/(common|roles|events|auth)/', 'test/architecture/')],
  ['schema', jest('integration', 'schema')],
  ['test of the resource', jest('e2e', RESOURCE)],
  ['contract tests', jest('contract', '.')],
  ['remove:resource', ['run', 'remove:resource', '--', RESOURCE]],
];

const copy = mkdtempSync(join(tmpdir(), 'with-a-resource-'));
const startedAt = Date.now();
try {
  copyProject();
  for (const [name, parameters] of STEPS) step(name, 'npm', parameters);
  const differences = run('git', ['status', '--porcelain']).stdout;
  if (differences !== '') throw new Error(`The copy differs from the original:\n${differences}`);
  console.log(`ok  the copy equals the original; ${seconds(startedAt)} s in total`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function copyProject() {
  copySources(copy);
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  for (const parameters of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'chore: before'],
  ])
    run('git', parameters);
}

function step(name, command, parameters) {
  const stepStartedAt = Date.now();
  run(command, parameters);
  console.log(`ok  ${name}, ${seconds(stepStartedAt)} s`);
}

function run(command, parameters) {
  const result = spawnSync(command, parameters, { cwd: copy, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (result.status !== 0) throw new Error(`"${[command, ...parameters].join(' ')}" failed:\n${result.stdout}${result.stderr}`);
  return result;
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1_000);
}
