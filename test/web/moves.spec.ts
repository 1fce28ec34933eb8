import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessible, openWindowOf, startSite, type Window } from '../support/web.js';

describe('the page that moves an organization', () => {
  const windows: Window[] = [];
  let app: TestApp;
  let page: Page;
  let globex: TestBody;
  let europe: TestBody;
  let berlin: TestBody;
  let mitte: TestBody;

  const moveOf = ({ id }: TestBody, parent: TestBody, tab = 'overview') =>
    `/dashboard/organizations/${id}/move?parent=${parent.id}&tab=${tab}`;
  const openPageOf = async (organization: TestBody, role: string): Promise<Page> => {
    const { token } = await signedIn(app, organization.id, { roles: [role] });
    const window = await openWindowOf(app, token);
    windows.push(window);
    return window.page;
  };

  beforeAll(async () => {
    app = await startSite();
    globex = await newOrganization(app, { name: 'Globex' });
    europe = await newOrganization(app, { name: 'Globex Europe', parentId: globex.id });
    berlin = await newOrganization(app, { name: 'Globex Berlin', parentId: globex.id });
    mitte = await newOrganization(app, { name: 'Globex Berlin Mitte', parentId: berlin.id });
    page = await openPageOf(globex, 'owner');
  });
  afterEach(() => expect(windows.flatMap(({ faults }) => faults)).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
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

  it('asks for the parent first, and explains the current parent', async () => {
    await page.goto(`/dashboard/organizations/${berlin.id}/move`);
    await page.getByRole('heading', { level: 2, name: 'No parent selected' }).waitFor();
    await expectAccessible(page);
    await page.goto(moveOf(berlin, globex));
    await page.getByText('Globex is already the parent of Globex Berlin.').waitFor();
    expect(await page.getByRole('button', { name: 'Move organization' }).count()).toBe(0);
  });

  it('explains why a move is not possible', async () => {
    await page.goto(moveOf(berlin, mitte));
    await page.getByRole('alert').getByText('organization_cycle').waitFor();
    await page.getByRole('alert').getByText('This move is not possible').waitFor();
    const other = await newOrganization(app, { name: 'Initech' });
    await page.goto(moveOf(berlin, other));
    await page.getByRole('alert').getByText('organization_not_found').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Move organization' }).count()).toBe(0);
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
    await dialog.getByText(/"local"/).waitFor();
    const { body } = await app.api.platform.get(`/v1/organizations/${tokyo.id}`).expect(200);
    expect(body.data.parentId).toBe(europe.id);
  });

  it('has no action for root organizations', async () => {
    await page.goto(`/dashboard/organizations/${globex.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Move…' }).count()).toBe(0);
    await page.goto(`/dashboard/organizations/${globex.id}/move`);
    await page.getByText('A root organization has no parent and can’t be moved.').waitFor();
  });

  it('offers no move without the permission organizations:write', async () => {
    const viewer = await openPageOf(globex, 'viewer');
    await viewer.goto('/dashboard');
    await viewer.getByRole('treeitem', { name: /^Globex / }).press('ArrowRight');
    const loaded = viewer.waitForResponse(/\/v1\/auth\/me\/permissions/);
    await viewer.getByRole('treeitem', { name: /^Globex Berlin / }).hover();
    await loaded;
    expect(await viewer.getByText('To move an organization').count()).toBe(0);
    expect(await viewer.locator('[draggable=true]').count()).toBe(0);
    await viewer.goto(moveOf(berlin, europe));
    await viewer.getByText('Moving this organization requires the permission organizations:write.').waitFor();
    await viewer.goto(`/dashboard/organizations/${berlin.id}`);
    await viewer.getByRole('heading', { level: 1, name: 'Globex Berlin' }).waitFor();
    await viewer.waitForLoadState('networkidle');
    expect(await viewer.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  });
});
