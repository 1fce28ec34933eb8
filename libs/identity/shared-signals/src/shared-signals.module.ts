import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '#platform/event-log';
import { OutboundModule } from '#platform/outbound';
import { OrganizationsModule } from '#directory/organizations';
import { DeliveryApiModule } from '#webhooks/delivery-api';
import { SessionAccessModule } from '#identity/session-access';
import { SecurityEventTokensService } from './events/security-event-tokens.service.js';
import { SsfStreamAdministrationController } from './management/ssf-stream-administration.controller.js';
import { StreamAdministrationService } from './management/stream-administration.service.js';
import { SsfConfigurationController } from './protocol/ssf-configuration.controller.js';
import { SsfPollController } from './protocol/ssf-poll.controller.js';
import { SsfStreamControlController } from './protocol/ssf-stream-control.controller.js';
import { SsfStreamsController } from './protocol/ssf-streams.controller.js';
import { PollService } from './streams/poll.service.js';
import { SsfStream } from './streams/ssf-stream.entity.js';
import { SsfStreamQuery } from './streams/ssf-stream.query.js';
import { SsfStreamRepository } from './streams/ssf-stream.repository.js';
import { StreamChangesService } from './streams/stream-changes.service.js';
import { StreamDeliveriesService } from './streams/stream-deliveries.service.js';
import { StreamDeliveryQuery } from './streams/stream-delivery.query.js';
import { StreamOwnersService } from './streams/stream-owners.service.js';
import { StreamReceiversService } from './streams/stream-receivers.service.js';
import { StreamsService } from './streams/streams.service.js';
import { SubjectsService } from './streams/subjects.service.js';
import { VerificationsService } from './streams/verifications.service.js';

/**
 * A transmitter of the OpenID Shared Signals Framework: OAuth clients and API keys receive security events about users of their organization.
 * Requires the global `DeliveryModule`.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([SsfStream]),
    DeliveryApiModule,
    EventLogModule,
    OrganizationsModule,
    OutboundModule,
    SessionAccessModule,
  ],
  controllers: [
    SsfConfigurationController,
    SsfStreamsController,
    SsfStreamControlController,
    SsfPollController,
    SsfStreamAdministrationController,
  ],
  providers: [
    PollService,
    SecurityEventTokensService,
    SsfStreamQuery,
    SsfStreamRepository,
    StreamAdministrationService,
    StreamChangesService,
    StreamDeliveriesService,
    StreamDeliveryQuery,
    StreamOwnersService,
    StreamReceiversService,
    StreamsService,
    SubjectsService,
    VerificationsService,
  ],
})
export class SharedSignalsModule {}
