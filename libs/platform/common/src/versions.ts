import { DomainError, InvalidRequest } from './domain-error.js';
import type { RequestContext } from './request-context.js';

export class PreconditionFailed extends DomainError {
  readonly code = 'precondition_failed';
  readonly kind = 'precondition_failed';
  constructor(etag: string) {
    super(
      `The resource now has the ETag ${etag}, which is not in the If-Match header. Read the resource again, then repeat the change if you still want it.`,
    );
  }
}

/** Returns the ETag of a version: a strong validator (RFC 9110, section 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`;

/** An entity tag of HTTP: in double quotes, with `W/` before a weak one. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * Returns the ETags of a header If-Match, or undefined for `*`, which every version matches.
 * @throws InvalidRequest (400) for any other text. Without the check, a caller who sends a version without quotes would read "has changed".
 */
export function etagsOf(ifMatch: string): readonly string[] | undefined {
  if (ifMatch.trim() === '*') return undefined;
  const etags = ifMatch.split(',').map((tag) => tag.trim());
  if (etags.every((tag) => ETAG.test(tag))) return etags;
  throw new InvalidRequest([
    {
      pointer: '/If-Match',
      in: 'header',
      code: 'invalid_format',
      message: `If-Match must be the value of an ETag header, with its double quotes, such as "3", or *. It is ${ifMatch.slice(0, 100)}.`,
    },
  ]);
}

/**
 * Checks the version of a resource against the header If-Match, if present. The caller must have locked the row.
 * @throws PreconditionFailed (412), InvalidRequest (400) for a malformed header
 */
export function assertUnchanged(ctx: RequestContext, version: number): void {
  const etags = ctx.ifMatch === undefined ? undefined : etagsOf(ctx.ifMatch);
  if (etags && !etags.includes(etagOf(version))) throw new PreconditionFailed(etagOf(version));
}
