import {
  assertNotImpersonated,
  type Caller,
  CONNECTION_PARAM,
  hasPermission,
  NotWhileImpersonating,
  type OrganizationScope,
  type OwnAccountAccess,
  type RequestContext,
  type RequiredAccess,
  type ServicePermission,
  type SetupStep,
} from '#platform/common';
import { assertActive } from '#directory/organizations';
import { Forbidden, InsufficientScope, MfaEnrolmentRequired, Unauthenticated } from './access-errors.js';

const MAX_TOKEN_LENGTH = 4_096;
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a method only reads (RFC 9110, section 9.2.1). */
export const isReadMethod = (method: string): boolean => READ_METHODS.has(method);

/**
 * Returns the token of an `Authorization` header (RFC 6750).
 * @throws Unauthenticated (401) if the header is missing or invalid
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw new Unauthenticated(
      'The request has no credentials. Send an API key or a session token in the header "Authorization: Bearer <token>".',
    );
  const token = BEARER.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) {
    throw new Unauthenticated('The Authorization header must have the form "Bearer <token>", with one API key or session token.');
  }
  return token;
}

/** @throws Forbidden (403) with the name of the missing permission */
export function assertPermission(caller: Caller, permission: string): void {
  if (hasPermission(caller.permissions, permission)) return;
  if (caller.kind === 'oauth') throw new InsufficientScope(permission);
  throw new Forbidden(`This operation requires the permission "${permission}". The caller does not have this permission.`);
}

/** Asserts that a caller who is a setup link can call a route of the step. @throws Forbidden (403) */
export function assertSetupStep({ setupSteps }: Caller, step: SetupStep | undefined): void {
  if (setupSteps === undefined || setupSteps.some((each) => each === step)) return;
  throw new Forbidden(`The setup link can't be used for this operation, only for its steps: ${setupSteps.join(', ')}.`);
}

/**
 * Asserts that a SCIM connection calls only its own routes, and that nobody else calls them.
 * @throws Unauthenticated (401), Forbidden (403)
 */
export function assertConnection(
  { kind, id }: Caller,
  access: RequiredAccess | undefined,
  parameters: Readonly<Record<string, unknown>>,
): void {
  if (access?.organizationParam === CONNECTION_PARAM) {
    if (kind === 'scim' && parameters[CONNECTION_PARAM] === id) return;
    throw new Unauthenticated(
      kind === 'scim'
        ? 'This token belongs to another SCIM connection. Check the base URL and the token.'
        : 'SCIM requires a token of the SCIM connection (scim.…), which the dashboard and the API create.',
    );
  }
  if (kind === 'scim') throw new Forbidden("A SCIM token can't be used for the API, only for SCIM. Use an API key instead.");
}

/** @throws Forbidden (403) for an API key, MfaEnrolmentRequired (403) for an enrolment-only session */
export function assertOwnAccount(
  { session, operatorSession }: Pick<RequestContext, 'session' | 'operatorSession'>,
  { whileEnrolling, operators }: Pick<OwnAccountAccess, 'whileEnrolling' | 'operators'>,
): void {
  if (operatorSession && operators) return;
  if (!session)
    throw new Forbidden("This operation is about the signed-in user's own account. Use a session token instead of an API key.");
  if (session.enrolmentOnly && !whileEnrolling) throw new MfaEnrolmentRequired();
}

/** @throws OrganizationSuspended, OrganizationPending (409), unless the method only reads */
export function assertWritable(method: string, organization: Pick<OrganizationScope, 'status' | 'slug'>): void {
  if (!isReadMethod(method)) assertActive(organization);
}

/** Permissions whose operations give or end credentials or accounts, or access to accounts. Impersonators can't use them. */
const NOT_FOR_IMPERSONATORS: ReadonlySet<string> = new Set<ServicePermission>([
  'api_keys:write',
  'break_glass:request',
  'break_glass:approve',
  'oauth_clients:write',
  'oauth_grants:write',
  'organizations:delete',
  'scim:write',
  'sessions:write',
  'setup_links:write',
  'ssf_streams:write',
  'users:delete',
  'users:impersonate',
  'webhooks:write',
]);

interface ImpersonatedRequest {
  readonly method: string;
  readonly ownAccount: OwnAccountAccess | undefined;
  readonly access: RequiredAccess | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Asserts that a session whose user is impersonated can call a route: impersonators can't change the account, credentials, sessions or
 * grants of the user, nor use permissions of `NOT_FOR_IMPERSONATORS`. `assertRecentlyAuthenticated` rejects what needs a recent sign-in.
 * @throws NotWhileImpersonating (403)
 */
export function assertAllowedWhileImpersonating(
  { session, caller }: Pick<RequestContext, 'session' | 'caller'>,
  { method, ownAccount, access, parameters }: ImpersonatedRequest,
): void {
  if (!session?.impersonator) return;
  const reads = isReadMethod(method);
  const changesAccount = !reads && ownAccount !== undefined && !ownAccount.whileImpersonating;
  const usesRefusedPermission = access !== undefined && NOT_FOR_IMPERSONATORS.has(access.permission);
  if (changesAccount || usesRefusedPermission) throw new NotWhileImpersonating();
  if (!reads) assertNotImpersonated({ session, caller }, Object.values(parameters));
}
