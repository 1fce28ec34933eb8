import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { Request } from 'express';

export interface ServiceRequest extends Request {
  context: RequestContext;
  /**
   * Repeats the authorization of the access guard, for long requests. Returns the current context.
   * @throws DomainError if the caller no longer has access
   */
  authorizeAgain?: AuthorizeAgain;
  /** Set for routes whose `@LimitUse` has no `param`. */
  countUse?: CountUse;
}

export type AuthorizeAgain = () => Promise<RequestContext>;

/** Returns the function that repeats the authorization. @throws Error if the access guard did not authorize the request */
export function authorizeAgainOf(request: ServiceRequest): AuthorizeAgain {
  if (!request.authorizeAgain) throw new Error('The access guard has not authorized this request.');
  return request.authorizeAgain;
}

/** Counts a use of the operation for a resource. @throws RateLimited (429) */
type CountUse = (resource: string) => Promise<void>;

/** Returns the function that counts uses, for a route whose `@LimitUse` has no `param`. */
export function countUseOf({ countUse }: ServiceRequest): CountUse {
  if (!countUse) throw new Error('The route has no @LimitUse without param.');
  return countUse;
}

export const requestOf = (context: ExecutionContext): ServiceRequest => context.switchToHttp().getRequest<ServiceRequest>();

/** Returns the path that the caller sent, without the query. */
export const originalPathOf = ({ originalUrl }: Request): string => originalUrl.split('?', 1)[0]!;

/** Injects the context of the request. The access guard has set the caller. */
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext => requestOf(context).context);
