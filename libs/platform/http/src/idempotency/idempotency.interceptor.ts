import { createHash, timingSafeEqual } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { hasRequiredRecentAuthentication, InvalidRequest, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { canonicalJson } from '../json/index.js';
import { originalPathOf, requestOf, type ServiceRequest } from '../request.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from './idempotency-errors.js';
import { IdempotencyQuery } from './idempotency.query.js';
import { type IdempotentCall, IdempotencyRecordRepository } from './idempotency-record.repository.js';
import { ReplayAuthorizationService } from './replay-authorization.service.js';
import { SKIPS_IDEMPOTENCY } from './skip-idempotency.js';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Implements `Idempotency-Key` for POST. Within 24 hours, a second request with the same key and the same JSON gets the response to the first
 * request, if the caller still has what the first request required. The handler runs in the transaction of this interceptor, so that the change and the record commit together. Nest resolves
 * `@Ctx()` after this interceptor has started, so handlers get the context with this transaction. Errors are not recorded, so that the
 * client can retry with the same key.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly transactions: TransactionRunner,
    private readonly idempotency: IdempotencyQuery,
    private readonly records: IdempotencyRecordRepository,
    private readonly sealer: SecretSealer,
    private readonly replays: ReplayAuthorizationService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const key = request.headers['idempotency-key'];
    const callerId = request.context.caller.id;
    if (key === undefined || callerId === undefined) return next.handle();
    if (this.reflector.getAllAndOverride<string>(SKIPS_IDEMPOTENCY, [context.getHandler(), context.getClass()]))
      return next.handle();
    const call: IdempotentCall = { callerId, operation: `POST ${originalPathOf(request)}`, key: readKey(key) };
    return from(this.respond(call, request, context.switchToHttp().getResponse<Response>(), next));
  }

  private async respond(call: IdempotentCall, request: ServiceRequest, response: Response, next: CallHandler): Promise<unknown> {
    const outer = request.context;
    // Records are read and written as of now.
    const { asOf, ...present } = outer.session ? { ...outer, session: { ...outer.session } } : outer;
    const requestHash = hashOf(request);
    const statusBefore = response.statusCode;
    try {
      return await this.transactions.run(present, async (ctx) => {
        if (!(await this.idempotency.tryLock(ctx, call))) throw new IdempotencyKeyInUse();
        const record = await this.records.findValid(ctx, call);
        if (record) {
          if (!timingSafeEqual(record.requestHash, requestHash)) throw new IdempotencyKeyReused();
          const stored = this.sealer.open(record.responseSealed, sealContext(call));
          await this.replays.assertAllowed(ctx, record, stored);
          response.status(record.responseStatus).setHeader('Idempotent-Replayed', 'true');
          return parseBody(stored);
        }
        response.status(statusBefore);
        // Handlers read the context from the request.
        request.context = asOf === undefined ? ctx : { ...ctx, asOf };
        const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
        await this.record(ctx, call, { requestHash, status: response.statusCode, body });
        return body;
      });
    } finally {
      request.context = outer;
    }
  }

  private async record(
    ctx: RequestContext,
    call: IdempotentCall,
    { requestHash, status, body }: { readonly requestHash: Buffer; readonly status: number; readonly body: unknown },
  ): Promise<void> {
    if (status < 200 || status >= 300) return;
    const responseSealed = this.sealer.seal(serializeBody(body), sealContext(call));
    const permissions = [...ctx.caller.permissions];
    const proofRequired = hasRequiredRecentAuthentication(ctx);
    await this.records.save(ctx, { ...call, requestHash, responseStatus: status, responseSealed, permissions, proofRequired });
  }
}

/** Returns the key. @throws InvalidRequest (400) if the key is not 1 to 255 visible ASCII characters */
function readKey(header: string | string[]): string {
  if (typeof header === 'string' && KEY_FORM.test(header)) return header;
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.';
  throw new InvalidRequest([{ pointer: '/Idempotency-Key', in: 'header', code: 'invalid_format', message }]);
}

/**
 * Returns a hash of the values of the query and the body, because some clients write the same request differently when they retry. The
 * record's primary key contains the method and path.
 */
function hashOf(request: ServiceRequest): Buffer {
  const query = new URLSearchParams(request.originalUrl.slice(originalPathOf(request).length));
  query.sort();
  const body: unknown = request.body;
  return createHash('sha256')
    .update(`${query.toString()}\n${body === undefined ? '' : canonicalJson(body)}`)
    .digest();
}

const sealContext = ({ callerId, operation, key }: IdempotentCall): string =>
  `idempotency_records|response|${callerId}|${operation}|${key}`;

/** A response without a body is recorded as an empty text. */
const serializeBody = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body));
const parseBody = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));
