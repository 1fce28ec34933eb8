import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  mixin,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import type { WebhookEvent } from './events.js';
import { type NodeRequest, rawBodyOf } from './raw-body.js';
import { type WebhookOptions, Webhooks, WebhookVerificationError } from './webhooks.js';

/** The verified events by request. The guard stores an event for the decorator. */
const verifiedEvents = new WeakMap<object, WebhookEvent>();

/**
 * Creates a guard that rejects requests without a valid signature, on Express and Fastify:
 * `@UseGuards(WebhookGuard(() => ({ secret })))`.
 * The guard reads the options at the first delivery, after the configuration was loaded. Create the application with
 * `{ rawBody: true }`.
 */
export function WebhookGuard(options: () => WebhookOptions): Type<CanActivate> {
  let webhooks: Webhooks | undefined;

  class Guard implements CanActivate {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<NodeRequest>();
      webhooks ??= new Webhooks(options());
      try {
        verifiedEvents.set(request, await webhooks.verify(await rawBodyOf(request), request.headers));
        return true;
      } catch (error) {
        if (error instanceof WebhookVerificationError)
          throw new UnauthorizedException(error.message, { cause: error, description: error.code });
        throw error;
      }
    }
  }
  Injectable()(Guard);
  return mixin(Guard);
}

/** Injects the event that the guard verified: `receive(@DeliveredEvent() event: WebhookEvent)`. */
export const DeliveredEvent = createParamDecorator((_: unknown, context: ExecutionContext): WebhookEvent => {
  const event = verifiedEvents.get(context.switchToHttp().getRequest<object>());
  if (!event) throw new Error('There is no verified event. Add @UseGuards(WebhookGuard(…)) to the handler.');
  return event;
});
