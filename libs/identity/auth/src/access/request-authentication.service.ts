import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type ServiceRequest, SessionCookie } from '#platform/http';
import type { Response } from 'express';
import { bearerToken, isReadMethod } from './access-decisions.js';
import { Unauthenticated } from './access-errors.js';
import { type AuthenticatedCaller, CredentialAuthenticators } from './credential-authenticator.js';
import { unknownTokenProblem } from './unknown-token.js';

const DPOP = /^DPoP +(\S+)$/i;

/** Authenticates a request by its session cookie or, without a cookie, by its `Authorization` header. */
@Injectable()
export class RequestAuthenticationService {
  constructor(
    private readonly authenticators: CredentialAuthenticators,
    private readonly cookie: SessionCookie,
    private readonly config: AppConfig,
  ) {}

  /** Returns the caller. Deletes the session cookie in the browser if the session is invalid. @throws Unauthenticated (401), CrossOrigin (403) */
  async authenticate(request: ServiceRequest, response: Response): Promise<AuthenticatedCaller & Pick<RequestContext, 'source'>> {
    const token = this.cookie.tokenOf(request);
    if (token === undefined) return { ...(await this.authenticateHeader(request)), source: 'api' };
    if (!isReadMethod(request.method)) this.cookie.assertOwnPage(request);
    try {
      const authenticated = await this.authenticators.authenticate(token, 'cookie', request.context);
      if (authenticated) return { ...authenticated, source: 'dashboard' };
      throw new Unauthenticated('The session cookie does not contain a session token of this service. Sign in again.');
    } catch (error) {
      if (error instanceof Unauthenticated && !response.headersSent) this.cookie.clear(request, response);
      throw error;
    }
  }

  /** Returns the caller of the `Authorization` header. @throws Unauthenticated (401) */
  async authenticateHeader(request: ServiceRequest): Promise<AuthenticatedCaller> {
    const { headers, context } = request;
    const boundToken = DPOP.exec(headers.authorization ?? '')?.[1];
    const token = boundToken ?? bearerToken(headers.authorization);
    const authenticated =
      boundToken === undefined
        ? await this.authenticators.authenticate(token, 'bearer', context)
        : await this.authenticators.authenticate(token, 'dpop', context, proofOf(request));
    if (authenticated) return authenticated;
    throw new Unauthenticated(unknownTokenProblem(token, this.config.baseUrl));
  }
}

/** Returns what proves the possession of a token (RFC 9449). Several proofs are none. */
function proofOf({ headersDistinct, method, originalUrl }: ServiceRequest) {
  const [proof, ...others] = headersDistinct['dpop'] ?? [];
  return { proof: others.length === 0 ? proof : undefined, method, path: originalUrl.split('?', 1)[0] ?? '' };
}
