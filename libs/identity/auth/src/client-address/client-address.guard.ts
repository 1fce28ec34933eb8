import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  type Caller,
  hasPermission,
  InvalidRequest,
  parseIpAddress,
  reaches,
  type RequestContext,
  ResourceNotFound,
  unmapped,
} from '#platform/common';
import {
  CLIENT_ADDRESS_HEADER,
  CLIENT_USER_AGENT_HEADER,
  FORWARDED_SIGN_IN,
  FORWARDING_PERMISSION,
  requestOf,
  type ServiceRequest,
  type SignInField,
  userAgentOf,
} from '#platform/http';
import { CallerSuspended, Forbidden, Unauthenticated } from '../access/access-errors.js';
import type { AuthenticatedCaller } from '../access/credential-authenticator.js';
import { oncePerHandler } from '../access/once-per-handler.js';
import { RequestAuthenticationService } from '../access/request-authentication.service.js';
import { ForwardedSignIns } from './forwarded-sign-ins.js';

/**
 * Replaces the address and the user agent in the context of a sign-in by those of the end user, which the server of a customer sends with its
 * API key (`@ForwardsClientAddress`). The caller stays anonymous. Checks that the key reaches the organization of the sign-in before anything
 * else uses the address: a key never names an address for the users of another tenant. Ignores the headers on all other routes.
 */
@Injectable()
export class ClientAddressGuard implements CanActivate {
  private readonly readField = oncePerHandler((context) =>
    this.reflector.get<SignInField | undefined>(FORWARDED_SIGN_IN, context.getHandler()),
  );

  constructor(
    private readonly reflector: Reflector,
    private readonly requestAuthentication: RequestAuthenticationService,
    private readonly forwardedSignIns: ForwardedSignIns,
  ) {}

  /** @throws Unauthenticated (401), CallerSuspended, NetworkNotAllowed, Forbidden (403), ResourceNotFound (404), InvalidRequest (400) */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const field = this.readField(context);
    if (field === undefined) return true;
    const request = requestOf(context);
    const address = headerOf(request, CLIENT_ADDRESS_HEADER);
    const userAgent = headerOf(request, CLIENT_USER_AGENT_HEADER);
    if (address === undefined && userAgent === undefined) return true;
    const forwardedBy = await this.authenticate(request);
    const ipAddress = parseClientAddressHeader(address);
    if (!(await this.isForReachedOrganization(request, forwardedBy, field))) return true;
    request.context = contextOfEndUser(request.context, { ipAddress, userAgent: userAgentOf(userAgent), forwardedBy });
    return true;
  }

  private async authenticate(request: ServiceRequest): Promise<Caller> {
    if (request.headers.authorization === undefined)
      throw new Unauthenticated(
        `The header ${CLIENT_ADDRESS_HEADER} needs a credential. Send an API key with the permission "${FORWARDING_PERMISSION}" in the header "Authorization: Bearer <key>", or leave ${CLIENT_ADDRESS_HEADER} and ${CLIENT_USER_AGENT_HEADER} out.`,
      );
    const authenticated = await this.requestAuthentication.authenticateHeader(request);
    assertIsForServers(authenticated);
    const { caller } = authenticated;
    if (caller.suspended) throw new CallerSuspended();
    if (hasPermission(caller.permissions, FORWARDING_PERMISSION)) return caller;
    throw new Forbidden(
      `The header ${CLIENT_ADDRESS_HEADER} requires the permission "${FORWARDING_PERMISSION}". The caller does not have this permission.`,
    );
  }

  /**
   * Returns false for a request without the field or with an unknown token, which the operation rejects: it uses the address of the server.
   * @throws ResourceNotFound (404), Forbidden (403) if the credential does not reach the organization of the sign-in
   */
  private async isForReachedOrganization(request: ServiceRequest, caller: Caller, field: SignInField): Promise<boolean> {
    if (caller.kind === 'platform') return true;
    if (field === 'none')
      throw new Forbidden(
        `This operation is for no organization, so ${CLIENT_ADDRESS_HEADER} needs a platform key here. Leave ${CLIENT_ADDRESS_HEADER} and ${CLIENT_USER_AGENT_HEADER} out, or use a platform key.`,
      );
    const value = valueOf(request, field);
    if (value === undefined) return false;
    const organization = await this.forwardedSignIns.find(request.context, field, value);
    if (organization === undefined) return false;
    if (organization && reaches(caller, organization)) return true;
    if (field === 'organization') throw new ResourceNotFound('organization', value);
    throw new Forbidden(
      `The caller has no access to the organization of this sign-in, so it can't send ${CLIENT_ADDRESS_HEADER} for it. Use a key of this organization or of an ancestor.`,
    );
  }
}

/** Asserts that the caller is a credential of a server, which people don't have. @throws Forbidden (403) */
function assertIsForServers({ caller, session, delegation }: AuthenticatedCaller): void {
  const isMachineClient = caller.kind === 'oauth' && !delegation;
  if (!session && (caller.kind === 'key' || caller.kind === 'platform' || isMachineClient)) return;
  throw new Forbidden(`Only API keys, platform keys and machine clients can send ${CLIENT_ADDRESS_HEADER}. Use an API key.`);
}

/** Returns the address in its canonical form; a mapped address (`::ffff:a.b.c.d`) as IPv4. @throws InvalidRequest (400) */
function parseClientAddressHeader(value: string | undefined): string {
  const address = value === undefined ? undefined : parseIpAddress(value);
  if (address) return unmapped(address).toString();
  const message =
    value === undefined
      ? `${CLIENT_USER_AGENT_HEADER} needs ${CLIENT_ADDRESS_HEADER}. Send the address of the end user, too.`
      : `${CLIENT_ADDRESS_HEADER} must be one IPv4 or IPv6 address, without port, zone or list, such as 203.0.113.7 or 2001:db8::7.`;
  const code = value === undefined ? 'required' : 'invalid_address';
  throw new InvalidRequest([{ pointer: `/${CLIENT_ADDRESS_HEADER}`, in: 'header', code, message }]);
}

/** Without a user agent of the end user, the context has none: the one of the request is the server's. */
function contextOfEndUser(
  { isProxyAddress: _proxy, userAgent: _server, ...context }: RequestContext,
  { userAgent, ...endUser }: { ipAddress: string; userAgent: string | undefined; forwardedBy: Caller },
): RequestContext {
  return { ...context, ...endUser, ...(userAgent ? { userAgent } : {}) };
}

function headerOf({ headers }: ServiceRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Returns the text of the field as the validation returns it. Guards run before the validation, so the body can be of any type. */
function valueOf({ method, query, body }: ServiceRequest, field: SignInField): string | undefined {
  const fields: unknown = method === 'GET' ? query : body;
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, field)) return undefined;
  const value = (fields as Record<string, unknown>)[field];
  if (typeof value !== 'string') return undefined;
  return field === 'organization' ? value.normalize('NFC').trim() : value;
}
