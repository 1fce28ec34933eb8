import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '#identity/auth';
import { BreakGlassModule } from '#identity/break-glass';
import { type AppConfig, ConfigModule } from '#platform/config';
import { ConfigurationModule } from '#identity/configuration';
import { ConfigurationSectionsModule } from '#platform/configuration-sections';
import { CredentialsModule } from '#identity/credentials';
import { CryptoModule } from '#platform/crypto';
import { DatabaseModule } from '#platform/database';
import { DeliveryApiModule } from '#webhooks/delivery-api';
import { DeliveryModule } from '#webhooks/delivery';
import { EventLogModule } from '#platform/event-log';
import { EventsModule } from '#platform/events';
import { FederationModule } from '#identity/federation';
import { ImpersonationModule } from '#identity/impersonation';
import { HttpModule } from '#platform/http';
import { MailModule } from '#platform/mail';
import { LogoutModule } from '#identity/logout';
import { SharedSignalsModule } from '#identity/shared-signals';
import { OAuthModule } from '#identity/oauth';
import { MembershipsModule } from '#directory/memberships';
import { MfaModule } from '#identity/mfa';
import { NotificationsModule } from '#identity/notifications';
import { ObservabilityModule } from '#platform/observability';
import { OrganizationsModule } from '#directory/organizations';
import { PersonalDataModule } from '#platform/personal-data';
import { PrivilegesModule } from '#directory/privileges';
import { ReportsModule } from '#identity/reports';
import { RolesModule } from '#directory/roles';
import { GroupsModule } from '#directory/groups';
import { DomainsModule } from '#directory/domains';
import { ScimConnectionsModule } from '#directory/scim-connections';
import { ScimModule } from '#identity/scim';
import { SetupLinksModule } from '#identity/setup-links';
import { SearchModule } from '#identity/search';
import { SessionAccessModule } from '#identity/session-access';
import { SessionsModule } from '#directory/sessions';
import { SignInModule } from '#identity/sign-in';
import { UsersModule } from '#directory/users';
import { WebhooksModule } from '#webhooks/webhooks';
import { dataSourceOptions } from '../../../ormconfig.js';
import { currentBuild } from './current-build.js';
import { DatabasePoolMetricsQuery } from './database-pool-metrics.query.js';
import { DatabaseReadinessQuery } from './database-readiness.query.js';
import { ErrorPagesController } from './docs/error-pages.controller.js';
import { HomeController } from './docs/home.controller.js';

/** Composes the service from the libraries. */
@Module({})
export class ServerModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        // Express matches routes in this order, so the most requested routes come first.
        UsersModule,
        ConfigModule.forRoot(config),
        ObservabilityModule.forRoot(currentBuild),
        CryptoModule,
        DatabaseModule.forRoot(dataSourceOptions),
        EventsModule,
        EventLogModule,
        HttpModule,
        PersonalDataModule,
        ConfigurationSectionsModule,
        MailModule.forRoot(config),
        PrivilegesModule,
        OrganizationsModule,
        SessionsModule,
        RolesModule,
        WebhooksModule,
        DeliveryModule.forRoot(config),
        DeliveryApiModule,
        MembershipsModule,
        CredentialsModule,
        MfaModule,
        BreakGlassModule,
        AuthModule,
        SessionAccessModule,
        ImpersonationModule,
        SignInModule,
        FederationModule,
        OAuthModule,
        LogoutModule,
        SharedSignalsModule,
        SetupLinksModule,
        GroupsModule,
        DomainsModule,
        ScimConnectionsModule,
        ScimModule,
        ReportsModule,
        NotificationsModule,
        SearchModule,
        ConfigurationModule,
      ],
      controllers: [ErrorPagesController, HomeController],
      providers: [DatabaseReadinessQuery, DatabasePoolMetricsQuery],
    };
  }
}
