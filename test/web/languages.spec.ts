import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { newOrganization } from '../support/organizations.js';
import { addAdaAndGrace } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

describe('the page language', () => {
  let app: TestApp;
  let organizationId: string;
  let owner: SignedIn;
  const windows: Window[] = [];

  const open = async (locale?: string): Promise<Window> => {
    const window = await openWindow(app.config.baseUrl, locale);
    windows.push(window);
    return window;
  };

  beforeAll(async () => {
    app = await startSite();
    organizationId = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
    await addAdaAndGrace(app, organizationId);
    owner = await signedIn(app, organizationId, { roles: ['owner'] });
  });
  afterAll(() => expect(windows.flatMap(({ faults }) => faults)).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it('is the language of the browser before sign-in', async () => {
    const { page } = await open('de-AT');
    await page.goto('/account/sign-in?organization=acme');
    await page.getByRole('heading', { name: 'Bei Acme anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectAccessible(page);
  });

  it('is the organization default if the browser language is not supported', async () => {
    await newOrganization(app, { name: 'Beispiel', slug: 'beispiel', settings: { defaultLocale: 'de' } });
    const { page } = await open('fr-FR');
    await page.goto('/account/sign-in?organization=beispiel');
    await page.getByRole('heading', { name: 'Bei Beispiel anmelden' }).waitFor();
  });

  it('is the profile language after sign-in', async () => {
    const window = await open();
    const { page } = window;
    await enterSession(window, app, owner.token);
    await page.goto('/account');
    await page.getByLabel('Language', { exact: true }).first().click();
    await page.getByRole('option', { name: 'German' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Speichern' }).waitFor();
    const { locale } = (await owner.client.get('/v1/auth/me').expect(200)).body.data;
    expect(locale).toBe('de');

    await page.goto(`/dashboard/organizations/${organizationId}/users`);
    await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor();
    await page.getByRole('link', { name: /Ada/ }).first().waitFor();
    await expectAccessible(page);
  });
});
