import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { requestOf, type ServiceRequest } from '../request.js';
import { IdempotentCallsService, type IdempotentRequest, idempotentRequestOf } from './idempotent-calls.service.js';
import { HANDLES_IDEMPOTENCY } from './handles-idempotency.js';
import { SKIPS_IDEMPOTENCY } from './skip-idempotency.js';

/**
 * Implements `Idempotency-Key` for POST. Within 24 hours, a second request with the same key and the same JSON gets the response to the first
 * request. The handler runs in the transaction of `IdempotentCallsService`. Nest resolves `@Ctx()` after this interceptor has started, so
 * handlers get the context with this transaction.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly calls: IdempotentCallsService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const isMarked = (key: string) =>
      this.reflector.getAllAndOverride<unknown>(key, [context.getHandler(), context.getClass()]) !== undefined;
    if (isMarked(SKIPS_IDEMPOTENCY) || isMarked(HANDLES_IDEMPOTENCY)) return next.handle();
    const idempotent = idempotentRequestOf(request);
    if (!idempotent) return next.handle();
    return from(this.respond(idempotent, request, context.switchToHttp().getResponse<Response>(), next));
  }

  private async respond(
    idempotent: IdempotentRequest,
    request: ServiceRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const outer = request.context;
    const statusBefore = response.statusCode;
    try {
      const { status, body, isReplayed } = await this.calls.run(outer, idempotent, async (ctx) => {
        response.status(statusBefore);
        // Handlers read the context from the request.
        request.context = ctx;
        const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
        return { status: response.statusCode, body };
      });
      if (isReplayed) response.status(status).setHeader('Idempotent-Replayed', 'true');
      return body;
    } finally {
      request.context = outer;
    }
  }
}
