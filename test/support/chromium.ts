import { existsSync } from 'node:fs';
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

/**
 * Starts a real Chromium without a window, installing it first where that is possible.
 * @throws Error naming the command that installs it everywhere else.
 */
export async function startChromium(): Promise<Browser> {
  await installProgram({
    debianPackage: 'chromium',
    homebrewPackage: '--cask chromium',
    described: 'Chromium',
    isThere: () => installedAt() !== undefined,
  });
  // As root there is no sandbox; the pages are our own.
  return chromium.launch({ executablePath: installedAt()!, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
