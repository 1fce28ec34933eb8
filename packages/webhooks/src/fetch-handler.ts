import { type EventHandler, receive } from './receive.js';
import { type WebhookOptions, Webhooks } from './webhooks.js';

export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Returns a receiver for platforms with `Request` and `Response`: edge functions, Next.js, Hono, Bun, Deno.
 * Errors of `onEvent` are thrown, so that the framework responds with an error and the service retries.
 */
export function fetchHandler(options: WebhookOptions, onEvent: EventHandler): FetchHandler {
  const webhooks = new Webhooks(options);
  return async (request) => {
    if (request.method !== 'POST')
      return new Response('Deliveries must use POST.\n', { status: 405, headers: { allow: 'POST' } });
    const { status, body } = await receive(webhooks, await request.arrayBuffer(), request.headers, onEvent);
    return new Response(status === 204 ? null : body, {
      status,
      headers: status === 204 ? {} : { 'content-type': 'text/plain' },
    });
  };
}
