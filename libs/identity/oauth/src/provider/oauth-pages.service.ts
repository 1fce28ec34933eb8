import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { escapeHtml, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { ServiceRequest } from '#platform/http';
import type { Request, Response } from 'express';
import type { KoaContext } from './library.js';
import { currentRequest } from './oauth-request.js';

/** An error as OAuth describes it (RFC 6749, section 5.2). */
export interface OAuthProblem {
  readonly error: string;
  readonly error_description?: string;
}

const TEXTS = {
  en: {
    language: 'en',
    title: 'This request of an application is not valid',
    advice: 'Go back to the application and start again. If this happens again, tell the people who run the application.',
    request: 'Request',
    continuing: 'Continuing…',
  },
  de: {
    language: 'de',
    title: 'Diese Anfrage einer Anwendung ist ungültig',
    advice:
      'Gehen Sie zurück zur Anwendung und beginnen Sie noch einmal. Wenn es wieder geschieht, wenden Sie sich an die Betreiber der Anwendung.',
    request: 'Anfrage',
    continuing: 'Weiter …',
  },
};

/** The few pages that the protocol itself needs: an error that can't go back to the application, and a way to this origin. */
@Injectable()
export class OAuthPagesService {
  constructor(private readonly config: AppConfig) {}

  /** Called by the library for an error that it can't return to the client. */
  readonly renderError = (ctx: KoaContext, problem: OAuthProblem): void => {
    ctx.type = 'html';
    for (const [name, value] of Object.entries(PAGE_HEADERS)) ctx.set(name, value);
    const { ctx: context } = currentRequest();
    ctx.body = errorPage(problem, context, ctx.req.headers['accept-language']);
  };

  sendError(request: ServiceRequest, response: Response, problem: OAuthProblem): void {
    const html = errorPage(problem, request.context, request.headers['accept-language']);
    response.status(400).set(PAGE_HEADERS).type('html').send(html);
  }

  /**
   * Sends a page that requests the same address again. Browsers don't send the session cookie (`SameSite=Strict`) with a navigation from the
   * page of an application, but they do with a navigation from this page.
   */
  sendSameAddress(request: Request, response: Response, path: string): void {
    const texts = textsFor(request.headers['accept-language']);
    const refresh = `<meta http-equiv="refresh" content="0; url=${escapeHtml(this.config.baseUrl + path)}">`;
    response
      .status(200)
      .set(PAGE_HEADERS)
      .type('html')
      .send(page(texts, texts.continuing, `<p>${texts.continuing}</p>`, refresh));
  }
}

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}main{max-width:30rem;margin:10vh auto;padding:0 1rem}';

const PAGE_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'Cache-Control': 'no-store',
};

const textsFor = (language = '') => (/^\s*de\b/i.test(language) ? TEXTS.de : TEXTS.en);

function errorPage({ error, error_description: description = '' }: OAuthProblem, ctx: RequestContext, language?: string): string {
  const texts = textsFor(language);
  const { title, advice, request } = texts;
  const details = [`<code>${escapeHtml(error)}</code>`, escapeHtml(description)].filter(Boolean).join(': ');
  return page(
    texts,
    title,
    `<h1>${title}</h1><p>${advice}</p><p>${details}</p><p>${request}: <code>${escapeHtml(ctx.requestId)}</code></p>`,
  );
}

const page = ({ language }: { language: string }, title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
