import { beforeAll } from '@jest/globals';
import type { TestApp } from './app.js';
import { eventually } from './delivery-app.js';
import type { TestBody } from './http-client.js';
import { made, read } from './organizations.js';
import type { Receiver } from './receiver.js';

const AT = '/v1/organizations/acme';
const LIMIT_MS = 10_000;

/** The organization `acme` with webhooks that by default receive the creation of roles, for tests of deliveries over HTTP. */
export class WebhookDeliveries {
  readonly at = AT;
  /** The path of the webhook whose deliveries are listed. */
  webhook = '';
  private roleCount = 0;

  constructor(
    private readonly app: TestApp,
    private readonly receiver: Receiver,
  ) {
    beforeAll(() => made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' }));
  }

  /** Creates a webhook and returns its path. */
  async createWebhook(fields: object = {}): Promise<string> {
    const { id } = await made(this.app, `${AT}/webhooks`, { url: this.receiver.url, events: ['role.created'], ...fields });
    return `${AT}/webhooks/${id}`;
  }

  /** Creates roles one after another. Each creation publishes an event. Returns the id of the last role. */
  async createRoles(count = 1, fields: object = {}): Promise<string> {
    let id = '';
    for (let created = 0; created < count; created++)
      ({ id } = await made(this.app, `${AT}/roles`, { name: `role-${++this.roleCount}`, permissions: [], ...fields }));
    return id;
  }

  /** Returns the deliveries, newest first. */
  list(query = ''): Promise<TestBody> {
    return read(this.app, `${this.webhook}/deliveries?limit=100${query}`);
  }

  async statuses(): Promise<string[]> {
    return (await this.list()).map(({ status }: TestBody) => status);
  }

  /** Waits until the deliveries have these statuses, in any order. */
  async waitForStatuses(...expected: string[]): Promise<void> {
    const have = async () => (await this.statuses()).toSorted().join() === expected.toSorted().join();
    await eventually(have, LIMIT_MS, `deliveries ${expected.join(', ')}`);
  }
}
