import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { listenHttp } from '../support/local-receiver.js';
import { newOrganization } from '../support/organizations.js';
import { later } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1_000, 7)]);
const MINUTE_MS = 60_000;

describe('a logo', () => {
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
  const bytesOf = async (handle: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${app.url}/v1/auth/branding/${handle}/logo`)).arrayBuffer());

  it('is returned with headers that allow use only as an image', async () => {
    const { id, slug } = await organization(imageUrl(PNG, 'text/html'));
    for (const handle of [id, slug]) {
      const { headers } = await logoOf(handle).expect(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(PNG.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=3600',
        'ratelimit-policy': '"default";q=600;w=60',
      });
      expect(await bytesOf(handle)).toEqual(PNG);
    }
  });

  it('of an application is returned like the logo of an organization', async () => {
    const { id } = await organization();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const logoOfApplication = async (logoUri: string | null): Promise<PendingResponse> => {
      const client = { name: 'Billing', type: 'web', redirectUris: ['https://app.example.com/callback'], logoUri };
      const { data } = (await app.api.platform.post(`/v1/organizations/${id}/oauth-clients`, client).expect(201)).body;
      return app.api.anonymous.get(`/v1/auth/application-logos/${data.id}`);
    };
    const { headers, status } = await logoOfApplication(imageUrl(PNG, 'text/html'));
    expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=3600',
    });
    for (const address of [null, imageUrl(svg, 'image/svg+xml')]) expect((await logoOfApplication(address)).status).toBe(404);
    await app.api.anonymous.get('/v1/auth/application-logos/app_01kf2bav4hf7r8v2m5n9q1c3ek').expect(404);
  });

  it('is inherited from the parent organization', async () => {
    const top = await organization(imageUrl(PNG));
    const child = await organization(undefined, { parentId: top.id });
    await logoOf(child.id).expect(200);
    await app.api.platform.delete(`/v1/organizations/${child.id}`).expect(204);
    for (const handle of [child.id, 'no-such-organization']) await logoOf(handle).expect(404);
  });

  it('is fetched once an hour, even for concurrent requests', async () => {
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
  });

  it('is refetched five minutes after a failure', async () => {
    let works = false;
    const address = hostedUrl((_, response) => response.writeHead(works ? 200 : 503).end(works ? PNG : ''));
    const { id } = await organization(address);
    await logoOf(id).expect(404);
    works = true;
    await later(app, 4 * MINUTE_MS, () => logoOf(id).expect(404));
    await later(app, 6 * MINUTE_MS, () => logoOf(id).expect(200));
  });

  describe('an invalid logo', () => {
    const expectNoLogo = async (address: string): Promise<void> => {
      const { body, headers } = await logoOf((await organization(address)).id).expect(404);
      expect(body).toMatchObject({ code: 'logo_not_found' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    };

    it('is not found if the host redirects', async () => {
      const target = imageUrl(PNG);
      await expectNoLogo(hostedUrl((_, response) => response.writeHead(302, { location: target }).end(PNG)));
      expect(requestedPaths).not.toContain(new URL(target).pathname);
    });

    // image-type.spec.ts tests more types.
    it.each([
      ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
      ['an HTML page with the content type of a PNG', '<!DOCTYPE html><script>alert(1)</script>', 'image/png'],
    ])('is not found if the host returns %s', async (_name, body, type) => expectNoLogo(imageUrl(body, type)));

    it('is not found if the host returns too many bytes', async () => {
      const large = Buffer.concat([PNG, Buffer.alloc(512 * 1024)]);
      await expectNoLogo(imageUrl(large));
      await expectNoLogo(
        hostedUrl((_, response) => {
          response.writeHead(200).write(PNG);
          const writeUntilFull = (): void => {
            while (!response.destroyed && response.write(large));
            if (!response.destroyed) response.once('drain', writeUntilFull);
          };
          writeUntilFull();
        }),
      );
      const { id } = await organization(imageUrl(Buffer.concat([PNG, Buffer.alloc(512 * 1024 - PNG.length)])));
      await logoOf(id).expect(200);
    });

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
    const strict = await startApp({ databaseUrl, platformApiKey, secretsKeys, webhookAllowedNetworks: [] });
    try {
      const before = host.connectionCount();
      const client = { name: 'Billing', type: 'web', redirectUris: ['https://app.example.com/callback'] };
      const { id: organizationId } = await organization();
      // network-policy.spec.ts and guarded-http-client.guard.spec.ts test more addresses.
      for (const address of [imageUrl(PNG), `https://127.0.0.1:${host.port}/`, `https://localhost:${host.port}/`]) {
        const { id } = await organization(address);
        expect((await strict.api.anonymous.get(`/v1/auth/branding/${id}/logo`).expect(404)).body.code).toBe('logo_not_found');
        const path = `/v1/organizations/${organizationId}/oauth-clients`;
        const { data } = (await app.api.platform.post(path, { ...client, logoUri: address }).expect(201)).body;
        await strict.api.anonymous.get(`/v1/auth/application-logos/${data.id}`).expect(404);
      }
      expect(host.connectionCount()).toBe(before);
    } finally {
      await strict.close();
    }
  });
});
