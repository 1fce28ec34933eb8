import { Injectable } from '@nestjs/common';
import { newId } from '#platform/common';
import { HttpDestination, type ReceiverTarget } from '../destinations/index.js';
import type { AttemptResult } from '../ledger/delivery-state.query.js';

/** One message to one destination. */
export interface DeliveryRequest {
  readonly target: ReceiverTarget;
  /** The payload of the event. */
  readonly body: string;
  /** The ID of the event, which is the same in each attempt. */
  readonly messageId: string;
  readonly sequence?: string;
  /** The time of the signature, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** Encodes an event in the format of the target and sends it to the destination. */
@Injectable()
export class DeliverySender {
  constructor(private readonly destination: HttpDestination) {}

  /**
   * Sends a message. If the destination fails, resolves to a failed attempt. Resolves to undefined, and sends nothing, if the receiver does not
   * want the event.
   */
  async send({ target, body, messageId, signal, ...event }: DeliveryRequest): Promise<AttemptResult | undefined> {
    const message = await target.encode({ id: messageId, payload: body, ...event });
    if (!message) return undefined;
    const { succeeded, permanent, rejected = false, code, detail } = await this.destination.send(target, message, signal);
    return {
      id: newId('attempt'),
      endedAt: performance.now(),
      succeeded,
      permanent,
      rejected,
      ...detail,
      ...(code === undefined ? {} : { responseCode: code }),
    };
  }
}
