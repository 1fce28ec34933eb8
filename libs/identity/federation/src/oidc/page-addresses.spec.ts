import { describe, expect, it } from '@jest/globals';
import { RETURN_TO } from './page-addresses.js';

describe('RETURN_TO', () => {
  it.each([
    '/dashboard',
    '/account',
    '/account/',
    '/dashboard/acme/users',
    '/dashboard/organizations/org_01kf2b7m9ze4k8s1t6w3a5y0pd/webhooks?status=active&search=a%20b',
  ])('accepts the path %s', (path) => {
    expect(RETURN_TO.test(path)).toBe(true);
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
    expect(RETURN_TO.test(path)).toBe(false);
  });
});
