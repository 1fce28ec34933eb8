import { once } from 'node:events';
import type { Request } from 'express';

/** Node.js keeps so much of a request before somebody reads it. */
const FORM_MAX_BYTES = 16_000;

/**
 * The library ignores `offline_access` without `prompt=consent`. Here a remembered consent is enough, so the prompt is added, together with
 * a parameter that says that nobody asked for it.
 */
export function withImpliedConsent(address: string): string {
  const url = new URL(address, 'http://localhost');
  return url.pathname === '/oauth/authorize' && implyConsent(url.searchParams) ? url.pathname + url.search : address;
}

/** Same as `withImpliedConsent` for the form of a pushed request. Leaves the form to the library, which reads it. */
export async function implyPushedConsent(request: Request): Promise<void> {
  const length = Number(request.headers['content-length']);
  if (request.method !== 'POST' || !(length > 0 && length <= FORM_MAX_BYTES)) return;
  while (request.readableLength < length && !request.readableEnded)
    await Promise.race([once(request, 'readable'), once(request, 'close')]);
  const body = request.read() as Buffer | null;
  if (!body) return;
  const form = new URLSearchParams(body.toString());
  const sent = implyConsent(form) ? Buffer.from(form.toString()) : body;
  request.headers['content-length'] = String(sent.length);
  request.unshift(sent);
}

/** Returns whether the prompt was added. */
function implyConsent(parameters: URLSearchParams): boolean {
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter(Boolean);
  const asksOffline = (parameters.get('scope') ?? '').split(' ').includes('offline_access');
  if (!asksOffline || prompts.includes('consent') || prompts.includes('none')) return false;
  parameters.set('prompt', [...prompts, 'consent'].join(' '));
  parameters.set('consent_implied', '1');
  return true;
}
