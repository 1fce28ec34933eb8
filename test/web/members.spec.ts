import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { addAdaAndGrace, roleOfMember } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

let app: TestApp;
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
  await addAdaAndGrace(app, parentId);
  window = await openWindow(app.config.baseUrl);
  await enterSession(window, app, owner.token);
  page = window.page;
});
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

const dialog = () => page.getByRole('dialog');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('the members page', () => {
  it('is accessible without members', async () => {
    await page.goto(members(childId));
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    await expectAccessible(page);
  });

  it('filters the members by the role in the URL', async () => {
    await page.goto(`${members(parentId)}?role=role_admin`);
    await row('Grace Hopper').waitFor();
    expect(await row('Ada Lovelace').count()).toBe(0);
    await page.goto(members(parentId));
    await row('Ada Lovelace').waitFor();
    await expectAccessible(page);
  });

  it('shows an error when the last owner is removed', async () => {
    await page.getByRole('button', { name: `Remove ${owner.email}` }).click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog()
      .getByText(/last owner of the organization "Acme"\. Make another user an owner first\./)
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
    expect(await roleOfMember(app, parentId, owner.email)).toBe('owner');
  });

  it('hides actions if the user can only read members', async () => {
    const viewer = await openWindow(app.config.baseUrl);
    await enterSession(viewer, app, (await signedIn(app, parentId, { roles: ['viewer'] })).token);
    await viewer.page.goto(members(parentId));
    await viewer.page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /Add member|Remove|Change role/ }).count()).toBe(0);
    expect(viewer.faults).toEqual([]);
    await viewer.context.close();
  });

  it('logs no errors', () => expect(window.faults).toEqual([]));
});
