import type { WebhookEvent } from './events.js';
import { type WebhookHeaders, type Webhooks, WebhookVerificationError } from './webhooks.js';

/** Processes an event. When the handler resolves, the response is 204. When the handler throws, the service retries. */
export type EventHandler = (event: WebhookEvent) => unknown;

export interface ReceiverResponse {
  readonly status: 204 | 401;
  readonly body: string;
}

/** Verifies a request, calls the handler and returns the response. @throws errors of the handler */
export async function receive(
  webhooks: Webhooks,
  body: ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  onEvent: EventHandler,
): Promise<ReceiverResponse> {
  let event: WebhookEvent;
  try {
    event = await webhooks.verify(body, headers);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: 401, body: `${error.code}: ${error.message}\n` };
    throw error;
  }
  await onEvent(event);
  return { status: 204, body: '' };
}
