import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { enterAs, enterAsOperator, operatorLink } from '../support/dashboard.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newOrganization } from '../support/organizations.js';
import { activeUser } from '../support/sign-in.js';
import { closeWindows, expectAccessibleOnce, openWindow, picture, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

let app: TestApp;
let window: Window;
let page: Page;

const dialog = (name?: string) => page.getByRole('dialog', { name });

// Each test starts a service. The first organization can be created only once.
beforeEach(async () => {
  app = await startApp();
  window = await openWindow(app.url);
  page = window.page;
});
afterEach(() => expect(window.faults).toEqual([]));
afterEach(async () => {
  await closeWindows();
  await app?.close();
});

describe('the organizations area', () => {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  it(
    'lets an operator create, edit and suspend an organization',
    async () => {
      await createFirstOrganization();
      await inviteOwner();
      await createChildOrganization();
      await editOrganization();
      await suspendOrganization();
      await activateOrganization();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function createFirstOrganization(): Promise<void> {
    await page.goto(await operatorLink(app));
    await page.getByLabel('Organization name').fill('Acme');
    expect(page.url()).toBe(`${app.url}/dashboard/getting-started`);
    await expectAccessibleOnce(page);
    await page.keyboard.press('Enter');
  }

  async function inviteOwner(): Promise<void> {
    await page.getByLabel('Email address').fill('nobody');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    // The browser rejects the first address. The service rejects the second address.
    await page.getByLabel('Email address').fill('ada@localhost');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText(/must be/).waitFor();
    await page.getByLabel('Email address').fill('ada@acme.example');
    await page.getByRole('button', { name: 'Send invitation' }).click();

    await page.getByRole('heading', { name: 'Setup complete' }).waitFor();
    const mailbox = await page.getByRole('link', { name: 'Open mailbox' }).getAttribute('href');
    expect(mailbox).toBe('/dev/mailbox?to=ada%40acme.example');
    expect(await mailsTo(app, 'ada@acme.example')).toMatchObject([{ template: 'invitation' }]);
    const { data } = (await app.api.platform.get('/v1/organizations/acme/members?role=owner').expect(200)).body;
    expect(data).toMatchObject([{ email: 'ada@acme.example', role: 'owner', status: 'pending' }]);
  }

  /** Creates a child organization. The slug must be unique. */
  async function createChildOrganization(): Promise<void> {
    await page.getByRole('link', { name: 'Continue as operator' }).click();
    await heading('Acme').waitFor();
    await page.getByRole('button', { name: 'Create child organization' }).click();
    await dialog().getByLabel('Slug').fill('acme');
    await dialog().getByLabel('Name').fill('Acme Asia');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog()
      .getByText(/is already taken/)
      .waitFor();
    await dialog().getByLabel('Slug').fill('');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('Acme Asia').waitFor();
    const path = page.getByRole('navigation', { name: 'Breadcrumb' });
    expect(await path.getByRole('link').allTextContents()).toEqual(['All organizations', 'Acme']);
  }

  /** Edits the metadata of the organization. The metadata must be a JSON object. */
  async function editOrganization(): Promise<void> {
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Metadata').fill('{"plan": ');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('This is not a JSON object.').waitFor();
    await dialog().getByLabel('Metadata').fill('{"plan": "pro"}');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('"plan": "pro"').waitFor();
    await expectAccessibleOnce(page);
  }

  async function suspendOrganization(): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await dialog().getByLabel('Reason').fill('Unpaid invoices');
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor();
  }

  async function activateOrganization(): Promise<void> {
    await page.getByRole('button', { name: 'Activate' }).click();
    await dialog().getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor({ state: 'detached' });
  }
});

describe('the settings page', () => {
  let parentId: string;
  let childId: string;

  const previewDialog = () => dialog('Preview changes');
  const settings = async (): Promise<TestBody> =>
    (await app.api.platform.get(`/v1/organizations/${childId}/settings`).expect(200)).body.data;

  beforeEach(async () => {
    parentId = (await newOrganization(app, { name: 'Globex' })).id;
    childId = (await newOrganization(app, { name: 'Globex Europe', parentId })).id;
    await activeUser(app, parentId, { email: 'ada@globex.example', roles: ['owner'] });
    await activeUser(app, childId, { email: 'eve@globex.example' });
  });

  it(
    'lets an operator require MFA in a child organization',
    async () => {
      await enterAsOperator(app, page);
      await previewSettings();
      await saveSettings();
      await signInAsUserOfChild();
    },
    JOURNEY_TIMEOUT_MS,
  );

  /** Requires MFA, locks the setting for child organizations, and previews the effects. */
  async function previewSettings(): Promise<void> {
    await page.goto(`/dashboard/organizations/${parentId}/settings`);
    await page.getByRole('button', { name: 'Override: Require MFA' }).click();
    await page.getByRole('switch', { name: 'Require MFA', exact: true }).press('Space');
    await page.getByRole('switch', { name: 'Lock “Require MFA” for child organizations' }).press('Space');
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Preview and save' }).click();
    const preview = previewDialog();
    await preview.getByText('2 organizations would change').waitFor();
    await preview.getByText('2 users in these organizations').waitFor();
    await preview.getByText('2 users do not comply').waitFor();
    expect(await preview.getByText('Require MFA: Off → On').count()).toBe(2);
    await preview.getByText(/Will be locked for child organizations: Require MFA/).waitFor();
    expect((await settings()).requireMfa.value).toBe(false);
    await expectAccessibleOnce(page);
    await picture(page, 'settings-preview');
  }

  async function saveSettings(): Promise<void> {
    const preview = previewDialog();
    await preview.getByRole('button', { name: 'Save' }).click();
    await preview.waitFor({ state: 'detached' });
    expect((await settings()).requireMfa).toMatchObject({ value: true, lockedBy: { id: parentId } });
  }

  async function signInAsUserOfChild(): Promise<void> {
    const userWindow = await openWindow(app.url);
    await enterAs(app, userWindow.page, 'globex-europe', 'eve@globex.example');
    await userWindow.page.goto('/dashboard');
    await userWindow.page.waitForURL('**/account/security?**');
    await userWindow.page.getByText('Your organization requires multi-factor authentication').waitFor();
    expect(userWindow.faults).toEqual([]);
  }
});
