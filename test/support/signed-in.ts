import { newId, systemContext } from '#platform/common';
import { SessionService } from '#directory/sessions';
import type { TestApp } from './app.js';
import type { TestClient } from './http-client.js';

export interface SignedIn {
  id: string;
  email: string;
  tenantId: string;
  sessionId: string;
  token: string;
  client: TestClient;
}

interface SessionOptions {
  /** The ID of the organization of the session. Default: the organization that manages the user. */
  at?: string;
  methods?: readonly string[];
  enrolmentOnly?: boolean;
}

let counter = 0;

/** Creates an active user without a password, and opens a session of the user. */
export async function signedIn(
  app: TestApp,
  organizationId: string,
  { roles, ...options }: SessionOptions & { roles?: readonly string[] } = {},
): Promise<SignedIn> {
  const email = `signed-in-${++counter}@example.com`;
  const users = `/v1/organizations/${organizationId}/users`;
  const { id } = (await app.api.platform.post(users, { email, roles }).expect(201)).body.data;
  await app.api.platform.post(`${users}/${id}/activate`).expect(200);
  const [{ tenant_id: tenantId }] = (await app.database.query('SELECT tenant_id FROM users WHERE id = $1', [id])) as [
    { tenant_id: string },
  ];
  return openSession(app, { id, email, tenantId }, { at: organizationId, ...options });
}

/** Opens a new session of a user. */
export async function openSession(
  app: TestApp,
  { id, email, tenantId }: Pick<SignedIn, 'id' | 'email' | 'tenantId'>,
  { at, methods = ['password'], enrolmentOnly = false }: SessionOptions & { at: string },
): Promise<SignedIn> {
  const ctx = { ...systemContext(newId('request')), ipAddress: '203.0.113.7', userAgent: 'Test/1.0' };
  const opening = { user: { tenantId, id }, organizationId: at, authenticationMethods: methods, enrolmentOnly };
  const { session, token } = await app.app.get(SessionService).create(ctx, opening);
  return { id, email, tenantId, sessionId: session.id, token, client: app.api.as(token) };
}

/** Opens a session in which somebody from support acts as a user whom an organization manages. */
export async function impersonating(
  app: TestApp,
  { client }: SignedIn,
  user: SignedIn,
  organizationId: string,
): Promise<SignedIn> {
  const path = `/v1/organizations/${organizationId}`;
  const request = { reason: 'Ticket 4711', durationSeconds: 1_800 };
  const requested = await client.post(`${path}/users/${user.id}/impersonations`, request).expect(201);
  const { body } = await client.post(`${path}/impersonations/${requested.body.data.id}/start`).expect(201);
  const { sessionToken: token, session } = body.data;
  return { ...user, sessionId: session.id, token, client: app.api.as(token) };
}
