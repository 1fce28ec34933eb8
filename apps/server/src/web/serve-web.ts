import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { escapeHtml } from '#platform/common';
import { AppConfig } from '#platform/config';
import { readCookie, sendHtmlPage, sessionCookieName } from '#platform/http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { projectDir } from '../project-dir.js';
import { DASHBOARD_PAGES, REFERENCE_PAGES, SIGN_IN_PAGES } from './pages.js';

/** The placeholder for the nonce of style elements. */
const NONCE_PLACEHOLDER = 'CSP_NONCE';

/** The placeholder for the base URL, which pages show in commands and URLs to copy. */
const BASE_URL_PLACEHOLDER = 'BASE_URL';

/** The placeholder for the kind of the frame that the browser shows while it loads the page. */
const FRAME_PLACEHOLDER = 'FRAME_KIND';

/** The pages with the navigation of an organization. */
const ORGANIZATION_PAGE = /^\/dashboard\/organizations\/./i;

/** The pages that need a session, with the organization. */
const SESSION_PAGE = /^\/(?:account|dashboard)(?:\/organizations\/([\w-]+))?(?:\/|$)/i;

/** A link that loads the texts of a language early. */
const TEXTS_LINK = /<link [^>]*data-language="(\w+)"[^>]*>\n?/g;

const COMPRESSED = '.br';

/** Serves the built web pages. Responds with 503 while the first start builds the pages in the background. */
export function serveWeb(app: NestExpressApplication, builtDir = join(projectDir, 'dist/apps/web')): void {
  const files = { index: false, redirect: false, fallthrough: false, immutable: true, maxAge: '1y', setHeaders: describeFile };
  app.use('/assets', preferBrotli, express.static(join(builtDir, 'assets'), files));
  const config = app.get(AppConfig);
  const dashboard = pageSender(join(builtDir, 'index.html'), config, sessionLinks);
  app
    .getHttpAdapter()
    .getInstance()
    .get('/favicon.svg', (_request: Request, response: Response) => {
      response.sendFile('favicon.svg', { root: builtDir, maxAge: '1d' });
    })
    .get('/offline-worker.js', (_request: Request, response: Response) => {
      response.sendFile('offline-worker.js', { root: builtDir, maxAge: 0 });
    })
    .get('/offline', (request: Request, response: Response) => {
      sendHtmlPage(response, config, offlinePage(request));
    })
    .get(SIGN_IN_PAGES, pageSender(join(builtDir, 'sign-in.html'), config))
    .get(config.docs ? [...DASHBOARD_PAGES, ...REFERENCE_PAGES] : DASHBOARD_PAGES, dashboard);
}

/** Serves the files that the build compressed with Brotli, which are a sixth smaller than files compressed for each request. */
function preferBrotli(request: Request, _response: Response, next: NextFunction): void {
  const [path, query] = request.url.split('?', 2);
  if (request.acceptsEncodings('br')) request.url = `${path}${COMPRESSED}${query === undefined ? '' : `?${query}`}`;
  next();
}

function describeFile(response: Response, path: string): void {
  response.vary('Accept-Encoding');
  if (!path.endsWith(COMPRESSED)) return;
  response.type(extname(path.slice(0, -COMPRESSED.length)));
  response.setHeader('Content-Encoding', 'br');
}

type EarlyLinks = (request: Request, config: AppConfig) => string;

const noLinks: EarlyLinks = () => '';

const pageSender =
  (file: string, config: AppConfig, earlyLinks = noLinks) =>
  (request: Request, response: Response, next: NextFunction) => {
    const nonce = randomBytes(18).toString('base64');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
    response.setHeader('Cache-Control', 'no-store');
    readFile(file, 'utf8', (error, page) => {
      if (error?.code === 'ENOENT') return sendHtmlPage(response.status(503).set('Retry-After', '5'), config, NOT_BUILT);
      if (error) return next(error);
      response.type('html').send(
        withTextsFor(request, page)
          .replaceAll(NONCE_PLACEHOLDER, nonce)
          .replace('</body>', () => `${earlyLinks(request, config)}</body>`)
          .replace(FRAME_PLACEHOLDER, ORGANIZATION_PAGE.test(request.path) ? 'organization' : 'plain')
          .replace(BASE_URL_PLACEHOLDER, () => escapeHtml(config.baseUrl)),
      );
    });
  };

/** Keeps the link to the texts in the language of the browser. As the pages do, prefers English. */
function withTextsFor(request: Request, page: string): string {
  const languages = Array.from(page.matchAll(TEXTS_LINK), ([, language]) => language!);
  const wanted = request.acceptsLanguages(['en', ...languages]) || 'en';
  return page.replaceAll(TEXTS_LINK, (link, language) => (language === wanted ? link : ''));
}

/** Links that load the session while the browser loads the scripts of a page that needs a session: the first requests of these pages. */
function sessionLinks(request: Request, config: AppConfig): string {
  const [page, organization] = SESSION_PAGE.exec(request.path) ?? [];
  if (page === undefined || readCookie(request, sessionCookieName(config)) === undefined) return '';
  const paths = ['/v1/auth/session', '/v1/auth/me'];
  if (organization) paths.push(`/v1/auth/me/permissions?organization=${organization}`);
  return paths.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path}">\n`).join('');
}

const NOT_BUILT = {
  title: 'Building the pages',
  content: `<h1>Building the pages</h1>
<p>The web pages are being built. This takes up to a minute, on the first start two; the page reloads by itself.</p>
<p>Nothing happens? Look at the output of <code>npm start</code>, or run <code>npm run build</code>.</p>
`,
  reloadSeconds: 2,
};

const OFFLINE = {
  en: { title: 'No connection', text: 'The service can’t be reached. This page continues by itself as soon as it can.' },
  de: {
    title: 'Keine Verbindung',
    text: 'Der Dienst ist nicht erreichbar. Diese Seite geht von selbst weiter, sobald er es ist.',
  },
};

/** The page that `offline-worker.js` stores and shows when a page can't be loaded. It reloads the address of the page. */
function offlinePage(request: Request) {
  const language = request.acceptsLanguages(['en', 'de']) === 'de' ? 'de' : 'en';
  const { title, text } = OFFLINE[language];
  return { title, content: `<h1>${title}</h1>\n<p role="status">${text}</p>\n`, language, reloadSeconds: 3 };
}

/** Allows only this origin and style elements with the nonce (CSP Level 3). */
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
