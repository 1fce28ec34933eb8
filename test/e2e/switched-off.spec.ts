import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';

describe('documentation and metrics that are switched off', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ docs: false, metrics: false });
  });
  afterAll(() => app.close());

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
  ])('are not at %s', async (path) => {
    const { status, body } = await app.api.nobody.get(path);
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  it('leave the pages that errors name, and the way to the dashboard', async () => {
    const { body } = await app.api.nobody.get('/v1/organizations').expect(401);
    expect(body.type).toMatch(/\/docs\/errors\/unauthenticated$/);
    await app.api.nobody.get('/docs/errors/unauthenticated').expect(200);
    expect((await app.api.nobody.get('/').expect(302)).headers.get('location')).toBe('/dashboard');
    await app.api.nobody.get('/health/live').expect(200);
  });
});
