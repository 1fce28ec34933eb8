import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppLogger } from '#platform/observability';
import { StartFailure } from '../start-failure.js';
import { onMessage } from './messages.js';
import { restartPauseMs } from './restart-pause.js';

/** What a process may take longer than the limit of the shutdown, to close what it holds, before it is killed. */
const KILL_MARGIN_MS = 2_500;

/** The processes that serve one port together, forked from this one. One that dies gets a successor. */
export class ServerProcesses {
  private readonly readyOnes = new Set<Worker>();
  private stopping = false;

  /** @param environment what they get on top of this process's own */
  constructor(
    private readonly count: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logger: AppLogger,
  ) {}

  /** Those that serve now. */
  get ready(): readonly Worker[] {
    return [...this.readyOnes];
  }

  /**
   * Starts one, which shows the operator what is shown once, and then the others; resolves when the first serves.
   * @throws StartFailure when the first ends before; it has said why
   */
  async start(): Promise<void> {
    const first = this.fork();
    await this.started(first);
    if (this.stopping) return;
    void this.keep(first);
    for (let index = 1; index < this.count; index++) void this.keep(this.fork());
  }

  /** Lets all finish what is under way, and kills those that take longer than `limitMs` and a little. */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];
    const signalAll = (signal: NodeJS.Signals): void => running.forEach((worker) => worker.process.kill(signal));
    const kill = setTimeout(signalAll, limitMs + KILL_MARGIN_MS, 'SIGKILL');
    const ended = Promise.all(running.map((worker) => once(worker, 'exit')));
    signalAll('SIGTERM');
    await ended;
    clearTimeout(kill);
  }

  private fork(): Worker {
    const worker = cluster.fork(this.environment);
    onMessage(worker, 'started', () => {
      this.readyOnes.add(worker);
      this.logger.log(`Process ${worker.process.pid} is ready.`);
    });
    worker.once('exit', () => this.readyOnes.delete(worker));
    return worker;
  }

  private started(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      onMessage(worker, 'started', () => resolve());
      worker.once('exit', (code, signal) =>
        reject(new StartFailure(`The first of ${this.count} processes exited before it was ready (${reasonOf(code, signal)}).`)),
      );
    });
  }

  /** Sees to it that the process, or a successor, runs until all are to stop. */
  private async keep(worker: Worker): Promise<void> {
    let pauseMs = 0;
    for (let current = worker; ; current = this.fork()) {
      const startedAtMs = performance.now();
      const [code, signal] = (await once(current, 'exit')) as [number, NodeJS.Signals | null];
      if (this.stopping) return;
      pauseMs = restartPauseMs(performance.now() - startedAtMs, pauseMs);
      this.logger.error(
        `Process ${current.process.pid} exited (${reasonOf(code, signal)}); starting another one in ${pauseMs} ms.`,
      );
      await sleep(pauseMs);
      if (this.stopping) return;
    }
  }
}

/** A process that a signal ended has no exit code. */
function reasonOf(code: number | null, signal: NodeJS.Signals | string | null): string {
  return signal ? String(signal) : `exit code ${code}`;
}
