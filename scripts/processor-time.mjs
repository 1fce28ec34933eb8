import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;
const INTERVAL_MS = 500;
/** Servers and browsers by the names of their programs. */
const PROGRAMS = {
  postgres: 'PostgreSQL',
  'redis-server': 'Redis',
  chromium: 'Chromium',
  chrome: 'Chromium',
  'chromium-headle': 'Chromium',
};
/** The title of a PostgreSQL process with a connection to the database of a test file. */
const CONNECTION = /^postgres: \S+ (test_\w+) /;

/**
 * Measures the processor time of this process and all its descendants from /proc, detached servers included. The kernel adds the time of an exited
 * process to the process that waited for it, so processes that are shorter than the interval count, too. Works on Linux only.
 */
export class ProcessorTime {
  static isSupported = process.platform === 'linux';
  /** Seconds by part of the run, and by database of a test file. */
  parts = {};
  databases = {};
  #assigned = new Map();
  #known = new Map();
  #others = new Set();
  #marker;

  /** @param marker A variable in the environment of all descendants, such as `TEST_RUN=123`. Finds servers whose parent exited. */
  constructor(marker) {
    this.#marker = marker;
    this.sample();
    if (ProcessorTime.isSupported) setInterval(() => this.sample(), INTERVAL_MS).unref();
  }

  /** Assigns a child process and its descendants to a part of the run. */
  assign(pid, part) {
    this.#assigned.set(pid, part);
  }

  sample() {
    if (!ProcessorTime.isSupported) return;
    const running = runningProcesses();
    this.#forgetExited(running);
    for (const [pid, { ticks, parent, program }] of running) {
      if (!this.#isOurs(pid, running)) continue;
      const known = this.#known.get(pid);
      if (known.program !== program) this.#identify(pid, known, program, parent);
      const seconds = (ticks - known.ticks) / TICKS_PER_SECOND;
      this.parts[known.part] = (this.parts[known.part] ?? 0) + seconds;
      if (known.database) this.databases[known.database] = (this.databases[known.database] ?? 0) + seconds;
      Object.assign(known, { ticks, parent });
    }
  }

  /** The nearest running ancestor of an exited process got its time, which is counted already. */
  #forgetExited(running) {
    const exited = [...this.#known].filter(([pid]) => !running.has(pid));
    for (const [, { ticks, parent }] of exited) {
      let ancestor = parent;
      while (this.#known.has(ancestor) && !running.has(ancestor)) ancestor = this.#known.get(ancestor).parent;
      if (this.#known.has(ancestor)) this.#known.get(ancestor).ticks += ticks;
    }
    for (const [pid] of exited) this.#known.delete(pid);
    for (const pid of this.#others) if (!running.has(pid)) this.#others.delete(pid);
  }

  #isOurs(pid, running) {
    if (this.#known.has(pid)) return true;
    if (this.#others.has(pid) || !running.has(pid)) return false;
    const { parent } = running.get(pid);
    const isOurs =
      pid === process.pid || this.#isOurs(parent, running) || read(`/proc/${pid}/environ`).includes(`${this.#marker}\0`);
    if (isOurs) this.#known.set(pid, { ticks: 0, parent });
    else this.#others.add(pid);
    return isOurs;
  }

  #identify(pid, known, program, parent) {
    const part = PROGRAMS[program] ?? this.#assigned.get(pid) ?? this.#known.get(parent)?.part ?? 'other';
    const database = part === 'PostgreSQL' ? CONNECTION.exec(read(`/proc/${pid}/cmdline`))?.[1] : undefined;
    Object.assign(known, { program, part, database });
  }
}

/** Returns the processor time of this process and all its descendants. Only of this process if the system isn't Linux. */
export function secondsOfThisTree() {
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1e6;
  if (!ProcessorTime.isSupported) return seconds;
  const running = runningProcesses();
  const isDescendant = (parent) => parent === process.pid || (running.has(parent) && isDescendant(running.get(parent).parent));
  const descendants = [...running.values()].filter(({ parent }) => isDescendant(parent));
  const ticks = descendants.reduce((sum, { ticks }) => sum + ticks, running.get(process.pid).ticksOfExited);
  return seconds + ticks / TICKS_PER_SECOND;
}

/** Returns the program, the parent and the ticks of each process. `ticks` includes `ticksOfExited`, the ticks of the children that exited. */
function runningProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.map((pid) => [Number(pid), statOf(pid)]).filter(([, stat]) => stat));
}

function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  const nameEnd = text.lastIndexOf(')');
  if (nameEnd < 0) return undefined;
  const fields = text.slice(nameEnd + 2).split(' ');
  const [user, system, exitedUser, exitedSystem] = fields.slice(11, 15).map(Number);
  const ticksOfExited = exitedUser + exitedSystem;
  return {
    program: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    ticks: user + system + ticksOfExited,
    ticksOfExited,
  };
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
