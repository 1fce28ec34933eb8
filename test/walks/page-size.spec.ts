import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { newOrganization } from '../support/organizations.js';
import { everyNth, sized } from '../support/test-size.js';
import { openPage, testSite } from '../support/web.js';

const BYTES_MAX = 120_000;

describe('the first page load', () => {
  const app = testSite();
  let page: Page;
  let dashboardFiles: string[];
  beforeAll(async () => {
    await newOrganization(app, { name: 'Acme', slug: 'acme', settings: { allowPublicSignup: true } });
    const dashboard = await (await fetch(`${app.url}/dashboard`)).text();
    // The helpers of the bundler belong to the sign-in pages and the dashboard.
    dashboardFiles = (dashboard.match(/\/assets\/[^"]+/g) ?? []).filter((path) => !path.includes('rolldown-runtime'));
    expect(dashboardFiles.length).toBeGreaterThan(1);
    page = await openPage(app, undefined, 'de-DE');
  });

  const pages = [
    '/account/sign-in',
    '/account/sign-in?organization=acme',
    '/account/sign-up?organization=acme',
    '/account/forgot-password?organization=acme',
    '/accept-invitation?token=x',
    '/reset-password?token=x',
    '/verify-email?token=x',
    '/cancel-email-change?token=x',
  ];

  it.each(sized(everyNth(pages, 4, 3), pages, pages))('is smaller than 120 kB at %s', async (address) => {
    const files = await filesLoadedBy(page, address);
    const total = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
    expect(files.size).toBeGreaterThan(3);
    expect([...files.keys()].filter((path) => dashboardFiles.includes(path))).toEqual([]);
    expect({ files: [...files], total, isSmall: total < BYTES_MAX }).toMatchObject({ isSmall: true });
  });
});

/** Opens a page without the cache. Returns the compressed sizes of the loaded files by path, in bytes without headers, excluding API responses. */
async function filesLoadedBy(page: Page, address: string): Promise<Map<string, number>> {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  devTools.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  devTools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? '';
    if (!path.startsWith('/v1/')) bytes.set(path, (bytes.get(path) ?? 0) + encodedDataLength);
  });
  await devTools.send('Network.enable');
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await devTools.detach();
  return bytes;
}
