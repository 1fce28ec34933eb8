import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { enterAs, enterAsOperator } from '../support/dashboard.js';
import type { TestBody } from '../support/http-client.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { activeUser } from '../support/sign-in.js';
import { closeWindows, expectAccessible, openWindow, picture, type Window } from '../support/web.js';

describe('the settings page', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let parentId: string;
  let childId: string;

  const make = async (body: object): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', body).expect(201)).body.data.id;
  const settingsOf = async (id: string): Promise<TestBody> =>
    (await app.api.platform.get(`/v1/organizations/${id}/settings`).expect(200)).body.data;
  const open = (id: string, rest = '') => page.goto(`/dashboard/organizations/${id}/settings${rest}`);
  const preview = () => page.getByRole('dialog', { name: 'Preview changes' });

  beforeAll(async () => {
    app = await startApp();
    parentId = await make({ name: 'Acme', settings: { sessionTimeout: 7_200 }, lockedSettings: ['sessionTimeout'] });
    childId = await make({ name: 'Acme Europe', parentId, settings: { passwordPolicy: { minLength: 20 } } });
    await activeUser(app, parentId, { email: 'ada@acme.example', roles: ['owner'] });
    await activeUser(app, childId, { email: 'eve@acme.example' });
    window = await openWindow(app.url);
    page = window.page;
    await enterAsOperator(app, page);
  });
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it('shows the value and source of each setting', async () => {
    await open(childId);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByText('2 hours').waitFor();
    const lock = page.getByText(/^Locked by/);
    await lock.getByRole('link', { name: 'Acme' }).waitFor();
    expect(await page.getByRole('button', { name: /^Override: Idle timeout/ }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Minimum length' }).inputValue()).toBe('20 characters');
    await expectAccessible(page);
    await picture(page, 'settings');
  });

  it('is accessible in light and dark mode', async () => {
    await open(parentId);
    await page.getByRole('button', { name: 'Override: Require MFA' }).click();
    await page.getByRole('switch', { name: 'Require MFA', exact: true }).press('Space');
    await page.getByRole('switch', { name: 'Lock “Require MFA” for child organizations' }).press('Space');
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByText('2 users do not comply').waitFor();
    await expectAccessible(page);
  });

  it('requires an identity provider only where users can sign in with one', async () => {
    const requireProvider = async () => {
      await open(childId);
      await page.getByRole('button', { name: 'Override: Require sign-in with an identity provider' }).click();
      await page.getByRole('switch', { name: 'Require sign-in with an identity provider', exact: true }).press('Space');
      await page.getByRole('button', { name: 'Preview and save' }).click();
    };
    await requireProvider();
    await preview().getByRole('alert').getByText('Add such an identity provider first.').waitFor();
    await insertTrustedProvider(app, parentId);
    await requireProvider();
    await preview().getByText('1 user is not linked to an identity provider yet').waitFor();
    await preview().getByRole('button', { name: 'Save changes' }).click();
    await preview().waitFor({ state: 'detached' });
    expect((await settingsOf(childId)).ssoRequired.value).toBe(true);
    await app.api.platform.patch(`/v1/organizations/${childId}`, { settings: { ssoRequired: null } }).expect(200);
  });

  it('removes an override', async () => {
    // If MFA is required, the default minimum length of passwords is 8.
    const locked = { settings: { requireMfa: true }, lockedSettings: ['sessionTimeout', 'requireMfa'] };
    await app.api.platform.patch(`/v1/organizations/${parentId}`, locked).expect(200);
    await open(childId);
    await page.getByRole('button', { name: 'Remove override: Minimum length' }).click();
    await page.getByText('Will be inherited again').waitFor();
    await page.getByRole('button', { name: 'Override: Public sign-up' }).click();
    await page.getByRole('button', { name: 'Undo: Public sign-up' }).click();
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByText('Minimum length: 20 characters → 8 characters').waitFor();
    await preview().getByRole('button', { name: 'Save changes' }).click();
    await preview().waitFor({ state: 'detached' });
    expect((await settingsOf(childId)).passwordPolicy.minLength).toEqual({ value: 8, source: 'default' });
  });

  it('shows an error after a concurrent change', async () => {
    await open(childId);
    await page.getByRole('button', { name: 'Override: Public sign-up' }).click();
    await page.getByRole('switch', { name: 'Public sign-up', exact: true }).press('Space');
    await app.api.platform.patch(`/v1/organizations/${childId}`, { settings: { allowedDomains: ['acme.example'] } }).expect(200);
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByText('Public sign-up: Off → On').waitFor();
    await preview().getByRole('button', { name: 'Save changes' }).click();
    await preview()
      .getByText(/^Someone else changed this organization/)
      .waitFor();
    expect((await settingsOf(childId)).allowPublicSignup.value).toBe(false);

    await open(parentId);
    await page.getByRole('button', { name: 'Override: Allowed email domains' }).click();
    await page.getByLabel('Allowed email domains', { exact: true }).first().fill('not a_domain');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByRole('alert').waitFor();
  });

  it('previews the branding during edits', async () => {
    await open(parentId, '?tab=branding');
    await page.getByRole('textbox', { name: 'Primary color' }).fill('#ffe066');
    await page.getByText(/^The contrast of this color on a white page is too low/).waitFor();
    await page.getByRole('textbox', { name: 'Primary color' }).fill('#0b7285');
    await page.getByText(/^The contrast of this color on a white page is too low/).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Primary color' }).press('Tab');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const { branding } = (await app.api.platform.get(`/v1/organizations/${parentId}`).expect(200)).body.data;
    expect(branding).toEqual({ primaryColor: '#0b7285' });
  });

  it('hides the controls from a member', async () => {
    const reader = await openWindow(app.url);
    const org = await make({ name: 'Initech' });
    await activeUser(app, org, { email: 'peter@initech.example' });
    await enterAs(app, reader.page, 'initech', 'peter@initech.example');
    await reader.page.goto(`/dashboard/organizations/${org}/settings`);
    await reader.page.getByText('You can view these settings but not change them.').waitFor();
    expect(await reader.page.getByRole('button', { name: /^Override:/ }).count()).toBe(0);
    expect(reader.faults).toEqual([]);
    await reader.context.close();
  });

  it('logs no errors', () => {
    expect(window.faults).toEqual([]);
  });
});
