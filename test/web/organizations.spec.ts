import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { enterAs, enterAsOperator, operatorLink } from '../support/dashboard.js';
import { activeUser } from '../support/sign-in.js';
import { closeWindows, expectAccessible, openWindow, picture, type Window } from '../support/web.js';

describe('the organizations area', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let acme: string;
  let europe: string;

  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} \\d+ member`) });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const focused = () => page.evaluate<string | null>('document.activeElement.textContent');

  beforeAll(async () => {
    app = await startApp();
    acme = await make('Acme');
    europe = await make('Acme Europe', acme);
    await make('Acme France', europe);
    await make('Acme Germany', europe);
    window = await openWindow(app.url);
    page = window.page;
    await enterAsOperator(app, page);
  });
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it('explains how to replace a used one-time link', async () => {
    const visitor = await openWindow(app.url);
    const link = await operatorLink(app);
    await visitor.page.goto(link);
    await visitor.page.getByRole('heading', { name: 'Create the first organization' }).waitFor();
    await visitor.context.clearCookies();
    await visitor.page.goto('about:blank');
    await visitor.page.goto(link);
    await visitor.page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
    await visitor.page.getByText('npm run dashboard-link').waitFor();
    await expectAccessible(visitor.page);
    expect(visitor.faults).toEqual([]);
    await visitor.context.close();
  });

  it('supports the keyboard in the tree', async () => {
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

  it('searches the complete tree', async () => {
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
    await page.getByRole('heading', { name: 'No matching organizations' }).waitFor();
  });

  it('lists the data that a deletion affects', async () => {
    const deletedId = await make('Globex');
    await make('Globex Europe', deletedId);
    await activeUser(app, deletedId, { email: 'hank@globex.example' });
    await page.goto(`/dashboard/organizations/${deletedId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/and its descendants \(1 organization\), 1 user,/).waitFor();
    await dialog.getByText(/You can restore the organization until/).waitFor();
    await expectAccessible(page);
    const button = dialog.getByRole('button', { name: 'Delete organization', exact: true });
    await dialog.getByLabel('Type “Globex” to confirm').fill('Globex');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox').press('Space');
    await button.click();

    await page.getByRole('button', { name: 'Restore: Globex' }).waitFor();
    await app.api.platform.get(`/v1/organizations/${deletedId}`).expect(404);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore: Globex' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Globex was restored').waitFor();
    const { data } = (await app.api.platform.get(`/v1/organizations/${deletedId}`).expect(200)).body;
    expect(data.children).toMatchObject([{ name: 'Globex Europe' }]);
  });

  it('opens the only organization of a user', async () => {
    const { id } = (await app.api.platform.get('/v1/organizations/acme-france').expect(200)).body.data;
    await activeUser(app, id, { email: 'marie@acme.example' });
    const userWindow = await openWindow(app.url);
    await enterAs(app, userWindow.page, 'acme-france', 'marie@acme.example');
    await userWindow.page.goto('/dashboard');
    await userWindow.page.getByRole('heading', { level: 1, name: 'Acme France' }).waitFor();
    const entries = userWindow.page.getByRole('navigation', { name: 'Organization pages' });
    await entries.getByRole('link', { name: 'Members' }).waitFor();
    expect(await entries.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await userWindow.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await userWindow.page.getByRole('button', { name: /^Switch organization/ }).click();
    await userWindow.page.getByRole('option', { name: /Acme France/ }).waitFor();
    expect(await userWindow.page.getByRole('option').count()).toBe(1);
    expect(userWindow.faults).toEqual([]);
    await userWindow.context.close();
  });

  it('keeps the current page when the user switches the organization', async () => {
    await page.goto(
      `/dashboard/organizations/${(await app.api.platform.get('/v1/organizations/umbrella').expect(200)).body.data.id}/settings`,
    );
    await page.getByRole('button', { name: 'Switch organization: Umbrella' }).click();
    await page.getByRole('textbox', { name: 'Search by name or slug' }).fill('germany');
    await page.getByRole('option', { name: /Acme Germany/ }).click();
    await page.getByRole('button', { name: 'Switch organization: Acme Germany' }).waitFor();
    await heading('Settings').waitFor();
  });

  it('is accessible in light and dark mode', async () => {
    const first = await openWindow(app.url);
    await first.page.goto(await operatorLink(app));
    await first.page.getByLabel('Organization name').fill('Hooli');
    await expectAccessible(first.page);
    await first.page.keyboard.press('Enter');
    await first.page.getByLabel('Email address').fill('gavin@hooli.example');
    await first.page.getByRole('button', { name: 'Send invitation' }).click();
    await first.page.getByRole('heading', { name: 'Setup complete' }).waitFor();
    await expectAccessible(first.page);
    expect(first.faults).toEqual([]);
    await first.context.close();

    await app.api.platform.patch(`/v1/organizations/${acme}`, { metadata: { plan: 'pro' } }).expect(200);
    await page.goto(`/dashboard/organizations/${acme}`);
    await page.getByText('"plan": "pro"').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Unpaid invoices');
    await expectAccessible(page);
  });

  it('logs no errors', () => {
    expect(window.faults).toEqual([]);
  });
});
