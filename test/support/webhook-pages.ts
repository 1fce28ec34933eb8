import { afterAll, beforeAll } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Settings } from '#platform/config';
import type { TestApp } from './app.js';
import { newOrganization } from './organizations.js';
import { elementsOf } from './pages.js';
import { type ReceivedRequest, type Receiver, type ReceiverResponse, startReceiver } from './receiver.js';
import { type SignedIn, signedIn } from './signed-in.js';
import { openPage, testSite } from './web.js';

/** The service, a receiver, and a browser page that is signed in as the owner of the organization `acme`. */
export interface WebhookPages extends ReturnType<typeof elementsOf> {
  readonly app: TestApp;
  readonly receiver: Receiver;
  readonly page: Page;
  readonly owner: SignedIn;
  readonly organizationId: string;
  /** The path of the list of webhooks: the prefix of all webhook pages. */
  readonly base: string;
}

/** Starts them before the tests of the file. The page has access to the clipboard. Only tests and hooks can use the result. */
export function webhookPages(
  behavior: (request: ReceivedRequest) => ReceiverResponse,
  overrides: Partial<Settings> = {},
): WebhookPages {
  const app = testSite(() => overrides);
  const pages = { app, ...elementsOf(() => (pages as WebhookPages).page) } as {
    -readonly [Name in keyof WebhookPages]: WebhookPages[Name];
  };
  beforeAll(async () => {
    pages.receiver = await startReceiver(behavior);
    pages.organizationId = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
    pages.base = `/dashboard/organizations/${pages.organizationId}/webhooks`;
    pages.owner = await signedIn(app, pages.organizationId, { roles: ['owner'] });
    pages.page = await openPage(app, pages.owner);
    await pages.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => pages.receiver?.stop());
  return pages;
}
