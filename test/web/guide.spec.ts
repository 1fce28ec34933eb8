import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectAccessible, openPage, testSite } from '../support/web.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => /^[^[]*\.md$/.test(name));

describe('the guide', () => {
  const app = testSite();
  const get = (path: string, init: RequestInit = {}) => fetch(`${app.url}/docs/guide${path}`, { redirect: 'manual', ...init });

  it('contains every page of docs/', async () => {
    expect(PAGES.length).toBeGreaterThan(100);
    for (const page of PAGES) {
      const response = await get(`/${page.replace(/\.md$/, '').replace(/(^|\/)(?:index|README)$/, '$1')}`);
      const html = await response.text();
      expect([page, response.status, response.headers.get('content-type')]).toEqual([page, 200, 'text/html; charset=utf-8']);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle="|(?:src|<link[^>]*href)="(?:https?:)?\/\//);
    }
  });

  it('runs only scripts of the service', async () => {
    const page = await get('/guides/webhooks');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    const reference = (await fetch(`${app.url}/docs`)).headers.get('content-security-policy')!;
    expect(reference).toContain("default-src 'none'; script-src 'self';");
    for (const each of [policy, reference]) expect(each).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/guides/webhooks', {
      headers: { 'If-None-Match': page.headers.get('etag')!, 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);

    const asset = /\/assets\/app\.[^"]+\.js/.exec(await page.text())![0];
    const script = await get(asset);
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it('returns 404 for nonexistent pages', async () => {
    for (const path of ['/no-such-page', '/assets/none.js', '/..%2f..%2fpackage.json']) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(await response.text()).toContain('<title>404 | Identity service</title>');
    }
    expect((await get('')).headers.get('location')).toBe('/docs/guide/');
    expect((await get('/adr')).headers.get('location')).toBe('/docs/guide/adr/');
    expect((await get('/guides/api', { method: 'POST' })).status).toBe(404);
  });

  it('shows a sample in the selected language', async () => {
    const page = await openPage(app);
    await page.goto('/docs/guide/quickstart');
    const group = page.locator('.vp-code-group', { hasText: 'curl' }).first();
    const visibleSample = group.locator('.blocks > div:visible');
    const isShown = async (code: string): Promise<void> => {
      await visibleSample.filter({ hasText: code }).waitFor();
      expect(await visibleSample.count()).toBe(1);
    };
    await isShown('curl -X POST');
    for (const [language, code] of [
      ['Go', 'identity.NewClient('],
      ['Python', 'IdentityClient('],
      ['TypeScript', 'createIdentityClient('],
    ] as const) {
      await group.locator('label', { hasText: language }).click();
      await isShown(code);
    }
    await page.keyboard.press('ArrowLeft');
    await isShown('curl -X POST');
    await expectAccessible(page);
  });

  it('has working links on the project pages', async () => {
    const page = await openPage(app);
    await page.goto('/docs/guide/project/readme');
    await page.getByRole('img', { name: 'A webhook in the dashboard' }).scrollIntoViewIfNeeded();
    await page.waitForFunction('() => [...document.querySelectorAll("main img")].every((image) => image.naturalWidth > 0)');
    await page.locator('main').getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
  });
});
