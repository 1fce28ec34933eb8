import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { newOrganization } from '../support/organizations.js';
import { addAdaAndGrace } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, startSite, type Window } from '../support/web.js';

let app: TestApp;
let window: Window;
let page: Page;
let organization: string;
let owner: SignedIn;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });

async function downloaded(start: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), text: await textOf(download) };
}

async function textOf(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

beforeAll(async () => {
  app = await startSite();
  organization = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  await addAdaAndGrace(app, organization);
  owner = await signedIn(app, organization, { roles: ['owner'] });
  window = await openWindow(app.config.baseUrl);
  page = window.page;
  await enterSession(window, app, owner.token);
});
afterAll(() => expect(window.faults).toEqual([]));
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

it('lets an owner download the access report', async () => {
  await page.goto(`/dashboard/organizations/${organization}/members`);
  await button('Download access report').waitFor();
  await expectAccessibleOnce(page);
  await button('Download access report').click();
  const { name, text } = await downloaded(() => menuItem(/CSV, for/).click());

  expect(name).toBe('access-report-acme.csv');
  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(rows.find(({ id }) => id === owner.id)).toMatchObject({ role: 'owner', permissions: '*', inherited: 'false' });
});

it('lets an owner download the access report of a past moment', async () => {
  const ada = { email: 'ada@example.com' };
  const [{ id }] = (await app.api.platform.get(`/v1/organizations/${organization}/users?email=${ada.email}`).expect(200)).body
    .data;
  await page.goto(`/dashboard/organizations/${organization}/members`);
  await button('Download access report').click();
  await menuItem(/past moment/).click();
  await page.getByRole('dialog', { name: 'Download access report of a past moment' }).waitFor();
  await app.api.platform.post(`/v1/organizations/${organization}/members`, { userId: id, role: 'viewer' }).expect(201);
  const { text } = await downloaded(() => button('Download report').click());

  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(rows.filter((row) => row.id === id && row.role === 'viewer')).toEqual([]);

  await button('Download access report').click();
  await menuItem(/past moment/).click();
  await page.getByLabel('Date and time').fill('2001-01-01T00:00');
  await button('Download report').click();
  await page.getByText(/The history begins on/).waitFor();
});

it('lets an owner export the data of a user', async () => {
  const [{ id }] = (await app.api.platform.get(`/v1/organizations/${organization}/users?email=ada@example.com`).expect(200)).body
    .data;
  await page.goto(`/dashboard/organizations/${organization}/users/${id}`);
  await button('More actions').click();
  const { name, text } = await downloaded(() => menuItem('Export data').click());

  expect(name).toBe(`user-${id}.json`);
  expect(JSON.parse(text)).toMatchObject({ userId: id, profile: { email: 'ada@example.com' } });
});

it('lets a user export their own data', async () => {
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Your data' }).waitFor();
  const { text } = await downloaded(() => button('Export data').click());

  expect(JSON.parse(text)).toMatchObject({ userId: owner.id, memberships: [{ organizationId: organization, role: 'owner' }] });
});

it('hides the report from a member', async () => {
  const member = await signedIn(app, organization);
  const other = await openWindow(app.config.baseUrl);
  await enterSession(other, app, member.token);
  await other.page.goto(`/dashboard/organizations/${organization}/members`);
  await other.page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await other.page.getByRole('row').nth(1).waitFor();
  expect(await other.page.getByRole('button', { name: 'Download access report' }).count()).toBe(0);
});
