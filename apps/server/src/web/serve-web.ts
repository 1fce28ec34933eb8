import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '#config';
import { escapeHtml } from '#mail';
import express, { type NextFunction, type Request, type Response } from 'express';
import { projectDir } from '../project-dir.js';
import { DASHBOARD_PAGES, SIGN_IN_PAGES } from './pages.js';

const builtDir = join(projectDir, 'dist/apps/web');

/** What a page has in place of the number that lets its style elements through. */
const NONCE_PLACE = 'CSP_NONCE';

/** And in place of the public address, which pages show in commands and addresses to copy. */
const BASE_URL_PLACE = 'BASE_URL';

/** Serves the web app as it was built into `dist/apps/web`. */
export function serveWeb(app: NestExpressApplication): void {
  const files = { index: false, redirect: false, fallthrough: false, immutable: true, maxAge: '1y' };
  app.use('/assets', express.static(join(builtDir, 'assets'), files));
  const { baseUrl } = app.get(AppConfig);
  app
    .getHttpAdapter()
    .getInstance()
    .get('/favicon.svg', (_request: Request, response: Response) => {
      response.sendFile('favicon.svg', { root: builtDir, maxAge: '1d' });
    })
    .get(SIGN_IN_PAGES, pageSender('sign-in.html', baseUrl))
    .get(DASHBOARD_PAGES, pageSender('index.html', baseUrl));
}

const pageSender = (file: string, baseUrl: string) => (_request: Request, response: Response, next: NextFunction) => {
  const nonce = randomBytes(18).toString('base64');
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.setHeader('Cache-Control', 'no-store');
  readFile(join(builtDir, file), 'utf8', (error, page) => {
    if (error?.code === 'ENOENT') return response.status(503).setHeader('Retry-After', '5').type('html').send(NOT_BUILT);
    if (error) return next(error);
    response.type('html').send(page.replaceAll(NONCE_PLACE, nonce).replace(BASE_URL_PLACE, () => escapeHtml(baseUrl)));
  });
};

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta http-equiv="refresh" content="2">
<title>Building the pages</title>
<p>The web pages are being built. This takes a few seconds; the page reloads by itself.</p>
<p>Nothing happens? Look at the output of <code>npm start</code>, or run <code>npm run build</code>.</p>
`;

/** Nothing from elsewhere, nothing inline but style elements with the nonce (CSP Level 3). */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
