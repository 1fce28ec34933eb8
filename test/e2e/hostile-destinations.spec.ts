import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { HOSTILE_URLS } from '../support/hostile-urls.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { type Listener, listenHttp, listenTcp } from '../support/local-receiver.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { everyNth, sized } from '../support/test-size.js';
import type { RequestListener } from 'node:http';
import { later, MINUTE_MS } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const NEVER_MS = 86_400_000;
const WEBHOOKS_PER_ORGANIZATION = 50;
/** Words in a response that reveal the internal network to a caller. */
const TELLTALE = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|refused|unreachable/i;

let app: TestApp;
let canary: Listener;
const listeners: Listener[] = [];

const organization = async (): Promise<string> => at((await newOrganization(app)).id);

async function webhookAt(organizationPath: string, url: string): Promise<string> {
  const body = { url: 'https://93.184.215.14/', events: ['user.created'] };
  const { id } = await made(app, `${organizationPath}/webhooks`, body);
  await app.database.query('UPDATE webhooks SET url = $2 WHERE id = $1', [id, url]);
  return id;
}

/** Waits until a webhook has a delivery attempt. Returns the attempts of the delivery. */
async function attemptsOf(organizationPath: string, id: string): Promise<Record<string, unknown>[]> {
  const deliveries = `${organizationPath}/webhooks/${id}/deliveries`;
  let done: TestBody;
  const isTried = async () =>
    (done = (await read(app, deliveries)).find(({ attemptCount }: TestBody) => attemptCount > 0)) !== undefined;
  await eventually(isTried, 30_000, `the webhook ${id} is tried`);
  return (await read(app, `${deliveries}/${done.id}`)).attempts;
}

/** URLs without a host name. The tests of the HTTP client cover all URLs and host names. */
const WITHOUT_NAMES = HOSTILE_URLS.filter(({ resolvesTo }) => !resolvesTo);
const URLS = sized(everyNth(WITHOUT_NAMES, 8), WITHOUT_NAMES, WITHOUT_NAMES);

describe('an internal destination', () => {
  beforeAll(async () => {
    canary = await listenTcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary'), '0.0.0.0');
    app = await startApp({ webhookAllowedNetworks: [], webhookRetryScheduleMs: [NEVER_MS], webhookTimeoutMs: 2_000 });
  });
  afterAll(async () => {
    await app.close();
    await canary.close();
  });
  const withPort = (url: string) => url.replace('PORT', String(canary.port));

  it('is rejected when a webhook is created or changed', async () => {
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
    const organizationPath = await organization();
    const id = await webhookAt(organizationPath, 'https://93.184.215.14/');
    const check = async ({ url, why }: (typeof URLS)[number]): Promise<void> => {
      for (const response of [
        await app.api.platform.post(`${organizationPath}/webhooks`, { url: withPort(url), events: ['*'] }).whenServed(),
        await app.api.platform.patch(`${organizationPath}/webhooks/${id}`, { url: withPort(url) }).whenServed(),
      ]) {
        expect({ why, url, status: response.status }).toEqual({ why, url, status: 400 });
        expect(response.body.errors[0]).toMatchObject({ pointer: '/url', code: expect.stringMatching(/^url_|^text_|^required/) });
        expect(response.body.errors[0].message).toMatch(/^[A-Z].*\.$/);
        expect(JSON.stringify(response.body)).not.toMatch(TELLTALE);
      }
    };
    await Promise.all(URLS.map(check));
    expect(canary.connectionCount()).toBe(0);
  });

  it('gets no connections from deliveries and webhook tests', async () => {
    let blocked = 0;
    const reachable = URLS.map(({ url, why }) => ({ url: withPort(url), why }));
    for (let first = 0; first < reachable.length; first += WEBHOOKS_PER_ORGANIZATION) {
      const organizationPath = await organization();
      const create = async (each: (typeof reachable)[number]) => ({ ...each, id: await webhookAt(organizationPath, each.url) });
      const webhooks = await Promise.all(reachable.slice(first, first + WEBHOOKS_PER_ORGANIZATION).map(create));
      await app.api.platform.post(`${organizationPath}/users`, { email: 'ada@example.com' }).expect(201);
      const check = async ({ id, url, why }: (typeof webhooks)[number]): Promise<void> => {
        const path = `${organizationPath}/webhooks/${id}/test`;
        const { body } = await app.api.platform.post(path, { eventType: 'user.created' }).expect(200);
        expect({ url, why, ...body }).toMatchObject({ url, why, success: false, responseCode: 0 });
        expect(body.responseBody).not.toMatch(TELLTALE);
        const [attempt] = await attemptsOf(organizationPath, id);
        const kind = expect.stringMatching(/^(blocked|protocol)$/);
        expect({ url, why, kind: attempt!['errorKind'] }).toEqual({ url, why, kind });
        if (attempt!['errorKind'] === 'blocked') blocked++;
      };
      await Promise.all(webhooks.map(check));
    }
    const reported = await app.database.query<{ webhook: string }>(
      `SELECT payload::jsonb #>> '{data,signals,webhookId}' AS webhook FROM events WHERE type = 'security.suspicious_activity'`,
    );
    expect(blocked).toBeGreaterThan(URLS.length / 2);
    expect(new Set(reported.map(({ webhook }) => webhook)).size).toBe(blocked);
    expect(reported).toHaveLength(blocked);
    expect(canary.connectionCount()).toBe(0);
  });
});

function writeEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
}

/** Repeats an action until a response or socket is closed. */
function repeat(everyMs: number, action: () => unknown, until: NodeJS.EventEmitter): void {
  const timer = setInterval(action, everyMs);
  until.once('close', () => clearInterval(timer));
}

/** A server of each kind with the expected status or error kind of a delivery. `guarded-http-client.spec.ts` has more responses. */
const HOSTILE_SERVERS: [name: string, outcome: number | RegExp, start: () => Promise<Listener>][] = [
  [
    'a redirect to an address inside',
    307,
    () => listenHttp((_, response) => response.writeHead(307, { location: `http://127.0.0.2:${canary.port}/` }).end()),
  ],
  ['an endless body', 200, () => listenHttp((_, response) => writeEndlessly(response.writeHead(200)))],
  ['bytes that are not text', 200, () => listenHttp((_, response) => response.end(randomBytes(40_000)))],
  ['NUL and control characters', 200, () => listenHttp((_, response) => response.end('a\0b\u0007\u001b[2J'))],
  ['interim responses', /protocol/, () => listenHttp((_, response) => repeat(20, () => response.writeProcessing(), response))],
  [
    'a slow header',
    /timeout/,
    () =>
      listenTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        repeat(50, () => socket.write('y'), socket);
      }),
  ],
  ['a reset', /reset/, () => listenTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))],
];

