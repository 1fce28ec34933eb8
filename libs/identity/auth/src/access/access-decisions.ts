import {
  type Caller,
  holdsPermission,
  isInNetworks,
  type OrganizationScope,
  type OwnAccountAccess,
  type RequestContext,
} from '#platform/common';
import { OrganizationPending, OrganizationSuspended } from '#directory/organizations';
import { Forbidden, MfaEnrolmentRequired, NetworkNotAllowed, Unauthenticated } from './access-errors.js';

const LONGEST_TOKEN = 4_096;
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method only reads (RFC 9110, section 9.2.1). */
export const isReadMethod = (method: string): boolean => READING_METHODS.has(method);

/**
 * The token of an `Authorization` header (RFC 6750).
 * @throws Unauthenticated when there is none.
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw new Unauthenticated(
      'The request has no credentials. Send an API key or a session token in the header "Authorization: Bearer <token>".',
    );
  const token = BEARER.exec(header)?.[1];
  if (token === undefined || token.length > LONGEST_TOKEN) {
    throw new Unauthenticated('The Authorization header must have the form "Bearer <token>", with one API key or session token.');
  }
  return token;
}

/** @throws Forbidden naming the permission that the caller lacks. */
export function assertPermission(caller: Caller, permission: string): void {
  if (holdsPermission(caller.permissions, permission)) return;
  throw new Forbidden(`This operation requires the permission "${permission}". The caller does not have this permission.`);
}

/** @throws Forbidden when no user has signed in, MfaEnrolmentRequired */
export function assertOwnAccount(
  { session, operatorSession }: Pick<RequestContext, 'session' | 'operatorSession'>,
  { whileEnrolling, operators }: OwnAccountAccess,
): void {
  if (operatorSession && operators) return;
  if (!session)
    throw new Forbidden("This operation is about the signed-in user's own account. Use a session token instead of an API key.");
  if (session.enrolmentOnly && !whileEnrolling) throw new MfaEnrolmentRequired();
}

/** @throws NetworkNotAllowed when the organization is managed from certain networks only, and the request comes from elsewhere. */
export function assertNetworkAllowed(
  { ipAddress }: Pick<RequestContext, 'ipAddress'>,
  { name }: Pick<OrganizationScope, 'name'>,
  networks: readonly string[],
): void {
  if (networks.length === 0 || isInNetworks(ipAddress, networks)) return;
  throw new NetworkNotAllowed(
    `The organization "${name}" can't be managed`,
    ipAddress,
    'Use a network that is listed in its setting allowedNetworks.',
  );
}

/** @throws OrganizationSuspended, OrganizationPending when the method changes something and the organization takes no changes. */
export function assertWritable(method: string, { status, slug }: Pick<OrganizationScope, 'status' | 'slug'>): void {
  if (isReadMethod(method)) return;
  if (status === 'suspended') throw new OrganizationSuspended();
  if (status === 'pending') throw new OrganizationPending({ slug });
}
