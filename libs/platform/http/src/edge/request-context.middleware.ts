import { newId, type RequestContext } from '#platform/common';
import type { NextFunction, Request, Response } from 'express';
import type { ServiceRequest } from '../request.js';

const REQUEST_ID_FORM = /^[A-Za-z0-9_.:-]{1,128}$/;
const LONGEST_USER_AGENT = 512;

/**
 * Gives every request its context, with an anonymous caller until the access guard knows better. A well-formed `X-Request-Id` is kept,
 * any other replaced, and the answer echoes it. The address is Express's, which believes only the proxies of `TRUST_PROXY`.
 */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID_FORM.test(given) ? given : newId('request');
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT);
  // Actions (POST) say what is to be so, whatever was read before.
  const ifMatch = /^(?:PATCH|DELETE)$/.test(request.method) ? request.headers['if-match'] : undefined;
  const context: RequestContext = {
    actor: { type: 'api' },
    caller: { kind: 'anonymous', permissions: [] },
    requestId,
    source: isOfPage(request) ? 'dashboard' : 'api',
    ...(request.ip ? { ipAddress: request.ip } : {}),
    ...(userAgent ? { userAgent } : {}),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
  (request as ServiceRequest).context = context;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** The service's own pages say so with each request, also those that need no session. Nothing is permitted by it. */
const isOfPage = (request: Request): boolean => request.headers['session-transport'] === 'cookie';
