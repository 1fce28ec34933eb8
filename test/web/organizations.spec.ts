import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { enterAsOperator, operatorLink } from '../support/dashboard.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization, newUser, read } from '../support/organizations.js';
import { elementsOf, openArea } from '../support/pages.js';
import { activeUser } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { expectAccessible, expectStateAccessible, openPage, picture, testSite } from '../support/web.js';

const app = testSite();

describe('the organizations area', () => {
  let page: Page;
  let acme: string;
  let europe: string;

  const make = async (name: string, parentId?: string): Promise<string> => (await newOrganization(app, { name, parentId })).id;
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} \\d+ member`) });
  const { heading } = elementsOf(() => page);
  const focused = () => page.evaluate<string | null>('document.activeElement.textContent');

  beforeAll(async () => {
    acme = await make('Acme');
    europe = await make('Acme Europe', acme);
    await make('Acme France', europe);
    await make('Acme Germany', europe);
    page = await openPage(app);
    await enterAsOperator(app, page);
  });

  it('explains how to replace a used one-time link', async () => {
    const visitor = await openPage(app);
    const link = await operatorLink(app);
    await visitor.goto(link);
    await visitor.getByRole('heading', { name: 'Create the first organization' }).waitFor();
    await visitor.context().clearCookies();
    await visitor.goto('about:blank');
    await visitor.goto(link);
    await visitor.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
    await visitor.getByText('npm run dashboard-link').waitFor();
    await expectAccessible(visitor);
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
    await dialog.getByText('You can restore the organization until').waitFor();
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
    expect((await read(app, `/v1/organizations/${deletedId}`)).children).toMatchObject([{ name: 'Globex Europe' }]);
  });

  it('opens the only organization of a user', async () => {
    const { id } = await read(app, '/v1/organizations/acme-france');
    const page = await openPage(app, await signedIn(app, id));
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Acme France' }).waitFor();
    const entries = page.getByRole('navigation', { name: 'Organization pages' });
    await entries.getByRole('link', { name: 'People' }).waitFor();
    expect(await entries.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Switch organization/ }).click();
    await page.getByRole('option', { name: /Acme France/ }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
  });

  it('lists what needs attention on the overview and under the bell, with the pages that solve it', async () => {
    const { id } = await newOrganization(app);
    const child = await make('Child', id);
    const { client, ...owner } = await signedIn(app, id, { roles: ['owner'] });
    const webhook = await made(app, `/v1/organizations/${child}/webhooks`, { url: 'https://example.com/', events: ['user.*'] });
    await app.database.query(
      `INSERT INTO webhook_health (tenant_id, webhook_id, consecutive_failures, failing_since) VALUES ($1, $2, 9, now())
       ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET consecutive_failures = 9, failing_since = now()`,
      [id, webhook.id],
    );
    const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    await made(app, `/v1/organizations/${id}/api-keys`, { name: 'crm', scopes: ['users:read'], expiresAt });
    await newUser(app, id);
    const visitor = await openPage(app, owner);
    const panel = visitor.getByRole('dialog', { name: 'Notifications' });
    const link = { name: 'Open webhook: The webhook “example.com” fails' };
    await visitor.goto(`/dashboard/organizations/${id}`);
    const card = visitor.getByRole('region', { name: '2 problems need attention' });
    await card.getByRole('link', link).waitFor();
    await card.getByText(/The API key “crm .* expires soon/).waitFor();
    await visitor.getByText('1 user is pending').waitFor();
    const firstSteps = visitor.getByRole('region', { name: 'First steps' });
    await firstSteps.getByText('1 of 5 done').waitFor();
    await firstSteps.getByRole('listitem').filter({ hasText: 'Invite people (Done)' }).waitFor();
    await firstSteps.getByRole('button', { name: 'Dismiss checklist' }).click();
    await visitor.reload();
    await card.waitFor();
    expect(await firstSteps.count()).toBe(0);
    await visitor.getByRole('button', { name: 'Notifications: 2 unread' }).press('Enter');
    await expectStateAccessible(visitor);
    await panel.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await visitor.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect((await read(client, '/v1/auth/me/notifications')).map(({ readAt }: TestBody) => readAt)).not.toContain(null);
    await visitor.keyboard.press('Escape');
    await visitor.locator('button[aria-haspopup=dialog]:focus').press('Enter');
    await panel.getByRole('link', link).press('Enter');
    await visitor.waitForURL(`**/organizations/${child}/webhooks/${webhook.id}`);
  });

  it('stays in the frame without a connection and while the service is busy, and continues by itself', async () => {
    const { id } = await newOrganization(app);
    await page.goto(`/dashboard/organizations/${id}`);
    await heading(/^Organization/).waitFor();
    // With `MONITORING_PORT`, pages can't reach the health checks.
    await page.route('**/health/**', (route) => route.fulfill({ status: 404 }));
    await page.context().setOffline(true);
    await openArea(page, 'Break-glass access');
    await page.getByRole('status').getByText('No connection to the service').waitFor();
    await expectStateAccessible(page);
    await page.context().setOffline(false);
    await heading('Break-glass access').waitFor();

    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    await page.reload();
    await heading('No connection').waitFor();
    await expectStateAccessible(page);
    await page.context().setOffline(false);
    await heading('Break-glass access').waitFor();

    const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
    const busy = { status: 503, headers, body: '{"code":"unavailable"}' };
    await page.route('**/v1/organizations/*/roles*', (route) => route.fulfill(busy), { times: 1 });
    await openArea(page, 'Roles');
    await page.getByText('The service is busy').waitFor();
    await page.getByRole('row', { name: /owner/ }).waitFor();
    expect(await page.getByText('The service is busy').count()).toBe(0);
  });

  it('keeps the current page when the user switches the organization', async () => {
    await page.goto(`/dashboard/organizations/${(await read(app, '/v1/organizations/umbrella')).id}/settings`);
    await page.getByRole('button', { name: 'Switch organization: Umbrella' }).click();
    await page.getByRole('textbox', { name: 'Search by name or slug' }).fill('germany');
    await page.getByRole('option', { name: /Acme Germany/ }).click();
    await page.getByRole('button', { name: 'Switch organization: Acme Germany' }).waitFor();
    await heading('Settings').waitFor();
  });
});

describe('the page that moves an organization', () => {
  let page: Page;
  let globex: TestBody;
  let europe: TestBody;
  let berlin: TestBody;
  let mitte: TestBody;

  const moveOf = ({ id }: TestBody, parent: TestBody, tab = 'overview') =>
    `/dashboard/organizations/${id}/move?parent=${parent.id}&tab=${tab}`;

  beforeAll(async () => {
    globex = await newOrganization(app, { name: 'Globex' });
    europe = await newOrganization(app, { name: 'Globex Europe', parentId: globex.id });
    berlin = await newOrganization(app, { name: 'Globex Berlin', parentId: globex.id });
    mitte = await newOrganization(app, { name: 'Globex Berlin Mitte', parentId: berlin.id });
    page = await openPage(app, await signedIn(app, globex.id, { roles: ['owner'] }));
  });

  it('has an empty state in every tab', async () => {
    for (const [tab, text] of [
      ['settings', 'No changed settings'],
      ['locks', 'No changed locks'],
      ['policies', 'All users comply'],
      ['access', 'No changed access'],
      ['webhooks', 'No changed webhooks'],
    ] as const) {
      await page.goto(moveOf(berlin, europe, tab));
      await page.getByRole('heading', { level: 2, name: text }).waitFor();
    }
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('Globex Berlin moves from Globex to Globex Europe.').waitFor();
    await expectAccessible(page);
  });

  it('explains why a move is not possible', async () => {
    const other = await newOrganization(app, { name: 'Initech' });
    for (const [address, text] of [
      [`/dashboard/organizations/${berlin.id}/move`, 'No parent selected'],
      [moveOf(berlin, globex), 'Globex is already the parent of Globex Berlin.'],
      [moveOf(berlin, mitte), /This move is not possible.*organization_cycle/s],
      [moveOf(berlin, other), 'organization_not_found'],
      [`/dashboard/organizations/${globex.id}/move`, 'A root organization has no parent and can’t be moved.'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('main').filter({ hasText: text }).waitFor();
      expect(await page.getByRole('button', { name: 'Move organization' }).count()).toBe(0);
      await expectAccessible(page);
    }
    await page.goto(`/dashboard/organizations/${globex.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Move…' }).count()).toBe(0);
  });

  it('keeps the confirmation open if the organizations changed after the preview', async () => {
    const role = await made(app, `/v1/organizations/${globex.id}/roles`, { name: 'auditor', permissions: ['users:read'] });
    const tokyo = await newOrganization(app, { name: 'Globex Tokyo', parentId: europe.id });
    await page.goto(moveOf(tokyo, berlin));
    await page.getByText('Globex Tokyo moves from Globex Europe to Globex Berlin.').waitFor();
    const own = await made(app, `/v1/organizations/${europe.id}/roles`, { name: 'local', permissions: ['users:read'] });
    await made(app, `/v1/organizations/${tokyo.id}/users`, { email: 'eve@globex.example', roles: [role.id, own.id] });
    await page.getByRole('button', { name: 'Move organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move Globex Tokyo?' });
    await dialog.getByRole('textbox').fill('Globex Tokyo');
    await dialog.getByRole('button', { name: 'Move organization' }).click();
    await dialog.getByText('ancestor_role_in_use').waitFor();
    await dialog.getByText('"local"').waitFor();
    expect((await read(app, `/v1/organizations/${tokyo.id}`)).parentId).toBe(europe.id);
  });
});

