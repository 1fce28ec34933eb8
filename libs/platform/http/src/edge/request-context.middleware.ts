import { newId, type RequestContext } from '#platform/common';
import type { NextFunction, Request, Response } from 'express';
import type { ServiceRequest } from '../request.js';
import { clientAddress } from './client-address.js';

const REQUEST_ID_FORMAT = /^[A-Za-z0-9_.:-]{1,128}$/;
const MAX_USER_AGENT_LENGTH = 512;

/**
 * Sets the context of a request. The caller is anonymous until the access guard authenticates the caller. Uses a valid `X-Request-Id` and
 * replaces an invalid or missing ID. The response contains the ID.
 */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const header = request.headers['x-request-id'];
  const requestId = typeof header === 'string' && REQUEST_ID_FORMAT.test(header) ? header : newId('request');
  const userAgent = userAgentOf(request.headers['user-agent']);
  // POST requests do not depend on the version.
  const ifMatch = /^(?:PATCH|DELETE)$/.test(request.method) ? request.headers['if-match'] : undefined;
  const context: RequestContext = {
    actor: { type: 'anonymous' },
    caller: { kind: 'anonymous', permissions: [] },
    requestId,
    source: isFromPage(request) ? 'dashboard' : 'api',
    ...clientAddress(request),
    ...(userAgent ? { userAgent } : {}),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
  (request as ServiceRequest).context = context;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** Returns the user agent in a header, at most 512 characters. Node accepts the control characters U+0080 to U+009F. */
export const userAgentOf = (header: string | undefined): string | undefined =>
  header?.replace(/\p{Cc}/gu, '').slice(0, MAX_USER_AGENT_LENGTH);

/** Returns whether a page of the service sent the request. The pages set this header, which has no effect on permissions. */
const isFromPage = (request: Request): boolean => request.headers['session-transport'] === 'cookie';
