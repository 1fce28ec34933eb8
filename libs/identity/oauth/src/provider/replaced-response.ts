import type { KoaContext } from './library.js';

interface ReplacedResponse {
  readonly status: number;
  readonly body: { readonly error: string; readonly error_description: string };
}

export const ALREADY_USED: ReplacedResponse = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'the code or token was already used' },
};

/** The database did not respond. The request has changed nothing, unless the connection was lost at the commit. */
export const UNAVAILABLE: ReplacedResponse = {
  status: 503,
  body: { error: 'temporarily_unavailable', error_description: 'try again in a few seconds' },
};

const RETRY_AFTER_SECONDS = 5;

/** Replaces the response of the library, which can contain tokens that were not stored. */
export function replaceResponse(ctx: KoaContext, { status, body }: ReplacedResponse): void {
  for (const name of ['Location', 'Set-Cookie']) ctx.remove(name);
  ctx.status = status;
  ctx.body = body;
  if (status === UNAVAILABLE.status) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
}
