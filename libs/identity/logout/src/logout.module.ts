import { Module } from '@nestjs/common';
import { OAuthModule } from '#identity/oauth';
import { SessionAccessModule } from '#identity/session-access';
import { DeliveryApiModule } from '#webhooks/delivery-api';
import { EndedSessionQuery } from './ended-session.query.js';
import { LogoutDeliveriesController } from './logout-deliveries.controller.js';
import { LogoutDeliveriesService } from './logout-deliveries.service.js';
import { LogoutReceiversService } from './logout-receivers.service.js';
import { LogoutTokenFormat } from './logout-token.format.js';

/** Back-channel logout: sends a logout token to each OAuth client at which a session ended. Requires the global `DeliveryModule`. */
@Module({
  imports: [DeliveryApiModule, OAuthModule, SessionAccessModule],
  controllers: [LogoutDeliveriesController],
  providers: [EndedSessionQuery, LogoutDeliveriesService, LogoutReceiversService, LogoutTokenFormat],
})
export class LogoutModule {}
