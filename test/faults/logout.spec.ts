import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import { eventually } from '../support/eventually.js';
import { openPool } from '../support/pool.js';
import { testReceiver } from '../support/receiver.js';
import { TestService } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';
import { IS_LONG, LIMIT_MS, SEED } from './fault-run.js';
import { Random } from './random.js';

const KILLS = IS_LONG ? 30 : 3;
const SUSPENSIONS_PER_KILL = 6;
/** The lease of a killed process ends 15 s after the time limit of an attempt. */
const DRAINED_WITHIN_MS = 60_000;
const ACME = '/v1/organizations/acme';

const random = new Random(SEED);
const service = testServer(() => TestService.create({ WEBHOOK_TIMEOUT: '2s', WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s,1s,1s' }));
/** The application drops 30 % of the requests. */
const receiver = testReceiver(() => ({ status: random.between(1, 10) <= 3 ? 503 : 200, delayMs: random.between(0, 100) }));
let pool: Pool;

jest.setTimeout(LIMIT_MS);

beforeAll(() => {
  pool = openPool(service.environment['DATABASE_URL'], 2);
});
afterAll(() => pool?.end());

/** Signs a user in at the client, as the rows say. The session lives in the user's organization. */
async function signedInUser(number: number, clientId: string): Promise<string> {
  const { id } = (await service.client.post(`${ACME}/users`, { email: `user-${number}@example.com` }).expect(201)).body.data;
  await service.client.post(`${ACME}/users/${id}/activate`).expect(200);
  await pool.query(
    `WITH opened AS (
       INSERT INTO sessions (tenant_id, id, user_id, organization_id, authentication_methods, enrolment_only, created_at, authenticated_at,
         last_seen_at, longest_idle_seconds, expires_at)
       SELECT tenant_id, 'ses_' || $1, id, organization_id, '{password}', false, now(), now(), now(), 0, now() + interval '1 day'
       FROM users WHERE id = $1 RETURNING *
     ), granted AS (
       INSERT INTO oauth_grants (tenant_id, id, organization_id, client_tenant_id, client_id, user_tenant_id, user_id, scopes, resource_scopes,
         created_at, updated_at)
       SELECT tenant_id, 'ogr_' || $1, organization_id, tenant_id, $2, tenant_id, user_id, '{openid}', '{}', now(), now() FROM opened RETURNING *
     )
     INSERT INTO oauth_sessions (tenant_id, session_id, grant_id, organization_id, client_id, audience, user_tenant_id, user_id, rests_on,
       created_at, check_at)
     SELECT o.tenant_id, o.id, g.id, o.organization_id, $2, $2, o.tenant_id, o.user_id, ARRAY[o.organization_id], now(), now() + interval '1 day'
     FROM opened o, granted g`,
    [id, clientId],
  );
  return id;
}

it(`${KILLS} kills of the service, of which each cuts off ${SUSPENSIONS_PER_KILL} suspensions, lose no logout token`, async () => {
  let process = await service.start();
  await service.client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  const address = { backchannelLogoutUri: receiver.url, backchannelLogoutSessionRequired: true };
  const client = { name: 'Billing', type: 'web', redirectUris: ['https://app.example.com/callback'], ...address };
  const clientId: string = (await service.client.post(`${ACME}/oauth-clients`, client).expect(201)).body.data.id;
  const suspended: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const ids: string[] = [];
    for (let count = 0; count < SUSPENSIONS_PER_KILL; count++)
      ids.push(await signedInUser(kill * SUSPENSIONS_PER_KILL + count, clientId));
    await Promise.all(
      // Half of the users keep their sessions, which then end in the background.
      ids.map((id, index) =>
        service.client.post(`${ACME}/users/${id}/suspend`, { reason: 'Left', revokeActiveSessions: index % 2 === 0 }).expect(200),
      ),
    );
    suspended.push(...ids);
    await process.kill();
    process = await service.start();
  }
  const received = (): Set<string> =>
    new Set(
      receiver.requests.map(({ body }) => {
        const token = new URLSearchParams(body.toString()).get('logout_token') ?? '';
        return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;
      }),
    );
  await eventually(() => received().size === suspended.length, DRAINED_WITHIN_MS, 'all logout tokens arrived');
  expect([...received()].toSorted()).toEqual(suspended.toSorted());
  const isDone = async () =>
    (await service.client.get(`${ACME}/oauth-clients/${clientId}/logout-deliveries?status=succeeded`).expect(200)).body.pagination
      .total === suspended.length;
  await eventually(isDone, DRAINED_WITHIN_MS, 'all deliveries succeeded');
});