describe('a webhook receiver', () => {
  let organizationPath: string;
  beforeAll(async () => {
    canary = await listenTcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary'), '127.0.0.2');
    app = await startApp({
      webhookAllowedNetworks: ['127.0.0.1/32'],
      webhookRetryScheduleMs: [NEVER_MS],
      webhookTimeoutMs: 3_000,
    });
    organizationPath = await organization();
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([canary, ...listeners.splice(0)].map((listener) => listener.close()));
  });

  it("can't harm the service or deliveries to another receiver", async () => {
    const healthy = await listenHttp((_, response) => response.end('thanks'));
    listeners.push(healthy);
    const healthyId = await webhookAt(organizationPath, `http://127.0.0.1:${healthy.port}/`);
    const ids: string[] = [];
    for (const [, , start] of HOSTILE_SERVERS) {
      const listener = await start();
      listeners.push(listener);
      ids.push(await webhookAt(organizationPath, `http://127.0.0.1:${listener.port}/`));
    }
    const memoryBefore = process.memoryUsage.rss();
    await app.api.platform.post(`${organizationPath}/users`, { email: 'ada@example.com' }).expect(201);

    for (const [index, [name, outcome]] of HOSTILE_SERVERS.entries()) {
      const attempts = await attemptsOf(organizationPath, ids[index]!);
      const { responseCode, errorKind, responseBody, responseTime } = attempts[0]! as Record<string, never>;
      if (typeof outcome === 'number') expect([name, responseCode]).toEqual([name, outcome]);
      else expect([name, errorKind]).toEqual([name, expect.stringMatching(outcome)]);
      expect(Buffer.byteLength(responseBody ?? '')).toBeLessThanOrEqual(3 * 16 * 1024);
      expect(responseBody ?? '').not.toContain('\0');
      expect(responseTime).toBeLessThan(10_000);
    }
    const healthyAttempts = await attemptsOf(organizationPath, healthyId);
    expect(healthyAttempts[0]).toMatchObject({ responseCode: 200 });
    expect(canary.connectionCount()).toBe(0);
    expect(process.memoryUsage.rss() - memoryBefore).toBeLessThan(150_000_000);
  });
});

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1_000, 7)]);

