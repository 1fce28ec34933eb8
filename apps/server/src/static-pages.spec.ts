import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '#platform/config';
import { serveGuide } from './docs/serve-guide.js';
import { serveWeb } from './web/serve-web.js';

@Module({ providers: [{ provide: AppConfig, useValue: { baseUrl: 'https://id.example.com', serviceName: 'service' } }] })
class ConfigOnly {}

let folder: string;
let app: NestExpressApplication;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  app = await NestFactory.create<NestExpressApplication>(ConfigOnly, { logger: false });
  serveGuide(app, folder);
  serveWeb(app, folder);
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['/dashboard', '5', 'The web pages are being built'],
  ['/dashboard/organizations/acme', '5', 'The web pages are being built'],
  ['/account/sign-in', '5', 'The web pages are being built'],
  ['/docs/guide/quickstart', '10', 'The guide is not built yet'],
])('%s returns 503 with Retry-After until the pages are built', async (path, retryAfter, text) => {
  const response = await fetch(`${url}${path}`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, retryAfter]);
  expect(await response.text()).toContain(text);
});

it('a page contains the configured base URL, its frame, and a link to the texts in the language of the browser', async () => {
  const links = ['de', 'en'].map((language) => `<link href="/${language}.js" data-language="${language}">\n`).join('');
  writeFileSync(join(folder, 'index.html'), `${links}FRAME_KIND of BASE_URL`);
  writeFileSync(join(folder, 'sign-in.html'), 'Sign in at BASE_URL');
  const read = async (path: string, language = '*') => {
    const response = await fetch(`${url}${path}`, { headers: { 'accept-language': language } });
    return [response.status, await response.text()];
  };
  const english = '<link href="/en.js" data-language="en">\n';
  expect(await read('/dashboard')).toEqual([200, `${english}plain of https://id.example.com`]);
  expect(await read('/dashboard', 'fr')).toEqual([200, `${english}plain of https://id.example.com`]);
  expect(await read('/dashboard/organizations/acme', 'de-AT, en;q=0.5')).toEqual([
    200,
    '<link href="/de.js" data-language="de">\norganization of https://id.example.com',
  ]);
  expect(await read('/account/sign-in')).toEqual([200, 'Sign in at https://id.example.com']);
});

it('a page that needs a session loads the session early if the browser has a session cookie', async () => {
  writeFileSync(join(folder, 'index.html'), '<body></body>');
  writeFileSync(join(folder, 'sign-in.html'), '<body></body>');
  const linksOf = async (path: string, cookie: string) => {
    const page = await (await fetch(`${url}${path}`, { headers: { cookie } })).text();
    return Array.from(page.matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]+)">/g), ([, href]) => href);
  };
  const session = '__Host-service-session=token';
  expect(await linksOf('/dashboard/organizations/acme/users', session)).toEqual([
    '/v1/auth/session',
    '/v1/auth/me',
    '/v1/auth/me/permissions?organization=acme',
  ]);
  expect(await linksOf('/account', session)).toEqual(['/v1/auth/session', '/v1/auth/me']);
  expect(await linksOf('/account', 'other=token')).toEqual([]);
  expect(await linksOf('/account/sign-in', session)).toEqual([]);
  expect(await linksOf('/setup', session)).toEqual([]);
});

it('the server sends a compressed asset if the client accepts Brotli', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/page.js'), 'plain');
  writeFileSync(join(folder, 'assets/page.js.br'), Buffer.from('CwKAcGxhaW4D', 'base64'));
  const responseTo = async (encoding: string) => {
    const response = await fetch(`${url}/assets/page.js`, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
    return [await response.text(), response.headers.get('content-encoding'), response.headers.get('content-type')];
  };
  expect(await responseTo('br')).toEqual(['plain', 'br', 'text/javascript; charset=utf-8']);
  expect(await responseTo('identity')).toEqual(['plain', null, 'text/javascript; charset=utf-8']);
});
