import { DomainError } from './domain-error.js';
import type { RequestContext } from './request-context.js';

export class PreconditionFailed extends DomainError {
  readonly code = 'precondition_failed';
  readonly kind = 'precondition_failed';
  constructor() {
    super(
      'The resource does not have the version in the If-Match header. Read the resource again, then repeat the change if you still want it.',
    );
  }
}

/** Returns the ETag of a version: a strong validator (RFC 9110, section 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * Checks the version of a resource against the header If-Match, if present. The caller must have locked the row.
 * @throws PreconditionFailed (412)
 */
export function assertUnchanged(ctx: RequestContext, version: number): void {
  if (ctx.ifMatch === undefined || ctx.ifMatch.trim() === '*') return;
  const etags = ctx.ifMatch.split(',').map((tag) => tag.trim());
  if (!etags.includes(etagOf(version))) throw new PreconditionFailed();
}
