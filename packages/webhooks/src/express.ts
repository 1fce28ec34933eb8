import { BodyTooLarge, type NodeRequest, rawBodyOf } from './raw-body.js';
import { type EventHandler, receive } from './receive.js';
import { type WebhookOptions, Webhooks } from './webhooks.js';

/** A response of Node's, which those of Express are. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A handler as Express and Connect take it; bare Node, too, with a `next` of its own for errors. */
export type WebhookMiddleware = (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => Promise<void>;

/**
 * A receiver for Express: `app.post('/hooks', webhookReceiver({ secret }, async (event) => { … }))`.
 * It reads the body itself, so it stands before `express.json()`, or behind `express.raw()` on its route.
 * What `onEvent` throws goes to `next`, so that the service tries again.
 */
export function webhookReceiver(options: WebhookOptions, onEvent: EventHandler): WebhookMiddleware {
  const webhooks = new Webhooks(options);
  const answer = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, body } = await received(request);
    response.statusCode = status;
    if (status !== 204) response.setHeader('content-type', 'text/plain');
    // What is left of a body that was not read to its end would be taken for the next request.
    if (status === 413) response.setHeader('connection', 'close');
    response.end(body);
  };
  const received = async (request: NodeRequest): Promise<{ status: number; body: string }> => {
    try {
      return await receive(webhooks, await rawBodyOf(request), request.headers, onEvent);
    } catch (error) {
      if (error instanceof BodyTooLarge) return { status: 413, body: `${error.message}\n` };
      throw error;
    }
  };
  return async (request, response, next) => {
    try {
      await answer(request, response);
    } catch (error) {
      next(error);
    }
  };
}
