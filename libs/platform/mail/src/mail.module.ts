import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '#platform/config';
import { DevelopmentMailboxController } from './mailbox/development-mailbox.controller.js';
import { DevelopmentMailbox } from './mailbox/development-mailbox.js';
import { Message } from './outbox/message.entity.js';
import { MessageLeaseQuery } from './outbox/message-lease.query.js';
import { MessageOutbox } from './outbox/message-outbox.js';
import { MessageRepository } from './outbox/message.repository.js';
import { MessageCarriers } from './sending/message-carriers.js';
import { MessageSender } from './sending/message-sender.js';
import { MessagePersonalDataQuery } from './outbox/message-personal-data.query.js';

/** Outgoing emails and text messages: the outbox in all processes, the sender in workers, the mailbox pages outside production. */
@Module({})
export class MailModule {
  static forRoot(config: AppConfig): DynamicModule {
    const sends = config.role !== 'api';
    return {
      module: MailModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Message])],
      controllers: config.production ? [] : [DevelopmentMailboxController],
      providers: [
        MessagePersonalDataQuery,
        MessageRepository,
        MessageLeaseQuery,
        MessageOutbox,
        ...(sends ? [{ provide: MessageCarriers, useFactory: () => MessageCarriers.of(config) }, MessageSender] : []),
        ...(config.production ? [] : [DevelopmentMailbox]),
      ],
      exports: [MessageOutbox],
    };
  }
}