describe('the sign-in page logo', () => {
  const app = testApp();
  const listeners = new Map<string, RequestListener>();
  const requestedPaths: string[] = [];
  let counter = 0;
  const host = testServer(() =>
    listenHttp((request, response) => {
      requestedPaths.push(request.url ?? '');
      const listener = listeners.get(request.url ?? '');
      return listener ? listener(request, response) : response.writeHead(404).end();
    }),
  );

  /** Returns a URL of the image host. `listener` handles requests to the URL. */
  function hostedUrl(listener: RequestListener): string {
    const path = `/${++counter}`;
    listeners.set(path, listener);
    return `http://127.0.0.1:${host.port}${path}`;
  }
  const imageUrl = (bytes: Buffer | string, type = 'image/png'): string =>
    hostedUrl((_, response) => response.writeHead(200, { 'content-type': type }).end(bytes));
  const organization = async (logo?: string, fields: object = {}): Promise<TestBody> => {
    return newOrganization(app, { ...(logo === undefined ? {} : { branding: { logo } }), ...fields });
  };
  const logoOf = (handle: string): PendingResponse => app.api.anonymous.get(`/v1/auth/branding/${handle}/logo`);
  const logoPathOfApplication = async (logoUri: string | null): Promise<string> => {
    const client = { name: 'Billing', type: 'web', redirectUris: ['https://app.example.com/callback'], logoUri };
    const path = `/v1/organizations/${(await organization()).id}/oauth-clients`;
    return `/v1/auth/application-logos/${(await app.api.platform.post(path, client).expect(201)).body.data.id}`;
  };

  it('is returned with headers that allow use only as an image, also the logo of an application', async () => {
    const image = imageUrl(PNG, 'text/html');
    const { id, slug } = await organization(image);
    const paths = [id, slug].map((handle) => `/v1/auth/branding/${handle}/logo`);
    for (const path of [...paths, await logoPathOfApplication(image)]) {
      const { headers } = await app.api.anonymous.get(path).expect(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(PNG.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=3600',
        'ratelimit-policy': '"default";q=600;w=60',
      });
      expect(Buffer.from(await (await fetch(app.url + path)).arrayBuffer())).toEqual(PNG);
    }
    const svg = imageUrl('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml');
    const unknown = '/v1/auth/application-logos/app_01kf2bav4hf7r8v2m5n9q1c3ek';
    for (const path of [await logoPathOfApplication(svg), await logoPathOfApplication(null), unknown])
      await app.api.anonymous.get(path).expect(404, 'logo_not_found');
  });

  it('is inherited from the parent organization', async () => {
    const top = await organization(imageUrl(PNG));
    const child = await organization(undefined, { parentId: top.id });
    await logoOf(child.id).expect(200);
    await app.api.platform.delete(`/v1/organizations/${child.id}`).expect(204);
    for (const handle of [child.id, 'no-such-organization']) await logoOf(handle).expect(404);
  });

  it('is fetched once an hour, even for concurrent requests, and five minutes after a failure', async () => {
    const address = imageUrl(PNG);
    const requestCount = () => requestedPaths.filter((path) => address.endsWith(path)).length;
    const { id } = await organization(address);
    await Promise.all(Array.from({ length: 8 }, () => logoOf(id).expect(200)));
    await later(app, 59 * MINUTE_MS, () => logoOf(id).expect(200));
    expect(requestCount()).toBe(1);
    await later(app, 61 * MINUTE_MS, () => logoOf(id).expect(200));
    expect(requestCount()).toBe(2);
    const branding = { logo: imageUrl('GIF89a') };
    await app.api.platform.patch(`/v1/organizations/${id}`, { branding }).expect(200);
    expect((await logoOf(id).expect(200)).headers.get('content-type')).toBe('image/gif');
    let works = false;
    const failing = hostedUrl((_, response) => response.writeHead(works ? 200 : 503).end(works ? PNG : ''));
    const { id: retried } = await organization(failing);
    await logoOf(retried).expect(404);
    works = true;
    await later(app, 4 * MINUTE_MS, () => logoOf(retried).expect(404));
    await later(app, 6 * MINUTE_MS, () => logoOf(retried).expect(200));
  });

  describe('an invalid logo', () => {
    const expectNoLogo = async (address: string): Promise<void> => {
      const { body, headers } = await logoOf((await organization(address)).id).expect(404);
      expect(body).toMatchObject({ code: 'logo_not_found' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    };

    it('is not found if the host redirects or returns too many bytes', async () => {
      const target = imageUrl(PNG);
      await expectNoLogo(hostedUrl((_, response) => response.writeHead(302, { location: target }).end(PNG)));
      expect(requestedPaths).not.toContain(new URL(target).pathname);
      const large = Buffer.concat([PNG, Buffer.alloc(512 * 1024)]);
      await expectNoLogo(imageUrl(large));
      await expectNoLogo(
        hostedUrl((_, response) => {
          response.writeHead(200).write(PNG);
          writeEndlessly(response);
        }),
      );
      const { id } = await organization(imageUrl(Buffer.concat([PNG, Buffer.alloc(512 * 1024 - PNG.length)])));
      await logoOf(id).expect(200);
    });

    // image-type.spec.ts tests more types.
    it.each([
      ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
      ['an HTML page with the content type of a PNG', '<!DOCTYPE html><script>alert(1)</script>', 'image/png'],
    ])('is not found if the host returns %s', async (_name, body, type) => expectNoLogo(imageUrl(body, type)));

    it('is not found if the host responds slowly', async () => {
      let drops: NodeJS.Timeout | undefined;
      const dripping = hostedUrl((_, response) => {
        response.writeHead(200).write(PNG);
        drops = setInterval(() => response.write('.'), 100);
      });
      const started = performance.now();
      await Promise.all([expectNoLogo(dripping), expectNoLogo(hostedUrl(() => undefined))]);
      clearInterval(drops);
      expect(performance.now() - started).toBeLessThan(15_000);
    });
  });

  it('is not fetched from internal addresses or over plain http', async () => {
    const { databaseUrl, platformApiKey, secretsKeys } = app.config;
    await using strict = await startApp({ databaseUrl, platformApiKey, secretsKeys, webhookAllowedNetworks: [] });
    const before = host.connectionCount();
    // network-policy.spec.ts and guarded-http-client.guard.spec.ts test more addresses.
    for (const address of [imageUrl(PNG), `https://127.0.0.1:${host.port}/`, `https://localhost:${host.port}/`]) {
      const { id } = await organization(address);
      for (const path of [`/v1/auth/branding/${id}/logo`, await logoPathOfApplication(address)])
        await strict.api.anonymous.get(path).expect(404, 'logo_not_found');
    }
    expect(host.connectionCount()).toBe(before);
  });
});
