import { appendFileSync } from 'node:fs';
import { secondsOfThisTree } from '../../../scripts/processor-time.mjs';

/** The file of `scripts/test.mjs` that gets a line of JSON for each test file. All times are seconds of processor time. */
const REPORT = process.env['TEST_TIMES'];
/** Reads the times of all processes of the machine, which takes a few milliseconds for each hundred processes. */
const secondsSoFar = () => (REPORT ? secondsOfThisTree() : 0);

let current;

/** Measures a test file: this worker and its child processes, browsers and servers included. */
export class FileTime {
  #start = secondsSoFar();
  #beforeFirstTest;
  #project;
  file;
  spans = {};

  constructor({ displayName, rootDir }, testPath) {
    this.#project = displayName.name;
    this.file = testPath.slice(rootDir.length + 1);
    current = this;
  }

  noteFirstTest() {
    this.#beforeFirstTest ??= secondsSoFar() - this.#start;
  }

  report() {
    if (!REPORT) return;
    const seconds = secondsSoFar() - this.#start;
    const times = {
      project: this.#project,
      file: this.file,
      seconds,
      beforeFirstTest: this.#beforeFirstTest ?? seconds,
      spans: this.spans,
    };
    appendFileSync(REPORT, `${JSON.stringify(times)}\n`);
  }
}

const open = new Map();

/** Measures what test files pay for a kind of preparation, such as signing in. Concurrent calls of a kind count once. */
export async function measured(kind, run) {
  const depth = open.get(kind) ?? 0;
  open.set(kind, depth + 1);
  const { spans } = current ?? { spans: {} };
  const start = process.cpuUsage();
  try {
    return await run();
  } finally {
    open.set(kind, open.get(kind) - 1);
    const { user, system } = process.cpuUsage(start);
    const span = (spans[kind] ??= { calls: 0, seconds: 0 });
    span.calls += 1;
    if (depth === 0) span.seconds += (user + system) / 1e6;
  }
}

/** Returns the path of the current test file. Empty outside of Jest, for example in the fuzz run. */
export const currentFile = () => current?.file ?? '';

/** Returns the beginning of the names of the databases of a test file. `scripts/test-times.mjs` counts the time of their PostgreSQL processes. */
export function databasePrefix(testPath) {
  const name = testPath.replace(/^.*?(?:^|\/)(?:test|libs|apps)\//, '').replace(/\.spec\.ts$/, '');
  return `test_${name.replaceAll(/\W/g, '_').toLowerCase().slice(0, 40)}_`;
}
