import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { GuardedHttpClient } from '../../guarded-http/index.js';
import { storedHeaders } from '../../signing/index.js';
import type { Destination, Message, Outcome } from '../destination.js';
import type { ReceiverTarget } from '../receiver-kinds.js';

const GONE = 410;

/** Servers that receive messages as `POST` requests. A response 2xx is a success; 410 says that the server wants no more messages. */
@Injectable()
export class HttpDestination implements Destination<Pick<ReceiverTarget, 'url' | 'isRejection'>> {
  readonly type = 'http';

  constructor(
    private readonly http: GuardedHttpClient,
    private readonly config: AppConfig,
  ) {}

  async send(
    { url, isRejection }: Pick<ReceiverTarget, 'url' | 'isRejection'>,
    { headers, body, format }: Message,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const { serviceName, webhookTimeoutMs: timeoutMs } = this.config;
    const outcome = await this.http.post(url, { headers, body, timeoutMs, ...(signal ? { signal } : {}) });
    const { durationMs } = outcome;
    const request = { url, headers: storedHeaders(headers, serviceName), ...(format === undefined ? {} : { format }) };
    if (outcome.kind === 'error') {
      const { errorKind, message: errorMessage } = outcome;
      return { succeeded: false, permanent: false, detail: { durationMs, request, errorKind, errorMessage } };
    }
    const { status, headers: responseHeaders, body: responseBody } = outcome;
    const succeeded = status >= 200 && status <= 299;
    const rejected = !succeeded && (isRejection?.(status, responseBody) ?? false);
    const error = rejected
      ? { errorKind: 'rejected', errorMessage: `The destination rejected the message with status ${status}.` }
      : { errorKind: 'status', errorMessage: `The destination responded with status ${status}.` };
    const detail = { durationMs, request, responseHeaders, responseBody, ...(succeeded ? {} : error) };
    return { succeeded, permanent: status === GONE, rejected, code: status, detail };
  }
}
