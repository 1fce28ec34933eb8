import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './free-port.js';
import { TestClient } from './http-client.js';
import { createTestDatabase, TEST_DISTRIBUTION } from './postgres.js';

const PROJECT_DIR = join(import.meta.dirname, '../..');
const ENTRY = join(PROJECT_DIR, 'dist/server/main.js');
const READY = / is ready/;
const START_LIMIT_MS = 180_000;
/** The number of characters that are kept from the end of each output stream. */
export const KEPT_CHARACTERS = 256_000;

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
  buildServer();
  const startedAt = performance.now();
  const service = new ServiceProcess({ LOG_LEVEL: 'silent', ...environment });
  const { code, signal } = await service.exited;
  const { stdout, stderr } = service;
  if (code !== 1 || signal !== null || stdout !== '')
    throw new Error(`The start ended with ${JSON.stringify({ code, signal, stdout, stderr })}.`);
  return { lines: stderr.trimEnd().split('\n'), tookMs: performance.now() - startedAt };
}

/** The built server as a child process. */
export class ServiceProcess {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'service-process-'));
  readonly exited: Promise<Exit>;

  /** Starts a server. Returns before the server is ready. */
  constructor(environment: ServiceEnvironment) {
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
        this[name] = (this[name] + text).slice(-KEPT_CHARACTERS);
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

  get pid(): number {
    return this.child.pid!;
  }

  /** The resident memory. */
  get memoryMb(): number {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' })) / 1_024;
  }

  /** Resolves when the server is ready. @throws Error with the output if the server exits or the start takes too long */
  async ready(): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    let ended = false;
    void this.exited.then(() => (ended = true));
    while (!READY.test(this.stdout)) {
      if (ended || performance.now() > deadline)
        throw new Error(`The service ${ended ? 'ended' : 'was not ready in time'}:\n${this.stdout}${this.stderr}`);
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

/** A service on a new database with processes that tests start and kill. All processes have the same environment. */
export class TestService {
  /** Has the platform key. */
  readonly client: TestClient;
  readonly url: string;
  private readonly cleanUps: (() => Promise<unknown>)[] = [];

  private constructor(readonly environment: ServiceEnvironment) {
    this.url = `http://127.0.0.1:${environment['PORT']}`;
    this.client = new TestClient(this.url, environment['PLATFORM_API_KEY']);
  }

  /**
   * Builds the server and creates a database. Starts no process. With `DATA_DIR`, the service uses its embedded database and creates its own secrets
   * key.
   */
  static async create(environment: ServiceEnvironment = {}): Promise<TestService> {
    buildServer();
    const isEmbedded = 'DATA_DIR' in environment;
    const database = isEmbedded || 'DATABASE_URL' in environment ? undefined : await createTestDatabase();
    const service = new TestService({
      ...(database && { DATABASE_URL: database.url }),
      ...(!isEmbedded && { SECRETS_KEY: randomBytes(32).toString('base64') }),
      PORT: String(await findFreePort()),
      PLATFORM_API_KEY: randomBytes(24).toString('hex'),
      ...environment,
    });
    if (database) service.cleanUps.push(() => database.drop());
    return service;
  }

  get port(): number {
    return Number(this.environment['PORT']);
  }

  /** Starts a process. Returns before the process is ready. */
  spawn(environment: ServiceEnvironment = {}): ServiceProcess {
    const process = new ServiceProcess({ ...this.environment, ...environment });
    this.cleanUps.push(() => process.kill());
    return process;
  }

  /** Starts a process. Resolves when the process is ready. */
  async start(environment: ServiceEnvironment = {}): Promise<ServiceProcess> {
    const process = this.spawn(environment);
    await process.ready();
    return process;
  }

  /** Kills all processes and drops the database. */
  async stop(): Promise<void> {
    for (const cleanUp of this.cleanUps.splice(0).toReversed()) await cleanUp();
  }
}
