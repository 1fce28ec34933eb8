import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { made, newOrganization, read } from '../support/organizations.js';
import { elementsOf } from '../support/pages.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openPage, testPage, testSite } from '../support/web.js';

const app = testSite();

const TOKEN_NOT_CREATED = 'The connection was created, but its token was not';

describe('the pages of SCIM connections', () => {
  const page = testPage(app);

  const pageOf = (org: string, { connectionId }: ScimClient): string => `/dashboard/organizations/${org}/scim/${connectionId}`;
  const { button, dialog } = elementsOf(() => page);
  const enterAsOwner = async (org: string): Promise<void> =>
    enterSession(page, app, await signedIn(app, org, { roles: ['owner'] }));

  it('are accessible with the steps at each directory', async () => {
    const { org, scim } = await startScim(app, 'Northwind', { mode: 'preview' });
    await enterAsOwner(org);
    await page.goto(pageOf(org, scim));
    await page.getByText('No changes are recorded yet.').waitFor();
    for (const name of ['Microsoft Entra ID', 'Google', 'Keycloak']) {
      await page.getByText(name, { exact: true }).click();
      await page.getByRole('heading', { name: `Steps at ${name}` }).waitFor();
      await expectAccessible(page);
    }
    await page.goto(`/dashboard/organizations/${org}/scim`);
    await page.getByRole('link', { name: 'Directory' }).waitFor();
    await expectAccessible(page);
  });

  it('show the changes of a preview that failed', async () => {
    const { org, scim } = await startScim(app, 'Preview', { mode: 'preview' });
    await scim.post('/Users', { userName: 'late@preview.example' }).expect(201);
    await enterAsOwner(org);
    await page.goto(pageOf(org, scim));
    await made(app, `/v1/organizations/${org}/users`, { email: 'late@preview.example' });
    await button('Activate connection').click();
    await dialog().getByRole('button', { name: 'Activate connection' }).click();
    await page.getByText('Some changes could not be applied').waitFor();
    await page.getByText('late@preview.example: ').waitFor();
    await expectAccessible(page);
  });

  it('keep the changes of another person', async () => {
    const { org, scim } = await startScim(app, 'Conflict');
    await enterAsOwner(org);
    await page.goto(pageOf(org, scim));
    await page.getByLabel('Maximum removals per hour', { exact: true }).fill('5');
    const path = `/v1/organizations/${org}/scim-connections/${scim.connectionId}`;
    await app.api.platform.patch(path, { allowLocalChanges: true }).expect(200);
    await button('Save').click();
    await page.getByText('Someone else changed this connection').waitFor();
    await expectAccessible(page);
    await button('Reload').click();
    await page.getByRole('checkbox', { name: 'Allow local changes', checked: true }).waitFor();
    await page.getByLabel('Maximum removals per hour', { exact: true }).fill('5');
    await button('Save').click();
    await page.getByText('“Directory” was saved').waitFor();
    expect(await read(app, path)).toMatchObject({ allowLocalChanges: true, maxRemovals: 5 });
    await button('Delete connection').click();
    await dialog().getByRole('textbox').fill('Directory');
    await expectAccessible(page);
  });
});

it('the setup page shows that a link is incomplete', async () => {
  const page = await openPage(app);
  await page.goto('/setup');
  await page.getByText('This page needs the complete link').waitFor();
  await expectAccessible(page);
});

describe('the setup page with the step scim', () => {
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('shows the first token although the list of tokens was requested before', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind' });
    const { url } = await made(app, `/v1/organizations/${id}/setup-links`, { steps: ['scim'] });
    const page = await openPage(app);
    const [listed, created] = [new EventEmitter(), new EventEmitter()];
    const [isListed, isCreated] = [once(listed, 'done'), once(created, 'done')];
    // The list is read before the token is created, and arrives after it.
    await page.route('**/tokens*', async (route) => {
      const isCreation = route.request().method() === 'POST';
      if (isCreation) await isListed;
      const response = await route.fetch();
      if (!isCreation) listed.emit('done');
      if (!isCreation) await isCreated;
      await route.fulfill({ response });
      if (isCreation) await page.evaluate('new Promise(requestAnimationFrame)');
      if (isCreation) created.emit('done');
    });
    await page.goto(url);
    await page.getByLabel('Name').fill('Okta');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'I’ve copied the token' }).click();
    await region(page, 'Okta').getByRole('button', { name: 'Actions for Okta' }).waitFor();
  });

  it('retries a failed token without a second connection', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind' });
    const { url } = await made(app, `/v1/organizations/${id}/setup-links`, { steps: ['scim'] });
    const page = await openPage(app);
    await page.route('**/tokens', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.goto(url);
    await page.getByLabel('Name').fill('Okta');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const card = region(page, 'Okta');
    await card.getByText(TOKEN_NOT_CREATED).waitFor();
    await card.getByText('No tokens yet').waitFor();
    await expectAccessible(page);

    await page.unroute('**/tokens');
    await card.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByText('It is shown only once').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I’ve copied the token' }).click();
    await card.getByRole('button', { name: 'Actions for Okta' }).waitFor();
    expect(await card.getByText(TOKEN_NOT_CREATED).count()).toBe(0);
    await expectAccessible(page);
    const connections = await read(app, `/v1/organizations/${id}/scim-connections`);
    expect(connections).toMatchObject([{ name: 'Okta' }]);
    await app.database.query(`UPDATE scim_connections SET mode = 'stopped', stopped_at = now() WHERE organization_id = $1`, [id]);
    await page.reload();
    await card.getByText('All changes by the directory are rejected').waitFor();
    await expectAccessible(page);
  });
});
