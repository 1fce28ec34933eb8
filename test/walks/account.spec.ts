// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { made, newAddress, newOrganization, read } from '../support/organizations.js';
import { elementsOf, openArea } from '../support/pages.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { everyNth, sized } from '../support/test-size.js';
import { enterSession, expectAccessible, openPage, picture, testSite } from '../support/web.js';

const NEW_PASSWORD = 'quarry velvet orbit lantern';
/** Loaded before the data of a page: at most 8 scripts, the document, the styles and the icon. */
const DASHBOARD_BUDGET = { scriptsMax: 8, bytesMax: 400_000 };
const app = testSite();

let page: Page;
let organization: string;

const { button, dialog, heading } = elementsOf(() => page);

beforeAll(async () => {
  const fields = { name: 'Acme', slug: 'acme', branding: { primaryColor: '#0b5cad' }, settings: { allowPublicSignup: true } };
  organization = (await newOrganization(app, fields)).id;
});

it('a user signs in by keyboard, changes the profile and the password, and ends other sessions', async () => {
  const { email } = await activeUser(app, organization, { email: newAddress(), firstName: 'Ada' });
  const other = app.api.as(await sessionToken(app, organization, email));
  page = await openPage(app);
  await signInByKeyboard(email);
  await changeProfile(email);

  await page.getByRole('tab', { name: 'Sessions' }).click();
  await button('Discard changes').click();
  await page.getByText('Current session').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByText('1 session ended').waitFor();
  await other.get('/v1/auth/me').expect(401);

  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Change password' }).press('Enter');
  await page.getByLabel('Current password').focus();
  await page.keyboard.insertText(PASSWORD);
  for (const field of ['New password', 'Confirm new password']) {
    await page.getByRole('textbox', { name: field, exact: true }).focus();
    await page.keyboard.insertText(NEW_PASSWORD);
  }
  await page.keyboard.press('Enter');
  await page.getByText('Password changed').waitFor();
  await login(app, organization, email, NEW_PASSWORD).expect(200);
  await login(app, organization, email).expect(401);
});

async function signInByKeyboard(email: string): Promise<void> {
  await page.goto('/account/sign-in');
  await heading('Sign in').waitFor();
  await page.keyboard.type('acme');
  await page.keyboard.press('Enter');
  await heading('Sign in to Acme').waitFor();
  await expectAccessible(page);
  await picture(page, 'sign-in');
  expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('username');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/account$/);
  expect(await page.evaluate('[{...localStorage}, document.cookie]')).toEqual([{ 'sign-in.organization': 'acme' }, '']);
  expect(await page.evaluate('JSON.stringify([history.state, {...sessionStorage}])')).not.toContain(email);
}

