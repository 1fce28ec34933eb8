// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { enterAsOperator, operatorLink } from '../support/dashboard.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { elementsOf } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, expectStateAccessible, picture, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);
const { button, dialog, heading } = elementsOf(() => page);

describe('the organizations area', () => {
  it('lets an operator create, edit and suspend an organization', async () => {
    await page.goto(await operatorLink(app));
    await page.getByLabel('Organization name').fill('Acme');
    expect(page.url()).toBe(`${app.config.baseUrl}/dashboard/getting-started`);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await inviteOwner();
    await createChildOrganization();

    // Edits the metadata of the organization. The metadata must be a JSON object.
    await button('Edit').click();
    await dialog().getByLabel('Metadata').fill('{"plan": ');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('This is not a JSON object.').waitFor();
    await dialog().getByLabel('Metadata').fill('{"plan": "pro"}');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('"plan": "pro"').waitFor();
    await expectAccessible(page);

    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await dialog().getByLabel('Reason').fill('Unpaid invoices');
    await expectStateAccessible(page);
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor();

    await button('Activate').click();
    await dialog().getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor({ state: 'detached' });
  });

  async function inviteOwner(): Promise<void> {
    await page.getByLabel('Email address').fill('nobody');
    await button('Send invitation').click();
    // The browser rejects the first address. The service rejects the second address.
    await page.getByLabel('Email address').fill('ada@localhost');
    await button('Send invitation').click();
    await page.getByText('must be').waitFor();
    await page.getByLabel('Email address').fill('ada@acme.example');
    await button('Send invitation').click();

    await page.getByRole('heading', { name: 'Setup complete' }).waitFor();
    await expectStateAccessible(page);
    const mailbox = await page.getByRole('link', { name: 'Open mailbox' }).getAttribute('href');
    expect(mailbox).toBe('/dev/mailbox?to=ada%40acme.example');
    expect(await mailsTo(app, 'ada@acme.example')).toMatchObject([{ template: 'invitation' }]);
    expect(await read(app, '/v1/organizations/acme/members?role=owner')).toMatchObject([
      { email: 'ada@acme.example', role: 'owner', status: 'pending' },
    ]);
  }

  /** Creates a child organization. The slug must be unique. */
  async function createChildOrganization(): Promise<void> {
    await page.getByRole('link', { name: 'Continue as operator' }).click();
    await heading('Acme').waitFor();
    await button('Create child organization').click();
    await dialog().getByLabel('Slug').fill('acme');
    await dialog().getByLabel('Name').fill('Acme Asia');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('is already taken').waitFor();
    await dialog().getByLabel('Slug').fill('');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('Acme Asia').waitFor();
    const path = page.getByRole('navigation', { name: 'Breadcrumb' });
    expect(await path.getByRole('link').allTextContents()).toEqual(['All organizations', 'Acme']);
  }
});

describe('the settings page', () => {
  let parentId: string;
  let childId: string;
  let userOfChild: SignedIn;

  const settings = () => read(app, `/v1/organizations/${childId}/settings`);

  beforeAll(async () => {
    parentId = (await newOrganization(app, { name: 'Hooli' })).id;
    childId = (await newOrganization(app, { name: 'Hooli Europe', parentId })).id;
    await signedIn(app, parentId, { roles: ['owner'] });
    userOfChild = await signedIn(app, childId);
  });

  it('lets an operator require MFA in a child organization', async () => {
    await enterAsOperator(app, page);

    // Requires MFA, locks the setting for child organizations, and previews the effects.
    await page.goto(`/dashboard/organizations/${parentId}/settings`);
    await page.getByText('This organization has no parent').waitFor();
    await button('Override: Require MFA').click();
    await page.getByRole('switch', { name: 'Require MFA', exact: true }).press('Space');
    await page.getByRole('switch', { name: 'Lock for child organizations: Require MFA' }).press('Space');
    await page.getByText('2 unsaved changes').waitFor();
    await button('Preview and save').click();
    const preview = dialog('Preview changes');
    await preview.getByText('2 organizations would change').waitFor();
    await preview.getByText('2 users in these organizations').waitFor();
    await preview.getByText('2 users do not comply').waitFor();
    expect(await preview.getByText('Require MFA: Off → On').count()).toBe(2);
    await preview.getByText('Will be locked for child organizations: Require MFA').waitFor();
    expect((await settings()).requireMfa.value).toBe(false);
    await expectAccessible(page);
    await picture(page, 'settings-preview');
    await preview.getByRole('button', { name: 'Save' }).click();
    await preview.waitFor({ state: 'detached' });
    expect((await settings()).requireMfa).toMatchObject({ value: true, lockedBy: { id: parentId } });

    await enterSession(page, app, userOfChild);
    await page.goto('/dashboard');
    await page.waitForURL('**/account/security?**');
    await page.getByText('Your organization requires multi-factor authentication').waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await expectStateAccessible(page);
  });
});

