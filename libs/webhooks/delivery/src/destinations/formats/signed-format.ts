import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { TokenSigner } from '#platform/crypto';
import { type EventFormat, findFormat, type SentEvent } from '#webhooks/formats';
import type { CustomHeaders } from '#webhooks/webhooks';
import { deliveryHeaders } from '../../signing/index.js';
import type { DeliveredEvent, Format, Message } from '../destination.js';

/** What decides how the messages of a webhook look and what signs them. */
export interface WebhookFormat {
  readonly webhookId: string;
  /** The name of the format. */
  readonly format: string;
  /** The current secret and, during a rotation, the next secret. */
  readonly secrets: readonly [string, ...string[]];
  readonly headers: CustomHeaders;
}

/** The events in the formats of webhooks, with the signatures of the service and of Standard Webhooks over the body. */
@Injectable()
export class SignedFormat implements Format<WebhookFormat> {
  constructor(
    private readonly config: AppConfig,
    private readonly tokens: TokenSigner,
  ) {}

  encode(event: DeliveredEvent, target: WebhookFormat): Message | Promise<Message> {
    const format = findFormat(target.format);
    if (!format) return this.sign(event, target, event.payload);
    const { payload, nowMs } = event;
    const document = format.documentOf({ payload, nowMs, webhookId: target.webhookId }, this.service());
    if (format.tokenType === undefined) return this.sign(event, target, JSON.stringify(document), format);
    return this.tokens.sign(document, format.tokenType).then((token) => this.sign(event, target, token, format));
  }

  /** Returns the document of an event as text, or null for a format that this release does not have. Tokens are not signed. */
  preview(format: string, event: SentEvent): string | null {
    const found = findFormat(format);
    return found ? JSON.stringify(found.documentOf(event, this.service())) : null;
  }

  private service() {
    const { serviceName: name, baseUrl } = this.config;
    return { name, baseUrl };
  }

  private sign(
    { id, sequence, nowMs }: DeliveredEvent,
    { secrets, headers }: WebhookFormat,
    body: string,
    format?: EventFormat,
  ): Message {
    return {
      headers: deliveryHeaders({
        serviceName: this.config.serviceName,
        secrets,
        messageId: id,
        timestampSeconds: Math.floor(nowMs / 1_000),
        body,
        ...(format ? { contentType: format.contentType } : {}),
        ...(sequence === undefined ? {} : { sequence }),
        customHeaders: headers,
      }),
      body,
      ...(format ? { format: format.name } : {}),
    };
  }
}
