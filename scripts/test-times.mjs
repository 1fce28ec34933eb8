import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databasePrefix } from '../test/support/jest/file-time.mjs';
import { projectDir } from './build-if-stale.mjs';

/** A test file that uses more seconds of processor time says why: `// Processor time: <reason>`. */
const FILE_LIMIT_SECONDS = 10;
const REASON = /^\/\/ Processor time: \S+/m;
const SLOWEST_FILES = 20;
/** The parts of `ProcessorTime` that are servers and browsers. */
const SERVERS = ['PostgreSQL', 'Chromium', 'Redis'];

/**
 * Prints the processor time of a run of `npm test`: in total, by part, by Jest project and of the slowest files. The time of a file includes its
 * servers, browsers and databases. Returns the total in seconds.
 * @param times the `ProcessorTime` of the run
 * @param reportPath the file that the test files appended their times to
 */
export function printTimes({ times, reportPath, budgetSeconds, withProfile }) {
  const files = filesOf(reportPath, times.databases);
  const total = sumOf(Object.values(times.parts));
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds);
  const slow = slowest.filter(({ seconds }) => seconds > FILE_LIMIT_SECONDS);
  const withoutReason = new Set(slow.filter(({ file }) => !REASON.test(readFileSync(join(projectDir, file), 'utf8'))));
  const lines = [...new Set(files.map(({ project }) => project))].map((project) => {
    const own = files.filter((each) => each.project === project);
    return [`tests, ${project}, ${own.length} files`, sumOf(own.map(({ seconds }) => seconds))];
  });
  const others = Object.entries(times.parts).filter(([part]) => !SERVERS.includes(part) && part !== 'tests');
  printTable('Processor time (s)', [
    ...others,
    ...lines,
    ['tests, outside of files', total - sumOf([...others, ...lines].map(([, seconds]) => seconds))],
    [`total (budget: ${budgetSeconds})`, total],
    ...SERVERS.map((part) => [`  of it ${part}`, times.parts[part] ?? 0]),
  ]);
  printTable(
    'Slowest files (s)',
    slowest
      .filter((each, index) => index < SLOWEST_FILES || withoutReason.has(each))
      .map((each) => [`${each.file}${withoutReason.has(each) ? ' (no reason)' : ''}`, each.seconds]),
  );
  if (withProfile) printProfile(files);
  return total;
}

function filesOf(reportPath, databases) {
  const lines = readFileSync(reportPath, 'utf8').split('\n').filter(Boolean);
  return lines.map(JSON.parse).map((each) => {
    const prefix = databasePrefix(each.file);
    const own = Object.entries(databases).filter(([name]) => name.slice(0, name.lastIndexOf('_') + 1) === prefix);
    return { ...each, seconds: each.seconds + sumOf(own.map(([, seconds]) => seconds)) };
  });
}

/** Prints what the files pay before their first test, and for which preparations. */
function printProfile(files) {
  const kinds = [...new Set(files.flatMap(({ spans }) => Object.keys(spans)))];
  const rows = kinds.map((kind) => {
    const spans = files.map(({ spans }) => spans[kind]).filter(Boolean);
    return [`${kind}, ${sumOf(spans.map(({ calls }) => calls))} times`, sumOf(spans.map(({ seconds }) => seconds))];
  });
  const before = files.toSorted((one, other) => other.beforeFirstTest - one.beforeFirstTest);
  printTable('Preparations (s of processor time of the workers)', [
    ['before the first test of all files', sumOf(files.map(({ beforeFirstTest }) => beforeFirstTest))],
    ...rows.toSorted(([, one], [, other]) => other - one),
  ]);
  printTable(
    'Before the first test (s)',
    before.slice(0, SLOWEST_FILES).map(({ file, beforeFirstTest }) => [file, beforeFirstTest]),
  );
}

function printTable(title, rows) {
  console.log(`\n${title}`);
  for (const [name, seconds] of rows) console.log(`${name.padEnd(60)} ${seconds.toFixed(1).padStart(7)}`);
}

const sumOf = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
