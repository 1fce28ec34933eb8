import 'reflect-metadata';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { AREAS } from '../test/mutation/areas.mjs';
import { startTestPostgres, stopTestPostgres } from '../test/support/test-postgres.ts';

/** The percentage of mutants that tests must detect in each file. */
const MIN_PERCENT = 90;
const DETECTED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];
const REPORTS = '.cache/mutation';

const { positionals } = parseArgs({ allowPositionals: true });
/** The runs of all areas by name, such as `scim-2`. */
const runs = Object.entries(AREAS).flatMap(([area, ofArea]) => ofArea.map((run, index) => [area, `${area}-${index + 1}`, run]));
const selected = runs.filter(
  ([area, name]) => positionals.length === 0 || [area, name].some((each) => positionals.includes(each)),
);
const unknown = positionals.find((each) => !runs.some(([area, name]) => area === each || name === each));
if (unknown) throw new Error(`There is no area "${unknown}". Areas: ${Object.keys(AREAS).join(', ')}.`);

/** Returns the options of Stryker for a run: https://stryker-mutator.io/docs/stryker-js/configuration */
const optionsOf = (name, { mutate, tests, coverageAnalysis = 'perTest' }) => ({
  mutate: [...mutate, '!**/*.spec.ts'],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  testRunnerNodeArgs: [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    '--import=./test/support/register-typescript.mjs',
  ],
  // The sources that each mutant loads anew stay in memory.
  maxTestRunnerReuse: 100,
  jest: {
    configFile: 'test/mutation/jest.config.mjs',
    config: {
      testMatch: tests.map((pattern) => `<rootDir>/${pattern}`),
      // Jest looks for tests before each mutant.
      roots: [...new Set(tests.map((pattern) => `<rootDir>/${dirname(pattern)}`))],
    },
    // An import of `#platform/common` relates nearly every test to every file, so each run names its tests.
    enableFindRelatedTests: false,
  },
  coverageAnalysis,
  concurrency: 2,
  // High timeouts, so that mutants don't time out on a busy machine.
  timeoutMS: 15_000,
  timeoutFactor: 4,
  // The copy finds the packages in the folder above. Stryker would search all folders for packages, also those of a run at the same time.
  symlinkNodeModules: false,
  tempDirName: '.cache/stryker',
  // The tests don't need these folders, and `.cache` contains a running database.
  ignorePatterns: ['/.cache', '/.data', '/apps/web', '/bench', '/dist', '/docs'],
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: `${REPORTS}/${name}.json` },
  htmlReporter: { fileName: `${REPORTS}/${name}.html` },
  // Each file is checked below.
  thresholds: { high: 100, low: MIN_PERCENT, break: null },
  warnings: { slow: false },
  logLevel: 'warn',
});

/** Returns the percentage of the valid mutants of a file that tests detected. */
function scoreOf(file, mutants) {
  const count = (statuses) => mutants.filter(({ fileName, status }) => fileName === file && statuses.includes(status)).length;
  const detected = count(DETECTED);
  const total = detected + count(SURVIVED);
  return { file, detected, total, ignored: count(['Ignored']), percent: total === 0 ? 100 : (100 * detected) / total };
}

const shown = ({ fileName, location, mutatorName, replacement, status }) =>
  `${status} ${fileName}:${location.start.line}:${location.start.column} ${mutatorName}: ${(replacement ?? '').split('\n', 1)[0].slice(0, 120)}`;

/** Tests the mutants of a run, prints the mutants that survived, and returns the scores of its files. */
async function scoresOf(name, run) {
  const startedAt = performance.now();
  const mutants = (await new Stryker(optionsOf(name, run)).runMutationTest()).map((mutant) => ({
    ...mutant,
    fileName: relative(process.cwd(), mutant.fileName),
  }));
  if (mutants.length === 0) throw new Error(`No mutants were found in ${run.mutate.join(', ')}.`);
  console.log(`\n${name}, ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  for (const mutant of mutants.filter(({ status }) => SURVIVED.includes(status))) console.log(`  ${shown(mutant)}`);
  const scores = [...new Set(mutants.map(({ fileName }) => fileName))].sort().map((file) => scoreOf(file, mutants));
  for (const { file, detected, total, ignored, percent } of scores)
    console.log(
      `  ${percent.toFixed(1).padStart(5)} %  ${detected}/${total}${ignored > 0 ? ` (${ignored} ignored)` : ''}  ${file}`,
    );
  return scores;
}

await mkdir(REPORTS, { recursive: true });
await startTestPostgres();
const scores = [];
try {
  for (const [, name, run] of selected) scores.push(...(await scoresOf(name, run)));
} finally {
  await stopTestPostgres();
}
await writeFile(`${REPORTS}/scores.json`, `${JSON.stringify(scores, undefined, 2)}\n`);

const below = scores.filter(({ percent }) => percent < MIN_PERCENT);
if (below.length > 0) {
  console.error(
    `\nBelow ${MIN_PERCENT} %: ${below.map(({ file }) => file).join(', ')}. Reports with every mutant: ${REPORTS}/*.html.`,
  );
  process.exitCode = 1;
}
