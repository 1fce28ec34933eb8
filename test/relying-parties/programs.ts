import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { SAMPLES } from '../../apps/web/src/dashboard/applications/snippets.js';
import { PASSWORD } from '../support/sign-in.js';

const ROOT = join(import.meta.dirname, '../..');
export const CACHE = join(ROOT, '.cache/relying-parties');
/** Time for downloads and compilers on a new machine. */
export const INSTALL_TIMEOUT_MS = 900_000;
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

const execute = promisify(execFile);

/** Prints the version of a program that signs users in at the service. */
export const printVersion = (version: string): void => void process.stderr.write(`${version.trim()}\n`);

/** Runs a command, and returns its output. @throws Error with all output when the command fails */
export async function run(folder: string, command: string, parameters: readonly string[]): Promise<string> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute(command, parameters, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${command} ${parameters.join(' ')}: ${error.message}\n${error.stdout ?? ''}`);
  });
  return stdout;
}

/** A client, as the programs need it. */
export interface ProgramClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of the program. */
  readonly url: string;
}

/** Returns a sample of the dashboard with the address of the program. */
export function sampleOf(name: string, { issuer, clientId, url }: ProgramClient, redirectPath: string): string {
  const redirectUri = `${url}${redirectPath}`;
  const sample = SAMPLES['web']![name]!({ issuer, clientId, redirectUri, resource: '', scope: '' });
  return sample.replaceAll('https://app.example.com', url);
}

/** A running program, which the tests stop. */
export class Program {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts a program, and waits until it responds at its address. Its output is part of the error if it ends. */
  static async start(client: ProgramClient, command: string, parameters: readonly string[], folder = CACHE): Promise<Program> {
    const { issuer, clientId, clientSecret, url } = client;
    const values = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, APP_URL: url, PORT: new URL(url).port };
    // Authlib and the session of the sample for Express need the last two.
    const env = { ...process.env, ...values, AUTHLIB_INSECURE_TRANSPORT: '1', SESSION_SECRET: 'a secret of the test' };
    const child = spawn(command, parameters, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const program = new Program(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-8_192)));
    for (const deadline = performance.now() + START_TIMEOUT_MS; !(await responds(url)); await sleep(POLL_MS)) {
      if (child.exitCode === null && performance.now() < deadline) continue;
      await program.stop();
      throw new Error(`${command} does not respond:\n${output}`);
    }
    if (process.env['TEST_LOG_LEVEL'] === 'debug') child.stdout.on('data', () => process.stderr.write(output));
    return program;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

async function responds(url: string): Promise<boolean> {
  const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}

/** Signs a user in at the pages of the service, and allows the access. An organization must own the domain of the address. */
export async function signInAtPages(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).click();
}
