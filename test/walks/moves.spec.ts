import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { activeUser } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessibleOnce, openWindowOf, picture, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

describe('the move of an organization', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let globex: TestBody;
  let europe: TestBody;
  let berlin: TestBody;
  let admin: SignedIn;

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} \\d+ member`) });
  const row = (name: RegExp) => page.getByRole('tabpanel').getByRole('row', { name });
  const openTab = (name: RegExp) => page.getByRole('tab', { name }).click();
  const parentOfBerlin = async (): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${berlin.id}`).expect(200)).body.data.parentId;

  beforeAll(async () => {
    app = await startSite();
    globex = await newOrganization(app, { name: 'Globex' });
    europe = await newOrganization(app, { name: 'Globex Europe', parentId: globex.id });
    berlin = await newOrganization(app, { name: 'Globex Berlin', parentId: globex.id });
    await newOrganization(app, { name: 'Globex Berlin Mitte', parentId: berlin.id });
    await activeUser(app, berlin.id, { email: 'eve@globex.example' });
    admin = await signedIn(app, europe.id, { roles: ['admin'] });
    await made(app, `/v1/organizations/${europe.id}/webhooks`, {
      name: 'Audit',
      url: 'https://example.com/audit',
      events: ['*'],
      includeDescendants: true,
    });
    const change = { settings: { requireMfa: true }, lockedSettings: ['requireMfa'] };
    await app.api.platform.patch(`/v1/organizations/${europe.id}`, change).expect(200);
    const owner = await signedIn(app, globex.id, { roles: ['owner'], methods: ['password', 'totp'] });
    window = await openWindowOf(app, owner.token);
    page = window.page;
  });
  afterAll(() => expect(window.faults).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it(
    'previews a move, requires the name, and can be undone from the menu',
    async () => {
      await dragOntoNewParent();
      await readPreview();
      await confirmByName();
      await moveBackFromMenu();
    },
    JOURNEY_TIMEOUT_MS,
  );

  /** The first drag loads the permissions of the row. A root organization can't be dragged. */
  async function dragOntoNewParent(): Promise<void> {
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
    await expectAccessibleOnce(page);
    await openTab(/^Settings/);
    await row(
      /^Require MFA\s+Multi-factor authentication\s+Off\s+Default\s+On\s+Set in Globex Europe\s+Globex Berlin, Globex Berlin Mitte/,
    ).waitFor();
    await picture(page, 'move-preview');
    await openTab(/^Locks/);
    await row(/^Require MFA\s+Lock begins\s+Not locked\s+Globex Europe/).waitFor();
    await openTab(/^Policies/);
    await page.getByText('1 user has no MFA factor').waitFor();
    await row(/^Globex Berlin\s+1\s+0\s+0/).waitFor();
    await openTab(/^Access/);
    await page
      .getByRole('table', { name: 'Access gained' })
      .getByRole('row', { name: new RegExp(`^${admin.email}.*api_keys:\\*.*Role admin in Globex Europe`) })
      .waitFor();
    await page.getByText('No user or API key loses permissions.').waitFor();
    await openTab(/^Webhooks/);
    await page
      .getByRole('table', { name: 'Start receiving events' })
      .getByRole('row', { name: /^Audit\s+Globex Europe/ })
      .waitFor();
    await expectAccessibleOnce(page);
  }

  async function confirmByName(): Promise<void> {
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
