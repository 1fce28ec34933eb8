import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import type { CustomHeaders } from '#webhooks/webhooks';
import { deliveryHeaders } from '../../signing/index.js';
import type { DeliveredEvent, Format, Message } from '../destination.js';

/** What signs the messages of a webhook. */
export interface SigningTarget {
  /** The current secret and, during a rotation, the next secret. */
  readonly secrets: readonly [string, ...string[]];
  readonly headers: CustomHeaders;
}

/** The events as the service stores them, with the signatures of the service and of Standard Webhooks. */
@Injectable()
export class ServiceFormat implements Format<SigningTarget> {
  constructor(private readonly config: AppConfig) {}

  encode({ id, payload, sequence, nowMs }: DeliveredEvent, { secrets, headers }: SigningTarget): Message {
    return {
      headers: deliveryHeaders({
        serviceName: this.config.serviceName,
        secrets,
        messageId: id,
        timestampSeconds: Math.floor(nowMs / 1_000),
        body: payload,
        ...(sequence === undefined ? {} : { sequence }),
        customHeaders: headers,
      }),
      body: payload,
    };
  }
}
