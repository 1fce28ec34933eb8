import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsService } from '#platform/observability';
import { startApp, type TestApp } from '../support/app.js';
import { type Listener, listenHttp } from '../support/local-receiver.js';
import { newOrganization } from '../support/organizations.js';
import { signedInUser } from '../support/second-factors.js';
import { PASSWORD } from '../support/sign-in.js';

const STOLEN_PASSWORD = 'marmalade hinge outpost vapour';
const UNKNOWN_PASSWORD = 'gravel tulip harness monsoon';
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

describe('the pwned passwords check', () => {
  let app: TestApp;
  let list: Listener;
  let respond: RequestListener;
  let requests: { url: string | undefined; padding: unknown }[];

  beforeAll(async () => {
    list = await listenHttp((request, response) => {
      requests.push({ url: request.url, padding: request.headers['add-padding'] });
      respond(request, response);
    });
    app = await startApp({ pwnedPasswordsUrl: `http://127.0.0.1:${list.port}/range` });
  });
  afterAll(async () => {
    await app?.close();
    await list?.close();
  });
  beforeEach(() => {
    requests = [];
    respond = (request, response) => {
      const suffix = sha1(STOLEN_PASSWORD).slice(5);
      const padding = `${sha1(UNKNOWN_PASSWORD).slice(5)}:0`;
      // The final response can follow informational responses.
      response.writeContinue();
      const isAskedForStolen = request.url === `/range/${sha1(STOLEN_PASSWORD).slice(0, 5)}`;
      response.end(
        [padding, '0018A45C4D1DEF81644B54AB7F969B88D65:3', ...(isAskedForStolen ? [`${suffix}:42`] : [])].join('\r\n'),
      );
    };
  });

  const change = async (newPassword: string) => {
    const { token } = await signedInUser(app, (await newOrganization(app)).id);
    requests = [];
    return app.api.as(token).post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword });
  };
  const checks = async (): Promise<Record<string, number>> => {
    const { values } = await app.app.get(MetricsService).registry.getSingleMetric('pwned_password_checks_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]));
  };

  it('rejects a password that is in the list', async () => {
    const { status, body } = await change(STOLEN_PASSWORD);
    const error = { pointer: '/newPassword', code: 'pwned_password', message: expect.stringContaining('leaked passwords') };
    expect([status, body]).toMatchObject([422, { code: 'password_refused', errors: [error] }]);
    expect(requests).toEqual([{ url: `/range/${sha1(STOLEN_PASSWORD).slice(0, 5)}`, padding: 'true' }]);
  });

  it('accepts a password that the list contains only as padding', async () => {
    expect((await change(UNKNOWN_PASSWORD)).status).toBe(204);
  });

  it.each<[string, RequestListener]>([
    ['responds with 500', (_request, response) => response.writeHead(500).end()],
    ['closes the connection', (request) => request.socket.destroy()],
    ['redirects', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['does not respond in time', () => undefined],
  ])('accepts the password if the list server %s', async (_name, broken) => {
    respond = broken;
    const before = (await checks())['failed'] ?? 0;
    expect((await change(STOLEN_PASSWORD)).status).toBe(204);
    expect((await checks())['failed']).toBeGreaterThan(before);
  });
});
