import type { RequestContext } from './request-context.js';

/** Returns the ID of the setup link that calls, or null for other callers. */
export const setupLinkOf = ({ caller }: Pick<RequestContext, 'caller'>): string | null =>
  caller.kind === 'setup_link' ? (caller.id ?? null) : null;

/** Returns the condition for the rows that a caller can see and change: a setup link only those that it created. */
export function createdInSetup(ctx: Pick<RequestContext, 'caller'>): { setupLinkId?: string } {
  const setupLinkId = setupLinkOf(ctx);
  return setupLinkId === null ? {} : { setupLinkId };
}