describe('the move of an organization', () => {
  let globex: TestBody;
  let europe: TestBody;
  let berlin: TestBody;
  let admin: SignedIn;
  let owner: SignedIn;

  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} \\d+ member`) });
  const tabRow = (name: RegExp) => page.getByRole('tabpanel').getByRole('row', { name });
  const openTab = (name: RegExp) => page.getByRole('tab', { name }).click();
  const parentOfBerlin = async (): Promise<string> => (await read(app, `/v1/organizations/${berlin.id}`)).parentId;

  beforeAll(async () => {
    globex = await newOrganization(app, { name: 'Globex' });
    europe = await newOrganization(app, { name: 'Globex Europe', parentId: globex.id });
    berlin = await newOrganization(app, { name: 'Globex Berlin', parentId: globex.id });
    await newOrganization(app, { name: 'Globex Berlin Mitte', parentId: berlin.id });
    await signedIn(app, berlin.id);
    admin = await signedIn(app, europe.id, { roles: ['admin'] });
    await made(app, `/v1/organizations/${europe.id}/webhooks`, {
      name: 'Audit',
      url: 'https://example.com/audit',
      events: ['*'],
      includeDescendants: true,
    });
    const change = { settings: { requireMfa: true }, lockedSettings: ['requireMfa'] };
    await app.api.platform.patch(`/v1/organizations/${europe.id}`, change).expect(200);
    owner = await signedIn(app, globex.id, { roles: ['owner'], methods: ['password', 'totp'] });
  });

  it('previews a move, requires the name, and can be undone from the menu', async () => {
    await dragOntoNewParent();
    await readPreview();

    await page.getByRole('button', { name: 'Move organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move Globex Berlin?' });
    const submit = dialog.getByRole('button', { name: 'Move organization' });
    await dialog.getByText('This moves 2 organizations from Globex to Globex Europe.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Globex Berlin');
    await submit.click();
    await page.getByText('Globex Berlin was moved to Globex Europe').waitFor();
    expect(await parentOfBerlin()).toBe(europe.id);
    expect(await item('Globex Berlin').getAttribute('aria-level')).toBe('3');
    await moveBackFromMenu();
  });

  /** The first drag loads the permissions of the row. A root organization can't be dragged. */
  async function dragOntoNewParent(): Promise<void> {
    await enterSession(page, app, owner);
    await page.goto('/dashboard');
    await item('Globex').press('ArrowRight');
    await item('Globex Berlin').hover();
    await page.locator('[role=treeitem][draggable=true]', { hasText: 'Globex Berlin' }).waitFor();
    await item('Globex').hover();
    expect(await item('Globex').getAttribute('draggable')).toBe('false');
    await item('Globex Berlin').dragTo(item('Globex Europe'));
    await heading('Move Globex Berlin').waitFor();
    expect(new URL(page.url()).searchParams.get('parent')).toBe(europe.id);
    expect(await parentOfBerlin()).toBe(globex.id);
  }

  async function readPreview(): Promise<void> {
    const overview = page.getByRole('tabpanel');
    await overview.getByText('Globex Berlin moves from Globex to Globex Europe.').waitFor();
    await overview.getByText(/^2\s*Moved organizations$/).waitFor();
    await expectStateAccessible(page);
    await openTab(/^Settings/);
    await tabRow(
      /^Require MFA\s+Multi-factor authentication\s+Off\s+Default\s+On\s+Set in Globex Europe\s+Globex Berlin, Globex Berlin Mitte/,
    ).waitFor();
    await picture(page, 'move-preview');
    await openTab(/^Locks/);
    await tabRow(/^Require MFA\s+Lock begins\s+Not locked\s+Globex Europe/).waitFor();
    await openTab(/^Policies/);
    await page.getByText('1 user has no MFA factor').waitFor();
    await tabRow(/^Globex Berlin\s+1\s+0\s+0/).waitFor();
    await openTab(/^Access/);
    await page
      .getByRole('table', { name: 'Access gained' })
      .getByRole('row', { name: new RegExp(`^${admin.email}.*api_keys:\\*.*Role admin in Globex Europe`) })
      .waitFor();
    await page.getByText('No user, API key or application loses permissions.').waitFor();
    await openTab(/^Webhooks/);
    await page
      .getByRole('table', { name: 'Start receiving events' })
      .getByRole('row', { name: /^Audit\s+Globex Europe/ })
      .waitFor();
    await expectAccessible(page);
  }

  async function moveBackFromMenu(): Promise<void> {
    await item('Globex Berlin').press('Enter');
    const path = page.getByRole('navigation', { name: 'Breadcrumb' });
    await path.getByRole('link', { name: 'Globex Europe' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Move…' }).press('Enter');
    const parent = page.getByRole('combobox', { name: 'New parent organization' });
    await parent.pressSequentially('glob');
    await page.getByRole('option', { name: 'Globex', exact: true }).waitFor();
    // The organization itself, its descendants and its current parent are no options.
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Globex']);
    await parent.press('ArrowDown');
    await parent.press('Enter');
    await page.getByText('Globex Berlin moves from Globex Europe to Globex.').waitFor();
    await page.getByRole('button', { name: 'Move organization' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Globex Berlin');
    await page.keyboard.press('Enter');
    await page.getByText('Globex Berlin was moved to Globex', { exact: true }).waitFor();
    expect(await item('Globex Berlin').getAttribute('aria-level')).toBe('2');
    expect(await parentOfBerlin()).toBe(globex.id);
  }
});

describe('the search', () => {
  it('finds people in child organizations, opens pages and runs commands, by keyboard alone', async () => {
    const root = await newOrganization(app, { name: 'Wonka' });
    const child = await newOrganization(app, { name: 'Wonka Export', parentId: root.id });
    const person = { email: 'violet@wonka.example', firstName: 'Violet', lastName: 'Größe' };
    await made(app, `/v1/organizations/${child.id}/users`, person);
    const key = await made(app, `/v1/organizations/${child.id}/api-keys`, { name: 'Violet import', scopes: ['users:read'] });
    await enterSession(page, app, await signedIn(app, root.id, { roles: ['owner'] }));
    await page.goto(`/dashboard/organizations/${root.id}`);
    await heading('Wonka').waitFor();

    const option = (name: RegExp) => page.getByRole('option', { name });
    const type = async (text: string): Promise<void> => {
      // At once, as people type who know the search: no character gets lost.
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
    };
    await type('grosse');
    await option(/^Violet Größe violet@wonka\.example · Wonka \/ Wonka Export · Pending$/).waitFor();
    await expectAccessible(page);
    await picture(page, 'search');
    await page.keyboard.press('Enter');
    await heading('Violet Größe').waitFor();
    expect(page.url()).toContain(child.id);

    // The arrows choose: the person is first, the API key second.
    await type('violet');
    await option(/^Violet import/).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('Show all API keys').waitFor();
    expect(page.url()).toContain(key.id);

    // A wrong id says so, and offers no retry.
    await page.goto(`/dashboard/organizations/${root.id}/users/usr_nobody`);
    await page.getByRole('alert').getByText('This was not found').waitFor();
    expect(await button('Retry').count()).toBe(0);
    await type('create group');
    await page.keyboard.press('Enter');
    await dialog('Create group').getByLabel('Name').waitFor();
    // Another dialog must not cover a form.
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    // While the dialog closes, the keys still belong to it.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await type('dark color');
    await page.keyboard.press('Enter');
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await type('zzzz');
    await page.getByText('Nothing matches “zzzz”').waitFor();
    await page.keyboard.press('Escape');
    await type('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/sign-in**');
  });
});
