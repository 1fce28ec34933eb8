import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { Request } from 'express';

/** An HTTP request with what the edge has found out about it. */
export interface ServiceRequest extends Request {
  context: RequestContext;
  /** SHA-256 of the body's exact bytes; only for requests that carry an Idempotency-Key. */
  bodyHash?: Buffer;
  /**
   * Authorizes the caller again, as the access guard did, for requests that take long. Returns the context as it is now.
   * @throws DomainError when the caller would be refused now
   */
  authorizeAgain?: AuthorizeAgain;
}

export type AuthorizeAgain = () => Promise<RequestContext>;

/** @throws Error for a request that the access guard did not authorize */
export function authorizeAgainOf(request: ServiceRequest): AuthorizeAgain {
  if (!request.authorizeAgain) throw new Error('The access guard has not authorized this request.');
  return request.authorizeAgain;
}

export const requestOf = (context: ExecutionContext): ServiceRequest => context.switchToHttp().getRequest<ServiceRequest>();

/** The request's context, as the access guard left it. */
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext => requestOf(context).context);
