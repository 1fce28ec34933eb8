import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDS } from '../test/guards/guards.ts';
import { projectDir } from './build-if-stale.mjs';
import { copySources } from './copy-sources.mjs';

// Removes each guard, one at a time, from a copy of the sources. The test of a guard must pass with the guard and fail without the guard.
const JEST = 'node_modules/jest/bin/jest.js';
const COPY = join(projectDir, '.cache/guards');
const nameParts = process.argv.slice(2);
const chosen = GUARDS.filter((guard) => nameParts.length === 0 || nameParts.some((part) => guard.class.includes(part)));
if (chosen.length === 0) throw new Error(`No class name contains "${nameParts.join('" or "')}".`);

rmSync(COPY, { recursive: true, force: true });
try {
  copySources(COPY);
  const undetected = chosen.filter((guard) => !isDetected(guard));
  console.log(`Tests detect the removal of ${chosen.length - undetected.length} of ${chosen.length} guards.`);
  if (undetected.length > 0) process.exitCode = 1;
} finally {
  rmSync(COPY, { recursive: true, force: true });
}

function isDetected({ class: name, file, guard, without, test }) {
  const path = join(COPY, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(guard).length !== 2) throw new Error(`${file} must contain this exactly once: ${guard}`);
  const before = outcomeOf(test);
  writeFileSync(
    path,
    source.replace(guard, () => without),
  );
  const after = outcomeOf(test);
  writeFileSync(path, source);
  const detected = before.failed === 0 && before.passed > 0 && after.failed > 0;
  console.log(
    `${detected ? 'ok ' : 'NOT'} ${name}: ${test[2]} (with the guard ${countsOf(before)}, without it ${countsOf(after)})`,
  );
  return detected;
}

/** Returns the numbers of passed and failed tests with a title. @throws Error if no test ran */
function outcomeOf([project, file, title]) {
  const report = join(COPY, 'report.json');
  rmSync(report, { force: true });
  const pattern = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const selection = ['--selectProjects', project, '--testPathPatterns', file, '-t', pattern];
  const output = ['--runInBand', '--forceExit', '--json', '--outputFile', report];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', './test/support/register-typescript.mjs', JEST, ...selection, ...output],
    { cwd: COPY, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
    if (passed + failed > 0) return { passed, failed };
  } catch {
    // The error below contains the output of Jest.
  }
  throw new Error(`${file} ran no test "${title}":\n${stdout}${stderr}`);
}

function countsOf({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
