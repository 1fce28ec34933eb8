// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { elementsOf, openArea } from '../support/pages.js';
import { ScimClient, setActive } from '../support/scim.js';
import { signedIn } from '../support/signed-in.js';
import { expectAccessible, expectStateAccessible, openPage, picture, testSite } from '../support/web.js';

const NAMES = ['ada', 'bob', 'eve', 'joe'] as const;

describe('the pages of SCIM connections', () => {
  const app = testSite();
  let organization: TestBody;
  let page: Page;
  let scim: ScimClient;
  const ids = new Map<string, string>();

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const { button, dialog, heading } = elementsOf(() => page);
  const confirm = async (name: string): Promise<void> => {
    await button(name).click();
    await expectStateAccessible(page);
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const isInMode = (mode: string) => page.getByText(mode, { exact: true }).waitFor();
  const userAt = (name: string): string => `/Users/${ids.get(name)!}`;
  const statusOf = async (name: string): Promise<string> =>
    (await app.api.platform.get(at(`/users/${ids.get(name)!}`)).expect(200)).body.data.status;

  beforeAll(async () => {
    organization = await newOrganization(app, { name: 'Northwind' });
    page = await openPage(app, await signedIn(app, organization.id, { roles: ['owner'] }));
  });

  it('let an owner preview a directory, activate it, decide about its removals, and delete it', async () => {
    await createConnection();
    await createToken();

    for (const name of NAMES)
      ids.set(name, (await scim.post('/Users', { userName: `${name}@northwind.example` }).expect(201)).body.id);
    const members = [{ value: ids.get('ada') }, { value: ids.get('bob') }];
    await scim.post('/Groups', { displayName: 'Support', members }).expect(201);
    await page.reload();
    for (const change of ['create 4 users', 'create 1 group', 'add 2 members to groups']) await page.getByText(change).waitFor();
    await app.api.platform.get(at(`/users/${ids.get('ada')!}`)).expect(404);

    await confirm('Activate connection');
    await isInMode('Active');
    await button('Start a preview').waitFor();
    expect(await statusOf('ada')).toBe('active');
    await app.api.platform.post(at(`/users/${ids.get('ada')!}/roles`), { roleId: 'role_owner' }).expect(201);
    await seeManagingConnection();

    await scim.patch(userAt('bob'), setActive(false)).expect(200);
    await scim.delete(userAt('eve')).expect(204);
    await scim.delete(userAt('joe')).expect(503);
    await page.reload();
    await isInMode('Stopped');
    await page.getByText('more users within an hour than the limits allow').waitFor();
    await expectStateAccessible(page);

    await confirm('Restore users');
    await isInMode('Stopped');
    await button('Restore users').waitFor();
    expect([await statusOf('bob'), await statusOf('eve')]).toEqual(['active', 'active']);
    await scim.delete(userAt('joe')).expect(503);

    await confirm('Let the directory continue');
    await isInMode('Active');
    await scim.delete(userAt('joe')).expect(204);
    await previewRemovals();
    await rotateAndRevoke();

    await button('Delete connection').click();
    await dialog().getByRole('textbox').fill('Okta');
    await dialog().getByRole('button', { name: 'Delete connection' }).click();
    await page.getByText('No SCIM connections yet').waitFor();
    await scim.get('/Users').expect(401);
    expect(await statusOf('ada')).toBe('active');
  });

  async function createConnection(): Promise<void> {
    await page.goto(`/dashboard/organizations/${organization.id}/scim`);
    await page.getByText('No SCIM connections yet').waitFor();
    await expectStateAccessible(page);
    await button('Create SCIM connection').press('Enter');
    await dialog().getByLabel('Name').fill('Okta');
    await dialog().getByLabel('Maximum removals per hour', { exact: true }).fill('2');
    await page.keyboard.press('Enter');
    await heading('Okta').waitFor();
    await isInMode('Preview');
    await page.getByText('No changes are recorded yet.').waitFor();
    await expectStateAccessible(page);
  }

  async function createToken(): Promise<void> {
    await button('Create token').click();
    await dialog().getByRole('button', { name: 'Create token' }).click();
    const token = await dialog()
      .getByText(/^scim\./)
      .innerText();
    await button('I’ve copied the token').click();
    await page
      .getByRole('table', { name: 'Tokens' })
      .getByText(`…${token.slice(-4)}`)
      .waitFor();
    scim = new ScimClient(app, new URL(page.url()).pathname.split('/').at(-1)!, token);
  }

  /** Opens the connection from a user and a group, and from a user's page in a child organization. */
  async function seeManagingConnection(): Promise<void> {
    const child = await newOrganization(app, { name: 'Northwind Europe', parentId: organization.id });
    await made(app, `/v1/organizations/${child.id}/members`, { userId: ids.get('bob'), role: 'member' });
    for (const isChild of [false, true]) {
      if (isChild) await page.goto(`/dashboard/organizations/${child.id}/users`);
      else await openArea(page, 'People');
      await page.getByRole('link', { name: 'bob@northwind.example' }).click();
      await page.getByText('Only the directory can change the email address').waitFor();
      expect(await page.getByRole('textbox', { name: 'Email address' }).isEditable()).toBe(false);
      expect(await page.getByRole('textbox', { name: 'Picture' }).isEditable()).toBe(true);
      await page.getByText('Managed by the SCIM connection').getByRole('link', { name: 'Okta' }).click();
      await page.waitForURL(`**/dashboard/organizations/${organization.id}/scim/${scim.connectionId}`);
      await heading('Okta').waitFor();
    }
    await openArea(page, 'Groups');
    await page.getByRole('link', { name: 'Support' }).click();
    await page.getByText('Managed by the SCIM connection').getByRole('link', { name: 'Okta' }).click();
    await heading('Okta').waitFor();
  }

  async function previewRemovals(): Promise<void> {
    await confirm('Start a preview');
    await isInMode('Preview');
    await scim.patch(userAt('ada'), setActive(false)).expect(200);
    await scim.delete(userAt('eve')).expect(204);
    await scim.post('/Users', { userName: 'kim@northwind.example' }).expect(201);
    await page.reload();
    for (const change of ['create 1 user', 'suspend 1 user', 'delete 1 user']) await page.getByText(change).waitFor();
    await page.getByText('1 of the users who would be suspended or deleted is an owner.').waitFor();
    await page.getByText('ada@northwind.example, eve@northwind.example').waitFor();
    await expectAccessible(page);
    await picture(page, 'scim-preview');
    expect(await statusOf('ada')).toBe('active');
  }

  async function rotateAndRevoke(): Promise<void> {
    const rows = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'Okta' });
    await rows.getByRole('button', { name: 'Actions for Okta' }).click();
    await page.getByRole('menuitem', { name: 'Rotate token' }).click();
    await dialog().getByRole('button', { name: 'Rotate token' }).click();
    const token = await dialog()
      .getByText(/^scim\./)
      .innerText();
    await button('I’ve copied the token').click();
    await rows.filter({ hasText: 'Replaces a previous token' }).waitFor();
    await expectStateAccessible(page);
    await rows.filter({ hasNotText: 'Replaces a previous token' }).getByRole('button', { name: 'Actions for Okta' }).click();
    await page.getByRole('menuitem', { name: 'Revoke token' }).click();
    await dialog().getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('“Okta” was revoked').waitFor();
    await scim.get('/Users').expect(401);
    scim = new ScimClient(app, scim.connectionId, token);
    await scim.get('/Users').expect(200);
  }
});
