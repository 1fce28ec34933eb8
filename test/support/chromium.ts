import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { installProgram } from './apt-get.js';

/** Where Chromium or Chrome is installed on Linux and macOS. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const installedAt = (): string | undefined => PLACES.find((path) => existsSync(path));

let running: Promise<Browser> | undefined;

/**
 * The Chromium of this process, which all test files of a Jest worker share. It has no window and is started by the first call.
 * Test files close the contexts that they open, not the browser: Playwright ends it when the process exits.
 */
export async function sharedBrowser(): Promise<Browser> {
  running ??= startChromium();
  const browser = await running.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  // It crashed, or did not start the last time.
  running = startChromium();
  return running;
}

/** @throws Error naming the command that installs Chromium where the tests can't install it themselves. */
async function startChromium(): Promise<Browser> {
  await installProgram({
    debianPackage: 'chromium',
    homebrewPackage: '--cask chromium',
    described: 'Chromium',
    isThere: () => installedAt() !== undefined,
  });
  const executablePath = installedAt()!;
  // As root there is no sandbox; the pages are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const options = { executablePath, args, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await withoutKeepingAlive(executablePath, () => chromium.launch(options));
  // Playwright's own handlers of these signals close Chromium, but do not end the process.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void browser.close().finally(() => process.kill(process.pid, signal)));
  return browser;
}

/** Starts a program as a child process that does not keep this process running: otherwise a Jest worker would not end by itself. */
async function withoutKeepingAlive<T>(program: string, start: () => Promise<T>): Promise<T> {
  const spawned: ChildProcess[] = [];
  const note = (message: unknown): void => void spawned.push((message as { process: ChildProcess }).process);
  const spawning = channel('child_process');
  spawning.subscribe(note);
  try {
    return await start();
  } finally {
    spawning.unsubscribe(note);
    for (const child of spawned.filter(({ spawnfile }) => spawnfile === program)) {
      child.unref();
      for (const stream of child.stdio) (stream as Socket | null)?.unref();
    }
  }
}
