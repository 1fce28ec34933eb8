import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { at, made, newOrganization } from '../support/organizations.js';
import { AT_ONCE, LONG_TEST_MS, ROUNDS, rounds } from '../support/races.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import type { TestResponse } from '../support/http-client.js';
import { eventually } from '../support/delivery-app.js';
import { isSigned } from '../support/signature.js';
import { testApp } from '../support/test-app.js';

/** The number of rounds. Each round waits for its deliveries. */
const DELIVERY_ROUNDS = process.env['LONG'] ? ROUNDS : 10;
/** Far longer than the usual delay of a delivery. */
const LATE_MS = 300;
const STEP_MS = 100;

jest.setTimeout(LONG_TEST_MS);

describe('a delivery during a change', () => {
  const app = testApp();
  const receiver = testReceiver();
  let roleCount = 0;

  type Tenant = Awaited<ReturnType<typeof newTenant>>;

  async function newTenant() {
    const organization: string = (await newOrganization(app)).id;
    const webhooks = at(organization, '/webhooks');
    const body = { url: `${receiver.url}${organization}`, events: ['role.created', 'organization.deleted'] };
    const { id, secret } = await made(app, webhooks, body);
    return { organization, webhook: `${webhooks}/${id}`, secret: secret as string };
  }

  /**
   * Sends seven requests that create roles, and the change at a position that differs in each round. Returns the response to the change and the time
   * of the response in milliseconds since 1970.
   */
  async function sendAmongEvents(round: number, { organization }: Tenant, change: () => PromiseLike<TestResponse>) {
    const create = () =>
      app.api.platform.post(`/v1/organizations/${organization}/roles`, { name: `race ${++roleCount}` }).whenServed();
    const others = Array.from({ length: AT_ONCE - 1 }, () => create);
    const [before, after] = [others.slice(0, round % AT_ONCE), others.slice(round % AT_ONCE)];
    const requests = [
      ...before.map((each) => each()),
      change().then((response) => ({ response, respondedAt: Date.now() })),
      ...after.map((each) => each()),
    ];
    const responses = await Promise.all(requests);
    return responses.find((each) => 'respondedAt' in each)!;
  }

  /** Waits until every delivery of the organization has a result. Returns the deliveries. */
  async function waitForResults({ organization }: Tenant): Promise<{ type: string; status: string; started_at: Date | null }[]> {
    let rows: { type: string; status: string; started_at: Date | null }[] = [];
    await eventually(
      async () => {
        const [{ waiting }] = (await app.database.query(
          'SELECT count(*)::int AS waiting FROM events WHERE tenant_id = $1 AND position IS NULL',
          [organization],
        )) as [{ waiting: number }];
        rows = await app.database.query(
          `SELECT e.type, d.status, a.started_at FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
             LEFT JOIN delivery_attempts a ON a.tenant_id = d.tenant_id AND a.event_id = d.event_id AND a.delivery_id = d.id
           WHERE d.tenant_id = $1`,
          [organization],
        );
        return (
          waiting === 0 && rows.length > 0 && rows.every(({ status }) => ['succeeded', 'skipped', 'failed'].includes(status))
        );
      },
      20_000,
      'every delivery has a result',
    );
    return rows;
  }

  const receivedAt = ({ organization }: Tenant): ReceivedRequest[] =>
    receiver.requests.filter(({ path }) => path === `/${organization}`);

  it('is sent once for each event when the organization is deleted', async () => {
    const outcomes = await rounds(async (round) => {
      const tenant = await newTenant();
      const { response } = await sendAmongEvents(round, tenant, () =>
        app.api.platform.delete(`/v1/organizations/${tenant.organization}`).whenServed(),
      );
      const rows = await waitForResults(tenant);
      // A role that is created concurrently can be committed after the deletion.
      const [{ made }] = (await app.database.query(
        `SELECT count(*)::int AS made FROM events e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
         WHERE e.tenant_id = $1 AND e.type = 'role.created' AND e.seq < o.deleted_seq`,
        [tenant.organization],
      )) as [{ made: number }];
      const sent = receivedAt(tenant).map(({ body }) => JSON.parse(body.toString()).type as string);
      const deletions = sent.filter((type) => type === 'organization.deleted').length;
      return {
        status: response.status,
        deletions,
        unsent: made - (sent.length - deletions),
        unplanned: rows.length - sent.length,
      };
    }, DELIVERY_ROUNDS);
    expect(Object.keys(outcomes)).toEqual([JSON.stringify({ status: 204, deletions: 1, unsent: 0, unplanned: 0 })]);
  });

  it.each([
    ['deleted', 204, (tenant: Tenant) => app.api.platform.delete(tenant.webhook)],
    ['disabled', 200, (tenant: Tenant) => app.api.platform.patch(tenant.webhook, { enabled: false })],
  ] as const)('starts no attempt after the webhook is %s', async (_, status, change) => {
    let attemptCount = 0;
    const outcomes = await rounds(async (round) => {
      const tenant = await newTenant();
      const { response, respondedAt } = await sendAmongEvents(round, tenant, async () => {
        // With different delays, the change runs before, during and after the start of deliveries.
        await sleep((round % AT_ONCE) * STEP_MS);
        return change(tenant).whenServed();
      });
      await app.api.platform.post(`/v1/organizations/${tenant.organization}/roles`, { name: `late ${++roleCount}` }).expect(201);
      await sleep(LATE_MS);
      const attempts = await app.database.query<{ started_at: Date }>(
        'SELECT started_at FROM delivery_attempts WHERE tenant_id = $1',
        [tenant.organization],
      );
      const startTimes = attempts.map(({ started_at }) => started_at.getTime());
      attemptCount += startTimes.length;
      return { status: response.status, late: startTimes.filter((at) => at > respondedAt).length };
    }, DELIVERY_ROUNDS);
    expect(Object.keys(outcomes)).toEqual([JSON.stringify({ status, late: 0 })]);
    expect(attemptCount).toBeGreaterThan(0);
  });

  it('is signed with the previous or new secret during a rotation', async () => {
    const outcomes = await rounds(async (round) => {
      // Each round has a separate tenant. An organization can have at most 500 roles.
      const tenant = await newTenant();
      const { response, respondedAt } = await sendAmongEvents(round, tenant, () =>
        app.api.platform.post(`${tenant.webhook}/rotate-secret`, {}).whenServed(),
      );
      const { secret } = (response as { body: { data: { secret: string } } }).body.data;
      const rows = await waitForResults(tenant);
      const received = receivedAt(tenant);
      const signedBy = (each: ReceivedRequest) => [tenant.secret, secret].filter((key) => isSigned(each, key));
      const lateWithPreviousSecret = received.filter(
        (each) => Number(each.headers['webhook-timestamp']) * 1_000 > respondedAt && signedBy(each)[0] !== secret,
      );
      return {
        all: rows.length === received.length,
        received: received.length,
        unsigned: received.filter((each) => signedBy(each).length !== 1).length,
        late: lateWithPreviousSecret.length,
      };
    }, DELIVERY_ROUNDS);
    expect(Object.keys(outcomes)).toEqual([JSON.stringify({ all: true, received: AT_ONCE - 1, unsigned: 0, late: 0 })]);
  });
});
