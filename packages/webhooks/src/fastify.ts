import { type EventHandler, receive } from './receive.js';
import { type WebhookOptions, Webhooks } from './webhooks.js';

/** The parts of Fastify that the plugin uses. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(url: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

interface FastifyRequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  type(contentType: string): FastifyReplyLike;
  send(body?: unknown): unknown;
}

export interface WebhookPluginOptions extends WebhookOptions {
  /** The path of the route, such as `/hooks`. */
  readonly url: string;
  readonly onEvent: EventHandler;
}

/**
 * A receiver for Fastify: `await app.register(webhookReceiver, { url: '/hooks', secret, onEvent })`.
 * Its parser for raw bodies applies only to this route. If `onEvent` throws, the response is 500, so that the service retries.
 */
export async function webhookReceiver(app: FastifyLike, { url, onEvent, ...options }: WebhookPluginOptions): Promise<void> {
  const webhooks = new Webhooks(options);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(url, async (request, reply) => {
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const response = await receive(webhooks, body, request.headers, onEvent);
    reply.code(response.status);
    return response.status === 204 ? reply.send() : reply.type('text/plain').send(response.body);
  });
}
