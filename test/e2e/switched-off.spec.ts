import { describe, expect, it } from '@jest/globals';
import { testApp } from '../support/test-app.js';

describe('a disabled page', () => {
  const app = testApp({ docs: false, metrics: false });

  it.each([
    '/docs',
    '/docs/',
    '/docs/swagger-ui-init.js',
    '/docs/guide',
    '/docs/guide/',
    '/docs/guide/guides/api',
    '/openapi.json',
    '/metrics',
    '/metrics/',
  ])('returns 404 at %s', async (path) => {
    const { status, body } = await app.api.anonymous.get(path);
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  it('leaves the pages of error codes available', async () => {
    const { body } = await app.api.anonymous.get('/v1/organizations').expect(401);
    expect(body.type).toMatch(/\/docs\/errors\/unauthenticated$/);
    await app.api.anonymous.get('/docs/errors/unauthenticated').expect(200);
    expect((await app.api.anonymous.get('/').expect(302)).headers.get('location')).toBe('/dashboard');
    await app.api.anonymous.get('/health/live').expect(200);
  });
});
