import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

let app: TestApp;
let browser: Browser;
let window: Window;
let page: Page;
let owner: SignedIn;
let parentId: string;
let childId: string;

const members = (id: string) => `/dashboard/organizations/${id}/members`;

beforeAll(async () => {
  app = await startSite();
  const create = async (body: object) => (await app.api.platform.post('/v1/organizations', body).expect(201)).body.data.id;
  parentId = await create({ name: 'Acme', slug: 'acme' });
  childId = await create({ name: 'Acme Europe', slug: 'acme-europe', parentId });
  owner = await signedIn(app, parentId, { roles: ['owner'] });
  const people = [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', roles: ['admin'] },
  ];
  for (const person of people) await app.api.platform.post(`/v1/organizations/${parentId}/users`, person).expect(201);
  browser = await startChromium();
  window = await openWindow(browser, app.config.baseUrl);
  await enterSession(window, app, owner.token);
  page = window.page;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const dialog = () => page.getByRole('dialog');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

async function roleOf(organization: string, email: string): Promise<string | undefined> {
  const { body } = await app.api.platform.get(`/v1/organizations/${organization}/members`).expect(200);
  return body.data.find((member: { email: string }) => member.email === email)?.role;
}

describe('members', () => {
  it('are added from another organization of the tree, found by typing', async () => {
    await page.goto(members(childId));
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a member' }).first().click();
    await dialog().getByRole('button', { name: 'Add member' }).click();
    await dialog().getByText('Choose a user.').waitFor();
    // It begins to look where the organization's users mostly come from: above.
    await expectValue('Look in', 'Acme');
    await dialog().getByRole('combobox', { name: 'User' }).fill('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /viewer/ }).click();
    await dialog().getByRole('button', { name: 'Add member' }).click();
    await row('Ada Lovelace').waitFor();
    expect(await roleOf(childId, 'ada@example.com')).toBe('viewer');
  });

  it('get another role, by keyboard', async () => {
    await page.getByRole('button', { name: 'Change role of Ada Lovelace' }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('combobox', { name: 'Role' }).fill('adm');
    await page.getByRole('option', { name: /^admin/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Change role' }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await roleOf(childId, 'ada@example.com')).toBe('admin');
    await row('Ada Lovelace').filter({ hasText: 'admin' }).waitFor();
  });

  it('are removed, and stay users', async () => {
    await page.getByRole('button', { name: 'Remove Ada Lovelace' }).click();
    await dialog()
      .getByText(/The user stays/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    expect(await roleOf(childId, 'ada@example.com')).toBeUndefined();
    expect(await roleOf(parentId, 'ada@example.com')).toBe('member');
  });

  it('are filtered by the address', async () => {
    await page.goto(`${members(parentId)}?role=role_admin`);
    await row('Grace Hopper').waitFor();
    expect(await row('Ada Lovelace').count()).toBe(0);
    await page.goto(members(parentId));
    await row('Ada Lovelace').waitFor();
    await expectAccessible(page);
    await picture(page, 'members');
  });

  it('never lose the last owner, and say why', async () => {
    await page.getByRole('button', { name: `Remove ${owner.email}` }).click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog()
      .getByText(/last owner of the organization "Acme"\. Make somebody else an owner first\./)
      .waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: `Change role of ${owner.email}` }).click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page
      .getByRole('option', { name: /member/ })
      .first()
      .click();
    await dialog().getByRole('button', { name: 'Change role' }).click();
    await dialog()
      .getByText(/last owner/)
      .waitFor();
    expect(await roleOf(parentId, owner.email)).toBe('owner');
  });

  it('can only be looked at by those who may not change them', async () => {
    const viewer = await openWindow(browser, app.config.baseUrl);
    await enterSession(viewer, app, (await signedIn(app, parentId, { roles: ['viewer'] })).token);
    await viewer.page.goto(members(parentId));
    await viewer.page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /Add a member|Remove|Change the role/ }).count()).toBe(0);
    expect(viewer.faults).toEqual([]);
    await viewer.context.close();
  });

  it('met no fault in any script', () => expect(window.faults).toEqual([]));
});

async function expectValue(label: string, value: string): Promise<void> {
  const field = dialog().getByRole('combobox', { name: label });
  for (const deadline = Date.now() + 10_000; (await field.inputValue()) !== value; await page.waitForTimeout(50))
    if (Date.now() > deadline) throw new Error(`${label} holds "${await field.inputValue()}" instead of "${value}".`);
}
