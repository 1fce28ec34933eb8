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

/** Where the guard leaves the event for the decorator. */
const verified = new WeakMap<object, WebhookEvent>();

/**
 * A guard that lets only genuine deliveries in, on Express and Fastify: `@UseGuards(WebhookGuard(() => ({ secret })))`.
 * The options are asked for at the first delivery, when configuration has been read. The application must be made with
 * `{ rawBody: true }`.
 */
export function WebhookGuard(options: () => WebhookOptions): Type<CanActivate> {
  let webhooks: Webhooks | undefined;

  class Guard implements CanActivate {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<NodeRequest>();
      webhooks ??= new Webhooks(options());
      try {
        verified.set(request, await webhooks.verify(await rawBodyOf(request), request.headers));
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

/** The event that the guard has verified: `receive(@DeliveredEvent() event: WebhookEvent)`. */
export const DeliveredEvent = createParamDecorator((_: unknown, context: ExecutionContext): WebhookEvent => {
  const event = verified.get(context.switchToHttp().getRequest<object>());
  if (!event) throw new Error('There is no verified event. Add @UseGuards(WebhookGuard(…)) to the handler.');
  return event;
});
