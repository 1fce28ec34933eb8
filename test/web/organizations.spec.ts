import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import { enterAs, operatorLink } from '../support/dashboard.js';
import { mailsTo } from '../support/mailbox.js';
import { activeUser } from '../support/sign-in.js';
import { expectAccessible, openWindow, picture, type Window } from '../support/web.js';

/** The pages of the first hour, of all organizations and of one. */
describe('pages of organizations', () => {
  let app: TestApp;
  let browser: Browser;
  let window: Window;
  let page: Page;

  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} \\d+ member`) });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const focused = () => page.evaluate<string | null>('document.activeElement.textContent');

  beforeAll(async () => {
    app = await startApp();
    browser = await startChromium();
    window = await openWindow(browser, app.url);
    page = window.page;
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('lead from the link of the first hour to an invited owner', async () => {
    await page.goto(await operatorLink(app));
    await page.getByLabel('Name of the organization').fill('Acme');
    expect(page.url()).toBe(`${app.url}/dashboard/first-hour`);
    await expectAccessible(page);
    await picture(page, 'first-hour');
    await page.keyboard.press('Enter');

    await page.getByLabel('E-mail address').fill('nobody');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    // The browser itself refuses it; what it lets pass the service answers.
    await page.getByLabel('E-mail address').fill('ada@localhost');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText(/must be/).waitFor();
    await page.getByLabel('E-mail address').fill('ada@acme.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();

    await page.getByRole('heading', { name: 'You are set' }).waitFor();
    await expectAccessible(page);
    const mailbox = await page.getByRole('link', { name: 'Open the mailbox' }).getAttribute('href');
    expect(mailbox).toBe('/dev/mailbox?to=ada%40acme.example');
    expect(await mailsTo(app, 'ada@acme.example')).toMatchObject([{ template: 'invitation' }]);
    const { data } = (await app.api.platform.get('/v1/organizations/acme/members?role=owner').expect(200)).body;
    expect(data).toMatchObject([{ email: 'ada@acme.example', role: 'owner', status: 'pending' }]);
  });

  it('say how to get another link when one is used up', async () => {
    const stranger = await openWindow(browser, app.url);
    const link = await operatorLink(app);
    await stranger.page.goto(link);
    await stranger.page.getByRole('heading', { name: 'Create the first organization' }).waitFor();
    await stranger.context.clearCookies();
    await stranger.page.goto('about:blank');
    await stranger.page.goto(link);
    await stranger.page.getByRole('heading', { level: 1, name: 'This link does not work any more' }).waitFor();
    await stranger.page.getByText('npm run dashboard-link').waitFor();
    await expectAccessible(stranger.page);
    expect(stranger.faults).toEqual([]);
    await stranger.context.close();
  });

  it('walk the tree by keyboard, reading each level when it is opened', async () => {
    const europe = await make('Acme Europe', 'acme');
    await make('Acme France', europe);
    await make('Acme Germany', europe);
    await make('Umbrella');
    await page.goto('/dashboard');
    await item('Umbrella').waitFor();
    expect(await item('Acme Europe').count()).toBe(0);
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^Umbrella/);

    await page.keyboard.press('ArrowDown');
    expect(await item('Acme').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await item('Acme Europe').waitFor();
    expect(await item('Acme').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^Acme Europe/);
    await page.keyboard.press('ArrowRight');
    await item('Acme France').waitFor();
    await page.keyboard.press('End');
    expect(await focused()).toMatch(/^Acme France/);
    expect(await item('Acme France').getAttribute('aria-level')).toBe('3');
    await expectAccessible(page);
    await picture(page, 'organizations');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await item('Acme France').count()).toBe(0);
    await page.keyboard.press('Enter');
    await heading('Acme Europe').waitFor();

    await page.goBack();
    await item('Acme Europe').waitFor();
  });

  it('search the whole tree and tell where each find is', async () => {
    await page.goto('/dashboard');
    await page.getByRole('searchbox').fill('france');
    const row = page.getByRole('row', { name: /Acme France/ });
    await row.getByText('Acme / Acme Europe').waitFor();
    await page.waitForURL('**/dashboard?search=france');
    await expectAccessible(page);
    await page.reload();
    await row.getByRole('link', { name: 'Acme France' }).click();
    await heading('Acme France').waitFor();

    await page.goto('/dashboard?search=nothing+like+this');
    await page.getByRole('heading', { name: 'No organization matches' }).waitFor();
  });

  it('show one organization: made, edited, suspended with a reason, activated', async () => {
    await page.goto(
      `/dashboard/organizations/${(await app.api.platform.get('/v1/organizations/acme').expect(200)).body.data.id}`,
    );
    await page.getByRole('button', { name: 'New organization below' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Slug').fill('acme-europe');
    await dialog.getByLabel('Name').fill('Acme Asia');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/is already in use/).waitFor();
    await dialog.getByLabel('Slug').fill('');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await heading('Acme Asia').waitFor();
    const path = page.getByRole('navigation', { name: 'Where you are' });
    expect(await path.getByRole('link').allTextContents()).toEqual(['All organizations', 'Acme']);

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Metadata').fill('{"plan": ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This is not a JSON object.').waitFor();
    await dialog.getByLabel('Metadata').fill('{"plan": "pro"}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('"plan": "pro"').waitFor();
    await expectAccessible(page);
    await picture(page, 'organization');

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await dialog.getByLabel('Reason').fill('Unpaid invoices');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Reason: Unpaid invoices').waitFor({ state: 'detached' });
  });

  it('delete an organization with all below it, saying what goes along, and restore it', async () => {
    const doomed = await make('Globex');
    await make('Globex below', doomed);
    await activeUser(app, doomed, { email: 'hank@globex.example' });
    await page.goto(`/dashboard/organizations/${doomed}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/1 organization below it, together with 1 user,/).waitFor();
    await dialog.getByText(/can be restored until/).waitFor();
    await expectAccessible(page);
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByLabel('Type “Globex” to confirm').fill('Globex');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox').press('Space');
    await button.click();

    await page.getByRole('button', { name: 'Restore: Globex' }).waitFor();
    await app.api.platform.get(`/v1/organizations/${doomed}`).expect(404);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore: Globex' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Globex is back').waitFor();
    const { data } = (await app.api.platform.get(`/v1/organizations/${doomed}`).expect(200)).body;
    expect(data.children).toMatchObject([{ name: 'Globex below' }]);
  });

  it('lead a user of one organization to it, with the pages that the user may see, by the switcher too', async () => {
    const { id } = (await app.api.platform.get('/v1/organizations/acme-france').expect(200)).body.data;
    await activeUser(app, id, { email: 'marie@acme.example' });
    const own = await openWindow(browser, app.url);
    await enterAs(app, own.page, 'acme-france', 'marie@acme.example');
    await own.page.goto('/dashboard');
    await own.page.getByRole('heading', { level: 1, name: 'Acme France' }).waitFor();
    const entries = own.page.getByRole('navigation', { name: 'Pages of the organization' });
    await entries.getByRole('link', { name: 'Members' }).waitFor();
    expect(await entries.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await own.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await own.page.getByRole('button', { name: /^Switch organization/ }).click();
    await own.page.getByRole('option', { name: /Acme France/ }).waitFor();
    expect(await own.page.getByRole('option').count()).toBe(1);
    expect(own.faults).toEqual([]);
    await own.context.close();
  });

  it('switch to the same page of another organization', async () => {
    await page.goto(
      `/dashboard/organizations/${(await app.api.platform.get('/v1/organizations/umbrella').expect(200)).body.data.id}/settings`,
    );
    await page.getByRole('button', { name: 'Switch organization: Umbrella' }).click();
    await page.getByRole('textbox', { name: 'Search by name or slug' }).fill('germany');
    await page.getByRole('option', { name: /Acme Germany/ }).click();
    await page.getByRole('button', { name: 'Switch organization: Acme Germany' }).waitFor();
    await heading('Settings').waitFor();
  });

  it('had no faults', () => {
    expect(window.faults).toEqual([]);
  });
});
