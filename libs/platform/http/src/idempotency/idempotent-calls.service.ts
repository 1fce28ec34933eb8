import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hasRequiredRecentAuthentication, InvalidRequest, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import { canonicalJson } from '../json/index.js';
import { originalPathOf, type ServiceRequest } from '../request.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from './idempotency-errors.js';
import { IdempotencyQuery } from './idempotency.query.js';
import { type IdempotentCall, IdempotencyRecordRepository } from './idempotency-record.repository.js';
import { ReplayAuthorizationService } from './replay-authorization.service.js';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** The status and the body of a response, or of an item of a response. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotentRequest {
  readonly call: IdempotentCall;
  readonly requestHash: Buffer;
}

/** Executes calls with an `Idempotency-Key` once, and returns their stored answers to retries for 24 hours. */
@Injectable()
export class IdempotentCallsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly idempotency: IdempotencyQuery,
    private readonly records: IdempotencyRecordRepository,
    private readonly sealer: SecretSealer,
    private readonly replays: ReplayAuthorizationService,
  ) {}

  /**
   * Runs `work` in a transaction that also stores its answer, so that the change and the record commit together. Only answers with a
   * status below 300 are stored, so that the client can retry others with the same key. A retry gets the stored answer, if the caller
   * still has what the first call required.
   * @throws InvalidRequest (400), IdempotencyKeyInUse (409), IdempotencyKeyReused (422), StoredPermissionEnded (403), ReauthenticationRequired (401)
   */
  run(
    ctx: RequestContext,
    { call, requestHash }: IdempotentRequest,
    work: (ctx: RequestContext) => Promise<Answer>,
  ): Promise<Answer & { readonly isReplayed: boolean }> {
    // Records are read and written as of now.
    const { asOf, ...present } = ctx.session ? { ...ctx, session: { ...ctx.session } } : ctx;
    return this.transactions.run(present, async (ctx) => {
      if (!(await this.idempotency.tryLock(ctx, call))) throw new IdempotencyKeyInUse();
      const record = await this.records.findValid(ctx, call);
      if (record) {
        if (!timingSafeEqual(record.requestHash, requestHash)) throw new IdempotencyKeyReused();
        const stored = this.sealer.open(record.responseSealed, sealContext(call));
        await this.replays.assertAllowed(ctx, record, stored);
        return { status: record.responseStatus, body: parseBody(stored), isReplayed: true };
      }
      const answer = await work(asOf === undefined ? ctx : { ...ctx, asOf });
      if (answer.status >= 200 && answer.status < 300) await this.store(ctx, { call, requestHash }, answer);
      return { ...answer, isReplayed: false };
    });
  }

  private async store(ctx: RequestContext, { call, requestHash }: IdempotentRequest, { status, body }: Answer): Promise<void> {
    const responseSealed = this.sealer.seal(serializeBody(body), sealContext(call));
    const permissions = [...ctx.caller.permissions];
    const proofRequired = hasRequiredRecentAuthentication(ctx);
    await this.records.save(ctx, { ...call, requestHash, responseStatus: status, responseSealed, permissions, proofRequired });
  }
}

/** Returns the call of a request, or undefined without a key or without an identified caller. @throws InvalidRequest (400) for an invalid key */
export function idempotentRequestOf(request: ServiceRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  const callerId = request.context.caller.id;
  if (key === undefined || callerId === undefined) return undefined;
  const call = { callerId, operation: `POST ${originalPathOf(request)}`, key: readKey(key) };
  return { call, requestHash: hashOf(request) };
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
