import { describe, expect, it } from '@jest/globals';
import { safeReturnTo } from './return-to';

describe('safeReturnTo', () => {
  it.each([
    '/dashboard',
    '/account',
    '/account/security?enrol=1',
    '/dashboard/organizations/org_1/users?page=2#top',
    '/oauth/interactions/V1StGXR8_Z5jdHi6-myT',
    '/device?user_code=WDJB-MJHT',
  ])('accepts %s', (path) => {
    expect(safeReturnTo(path)).toBe(path);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    '\\/evil.example',
    '/\t/evil.example/dashboard',
    '\t//evil.example',
    '/%2f/evil.example',
    'javascript:alert(1)',
    'dashboard',
    '/dashboard.evil.example',
    '/dashboardx',
    '/device/x',
    '/account/../v1/auth/logout',
    '/v1/auth/oidc/start',
    '/oauth/authorize?client_id=app_1',
    '/oauth/interactions/V1St?redirect=1',
    '/oauth/interactions/../logout',
    '/oauth/interactions/',
    '/account/sign-in?returnTo=/account/sign-in',
    '/http://[',
    '',
    undefined,
    7,
  ])('rejects %j', (path) => {
    expect(safeReturnTo(path)).toBeUndefined();
  });
});
