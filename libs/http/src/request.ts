import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestContext } from '#common';
import type { Request } from 'express';

/** An HTTP request with what the edge has found out about it. */
export interface ServiceRequest extends Request {
  context: RequestContext;
  /** SHA-256 of the body's exact bytes; only for requests that carry an Idempotency-Key. */
  bodyHash?: Buffer;
  /**
   * Judges the caller anew, as the access guard did: for answers that go on for long.
   * @throws DomainError when the caller would be refused now
   */
  authorizeAgain?: () => Promise<void>;
}

export const requestOf = (context: ExecutionContext): ServiceRequest => context.switchToHttp().getRequest<ServiceRequest>();

/** The request's context, as the access guard left it. */
export const Ctx = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext => requestOf(context).context);
