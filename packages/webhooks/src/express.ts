import { BodyTooLarge, type NodeRequest, rawBodyOf } from './raw-body.js';
import { type EventHandler, receive } from './receive.js';
import { type WebhookOptions, Webhooks } from './webhooks.js';

/** A response of Node.js or Express. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A handler for Express or Connect, or for plain Node.js with a `next` function for errors. */
export type WebhookMiddleware = (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => Promise<void>;

/**
 * Returns a receiver for Express: `app.post('/hooks', webhookReceiver({ secret }, async (event) => { … }))`.
 * The receiver reads the raw body: register it before `express.json()`, or after `express.raw()` on its route.
 * Errors of `onEvent` are passed to `next`, so that the service retries.
 */
export function webhookReceiver(options: WebhookOptions, onEvent: EventHandler): WebhookMiddleware {
  const webhooks = new Webhooks(options);
  const respond = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, body } = await responseTo(request);
    response.statusCode = status;
    if (status !== 204) response.setHeader('content-type', 'text/plain');
    // Otherwise, unread bytes of the body would be parsed as the next request.
    if (status === 413) response.setHeader('connection', 'close');
    response.end(body);
  };
  const responseTo = async (request: NodeRequest): Promise<{ status: number; body: string }> => {
    try {
      return await receive(webhooks, await rawBodyOf(request), request.headers, onEvent);
    } catch (error) {
      if (error instanceof BodyTooLarge) return { status: 413, body: `${error.message}\n` };
      throw error;
    }
  };
  return async (request, response, next) => {
    try {
      await respond(request, response);
    } catch (error) {
      next(error);
    }
  };
}
