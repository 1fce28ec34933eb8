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

/** A strong validator (RFC 9110, 8.8.3) for the fields of a resource that can be changed. */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * Call with the row locked, before a change. Without If-Match every version will do.
 * @throws PreconditionFailed (412)
 */
export function demandUnchanged(ctx: RequestContext, version: number): void {
  if (ctx.ifMatch === undefined || ctx.ifMatch.trim() === '*') return;
  const wanted = ctx.ifMatch.split(',').map((tag) => tag.trim());
  if (!wanted.includes(etagOf(version))) throw new PreconditionFailed();
}
