import type { TestApp } from './app.js';
import type { PendingResponse } from './http-client.js';

/** The length of a text. A request body can contain four escaped texts. */
const LENGTH = 30_000;
/** Node accepts 16 KB of headers. */
const HEADER_LENGTH = 14_000;
const HEADER_TEXT = /^[\t\x20-\xff]*$/;
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'client-address',
  'client-user-agent',
  'content-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'origin',
  'range',
  'session-transport',
  'traceparent',
  'user-agent',
  'x-forwarded-for',
  'x-request-id',
];
const PARTS = ['a', ' ', '-', 'a-', 'a.', 'a@', '%', '0', '1.', 'é', ';', '/', '"', '{"', '=', 'a,b', '\t'];

/** Texts with the maximum backtracking of regular expressions. */
export const PATHOLOGICAL_TEXTS: readonly string[] = PARTS.flatMap((part) => {
  const text = part.repeat(Math.floor(LENGTH / part.length));
  return [text, `${text}!`, `x${text}\n`];
});

export interface PathologicalRequest {
  readonly name: string;
  readonly statuses: readonly number[];
  send(): PendingResponse;
}

/**
 * Returns requests with the texts in each kind of field that a regular expression or a parser reads. The requests require an organization with the
 * slug `acme`.
 */
export function pathologicalRequests(
  { api: { platform, anonymous } }: TestApp,
  texts: readonly string[] = PATHOLOGICAL_TEXTS,
): PathologicalRequest[] {
  const users = '/v1/organizations/acme/users';
  const webhooks = '/v1/organizations/acme/webhooks';
  const csv = { 'content-type': 'text/csv' };
  const perText = texts.flatMap((text) => {
    const settings = { allowedDomains: [text] };
    const requests: [name: string, statuses: number[], send: () => PendingResponse][] = [
      ['user', [400], () => platform.post(users, { email: text, picture: text, phoneNumber: text, firstName: text })],
      ['locale', [400], () => platform.post(users, { email: 'ada@example.com', locale: text })],
      ['organization', [400], () => platform.post('/v1/organizations', { name: text, slug: text, settings })],
      ['webhook', [400], () => platform.post(webhooks, { url: text, events: [text], headers: { 'X-A': text } })],
      ['login', [400], () => anonymous.post('/v1/auth/login', { organization: text, email: text, password: 'x' })],
      ['search', [200], () => platform.get(`${users}?search=${encodeURIComponent(text.slice(0, 100))}`)],
      // The service returns 400 for a text that is not CSV and for a row that is too long.
      ['import', [200, 400], () => platform.raw('POST', `${users}/import`, `email,roles\n${text},${text}`, csv)],
    ];
    return requests.map(([name, statuses, send]) => ({ name: `${name} ${JSON.stringify(text.slice(0, 4))}`, statuses, send }));
  });
  const perHeader = texts
    .filter((text) => HEADER_TEXT.test(text))
    .flatMap((text) => HEADERS.map((header) => ({ header, value: `x${text.slice(0, HEADER_LENGTH)}x` })))
    .map(({ header, value }) => ({
      name: `${header} ${JSON.stringify(value.slice(0, 5))}`,
      statuses: [400, 401, 403, 415],
      // The body is invalid, so that no request succeeds.
      send: () => platform.raw('POST', users, '{}', { 'content-type': 'application/json', [header]: value }),
    }));
  return [...perText, ...perHeader];
}
