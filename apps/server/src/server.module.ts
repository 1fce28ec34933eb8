import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '#auth';
import { BreakGlassModule } from '#break-glass';
import { type AppConfig, ConfigModule } from '#config';
import { CredentialsModule } from '#credentials';
import { CryptoModule } from '#crypto';
import { DatabaseModule } from '#database';
import { DeliveryModule } from '#delivery';
import { EventLogModule } from '#event-log';
import { EventsModule } from '#events';
import { FederationModule } from '#federation';
import { HttpModule } from '#http';
import { MailModule } from '#mail';
import { MembershipsModule } from '#memberships';
import { MfaModule } from '#mfa';
import { ObservabilityModule } from '#observability';
import { OrganizationsModule } from '#organizations';
import { RolesModule } from '#roles';
import { SessionAccessModule } from '#session-access';
import { SessionsModule } from '#sessions';
import { SignInModule } from '#sign-in';
import { UsersModule } from '#users';
import { WebhooksModule } from '#webhooks';
import { dataSourceOptions } from '../../../ormconfig.js';
import { DatabasePoolMetrics } from './database-pool-metrics.read.js';
import { DatabaseReadiness } from './database-readiness.read.js';
import { ErrorPagesController } from './docs/error-pages.controller.js';
import { HomeController } from './docs/home.controller.js';

/** The whole service, put together; behaviour lives in the libs. */
@Module({})
export class ServerModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        // Express asks one route after another: those that are called most come first.
        UsersModule,
        ConfigModule.forRoot(config),
        ObservabilityModule,
        CryptoModule,
        DatabaseModule.forRoot(dataSourceOptions),
        EventsModule,
        EventLogModule,
        HttpModule,
        MailModule.forRoot(config),
        OrganizationsModule,
        SessionsModule,
        RolesModule,
        WebhooksModule,
        DeliveryModule.forRoot(config),
        MembershipsModule,
        CredentialsModule,
        MfaModule,
        BreakGlassModule,
        AuthModule,
        SessionAccessModule,
        SignInModule,
        FederationModule,
      ],
      controllers: [ErrorPagesController, HomeController],
      providers: [DatabaseReadiness, DatabasePoolMetrics],
    };
  }
}
