import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { GuardedHttpClient } from '../../guarded-http/index.js';
import { storedHeaders } from '../../signing/index.js';
import type { Destination, Message, Outcome } from '../destination.js';

const GONE = 410;

/** Servers that receive messages as `POST` requests. A response 2xx is a success; 410 says that the server wants no more messages. */
@Injectable()
export class HttpDestination implements Destination<{ readonly url: string }> {
  readonly type = 'http';

  constructor(
    private readonly http: GuardedHttpClient,
    private readonly config: AppConfig,
  ) {}

  async send({ url }: { readonly url: string }, { headers, body, format }: Message, signal?: AbortSignal): Promise<Outcome> {
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
    const error = { errorKind: 'status', errorMessage: `The destination responded with status ${status}.` };
    const detail = { durationMs, request, responseHeaders, responseBody, ...(succeeded ? {} : error) };
    return { succeeded, permanent: status === GONE, code: status, detail };
  }
}
