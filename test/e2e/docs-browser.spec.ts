import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { sharedBrowser } from '../support/chromium.js';
import { findFreePort } from '../support/free-port.js';

/** People type API keys into the page, and the page shares its origin with the dashboard. */
describe('the API documentation page', () => {
  let app: TestApp;
  let context: BrowserContext;

  beforeAll(async () => {
    const port = await findFreePort();
    app = await startApp({ port, baseUrl: `http://127.0.0.1:${port}` });
    context = await (await sharedBrowser()).newContext();
  });
  afterAll(async () => {
    await context?.close();
    await app?.close();
  });

  it('works with a content security policy that allows only the service', async () => {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${app.url}/docs`);
    // Swagger UI renders only the visible part of a long list.
    await page.getByPlaceholder('Filter by tag').fill('Operations');
    await page.getByText('/health/live').first().click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(faults).toEqual([]);

    await page.addScriptTag({ content: 'globalThis.injected = true' }).catch(() => undefined);
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false);
    const elsewhere = await page.evaluate(() => fetch('http://localhost:9/').catch(({ message }: Error) => message));
    expect(elsewhere).toMatch(/Failed to fetch/);
    for (const directive of ['script-src', 'connect-src'])
      expect(faults).toContainEqual(expect.stringMatching(new RegExp(`violates the following .*${directive} 'self'`)));
  });
});
