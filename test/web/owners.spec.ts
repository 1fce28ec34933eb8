import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import type { TestApp } from '../support/app.js';
import { newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessible, openWindowOf, startSite, type Window } from '../support/web.js';

const TEST_TIMEOUT_MS = 120_000;

describe('the dashboard', () => {
  const windows: Window[] = [];
  let app: TestApp;
  beforeAll(async () => {
    app = await startSite();
  });
  afterAll(() => expect(windows.flatMap(({ faults }) => faults)).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  async function openPageOf({ token }: SignedIn): Promise<Page> {
    const window = await openWindowOf(app, token);
    windows.push(window);
    return window.page;
  }

  it(
    'shows that a key is flagged because the owner is suspended',
    async () => {
      const { id } = await newOrganization(app, { name: 'Northwind Asia' });
      const keysOf = `/v1/organizations/${id}/api-keys`;
      const page = await openPageOf(await signedIn(app, id, { roles: ['admin'] }));
      const colleague = await signedIn(app, id, { roles: ['admin'] });
      await colleague.client.post(keysOf, { name: 'Of a colleague', scopes: ['users:read'] }).expect(201);
      await app.api.platform.post(`/v1/organizations/${id}/users/${colleague.id}/suspend`, { reason: 'x' }).expect(200);
      await app.app.get(ApiKeyOwnerCheckService).run();
      const row = page.getByRole('row', { name: /Of a colleague/ });
      await page.goto(`/dashboard/organizations/${id}/api-keys`);
      await row.getByText('Flagged').waitFor();
      await expectAccessible(page);

      await app.api.platform.patch(`/v1/organizations/${id}`, { settings: { disableFlaggedApiKeys: true } }).expect(200);
      await app.app.get(ApiKeyOwnerCheckService).run();
      await page.reload();
      await row.getByText('Disabled').waitFor();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'shows the unused scopes of a key',
    async () => {
      const { id } = await newOrganization(app, { name: 'Northwind Africa' });
      const keysOf = `/v1/organizations/${id}/api-keys`;
      const admin = await signedIn(app, id, { roles: ['owner'] });
      const page = await openPageOf(admin);
      const { key } = (await admin.client.post(keysOf, { name: 'Reader', scopes: ['users:*'] }).expect(201)).body.data;
      await app.api.as(key).get(`/v1/organizations/${id}/users`).expect(200);
      await page.goto(`/dashboard/organizations/${id}/api-keys`);
      await page.getByText('Not used yet: users:write, users:delete').waitFor();

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
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'lets an administrator enable a webhook if the owner is suspended',
    async () => {
      const { id } = await newOrganization(app, { name: 'Northwind America' });
      const page = await openPageOf(await signedIn(app, id, { roles: ['admin'] }));
      const colleague = await signedIn(app, id, { roles: ['admin'] });
      const webhook = { name: 'Of a colleague', url: 'https://example.com/hooks', events: ['user.*'] };
      await colleague.client.post(`/v1/organizations/${id}/webhooks`, webhook).expect(201);
      await app.api.platform.post(`/v1/organizations/${id}/users/${colleague.id}/suspend`, { reason: 'x' }).expect(200);
      await app.app.get(FlaggedWebhooks).run();
      await page.goto(`/dashboard/organizations/${id}/webhooks`);
      await page.getByText('Flagged').waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Of a colleague' }).click();
      await page.getByText('The owner is suspended.').waitFor();
      await expectAccessible(page);

      await app.api.platform.patch(`/v1/organizations/${id}`, { settings: { disableFlaggedWebhooks: true } }).expect(200);
      await app.app.get(FlaggedWebhooks).run();
      await page.reload();
      await page.getByText('Disabled because the owner lost access').waitFor();
      await page.getByRole('button', { name: 'Enable webhook' }).click();
      await page.getByText('Webhook enabled').waitFor();
    },
    TEST_TIMEOUT_MS,
  );
});
