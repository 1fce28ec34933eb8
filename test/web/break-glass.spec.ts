import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { requestBreakGlassAccess } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

/** The requester and the approver have separate windows. */
describe('the break-glass page', () => {
  let app: TestApp;
  let requesterWindow: Window;
  let approverWindow: Window;
  let requester: SignedIn;
  let org: TestBody;
  const address = (): string => `/dashboard/organizations/${org.id}/break-glass`;

  beforeAll(async () => {
    app = await startSite();
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    requester = await signedIn(app, org.id, { roles: ['admin'] });
    requesterWindow = await openWindow(app.config.baseUrl);
    await enterSession(requesterWindow, app, requester.token);
    approverWindow = await openWindow(app.config.baseUrl);
    await enterSession(approverWindow, app, (await signedIn(app, org.id, { roles: ['owner'] })).token);
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
  });

  it('shows decisions without a reload', async () => {
    await requesterWindow.page.goto(address());
    await requesterWindow.page.getByText('No break-glass requests yet').waitFor();
    await expectAccessible(requesterWindow.page);
    const path = `/v1/organizations/${org.id}/break-glass`;
    const request = { reason: 'Production is down', durationSeconds: 3_600 };
    const { id } = (await requester.client.post(path, request).expect(201)).body.data;
    await requesterWindow.page.reload();
    await requesterWindow.page.getByRole('row', { name: /Production is down/ }).waitFor();
    await expectAccessible(requesterWindow.page);

    const { page } = approverWindow;
    await page.goto(address());
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${requester.email} becomes an owner of this organization`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Active.*Approved by/ }).waitFor();
    await expectAccessible(page);
    await requesterWindow.page
      .getByText('You are temporarily an owner of this organization through break-glass access.')
      .waitFor();
    await expectAccessible(requesterWindow.page);
    await requester.client.post(`${path}/${id}/end`).expect(200);
  });

  it('shows the requester why a request was denied', async () => {
    await requesterWindow.page.goto(address());
    await requestBreakGlassAccess(requesterWindow.page, 'Just trying it out');
    await requesterWindow.page.getByRole('row', { name: /Just trying it out.*to approve or deny/ }).waitFor();
    const { page } = approverWindow;
    await page.goto(`${address()}?status=pending`);
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason for denial').fill('That is no emergency');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('No requests with this status').waitFor();
    await requesterWindow.page.goto(`${address()}?status=denied`);
    await requesterWindow.page.getByText('That is no emergency').waitFor();
  });

  it('logs no errors', () => {
    expect([...requesterWindow.faults, ...approverWindow.faults]).toEqual([]);
  });
});
