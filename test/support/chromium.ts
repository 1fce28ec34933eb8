import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { installProgram } from './apt-get.js';

/** The shell without a user interface comes first: it takes a quarter less processor time (10 instead of 14 s for the walk of the webhooks). */
const CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
export const installedPath = (): string | undefined => CHROMIUM_PATHS.find((path) => existsSync(path));

let running: Promise<Browser> | undefined;

/**
 * Returns the headless Chromium that all test files of a Jest worker share. Starts Chromium on the first call. Test files close only their contexts.
 * Playwright closes the browser at the exit of the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  running ??= startChromium();
  const browser = await running.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  // The browser crashed, or an earlier start failed.
  running = startChromium();
  return running;
}

/** Installs and starts Chromium. @throws Error with the install command if the installation requires more privileges */
async function startChromium(): Promise<Browser> {
  await installProgram('chromium-headless-shell', () => installedPath() !== undefined);
  const executablePath = installedPath()!;
  // Chromium can't use its sandbox as root. The service is the source of all pages.
  // Without the zygote process, pages take 20 % less processor time.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--no-zygote'] : [];
  const options = { executablePath, args, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await withoutKeepingAlive(executablePath, () => chromium.launch(options));
  // The signal handlers of Playwright close Chromium and do not end the process.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void browser.close().finally(() => process.kill(process.pid, signal)));
  return browser;
}

/** Starts a child process that does not prevent the exit of the Jest worker. */
async function withoutKeepingAlive<T>(program: string, start: () => Promise<T>): Promise<T> {
  const spawned: ChildProcess[] = [];
  const record = (message: unknown): void => void spawned.push((message as { process: ChildProcess }).process);
  const spawning = channel('child_process');
  spawning.subscribe(record);
  try {
    return await start();
  } finally {
    spawning.unsubscribe(record);
    for (const child of spawned.filter(({ spawnfile }) => spawnfile === program)) {
      child.unref();
      for (const stream of child.stdio) (stream as Socket | null)?.unref();
    }
  }
}
