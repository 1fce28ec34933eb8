import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

/** Emergency access, with one window for who asks and one for who decides. */
describe('the page about break glass', () => {
  let app: TestApp;
  let browser: Browser;
  let asking: Window;
  let deciding: Window;
  let requester: SignedIn;
  let org: TestBody;
  const address = (): string => `/dashboard/organizations/${org.id}/break-glass`;
  const newest = async (): Promise<TestBody> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/break-glass`).expect(200)).body.data[0];

  beforeAll(async () => {
    app = await startSite();
    browser = await startChromium();
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    requester = await signedIn(app, org.id, { roles: ['admin'] });
    asking = await openWindow(browser, app.config.baseUrl);
    await enterSession(asking, app, requester.token);
    deciding = await openWindow(browser, app.config.baseUrl);
    await enterSession(deciding, app, (await signedIn(app, org.id, { roles: ['owner'] })).token);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function ask(reason: string): Promise<void> {
    const { page } = asking;
    await page.getByRole('button', { name: 'Ask for emergency access', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').pressSequentially(reason);
    await dialog.getByRole('button', { name: 'Ask now' }).press('Enter');
  }

  it('take a request, by keyboard, that its maker can not approve', async () => {
    const { page } = asking;
    await page.goto(address());
    await page.getByText('No emergency so far').waitFor();
    await expectAccessible(page);
    await ask('Production is down');
    const row = page.getByRole('row', { name: /Production is down/ });
    await row.getByRole('button', { name: 'Approve. This is your own request: another person has to decide.' }).press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await newest()).toMatchObject({ status: 'pending', requesterId: requester.id, durationSeconds: 3_600 });
    await expectAccessible(page);
    await ask('A second one');
    await page.getByText('You have a request here already').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('let another person approve it, which the requester sees with the time left', async () => {
    const { page } = deciding;
    await page.goto(address());
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${requester.email} may do everything here`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Running.*Approved by/ }).waitFor();
    await expectAccessible(page);
    await picture(page, 'break-glass');

    const banner = asking.page.getByText('You have emergency access as an owner here.');
    await banner.waitFor();
    const left = asking.page.getByRole('timer').first();
    const first = await left.innerText();
    expect(first).toMatch(/^(59:\d\d|1:00:00)$/);
    await expect(changed(() => left.innerText(), first)).resolves.not.toBe(first);
    await expectAccessible(asking.page);
    // What may be done follows, without signing in anew.
    await asking.page.goto(`/dashboard/organizations/${org.id}/roles/new`);
    expect(await asking.page.getByRole('checkbox', { name: /^Everything/ }).isEnabled()).toBe(true);
  });

  it('end it', async () => {
    const { page } = asking;
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You have emergency access').waitFor({ state: 'detached' });
    expect(await newest()).toMatchObject({ status: 'ended', endedReason: 'returned' });
    await page.goto(`${address()}?status=ended`);
    await page.getByRole('row', { name: /given back/ }).waitFor();
  });

  it('deny one with a note', async () => {
    await asking.page.goto(address());
    await ask('Just trying it out');
    await asking.page.getByRole('row', { name: /Just trying it out.*to decide/ }).waitFor();
    const { page } = deciding;
    await page.goto(`${address()}?status=pending`);
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why not').fill('That is no emergency');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('No request with this status').waitFor();
    await asking.page.goto(`${address()}?status=denied`);
    await asking.page.getByText('That is no emergency').waitFor();
  });

  it('had no faults', () => {
    expect([...asking.faults, ...deciding.faults]).toEqual([]);
  });
});

/** Waits until a text is another one. */
async function changed(read: () => Promise<string>, from: string): Promise<string> {
  for (let tries = 0; tries < 50; tries += 1) {
    const now = await read();
    if (now !== from) return now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return from;
}
