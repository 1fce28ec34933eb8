import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop, Clock, systemContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SecretSealer, SecretUnreadable } from '#platform/crypto';
import { Notifications } from '#platform/database';
import type { MessageChannel } from '../outbox/message.entity.js';
import { type AttemptResult, type ClaimedMessage, MessageLeaseQuery } from '../outbox/message-lease.query.js';
import { MESSAGES_CHANNEL } from '../outbox/message-outbox.js';
import { openContent } from '../outbox/message-sealing.js';
import { MessageRefused } from './message-carrier.js';
import { MessageCarriers } from './message-carriers.js';
import { MAX_ATTEMPTS, nextAttemptAfter } from './retry-schedule.js';

const BATCH_SIZE = 10;
const POLL_INTERVAL_MS = 5_000;
const ATTEMPT_TIMEOUT_MS = 60_000;
/** Duration of a lease, in milliseconds: longer than an attempt, so that a lease expires only if the process was killed. */
const LEASE_MS = 2 * ATTEMPT_TIMEOUT_MS;
const MAX_ERROR_LENGTH = 500;
/** Time until a message is due again that `SECRETS_KEY` can't decrypt, in milliseconds. */
const UNREADABLE_RETRY_MS = 60_000;

/**
 * Sends the messages of the outbox. Several senders can run concurrently: each message is leased to only one sender. When the lease of
 * a killed process expires, another process sends the message with the same Message-ID, so that receivers can detect a duplicate.
 */
@Injectable()
export class MessageSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MessageSender.name);
  /** One loop for each channel, so that a slow SMS gateway does not delay emails. */
  private readonly loops: readonly BackgroundLoop[];

  constructor(
    private readonly messageLease: MessageLeaseQuery,
    private readonly carriers: MessageCarriers,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    notifications: Notifications,
  ) {
    this.loops = (['email', 'sms'] as const).map(
      (channel) =>
        new BackgroundLoop(`MessageSender:${channel}`, POLL_INTERVAL_MS, async () => (await this.sendDue(channel)) > 0),
    );
    notifications.on(MESSAGES_CHANNEL, () => this.loops.forEach((loop) => loop.wake()));
  }

  onApplicationBootstrap(): void {
    this.loops.forEach((loop) => loop.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Claims a batch of due messages of a channel and attempts to send each message. Returns the number of claimed messages. */
  async sendDue(channel: MessageChannel): Promise<number> {
    const now = this.clock.now();
    const lease = { owner: randomUUID(), until: new Date(now.getTime() + LEASE_MS) };
    const claimed = await this.messageLease.claim(systemContext(lease.owner), channel, now, lease, BATCH_SIZE);
    const attempts = await Promise.allSettled(claimed.map((message) => this.attempt(message, lease.owner)));
    const failure = attempts.find((attempt) => attempt.status === 'rejected');
    if (failure) throw failure.reason;
    return claimed.length;
  }

  private async attempt(message: ClaimedMessage, owner: string): Promise<void> {
    const result = await this.send(message);
    const isRecorded = await this.messageLease.finish(systemContext(owner), message, owner, result);
    const { id, channel, template, attemptCount } = message;
    const line = { messageId: id, channel, template, attempt: attemptCount, ...result };
    if (!isRecorded)
      this.logger.warn(
        line,
        'The lease of a message expired during the attempt; the result is left to the process that claimed it.',
      );
    else if (result.status === 'sent') this.logger.log(line, 'Message sent.');
    else
      this.logger.warn(
        line,
        result.nextAttemptAt ? 'Message not sent; it will be retried.' : 'Message failed after the last attempt.',
      );
  }

  private async send(message: ClaimedMessage): Promise<AttemptResult> {
    try {
      // Each claim counts as an attempt, so a message that crashes its process is not retried forever.
      if (message.attemptCount > MAX_ATTEMPTS) throw new MessageRefused('All attempts ended without a result.');
      await withinTime(this.deliver(message));
      return { status: 'sent', at: this.clock.now(), keepContent: !this.config.production };
    } catch (error) {
      if (error instanceof SecretUnreadable && error.missingKeyId !== undefined)
        return {
          status: 'postponed',
          error: error.message,
          nextAttemptAt: new Date(this.clock.now().getTime() + UNREADABLE_RETRY_MS),
        };
      const nextAttemptAt = error instanceof MessageRefused ? null : nextAttemptAfter(message.attemptCount, this.clock.now());
      return { status: 'failed', error: errorText(error, message.recipient), nextAttemptAt };
    }
  }

  private async deliver(message: ClaimedMessage): Promise<void> {
    const { id, recipient } = message;
    if (message.channel === 'email')
      await this.carriers.email.send({ id, recipient, content: openContent(this.sealer, message) });
    else await this.carriers.sms.send({ id, recipient, content: openContent(this.sealer, message) });
  }
}

/** Limits the duration of an attempt. Socket timeouts never fire if the peer sends a byte now and then. */
async function withinTime(attempt: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${ATTEMPT_TIMEOUT_MS / 1_000} s.`)), ATTEMPT_TIMEOUT_MS);
  });
  try {
    await Promise.race([attempt, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text of an error for the log and the table, without the recipient. */
function errorText(error: unknown, recipient: string): string {
  const { message, cause } = error as Error;
  const text = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return text.replaceAll(recipient, '<recipient>').replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed();
}
