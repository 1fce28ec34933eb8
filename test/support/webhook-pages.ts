import { beforeAll } from '@jest/globals';
import type { Settings } from '#platform/config';
import { newOrganization } from './organizations.js';
import { elementsOf } from './pages.js';
import { type ReceivedRequest, type ReceiverResponse, testReceiver } from './receiver.js';
import { signedIn } from './signed-in.js';
import { enterSession, testPage, testSite } from './web.js';

/**
 * Starts the service, a receiver, and a browser page that is signed in as the owner of the organization `acme` and has access to the clipboard,
 * before the tests of the file. Only tests and hooks can use the result.
 */
export function webhookPages(behavior: (request: ReceivedRequest) => ReceiverResponse, overrides: Partial<Settings> = {}) {
  const app = testSite(() => overrides);
  const page = testPage(app);
  const pages = {
    app,
    page,
    receiver: testReceiver(behavior),
    ...elementsOf(() => page),
    organizationId: '',
    /** The path of the list of webhooks: the prefix of all webhook pages. */
    base: '',
  };
  beforeAll(async () => {
    pages.organizationId = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
    pages.base = `/dashboard/organizations/${pages.organizationId}/webhooks`;
    await enterSession(page, app, await signedIn(app, pages.organizationId, { roles: ['owner'] }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  return pages;
}
