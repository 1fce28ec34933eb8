import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '#platform/config';
import { DevelopmentMailboxController } from './mailbox/development-mailbox.controller.js';
import { DevelopmentMailbox } from './mailbox/development-mailbox.js';
import { MessageOutbox } from './outbox/message-outbox.js';
import { MessageRepository } from './outbox/message.repository.js';
import { MessageCarriers } from './sending/message-carriers.js';
import { MessageSender } from './sending/message-sender.js';

/** Outgoing mails and SMS: the outbox everywhere, the sender in workers, the mailbox page outside production. */
@Module({})
export class MailModule {
  static forRoot(config: AppConfig): DynamicModule {
    const sends = config.role !== 'api';
    return {
      module: MailModule,
      global: true,
      controllers: config.production ? [] : [DevelopmentMailboxController],
      providers: [
        MessageRepository,
        MessageOutbox,
        ...(sends ? [{ provide: MessageCarriers, useFactory: () => MessageCarriers.of(config) }, MessageSender] : []),
        ...(config.production ? [] : [DevelopmentMailbox]),
      ],
      exports: [MessageOutbox],
    };
  }
}
