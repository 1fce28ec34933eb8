import { ScimVersionMismatch } from './scim-errors.js';

/** Checks the version of a resource against the header `If-Match`, if present. @throws ScimVersionMismatch (412) */
export function assertVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = ifMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (!versions.includes(version.replace(/^W\//, ''))) throw new ScimVersionMismatch(version);
}
