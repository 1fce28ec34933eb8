import type { WebhookEvent } from './events.js';
import { type WebhookHeaders, type Webhooks, WebhookVerificationError } from './webhooks.js';

/** What is done with an event. Once it has come to its end the delivery is answered 204; if it throws, the service tries again. */
export type EventHandler = (event: WebhookEvent) => unknown;

/** What a request is to be answered. */
export interface Answer {
  readonly status: 204 | 401;
  readonly body: string;
}

/** Verifies a request, has its event handled and says what to answer. @throws what the handler throws */
export async function receive(
  webhooks: Webhooks,
  body: ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  onEvent: EventHandler,
): Promise<Answer> {
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
