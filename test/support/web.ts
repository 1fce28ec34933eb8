import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { sessionCookieName } from '#platform/http';
import type { AxeResults } from 'axe-core';
import type { Settings } from '#platform/config';
import type { BrowserContext, Page } from 'playwright-core';
import { startApp, type TestApp } from './app.js';
import { sharedBrowser } from './chromium.js';
import { findFreePort } from './free-port.js';
import { measured } from './jest/file-time.mjs';
import { testServer } from './test-server.js';
import { sized } from './test-size.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Without the parts of the report that no test reads. */
const RUN_AXE = `axe.run({ resultTypes: ['violations'], preload: false, selectors: false })`;
const IMAGES_DIR = join(import.meta.dirname, '../../docs/images');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** The time limit of layout transitions after a resize. */
const RESIZING_TIMEOUT_MS = 5_000;

/** A script that returns the elements beyond the right edge of the window. */
const TOO_WIDE = `document.documentElement.scrollWidth <= window.innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
  .map((element) => element.outerHTML.slice(0, 120))`;

/** Error messages of responses with a status of 4xx and of a disconnected network. */
const NOT_A_FAULT = /^Failed to load resource|ERR_INTERNET_DISCONNECTED/;

const contexts: BrowserContext[] = [];
/** The script errors and violations of the content security policy in the windows of the test file. */
const faults: string[] = [];

/**
 * Starts the service before the tests of the file and stops it after them. After the tests, closes the windows and expects that they had no faults.
 * The base URL has the host `localhost`, which passkeys and identity providers require. Only tests and hooks can use the service.
 */
export function testSite(overrides: () => Partial<Settings> = () => ({})): TestApp {
  let app: TestApp | undefined;
  beforeAll(async () => {
    const port = await findFreePort();
    app = await startApp({ port, baseUrl: `http://localhost:${port}`, ...overrides() });
  });
  afterAll(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await app?.close();
    expect(faults.splice(0)).toEqual([]);
  });
  return new Proxy({} as TestApp, { get: (_, name) => app![name as keyof TestApp] });
}

/** Opens a page in a new window of the shared browser. `user` is signed in. A 4xx response is not a fault: the page shows the error. */
export const openPage = (app: TestApp, user?: { token: string }, locale = 'en-US'): Promise<Page> =>
  measured('open a browser window', async () => {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ baseURL: app.config.baseUrl, viewport: WIDE, reducedMotion: 'reduce', locale });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !NOT_A_FAULT.test(message.text())) faults.push(message.text());
    });
    if (user) await enterSession(page, app, user);
    return page;
  });

/** Opens a page before the tests of the file or block. Only tests and hooks can use it. */
export const testPage = (app: TestApp): Page => testServer(() => openPage(app));

/** Adds the session cookie of a user to the window of a page. */
export async function enterSession(page: Page, app: TestApp, { token }: { token: string }): Promise<void> {
  const cookie = { name: sessionCookieName(app.config), value: token, url: app.config.baseUrl, httpOnly: true };
  await page.context().addCookies([cookie]);
}

/**
 * Expects no axe-core violations on the current page. `npm run test:all` also checks the dark mode, and that nothing overflows on a narrow screen.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of sized(['light'] as const, ['light', 'dark'] as const, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    expect({ url: page.url(), colorScheme, violations: await violationsOf(page) }).toMatchObject({ violations: [] });
  }
  if (!sized(false, true, true)) return;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(NARROW);
  const tooWide = await elementsTooWide(page);
  await page.setViewportSize(WIDE);
  expect({ url: page.url(), tooWide }).toMatchObject({ tooWide: [] });
}

/** As `expectAccessible`, only in `npm run test:all`: for the further states of a page. */
export async function expectStateAccessible(page: Page): Promise<void> {
  if (sized(false, true, true)) await expectAccessible(page);
}

/** Returns the elements that overflow. Returns an empty list when the resized page fits into the window. */
async function elementsTooWide(page: Page): Promise<string[]> {
  for (const deadline = Date.now() + RESIZING_TIMEOUT_MS; ; await page.waitForTimeout(50)) {
    const tooWide = await page.evaluate<string[]>(TOO_WIDE);
    if (tooWide.length === 0 || Date.now() > deadline) return tooWide;
  }
}

async function violationsOf(page: Page): Promise<string[]> {
  // The content security policy would block a script element.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(RUN_AXE);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

/** Saves a screenshot as `docs/images/<name>.png` if `UPDATE_IMAGES=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_IMAGES'] !== '1') return;
  mkdirSync(IMAGES_DIR, { recursive: true });
  await page.setViewportSize(WIDE);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(IMAGES_DIR, `${name}.png`) });
}
