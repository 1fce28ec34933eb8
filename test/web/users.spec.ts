import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { made, newOrganization, read } from '../support/organizations.js';
import { addAdaAndGrace, elementsOf, roleOfMember } from '../support/pages.js';
import { openSession, signedIn, type SignedIn } from '../support/signed-in.js';
import { expectAccessible, openPage, picture, testSite } from '../support/web.js';

const app = testSite();
let page: Page;
let organizationId: string;
let otherOrganizationId: string;

const usersPath = (path = '') => `/dashboard/organizations/${organizationId}/users${path}`;
const { button, dialog, heading } = elementsOf(() => page);

beforeAll(async () => {
  organizationId = (await newOrganization(app, { slug: 'engines' })).id;
  otherOrganizationId = (await newOrganization(app, { name: 'Difference Engines', parentId: organizationId })).id;
  page = await openPage(app, await signedIn(app, organizationId, { roles: ['admin'] }));
});

const newUser = async (fields: object): Promise<string> =>
  (await made(app, `/v1/organizations/${organizationId}/users`, fields)).id;

const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const waitForNotice = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();

describe('the user list', () => {
  it('keeps the search, filters and page in the URL', async () => {
    for (let index = 0; index < 45; index++) await newUser({ email: `walker-${String(index).padStart(2, '0')}@example.com` });
    await newUser({ email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', roles: ['viewer'] });

    await page.goto(usersPath());
    await page.getByLabel('Search by name or email').fill('turing');
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor();
    await page.getByText(/^1 · Page 1 of 1/).waitFor();
    await page.waitForURL(/search=turing/);
    await expectAccessible(page);

    await page.getByLabel('Search by name or email').fill('nobody at all');
    await page.getByRole('heading', { name: 'No matching people' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByText('· Page 1 of 3').waitFor();
    expect(await page.getByLabel('Search by name or email').inputValue()).toBe('');

    await page.goto(usersPath('?search=walker&sort=email'));
    await page.getByRole('link', { name: 'walker-00@example.com' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('20 people selected').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'walker-20@example.com' }).waitFor();
    await page.getByText(/^45 · Page 2 of 3/).waitFor();
    await page.getByRole('checkbox', { name: 'Select walker-20@example.com' }).check();
    await page.getByText('21 people selected').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'walker-39@example.com' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'walker-00@example.com' }).waitFor();
    await page.getByLabel('Rows per page').selectOption('50');
    await page.getByText(/^45 · Page 1 of 1/).waitFor();
    await page.waitForURL(/limit=50/);
  });

  it('selects the rows between two checkboxes with Shift, and removes them from the selection in the same way', async () => {
    const checkbox = (number: string) => page.getByRole('checkbox', { name: `Select walker-${number}@example.com` });
    await page.goto(usersPath('?search=walker&sort=email&limit=50'));
    await checkbox('03').check();
    await checkbox('32').click({ modifiers: ['Shift'] });
    await page.getByText('30 people selected').waitFor();
    await checkbox('30').click({ modifiers: ['Shift'] });
    await page.getByText('27 people selected').waitFor();
    expect(await Promise.all(['02', '03', '29', '30', '33'].map((number) => checkbox(number).isChecked()))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('hides the filters behind a button on a narrow screen', async () => {
    await page.goto(usersPath('?search=walker&status=pending'));
    await page.getByLabel('Status').first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const filters = page.getByRole('button', { name: 'Filters (1)' });
    await filters.waitFor();
    expect(await page.getByLabel('Created from').count()).toBe(0);
    await filters.click();
    await page.getByLabel('Created from').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await filters.waitFor({ state: 'detached' });
  });
});

describe('the user import', () => {
  it('shows the result of each line', async () => {
    await page.goto(usersPath('/import'));
    await heading('Import users').waitFor();
    await page.getByText('Only callers with all permissions in this organization can change this').waitFor();
    await expectAccessible(page);
    const good = Array.from({ length: 30 }, (_, index) => `hr-${index},imported-${index}@example.com,Imported,Person ${index}`);
    const lines = ['externalId,email,firstName,lastName', ...good, 'hr-bad,this is no address,Bad,Line'];
    await page.setInputFiles('input[type=file]', {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    await button('Preview').click();
    await page.getByText('Preview complete. Nothing was imported yet. 1 line would fail.').waitFor();
    await expectAccessible(page);
    expect((await read(app, `/v1/organizations/${organizationId}/users?search=imported-`)).length).toBe(0);
    await button('Start import').click();

    await page.getByText('Import complete. 1 line failed.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Failed' });
    expect(await row.count()).toBe(1);
    expect(await row.innerText()).toMatch(/^32\b[\s\S]*email/);
    await expectAccessible(page);
    await picture(page, 'user-import');

    const download = page.waitForEvent('download');
    await button('Download results (CSV)').click();
    expect((await download).suggestedFilename()).toBe('import-outcomes.csv');
    await page.getByText('All lines').click();
    await page.getByRole('link', { name: 'Open user' }).first().click();
    await heading(/^Imported Person/).waitFor();
  });

  it('sets the previous system that confirms passwords, and shows the secret once', async () => {
    const owner = await openPage(app, await signedIn(app, organizationId, { roles: ['owner'] }));
    await owner.goto(usersPath('/import'));
    await owner.getByRole('button', { name: 'Set previous system' }).click();
    await owner.getByLabel('URL of the previous system').fill('https://auth.example.com/verify-password');
    await owner.getByLabel('Ends on').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
    await owner.getByRole('button', { name: 'Save', exact: true }).click();
    await owner
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor();
    await expectAccessible(owner);
    await owner.getByRole('button', { name: 'I have stored the secret' }).click();
    await owner.getByText(/^Active until/).waitFor();
  });

  it('rejects an unsupported file type', async () => {
    await page.goto(usersPath('/import'));
    await page.setInputFiles('input[type=file]', { name: 'people.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await page.getByText(/^Choose a file with the extension \.ndjson/).waitFor();
    expect(await button('Start import').isDisabled()).toBe(true);
  });
});

it('the dialog that adds a user shows each validation error once, at its field, and other errors in the summary', async () => {
  await newUser({ email: 'once@example.com' });
  await page.goto(usersPath());
  await button('Add people').click();
  await page.getByRole('menuitem', { name: 'Add user' }).click();
  await dialog().getByLabel('Email address').fill('once@example.com');
  await confirm('Add user');
  await dialog().getByRole('alert').waitFor();
  const messages = dialog().getByText('already');
  expect(await messages.count()).toBe(1);

  await dialog().getByLabel('Email address').fill('not an address');
  await button('More fields').click();
  await dialog().getByLabel('Phone number').fill('call me');
  await button('More fields').click();
  await dialog().getByLabel('Phone number').waitFor({ state: 'hidden' });
  await confirm('Add user');
  await dialog().getByLabel('Phone number').waitFor();
  for (const message of ['must be an email address', 'must be a phone number such as'])
    expect(await dialog().getByText(message).count()).toBe(1);
  expect(await dialog().getByRole('alert').count()).toBe(0);
  await expectAccessible(page);
});

describe('the user page', () => {
  let userId: string;
  beforeAll(async () => {
    const metadata = { team: 'engines', level: 3 };
    userId = await newUser({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', externalId: 'ada-1', metadata });
    await app.api.platform.post(`/v1/organizations/${organizationId}/users/${userId}/activate`).expect(200);
    await made(app, `/v1/organizations/${otherOrganizationId}/members`, { userId, role: 'viewer' });
  });

  it('shows validation errors at the fields', async () => {
    await page.goto(usersPath(`/${userId}`));
    await heading('Ada Lovelace').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Metadata').fill('{"team":');
    await button('Save').click();
    await page.getByText(/^Enter a JSON object, for example/).waitFor();
    await page.getByLabel('Metadata').fill('{"team":"analysis","since":1843}');
    await page.getByLabel('Phone number').fill('call me');
    await button('Save').click();
    await page.getByText('must be a phone number such as').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Phone number').fill('+44 20 7946 0000');
    await button('Save').click();
    await waitForNotice('Saved');
    const saved = await read(app, `/v1/organizations/${organizationId}/users/${userId}`);
    expect(saved).toMatchObject({ phoneNumber: '+44 20 7946 0000', metadata: { team: 'analysis', since: 1843 } });
    expect(saved.metadata).not.toHaveProperty('level');
  });

  it('keeps the concurrent changes of two administrators', async () => {
    const path = `/v1/organizations/${organizationId}/users/${userId}`;
    await page.reload();
    await page.getByLabel('First name').fill('Augusta Ada');
    await app.api.platform.patch(path, { lastName: 'King' }).expect(200);
    await button('Save').click();

    await page.getByText('Someone else changed this user in the meantime').waitFor();
    await page.getByRole('row', { name: /Last name/ }).waitFor();
    await expectAccessible(page);
    expect((await read(app, path)).firstName).toBe('Ada');
    await button('Save my changes').click();
    await heading('Augusta Ada King').waitFor();
    expect(await read(app, path)).toMatchObject({ firstName: 'Augusta Ada', lastName: 'King' });
  });

  it('adds and removes a role', async () => {
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.waitForURL(/tab=roles/);
    await page.getByRole('link', { name: 'Difference Engines' }).waitFor();
    await button('Add role').click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /viewer/ }).click();
    await confirm('Add role');
    await button('Remove role viewer').waitFor();
    await expectAccessible(page);
    await button('Remove role viewer').click();
    await confirm('Remove');
    await button('Remove role viewer').waitFor({ state: 'detached' });
    const types = await app.eventTypes();
    expect(types.filter((type) => type === 'role.assigned' || type === 'role.revoked')).toEqual([
      'role.assigned',
      'role.revoked',
    ]);
  });

  it('revokes a session', async () => {
    const user = { id: userId, email: 'ada@example.com', tenantId: organizationId };
    const session = await openSession(app, user, { at: organizationId });
    await openSession(app, user, { at: organizationId, methods: ['passkey'] });

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('Passkey').waitFor();
    await expectAccessible(page);
    await page.getByRole('row').filter({ hasText: 'Password' }).getByRole('button').click();
    await confirm('End session');
    await waitForNotice('Session ended');
    await session.client.get('/v1/auth/me').expect(401);

    await button('End all sessions').click();
    await confirm('End all sessions');
    await page.getByRole('heading', { name: 'No open sessions' }).waitFor();
  });

  it('shows the memberships, MFA factors and events of the user', async () => {
    await page.getByRole('tab', { name: 'Memberships' }).click();
    await page.getByRole('link', { name: 'Difference Engines' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByText('No MFA factors').waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('security.session_revoked').first().waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.getByText('No MFA factors').waitFor();
  });
});

describe('the people page', () => {
  let owner: SignedIn;
  let parentId: string;
  const people = (query = '') => `/dashboard/organizations/${parentId}/members${query}`;
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  beforeAll(async () => {
    parentId = (await newOrganization(app, { name: 'Acme' })).id;
    owner = await signedIn(app, parentId, { roles: ['owner'] });
    await addAdaAndGrace(app, parentId);
    page = await openPage(app, owner);
  });

  it('filters by the role in the URL, also in the previous address of the members', async () => {
    await page.goto(people('?role=role_admin'));
    await row('Grace Hopper').waitFor();
    expect(await row('Ada Lovelace').count()).toBe(0);
    await page.goto(people());
    await row('Ada Lovelace').waitFor();
    await expectAccessible(page);
  });

  it('returns the focus to the button of a row when its menu is closed', async () => {
    await page.goto(people());
    for (let time = 0; time < 2; time++) {
      await button(`Actions for ${owner.email}`).press('Enter');
      await page.getByRole('menuitem', { name: 'Remove from organization' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
      await button(`Actions for ${owner.email}`).and(page.locator(':focus')).waitFor();
    }
  });

  it('shows an error when the last owner is removed', async () => {
    await button(`Actions for ${owner.email}`).click();
    await page.getByRole('menuitem', { name: 'Remove from organization' }).click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog().getByText('last owner of the organization "Acme". Make another user an owner first.').waitFor();
    await expectAccessible(page);
    expect(await roleOfMember(app, parentId, owner.email)).toBe('owner');
  });
});