async function changeProfile(email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await page.getByLabel('Display name').fill('Ada L.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  const user = (await read(app, `/v1/organizations/${organization}/users?email=${email}`))[0];
  expect(user.displayName).toBe('Ada L.');

  await page.getByLabel('First name').fill('x'.repeat(300));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('at most').first().waitFor();
  await expectAccessible(page);
}

describe('the exports', () => {
  let owner: SignedIn;
  let adaId: string;
  const adaEmail = newAddress();
  const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });

  beforeAll(async () => {
    adaId = (await made(app, `/v1/organizations/${organization}/users`, { email: adaEmail })).id;
    owner = await signedIn(app, organization, { roles: ['owner'] });
    page = await openPage(app);
    await enterSession(page, app, owner);
  });

  async function downloaded(start: () => Promise<void>): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([page.waitForEvent('download'), start()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }

  it('lets an owner download the access report, of a past moment, too', async () => {
    await page.goto(`/dashboard/organizations/${organization}/users`);
    await button('Download access report').waitFor();
    await button('Download access report').click();
    const { name, text } = await downloaded(() => menuItem(/CSV, for/).click());

    expect(name).toBe('access-report-acme.csv');
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows.find(({ id }) => id === owner.id)).toMatchObject({ role: 'owner', permissions: '*', inherited: 'false' });

    await button('Download access report').click();
    await menuItem(/past moment/).click();
    await dialog('Download access report of a past moment').waitFor();
    await made(app, `/v1/organizations/${organization}/members`, { userId: adaId, role: 'viewer' });
    const past = await downloaded(() => button('Download report').click());
    const pastRows: Record<string, string>[] = parse(past.text, { columns: true });
    expect(pastRows.filter((row) => row.id === adaId && row.role === 'viewer')).toEqual([]);

    await button('Download access report').click();
    await menuItem(/past moment/).click();
    await page.getByLabel('Date and time').fill('2001-01-01T00:00');
    await button('Download report').click();
    await page.getByText('The history begins on').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('lets an owner export the data of a user, and their own data', async () => {
    await page.goto(`/dashboard/organizations/${organization}`);
    await openArea(page, 'People');
    await page.getByRole('link', { name: adaEmail }).click();
    await button('More actions').click();
    const { name, text } = await downloaded(() => menuItem('Export data').click());

    expect(name).toBe(`user-${adaId}.json`);
    expect(JSON.parse(text)).toMatchObject({ userId: adaId, profile: { email: adaEmail } });

    await page.goto('/account');
    await page.getByRole('heading', { name: 'Your data' }).waitFor();
    const own = await downloaded(() => button('Export data').click());
    expect(JSON.parse(own.text)).toMatchObject({
      userId: owner.id,
      memberships: [{ organizationId: organization, role: 'owner' }],
    });
  });
});

describe('the first load of a page', () => {
  const SIGN_IN_PAGES = [
    '/account/sign-in?organization=acme',
    '/account/sign-up?organization=acme',
    '/account/forgot-password?organization=acme',
    '/account/authorize?interaction=x',
    '/accept-invitation?token=x',
    '/reset-password?token=x',
    '/verify-email?token=x',
    '/cancel-email-change?token=x',
  ].map((address) => ({ address, scriptsMax: 8, bytesMax: 120_000 }));
  const FIVE_PAGES = [
    { address: '/account/sign-in', scriptsMax: 3, bytesMax: 115_000 },
    ...['', '/users', '/settings'].map((path) => ({ address: `/dashboard/organizations/acme${path}`, ...DASHBOARD_BUDGET })),
    { address: '/account', ...DASHBOARD_BUDGET },
  ];
  let owner: SignedIn;

  beforeAll(async () => {
    owner = await signedIn(app, organization, { roles: ['owner'] });
  });

  it.each([...FIVE_PAGES, ...sized(everyNth(SIGN_IN_PAGES, 4, 3), SIGN_IN_PAGES, SIGN_IN_PAGES)])(
    'keeps its budget at $address',
    async ({ address, scriptsMax, bytesMax }) => {
      const isDashboard = bytesMax === DASHBOARD_BUDGET.bytesMax;
      const dashboard = await (await fetch(`${app.url}/dashboard`)).text();
      // The helpers of the bundler belong to the sign-in pages and the dashboard.
      const ofDashboard = (dashboard.match(/\/assets\/[^"]+/g) ?? []).filter((path) => !path.includes('rolldown-runtime'));
      expect(ofDashboard.length).toBeGreaterThan(1);
      page = await openPage(app, isDashboard ? owner : undefined);
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const loaded = await page.evaluate<[string, number][]>(
        'performance.getEntries().filter((entry) => entry.encodedBodySize > 0).map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])',
      );
      // The browser loads a file once, also if several elements show it.
      const files = [...new Map(loaded)].filter(([path]) => !path.startsWith('/v1/'));
      const total = files.reduce((sum, [, bytes]) => sum + bytes, 0);
      const scripts = files.filter(([path]) => path.endsWith('.js')).length;
      expect(scripts).toBeGreaterThan(1);
      if (!isDashboard) expect(files.filter(([path]) => ofDashboard.includes(path))).toEqual([]);
      const isInBudget = scripts <= scriptsMax && files.length <= scriptsMax + 3 && total <= bytesMax;
      expect({ files, total, scripts, isInBudget }).toMatchObject({ isInBudget: true });
    },
  );
});
