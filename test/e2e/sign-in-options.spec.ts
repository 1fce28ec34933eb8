import { describe, expect, it } from '@jest/globals';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const PROVIDER = { issuer: 'https://login.example.com', clientId: 'client', clientSecret: 'secret-of-the-client' };
const DEFAULT_POLICY = {
  minLength: 15,
  requireUppercase: false,
  requireNumbers: false,
  requireSymbols: false,
  preventReuse: 0,
  maxBytes: 1024,
  rules: [expect.stringContaining('At least 15 characters'), expect.stringContaining('Not a common password')],
};

describe('GET /v1/auth/sign-in-options', () => {
  const app = testApp();

  const ask = (handle: string): PendingResponse =>
    app.api.anonymous.get(`/v1/auth/sign-in-options?organization=${encodeURIComponent(handle)}`);
  const optionsOf = async (handle: string): Promise<TestBody> => (await ask(handle).expect(200)).body.data;

  it('returns the defaults if nothing is set', async () => {
    const { id, slug, name } = await newOrganization(app);
    const expected = {
      serviceName: app.config.serviceName,
      organization: { id, slug, name, branding: { primaryColor: null, hasLogo: false } },
      locale: 'en',
      methods: ['password', 'passkey'],
      ssoRequired: false,
      identityProviders: [],
      signUp: { open: false, allowedDomains: [] },
      passwordPolicy: DEFAULT_POLICY,
    };
    expect(await optionsOf(slug)).toEqual(expected);
    expect(await optionsOf(id)).toEqual(expected);
  });

  it('returns inherited settings and branding', async () => {
    const top = await newOrganization(app, {
      branding: { primaryColor: '#ffd400', logo: 'https://cdn.example.com/logo.png' },
      settings: {
        allowPublicSignup: true,
        allowedDomains: ['example.com'],
        mfaMethods: ['totp'],
        defaultLocale: 'DE-at',
        passwordPolicy: { minLength: 20, requireNumbers: true },
      },
    });
    const child = await newOrganization(app, { parentId: top.id, settings: { passwordPolicy: { minLength: 12 } } });
    const shown = await optionsOf(child.slug);
    expect(shown).toMatchObject({
      organization: { id: child.id, branding: { primaryColor: '#ffd400', hasLogo: true } },
      locale: 'de-AT',
      methods: ['password'],
      signUp: { open: true, allowedDomains: ['example.com'] },
      passwordPolicy: { minLength: 12, requireNumbers: true },
    });
    expect(shown.passwordPolicy.rules).toContain('At least one digit.');
  });

  it('lists only enabled identity providers, nearest first', async () => {
    const top = await newOrganization(app);
    const child = await newOrganization(app, { parentId: top.id });
    const provider = (org: TestBody, name: string, fields: object = {}): Promise<TestBody> =>
      made(app, `/v1/organizations/${org.id}/identity-providers`, { ...PROVIDER, name, ...fields });
    const parentProvider = await provider(top, 'Company login');
    const own = await provider(child, 'Branch login');
    await provider(child, 'Old login', { enabled: false });
    await provider(await newOrganization(app), 'Login of another tenant');
    expect((await optionsOf(child.id)).identityProviders).toEqual([
      { id: own.id, name: 'Branch login', type: 'oidc' },
      { id: parentProvider.id, name: 'Company login', type: 'oidc' },
    ]);
    expect((await optionsOf(top.id)).identityProviders).toEqual([{ id: parentProvider.id, name: 'Company login', type: 'oidc' }]);
  });

  it('returns the sign-up domains only if sign-up is open', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true, allowedDomains: ['example.com'] } });
    await app.api.platform.post(`/v1/organizations/${org.id}/suspend`, {}).expect(200);
    expect((await optionsOf(org.id)).signUp).toEqual({ open: false, allowedDomains: [] });
    const closed = await newOrganization(app, { settings: { allowedDomains: ['example.com'] } });
    expect((await optionsOf(closed.id)).signUp).toEqual({ open: false, allowedDomains: [] });
  });

  it('returns 404 for an unknown or deleted organization', async () => {
    const org = await newOrganization(app);
    await app.api.platform.delete(`/v1/organizations/${org.id}`).expect(204);
    for (const handle of [org.id, org.slug, 'no-such-organization'])
      expect((await ask(handle).expect(404)).body.code).toBe('organization_not_found');
    expect((await app.api.anonymous.get('/v1/auth/sign-in-options').expect(400)).body.code).toBe('validation_failed');
    await app.api.anonymous.get(`/v1/auth/sign-in-options?organization=acme&user=ada`).expect(400);
  });
});