describe('the settings page', () => {
  let page: Page;
  let parentId: string;
  let childId: string;

  const make = async (body: object): Promise<string> => (await newOrganization(app, body)).id;
  const settingsOf = (id: string): Promise<TestBody> => read(app, `/v1/organizations/${id}/settings`);
  const open = (id: string, rest = '') => page.goto(`/dashboard/organizations/${id}/settings${rest}`);
  const preview = () => page.getByRole('dialog', { name: 'Preview changes' });

  beforeAll(async () => {
    parentId = await make({ name: 'Hooli', settings: { sessionTimeout: 7_200 }, lockedSettings: ['sessionTimeout'] });
    childId = await make({ name: 'Hooli Europe', parentId, settings: { passwordPolicy: { minLength: 20 } } });
    await activeUser(app, parentId, { email: 'ada@hooli.example', roles: ['owner'] });
    await activeUser(app, childId, { email: 'eve@hooli.example' });
    page = await openPage(app);
    await enterAsOperator(app, page);
  });

  it('shows the value and source of each setting', async () => {
    await open(childId);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByText('2 hours').waitFor();
    const lock = page.getByText(/^Locked by/);
    await lock.getByRole('link', { name: 'Hooli' }).waitFor();
    expect(await page.getByRole('button', { name: /^Override: Idle timeout/ }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Minimum length' }).inputValue()).toBe('20 characters');
    await expectAccessible(page);
    await picture(page, 'settings');
  });

  it('removes an override', async () => {
    // If MFA is required, the default minimum length of passwords is 8.
    const locked = { settings: { requireMfa: true }, lockedSettings: ['sessionTimeout', 'requireMfa'] };
    await app.api.platform.patch(`/v1/organizations/${parentId}`, locked).expect(200);
    await open(childId);
    await page.getByRole('button', { name: 'Remove override: Minimum length' }).click();
    await page.getByText('Will be inherited again').waitFor();
    await page.getByRole('button', { name: 'Override: Public sign-up' }).click();
    await page.getByRole('button', { name: 'Undo: Public sign-up' }).click();
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByText('Minimum length: 20 characters → 8 characters').waitFor();
    await preview().getByRole('button', { name: 'Save changes' }).click();
    await preview().waitFor({ state: 'detached' });
    expect((await settingsOf(childId)).passwordPolicy.minLength).toEqual({ value: 8, source: 'default' });
  });

  it('asks before unsaved changes are lost', async () => {
    const dialog = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
    const change = async () => {
      await open(childId);
      await page.getByRole('switch', { name: 'Lock for child organizations: Public sign-up' }).waitFor();
      await page.getByRole('button', { name: 'Override: Public sign-up' }).click();
    };
    const leave = () => openArea(page, 'Roles');
    await change();
    await page.getByRole('tab', { name: 'Branding' }).click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('1 unsaved change').waitFor();
    await leave();
    await expectStateAccessible(page);
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
    await change();
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await leave();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  });

  it('shows an error after a concurrent change', async () => {
    await open(childId);
    await page.getByRole('button', { name: 'Override: Public sign-up' }).click();
    await page.getByRole('switch', { name: 'Public sign-up', exact: true }).press('Space');
    await app.api.platform.patch(`/v1/organizations/${childId}`, { settings: { allowedDomains: ['hooli.example'] } }).expect(200);
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByText('Public sign-up: Off → On').waitFor();
    await preview().getByRole('button', { name: 'Save changes' }).click();
    await preview()
      .getByText(/^Someone else changed this organization/)
      .waitFor();
    expect((await settingsOf(childId)).allowPublicSignup.value).toBe(false);

    await open(parentId);
    await page.getByRole('button', { name: 'Override: Allowed email domains' }).click();
    await page.getByLabel('Allowed email domains', { exact: true }).first().fill('not a_domain');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await preview().getByRole('alert').waitFor();
  });

  it('previews the branding during edits', async () => {
    await open(parentId, '?tab=branding');
    await page.getByRole('textbox', { name: 'Primary color' }).fill('#ffe066');
    await page.getByText(/^The contrast of this color on a white page is too low/).waitFor();
    await page.getByRole('textbox', { name: 'Primary color' }).fill('#0b7285');
    await page.getByText(/^The contrast of this color on a white page is too low/).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Primary color' }).press('Tab');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect((await read(app, `/v1/organizations/${parentId}`)).branding).toEqual({ primaryColor: '#0b7285' });
  });

  it('rejects allowed networks without the network of the user', async () => {
    const id = await make({ name: 'Initech' });
    const page = await openPage(app, await signedIn(app, id, { roles: ['owner'] }));
    await page.goto(`/dashboard/organizations/${id}/settings`);
    await page.getByRole('button', { name: 'Override: Allowed networks' }).click();
    const networks = page.getByRole('combobox', { name: 'Allowed networks' });
    const preview = async (network: string): Promise<void> => {
      await networks.fill(network);
      await networks.press('Enter');
      await page.getByRole('button', { name: 'Preview and save' }).click();
    };
    await preview('198.51.100.0/24');
    await page.getByText('or you would lock yourself out').first().waitFor();
    await page.keyboard.press('Escape');
    await preview('127.0.0.0/8');
    await page.getByRole('button', { name: 'Save changes', exact: true }).click();
    await page.getByText('198.51.100.0/24, 127.0.0.0/8').waitFor();
  });
});
