import { createHash, timingSafeEqual } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { requestOf, type ServiceRequest } from '../request.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from './idempotency-errors.js';
import { type IdempotentCall, IdempotencyRepository } from './idempotency.repository.js';
import { SKIPS_IDEMPOTENCY } from './skip-idempotency.js';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * `Idempotency-Key` on POST: the same key and body within 24 hours give the first answer again. The handler runs inside this
 * interceptor's transaction, so that the change and the kept answer commit together; Nest resolves `@Ctx()` after interceptors have
 * begun, so handlers get the context with that transaction. Failures are not kept: the same key may be tried again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly transactions: TransactionRunner,
    private readonly records: IdempotencyRepository,
    private readonly sealer: SecretSealer,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const key = request.headers['idempotency-key'];
    const callerId = request.context.caller.id;
    if (key === undefined || callerId === undefined) return next.handle();
    if (this.reflector.getAllAndOverride<string>(SKIPS_IDEMPOTENCY, [context.getHandler(), context.getClass()]))
      return next.handle();
    const call: IdempotentCall = { callerId, operation: `POST ${pathOf(request)}`, key: readKey(key) };
    return from(this.answer(call, request, context.switchToHttp().getResponse<Response>(), next));
  }

  private async answer(call: IdempotentCall, request: ServiceRequest, response: Response, next: CallHandler): Promise<unknown> {
    const outer = request.context;
    const requestHash = hashOf(request);
    const statusBefore = response.statusCode;
    try {
      return await this.transactions.run(outer, async (ctx) => {
        if (!(await this.records.tryLock(ctx, call))) throw new IdempotencyKeyInUse();
        const kept = await this.records.find(ctx, call);
        if (kept) {
          if (!timingSafeEqual(kept.requestHash, requestHash)) throw new IdempotencyKeyReused();
          response.status(kept.status).setHeader('Idempotent-Replayed', 'true');
          return fromText(this.sealer.open(kept.sealedBody, sealContext(call)));
        }
        response.status(statusBefore);
        return this.firstAnswer(ctx, call, requestHash, request, response, next);
      });
    } finally {
      request.context = outer;
    }
  }

  private async firstAnswer(
    ctx: RequestContext,
    call: IdempotentCall,
    requestHash: Buffer,
    request: ServiceRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    request.context = ctx;
    const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
    const status = response.statusCode;
    if (status >= 200 && status < 300) {
      await this.records.keep(ctx, call, { requestHash, status, sealedBody: this.sealer.seal(toText(body), sealContext(call)) });
    }
    return body;
  }
}

/** @throws InvalidRequest when it is not 1 to 255 visible ASCII characters. */
function readKey(given: string | string[]): string {
  if (typeof given === 'string' && KEY_FORM.test(given)) return given;
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.';
  throw new InvalidRequest([{ pointer: '/Idempotency-Key', in: 'header', code: 'invalid_format', message }]);
}

const pathOf = (request: ServiceRequest): string => request.originalUrl.split('?', 1)[0]!;

/** Of the query and the body's exact bytes: together with method and path all that the operation is given. */
function hashOf(request: ServiceRequest): Buffer {
  const query = request.originalUrl.slice(pathOf(request).length);
  return createHash('sha256')
    .update(`${query}\n`)
    .update(request.bodyHash ?? '')
    .digest();
}

const sealContext = ({ callerId, operation, key }: IdempotentCall): string =>
  `idempotency_records|response|${callerId}|${operation}|${key}`;

/** An answer without a body is kept as an empty text. */
const toText = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body));
const fromText = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));
