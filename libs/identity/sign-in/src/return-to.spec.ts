import { describe, expect, it } from '@jest/globals';
import { RETURN_TO, RETURN_TO_PAGE } from './return-to.js';

describe('RETURN_TO', () => {
  it.each([
    '/dashboard',
    '/account',
    '/account/',
    '/dashboard/acme/users',
    '/dashboard/organizations/org_01kf2b7m9ze4k8s1t6w3a5y0pd/webhooks?status=active&search=a%20b',
  ])('accepts the path %s', (path) => {
    expect([RETURN_TO.test(path), RETURN_TO_PAGE.test(path)]).toEqual([true, true]);
    expect(new URL(path, 'https://id.example.com').origin).toBe('https://id.example.com');
  });

  it.each([
    '',
    '/',
    'dashboard',
    '//evil.example',
    '//evil.example/dashboard',
    '/\\evil.example',
    '/dashboard\\evil',
    '\\\\evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/dashboard/%2e%2e/evil',
    '/dashboard/../v1/auth/logout',
    '/dashboard//evil.example',
    '/dashboardevil',
    '/dashboard.evil.example',
    '/dashboard@evil.example',
    '/v1/auth/oidc/start',
    '/oauth/authorize?client_id=app_1',
    '/oauth/interactions/',
    '/oauth/interactions/V1St?redirect=1',
    '/oauth/interactions/../logout',
    '/oauth/interactions/V1St//evil.example',
    'https://evil.example/dashboard',
    'https:/dashboard',
    'javascript:alert(1)',
    '/dashboard#fragment',
    '/dashboard\n',
    '/dashboard\r\nSet-Cookie: a=b',
    '/\t/evil.example',
    ' /dashboard',
    '/dashboard?next=//evil.example',
    '/Dashboard',
    '/dashböard',
  ])('rejects %j', (path) => {
    expect([RETURN_TO.test(path), RETURN_TO_PAGE.test(path)]).toEqual([false, false]);
  });

  it('accepts an application that waits for the sign-in only where the browser stays in the sign-in', () => {
    const path = '/oauth/interactions/V1StGXR8_Z5jdHi6-myT';
    expect([RETURN_TO.test(path), RETURN_TO_PAGE.test(path)]).toEqual([true, false]);
  });
});
