import type { IncomingMessage, Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

const INTERVAL_MS = 5;
/** After this time, a request is assumed to block the event loop for ever. */
const HANGS_AFTER_MS = 60_000;
const SHOWN = 5;

/** Ends the process if a request blocks the event loop for ever: the thread of the event loop can't do that itself. */
const WATCHDOG = `
  const { writeSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  let timer;
  parentPort.on('message', (request) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      writeSync(2, 'FAILED: the event loop has been blocked for ${HANGS_AFTER_MS / 1000} s since this request: ' + request + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${HANGS_AFTER_MS});
  });
`;

interface Block {
  readonly ms: number;
  readonly request: string;
}

/**
 * Measures for how long the requests of a server block the event loop. A block counts for the last request that began before its end. The
 * time in which other processes used the processor is not counted.
 */
export class EventLoopBlocks {
  readonly longest: Block[] = [];
  private readonly watchdog = new Worker(WATCHDOG, { eval: true });
  private request = 'before the first request';
  private checkedAt = performance.now();
  private cpu = process.cpuUsage();

  constructor(server: Server, nameOf: (request: IncomingMessage) => string) {
    server.on('request', (request: IncomingMessage) => {
      this.request = nameOf(request);
      this.watchdog.postMessage(this.request, []);
    });
    // The message shows that the event loop runs. Without it, the watchdog assumes that the last request blocks the event loop.
    setInterval(() => this.watchdog.postMessage(this.request, []), 1_000).unref();
    setInterval(() => this.check(), INTERVAL_MS).unref();
    this.watchdog.unref();
  }

  shown(): string {
    return this.longest.map(({ ms, request }) => `  ${Math.round(ms)} ms: ${request}\n`).join('');
  }

  private check(): void {
    const { user, system } = process.cpuUsage(this.cpu);
    const now = performance.now();
    const ms = Math.min(now - this.checkedAt - INTERVAL_MS, (user + system) / 1e3);
    this.checkedAt = now;
    this.cpu = process.cpuUsage();
    this.longest.push({ ms, request: this.request });
    this.longest.sort((a, b) => b.ms - a.ms).splice(SHOWN);
  }
}
