// Processor time: Chromium loads and renders the page, and axe checks it.
import { expect, it } from '@jest/globals';
import { newOrganization } from '../support/organizations.js';
import { openArea } from '../support/pages.js';
import { testReceiver } from '../support/receiver.js';
import { POLL, SsfReceiver } from '../support/shared-signals.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, expectStateAccessible, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);
const server = testReceiver();

it('shows the streams of receivers, and pauses, enables and deletes them', async () => {
  const { id } = await newOrganization(app, { name: 'Northwind' });
  await enterSession(page, app, await signedIn(app, id, { roles: ['owner'] }));
  await page.goto(`/dashboard/organizations/${id}`);
  await openArea(page, 'Shared signals');
  await page.getByText('No streams yet').waitFor();
  await expectStateAccessible(page);

  const receiver = await SsfReceiver.create(app, server, id, { scopes: ['ssf.manage'] });
  await page.goto(`/dashboard/organizations/${id}/applications/${receiver.audience}/settings`);
  const scopes = page.getByRole('group', { name: 'API scopes' });
  await scopes.getByText('ssf.manage').waitFor();
  await scopes.getByRole('combobox').last().click();
  await page.getByRole('option', { name: 'ssf.read' }).waitFor();
  const stream = await receiver.createStream(POLL, { description: 'Sessions of the intranet' });
  await receiver.api.post('/ssf/verification', { stream_id: stream }).expect(204);
  await page.goto(`/dashboard/organizations/${id}/shared-signals`);
  const row = page.getByRole('row', {
    name: /Receiver.*Sessions of the intranet.*Poll by the receiver.*session-revoked.*Enabled/,
  });
  await row.waitFor();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('row', { name: /Paused/ }).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('row', { name: /Enabled/ }).waitFor();
  expect((await receiver.api.get(`/ssf/status?stream_id=${stream}`).expect(200)).body.status).toBe('enabled');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No streams yet').waitFor();
});
