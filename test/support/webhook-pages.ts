import type { Page } from 'playwright-core';
import type { Settings } from '#platform/config';
import type { TestApp } from './app.js';
import { newOrganization } from './organizations.js';
import { type ReceivedRequest, type Receiver, type ReceiverResponse, startReceiver } from './receiver.js';
import { type SignedIn, signedIn } from './signed-in.js';
import { closeWindows, enterSession, openWindow, startSite, type Window } from './web.js';

/** A browser page with the webhooks of the organization `acme`, signed in as its owner. */
export interface WebhookPages {
  readonly app: TestApp;
  readonly receiver: Receiver;
  readonly window: Window;
  readonly page: Page;
  readonly owner: SignedIn;
  readonly organizationId: string;
  /** The path of the list of webhooks: the prefix of all webhook pages. */
  readonly base: string;
  close(): Promise<void>;
}

/** Starts the service and a receiver with `behavior`, and opens a window with access to the clipboard. */
export async function startWebhookPages(
  behavior: (request: ReceivedRequest) => ReceiverResponse,
  overrides: Partial<Settings> = {},
): Promise<WebhookPages> {
  const app = await startSite(overrides);
  const receiver = await startReceiver(behavior);
  const { id: organizationId } = await newOrganization(app, { name: 'Acme', slug: 'acme' });
  const owner = await signedIn(app, organizationId, { roles: ['owner'] });
  const window = await openWindow(app.config.baseUrl);
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enterSession(window, app, owner.token);
  return {
    app,
    receiver,
    window,
    page: window.page,
    owner,
    organizationId,
    base: `/dashboard/organizations/${organizationId}/webhooks`,
    close: async () => {
      await closeWindows();
      await app.close();
      await receiver.stop();
    },
  };
}
