import { escapeHtml } from '#platform/common';
import type { Request } from 'express';

const TEXTS = {
  en: {
    notFound: 'Page not found',
    notFoundAdvice: 'There is no page at this address. Check the address, or begin at the dashboard.',
    unavailable: 'The service is busy',
    unavailableAdvice: 'The service can’t answer at the moment. This page tries again by itself.',
    failed: 'This did not work',
    dashboard: 'Open the dashboard',
    explanation: 'What this error means',
    request: 'Request ID',
  },
  de: {
    notFound: 'Seite nicht gefunden',
    notFoundAdvice: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie die Adresse, oder beginnen Sie beim Dashboard.',
    unavailable: 'Der Dienst ist ausgelastet',
    unavailableAdvice: 'Der Dienst kann gerade nicht antworten. Diese Seite versucht es von selbst erneut.',
    failed: 'Das hat nicht geklappt',
    dashboard: 'Dashboard öffnen',
    explanation: 'Was dieser Fehler bedeutet',
    request: 'Anfrage-ID',
  },
} as const;

interface Described {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
}

/** Returns whether the client is a browser that opens a page. Programs accept any type or ask for JSON. */
export const wantsHtml = (request: Request): boolean =>
  ['GET', 'HEAD'].includes(request.method) && request.accepts(['json', 'html']) === 'html';

/** Returns the title and the content of the page about an error, in the language of the browser. */
export function problemPage(request: Request, { status, code, detail, requestId }: Described) {
  const language = request.acceptsLanguages(['en', 'de']) === 'de' ? 'de' : 'en';
  const texts = TEXTS[language];
  const [title, advice] =
    code === 'route_not_found'
      ? [texts.notFound, texts.notFoundAdvice]
      : status === 503
        ? [texts.unavailable, texts.unavailableAdvice]
        : [texts.failed, detail];
  const content = `<h1>${title}</h1>
<p>${escapeHtml(advice)}</p>
<p><a href="/dashboard">${texts.dashboard}</a> · <a href="/docs/errors/${code}">${texts.explanation}</a></p>
<p><code>${code}</code> · ${texts.request}: <code>${escapeHtml(requestId)}</code></p>
`;
  return { title, content, language };
}
