import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { request } from 'undici';
import { newOrganization } from '../support/organizations.js';
import { filesLoadedBy } from '../support/page-bytes.js';
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

  it.each([
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('is cached for a year (Accept-Encoding %s, Content-Encoding %s)', async (accepted, sent) => {
    for (const [path, type] of [
      [dashboardFiles.find((file) => /first-.+js$/.test(file)), /^text\/javascript/],
      [dashboardFiles.find((file) => /first-.+css$/.test(file)), /^text\/css/],
    ] as const) {
      const { statusCode, headers, body } = await request(`${app.url}${path}`, { headers: { 'accept-encoding': accepted } });
      await body.dump({ limit: 10_000_000 });
      expect([statusCode, headers['content-encoding'], headers['cache-control']]).toEqual([
        200,
        sent,
        'public, max-age=31536000, immutable',
      ]);
      expect(headers['content-type']).toMatch(type);
      expect(headers['vary']).toMatch(/accept-encoding/i);
    }
  });
});
