import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { projectDir } from '../project-dir.js';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the built pages of `docs/` at `/docs/guide`. Responds with 503 while the first start builds the pages in the background.
 */
export function serveGuide(app: Pick<NestExpressApplication, 'use'>, builtDir = join(projectDir, 'dist/docs')): void {
  app.use('/docs/guide', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  // The names of assets contain a hash of the content. The names of pages don't, so browsers revalidate pages each time.
  app.use('/docs/guide/assets', express.static(join(builtDir, 'assets'), { index: false, immutable: true, maxAge: '1y' }));
  app.use('/docs/guide', express.static(builtDir, { extensions: ['html'], cacheControl: false, setHeaders: setNoCache }));
  app.use('/docs/guide', notFound(builtDir));
}

function setNoCache(response: Response): void {
  response.setHeader('Cache-Control', 'no-cache');
}

const notFound = (builtDir: string) => (request: Request, response: Response, next: NextFunction) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return next();
  response.status(404).setHeader('Cache-Control', 'no-store');
  response.sendFile('404.html', { root: builtDir, cacheControl: false }, (error) => {
    if (error && !response.headersSent) response.status(503).setHeader('Retry-After', '10').type('text').send(NOT_BUILT);
  });
};

const NOT_BUILT = `The guide is not built yet. "npm start" builds it in the background on the first start, within about a minute;
"npm run docs:build" builds it immediately. Its pages are the files in docs/.
`;
