import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { findFreePort } from '../../support/free-port.js';
import { ROOT, SAMPLES } from './blocks.js';

const execute = promisify(execFile);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const STEPS = ['quickstart', 'quickstart_deliveries', 'quickstart_receiver'] as const;
const WAIT_MS = 20_000;

/** The command that runs a program. */
type CommandOf = (program: string) => readonly [command: string, ...parameters: string[]];

/** The samples of `docs/quickstart.md` in one language. */
export class Quickstart {
  /** Installs the client in a project. */
  readonly install: string;
  /** The programs by name. The programs create resources, list deliveries, and receive deliveries. */
  readonly programs: Readonly<Record<string, string>>;

  private constructor(
    private readonly app: TestApp,
    private readonly receiverUrl: string,
    blocks: readonly string[],
  ) {
    const [install, ...programs] = blocks;
    expect(programs).toHaveLength(STEPS.length);
    this.install = install!;
    this.programs = Object.fromEntries(programs.map((code, index) => [STEPS[index]!, code]));
  }

  /** Returns the samples with `checked-by` of the test file. Replaces the addresses of the service and the receiver. */
  static async of(spec: string, app: TestApp): Promise<Quickstart> {
    const port = String(await findFreePort());
    const samples = SAMPLES.get('docs/quickstart.md')!.filter(({ checkedBy }) => checkedBy === spec);
    const blocks = samples.map(({ code }) =>
      code
        .replaceAll('/path/to/identity-service', ROOT)
        .replaceAll('http://localhost:3000', app.url)
        .replaceAll(/\b4000\b/g, port),
    );
    return new Quickstart(app, `http://127.0.0.1:${port}/`, blocks);
  }

  /** Runs the programs and expects the output that the page shows. */
  async run(cwd: string, commandOf: CommandOf): Promise<void> {
    const env = { ...process.env, API_KEY: this.app.platformKey, WEBHOOK_SECRET: SECRET };
    const [command, ...parameters] = commandOf('quickstart_receiver');
    const receiver = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(receiver, 'exit');
    const printed: string[] = [];
    createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line));
    const print = async (program: string): Promise<string> => {
      const [file, ...rest] = commandOf(program);
      return (await execute(file, rest, { cwd, env })).stdout;
    };
    try {
      await this.rejectsUnsigned();
      await print('quickstart');
      await eventually(() => printed.includes('user.created ada@example.com'), WAIT_MS, 'the receiver prints the event');
      // The service stores the result shortly after the response of the receiver.
      const isStored = async () => (await print('quickstart_deliveries')) === 'user.created succeeded 1\n';
      await eventually(isStored, WAIT_MS, 'the program prints the delivery');
      const { body } = await this.app.api.platform.get('/v1/organizations/quick/users?email=ada@example.com').expect(200);
      expect(body.data).toMatchObject([{ firstName: 'Ada', status: 'pending' }]);
    } finally {
      receiver.kill();
      await ended;
    }
  }

  /** Expects that the receiver rejects an unsigned request. Waits for the receiver to start. */
  private async rejectsUnsigned(): Promise<void> {
    const request = { method: 'POST', body: '{"id":"evt_1","type":"user.created","data":{"email":"ada@example.com"}}' };
    let response: Response | undefined;
    for (const end = Date.now() + WAIT_MS; response === undefined && Date.now() < end; await sleep(50))
      response = await fetch(this.receiverUrl, request).catch(() => undefined);
    expect(response?.status).toBe(401);
  }
}
