import type { TestApp } from './app.js';
import type { PendingResponse, TestBody } from './http-client.js';
import { CLIENT_ID, CLIENT_SECRET } from './scripted-identity-provider.js';

export type StartedSignIn = Awaited<ReturnType<typeof startSignIn>>;

/** Makes an organization the owner of verified domains, which otherwise requires DNS records. */
export async function ownDomains(app: TestApp, organization: string, names: readonly string[]): Promise<void> {
  await app.database.query(
    `INSERT INTO verified_domains (name, tenant_id, organization_id, domain_id)
     SELECT d.name, o.tenant_id, o.id, 'dmn_' || d.name FROM unnest($1::text[]) AS d (name) JOIN organizations o ON $2 IN (o.id, o.slug)
     ON CONFLICT (name) DO UPDATE SET tenant_id = excluded.tenant_id, organization_id = excluded.organization_id`,
    [names, organization],
  );
}

/** Inserts an enabled identity provider that is trusted for a domain, which can't be used to sign in. */
export async function insertTrustedProvider(app: TestApp, organization: string): Promise<void> {
  await app.database.query(
    `INSERT INTO identity_providers (tenant_id, id, organization_id, name, type, enabled, configuration, trusted_domains, created_at, updated_at)
     SELECT tenant_id, 'idp_' || right(id, 26), id, 'Company login', 'oidc', true, $2, '{corp.example}', now(), now()
     FROM organizations WHERE id = $1`,
    [organization, JSON.stringify({ issuer: 'https://login.example.com', clientId: CLIENT_ID, scopes: ['openid'] })],
  );
}

/** Creates an identity provider. Makes the organization the owner of its trusted domains. */
export const identityProvider = async (
  app: TestApp,
  organization: string,
  issuer: string,
  fields: Record<string, unknown> & { trustedDomains?: readonly string[] } = {},
): Promise<TestBody> => {
  await ownDomains(app, organization, fields.trustedDomains ?? []);
  const body = { name: 'Company login', issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, ...fields };
  return (await app.api.platform.post(`/v1/organizations/${organization}/identity-providers`, body).expect(201)).body.data;
};

/** Links a user to an identity provider without a sign-in. */
export const linkIdentity = (app: TestApp, user: TestBody, provider: TestBody, externalId = 'subject-1'): Promise<unknown> =>
  app.database.query(
    `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [user.tenantId, user.id, provider.id, provider.issuer, externalId, provider.name],
  );

/** Starts a sign-in. Returns also the `cookie` header that the browser sends. */
export async function startSignIn(app: TestApp, organization: string, provider: string) {
  const { body, headers } = await app.api.anonymous.post('/v1/auth/oidc/start', { organization, provider }).expect(200);
  const cookie = /^[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
  const { authorizationUrl, bindingToken } = body.data as { authorizationUrl: string; bindingToken: string };
  return { authorizationUrl, bindingToken, cookie };
}

/** Returns the path and query of the callback after the redirect of a provider without pages. */
export async function callbackPathOf({ authorizationUrl }: Pick<StartedSignIn, 'authorizationUrl'>): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  return location.pathname + location.search;
}

export const completeSignIn = (app: TestApp, path: string, { cookie }: Pick<StartedSignIn, 'cookie'>): PendingResponse =>
  app.api.anonymous.get(path, { headers: { cookie } });

/** Signs in with a provider without pages. */
export async function oidcSignIn(app: TestApp, organization: string, provider: string): Promise<Awaited<PendingResponse>> {
  const started = await startSignIn(app, organization, provider);
  return completeSignIn(app, await callbackPathOf(started), started);
}
