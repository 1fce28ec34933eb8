import { Injectable } from '@nestjs/common';
import { newId } from '#platform/common';
import { AppConfig } from '#platform/config';
import { GuardedHttpClient, type HttpOutcome } from '../guarded-http/index.js';
import { deliveryHeaders, type StoredRequest, storedHeaders } from '../signing/index.js';
import type { AttemptResult } from '../ledger/delivery-state.query.js';
import type { DeliveryTarget } from '../ledger/delivery-target.js';

/** One request to one destination. */
export interface DeliveryRequest {
  readonly target: Pick<DeliveryTarget, 'url' | 'secrets' | 'headers'>;
  readonly body: string;
  /** The ID of the event, which is the same in each attempt. */
  readonly messageId: string;
  readonly sequence?: string;
  /** The time of the signature, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** Signs and sends one request. */
@Injectable()
export class DeliverySender {
  constructor(
    private readonly http: GuardedHttpClient,
    private readonly config: AppConfig,
  ) {}

  /** Sends a request. If the destination fails, resolves to a failed attempt. */
  async send({ target, body, messageId, sequence, nowMs, signal }: DeliveryRequest): Promise<AttemptResult> {
    const headers = deliveryHeaders({
      serviceName: this.config.serviceName,
      secrets: target.secrets,
      messageId,
      timestampSeconds: Math.floor(nowMs / 1_000),
      body,
      ...(sequence === undefined ? {} : { sequence }),
      customHeaders: target.headers,
    });
    const outcome = await this.http.post(target.url, {
      headers,
      body,
      timeoutMs: this.config.webhookTimeoutMs,
      ...(signal ? { signal } : {}),
    });
    return attemptOf(outcome, { url: target.url, headers: storedHeaders(headers, this.config.serviceName) });
  }
}

function attemptOf(outcome: HttpOutcome, request: StoredRequest): AttemptResult {
  const { durationMs } = outcome;
  const base = { id: newId('attempt'), durationMs, endedAt: performance.now(), request };
  if (outcome.kind === 'error') return { ...base, succeeded: false, errorKind: outcome.errorKind, errorMessage: outcome.message };
  const succeeded = outcome.status >= 200 && outcome.status <= 299;
  return {
    ...base,
    succeeded,
    responseCode: outcome.status,
    responseHeaders: outcome.headers,
    responseBody: outcome.body,
    ...(succeeded ? {} : { errorKind: 'status', errorMessage: `The destination responded with status ${outcome.status}.` }),
  };
}
