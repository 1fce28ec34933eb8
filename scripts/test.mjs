import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';
import { ProcessorTime } from './processor-time.mjs';
import { printTimes } from './test-times.mjs';

// Runs `npm test` or, with `--all`, `npm run test:all`. `--profile` prints what test files pay before their first test. Passes other options to Jest:
// npm test -- --randomize
const { all, withProfile, jestOptions } = readOptions(process.argv.slice(2));

/** The Jest projects of `npm test`, and the additional projects of `npm run test:all`. CONTRIBUTING.md describes each project. */
const PROJECTS = ['unit', 'integration', 'e2e', 'contract', 'delivery', 'walks'];
const MORE_PROJECTS = ['races', 'tools', 'packages', 'generators', 'web', 'scim', 'keycloak', 'relying-parties'];
/** These projects measure time, so nothing else runs at the same time. */
const TIMED_PROJECTS = ['timing', 'faults'];

/** Jest replaces a worker that uses more memory. */
const WORKER_MEMORY = '2500MB';

/** The processor time of `npm test` in seconds. With `CI=true`, a run that uses more fails. */
const BUDGET_SECONDS = 1_400;
const REPORT = join(projectDir, '.cache/test-times.jsonl');

const runId = String(process.pid);
const times = new ProcessorTime(`TEST_RUN=${runId}`);
mkdirSync(join(projectDir, '.cache'), { recursive: true });
writeFileSync(REPORT, '');
const phases = [];
const failed = [];
const startedAt = performance.now();

// `npm install` omits the packages for tests and checks (tools/package.json).
if (!existsSync(join(projectDir, 'node_modules/jest'))) {
  const command = ['npm', 'install', '--workspaces', '--include-workspace-root', '--no-audit', '--no-fund'];
  await phase('test tools', { command });
}
// Before the builds, because a build is stale if a source was generated after it.
await phase('generated sources', npm('generate'));
// The builds run concurrently.
await Promise.all([phase('server build', build('server')), phase('web build', build('web', 'docs'))]);
if (failed.length === 0) {
  const projects = all ? [...PROJECTS, ...MORE_PROJECTS] : PROJECTS;
  // One worker more than processors, because many tests wait for time to pass.
  const workers = [`--maxWorkers=${availableParallelism() + 1}`, `--workerIdleMemoryLimit=${WORKER_MEMORY}`];
  await Promise.all([
    phase('tests', jest(projects, workers)),
    phase('checks', { ...npm('check'), isBuffered: true, priority: constants.priority.PRIORITY_BELOW_NORMAL }),
  ]);
  if (all) await phase('timed tests', jest(TIMED_PROJECTS, ['--runInBand']));
}

reportProcessorTime();
for (const { name, seconds, status } of phases) console.log(`${name.padEnd(20)} ${String(seconds).padStart(5)} s  ${status}`);
console.log(`${'total'.padEnd(20)} ${String(secondsSince(startedAt)).padStart(5)} s  ${failed.length > 0 ? 'failed' : 'passed'}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function readOptions(given) {
  const own = new Set(['--all', '--profile']);
  const jestOptions = given.filter((option) => !own.has(option));
  return { all: given.includes('--all'), withProfile: given.includes('--profile'), jestOptions };
}

/** Prints the processor time. In CI, fails beyond the budget, which is for `npm test` without more tests. */
function reportProcessorTime() {
  times.sample();
  const total = printTimes({ times, reportPath: REPORT, budgetSeconds: BUDGET_SECONDS, withProfile });
  if (!ProcessorTime.isSupported) console.log('Outside Linux, only the time of the Jest workers is known.');
  else if (process.env.CI === 'true' && !all && total > BUDGET_SECONDS) failed.push('processor time');
}

function build(...names) {
  return { command: [process.execPath, 'scripts/build.mjs', ...names] };
}

function npm(script) {
  return { command: ['npm', 'run', '--silent', script] };
}

function jest(projects, options) {
  return {
    command: ['npm', 'run', '--silent', 'jest', '--', '--forceExit', ...options, ...jestOptions, '--selectProjects', ...projects],
  };
}

/** Runs a command. With `isBuffered`, prints the output when the command ends, so that the outputs of concurrent commands don't mix. */
async function phase(name, { command: [program, ...parameters], isBuffered = false, priority }) {
  const phaseStartedAt = performance.now();
  const child = spawn(program, parameters, {
    cwd: projectDir,
    stdio: ['ignore', isBuffered ? 'pipe' : 'inherit', isBuffered ? 'pipe' : 'inherit'],
    env: { ...process.env, TEST_RUN: runId, TEST_TIMES: REPORT, ...(all ? { TEST_ALL: '1' } : {}) },
  });
  times.assign(child.pid, name);
  if (priority !== undefined) setPriority(child.pid, priority);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  if (output.length > 0) process.stdout.write(Buffer.concat(output));
  if (code !== 0) failed.push(name);
  phases.push({ name, seconds: secondsSince(phaseStartedAt), status: code === 0 ? 'passed' : 'failed' });
}

function secondsSince(startMs) {
  return Math.round((performance.now() - startMs) / 1_000);
}
