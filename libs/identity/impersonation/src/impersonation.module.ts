import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { SessionAccessModule } from '#identity/session-access';
import { HttpModule } from '#platform/http';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { ImpersonationMailService } from './impersonation-mail.service.js';
import { ImpersonationPersonalDataQuery } from './impersonation-personal-data.query.js';
import { ImpersonationRetentionService } from './impersonation-retention.service.js';
import { ImpersonationRulesService } from './impersonation-rules.service.js';
import { ImpersonationSessionsService } from './impersonation-sessions.service.js';
import { ImpersonationSweepService } from './impersonation-sweep.service.js';
import { Impersonation } from './impersonation.entity.js';
import { ImpersonationQuery } from './impersonation.query.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { ImpersonationsController } from './impersonations.controller.js';
import { ImpersonationsService } from './impersonations.service.js';
import { OwnImpersonationsController } from './own-impersonations.controller.js';
import { UserImpersonationsController } from './user-impersonations.controller.js';
import './impersonation-notifications.query.js';

/** Sign-ins of support as other users, with a reason, an end, and a trail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Impersonation]),
    AuthModule,
    HttpModule,
    OrganizationsModule,
    SessionAccessModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [ImpersonationsController, OwnImpersonationsController, UserImpersonationsController],
  providers: [
    ImpersonationMailService,
    ImpersonationPersonalDataQuery,
    ImpersonationQuery,
    ImpersonationRepository,
    ImpersonationRetentionService,
    ImpersonationRulesService,
    ImpersonationSessionsService,
    ImpersonationSweepService,
    ImpersonationsService,
  ],
})
export class ImpersonationModule {}
