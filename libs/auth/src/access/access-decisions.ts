import { type Caller, holdsPermission, type OrganizationScope } from '#common';
import { OrganizationPending, OrganizationSuspended } from '#organizations';
import { Forbidden, Unauthenticated } from './access-errors.js';

const LONGEST_TOKEN = 4_096;
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The token of an `Authorization` header (RFC 6750).
 * @throws Unauthenticated when there is none.
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new Unauthenticated('Send an API key in the header "Authorization: Bearer <key>".');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined || token.length > LONGEST_TOKEN) {
    throw new Unauthenticated('The Authorization header must have the form "Bearer <key>", with one API key.');
  }
  return token;
}

/** @throws Forbidden naming the permission that the caller lacks. */
export function demandPermission(caller: Caller, permission: string): void {
  if (holdsPermission(caller.permissions, permission)) return;
  throw new Forbidden(`This needs the permission "${permission}", which the caller does not have here.`);
}

/** @throws OrganizationSuspended, OrganizationPending when the method changes something and the organization takes no changes. */
export function demandWritable(method: string, { status, slug }: Pick<OrganizationScope, 'status' | 'slug'>): void {
  if (READING_METHODS.has(method)) return;
  if (status === 'suspended') throw new OrganizationSuspended();
  if (status === 'pending') throw new OrganizationPending({ slug });
}
