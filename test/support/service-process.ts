import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_DISTRIBUTION } from './postgres.js';

const PROJECT_DIR = join(import.meta.dirname, '../..');
const ENTRY = join(PROJECT_DIR, 'dist/server/main.js');
const READY = / is ready/;
const START_LIMIT_MS = 180_000;
/** The number of characters that are kept from the end of each output stream. */
export const KEPT_CHARACTERS = 64_000;

/** Builds the server if the build is missing or older than the sources. */
export function buildServer(): void {
  const script = `import { buildIfStale } from './scripts/build-if-stale.mjs'; buildIfStale();`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: PROJECT_DIR,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The server does not build:\n${stderr}`);
}

/** The environment variables of the service. The process does not inherit other variables, except a few defaults. */
export type ServiceEnvironment = Readonly<Record<string, string>>;

export interface Exit {
  /** The exit code, or null if a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Starts a service that must fail to start. Resolves to the lines on standard error and the time until the exit.
 * @throws Error if the service exits with a code other than 1, or prints to standard output
 */
export async function failedStart(environment: ServiceEnvironment): Promise<{ lines: string[]; tookMs: number }> {
  const startedAt = performance.now();
  const service = ServiceProcess.spawn({ LOG_LEVEL: 'silent', ...environment });
  const { code, signal } = await service.exited;
  const { stdout, stderr } = service;
  if (code !== 1 || signal !== null || stdout !== '')
    throw new Error(`The start ended with ${JSON.stringify({ code, signal, stdout, stderr })}.`);
  return { lines: stderr.trimEnd().split('\n'), tookMs: performance.now() - startedAt };
}

/** The built server as a child process. */
export class ServiceProcess {
  private output = { stdout: '', stderr: '' };
  private readonly child: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'service-process-'));
  readonly exited: Promise<Exit>;

  private constructor(environment: ServiceEnvironment) {
    this.child = spawn(process.execPath, [ENTRY], {
      // Runs in a separate folder. In the project folder, the service would read the .env of the project.
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        LOG_LEVEL: 'warn',
        HOST: '127.0.0.1',
        ...(environment['DATABASE_URL'] && TEST_DISTRIBUTION ? { DATABASE_DISTRIBUTED: TEST_DISTRIBUTION } : {}),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]!.setEncoding('utf8').on('data', (text: string) => {
        this.output[name] = (this.output[name] + text).slice(-KEPT_CHARACTERS);
      });
    }
    // Kills the server if the test process exits early.
    const killAtExit = (): boolean => this.child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.exited = once(this.child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
      process.off('exit', killAtExit);
      rmSync(this.folder, { recursive: true, force: true });
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  /** Starts a server. Returns before the server is ready. */
  static spawn(environment: ServiceEnvironment): ServiceProcess {
    return new ServiceProcess(environment);
  }

  /** Starts a server. Resolves when the server is ready. @throws Error with the output if the server exits or the start takes too long */
  static async start(environment: ServiceEnvironment): Promise<ServiceProcess> {
    const service = new ServiceProcess(environment);
    await service.ready();
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    let ended = false;
    void this.exited.then(() => (ended = true));
    while (!READY.test(this.output.stdout)) {
      if (ended || performance.now() > deadline)
        throw new Error(`The service ${ended ? 'ended' : 'was not ready in time'}:\n${this.output.stdout}${this.output.stderr}`);
      await sleep(10);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  async terminate(): Promise<Exit> {
    this.child.kill('SIGTERM');
    return this.exited;
  }
}
