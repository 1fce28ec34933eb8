import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { UsersModule } from '#directory/users';
import { AuthModule } from '#identity/auth';
import { MachineClientGrants } from './machine-client-grants.js';
import { OpenedSetupLinksController } from './opened-setup-links.controller.js';
import { OpenedSetupLinksService } from './opened-setup-links.service.js';
import { SetupLinkPersonalDataQuery } from './setup-link-personal-data.query.js';
import { SetupLinkAccessService } from './setup-link-access.service.js';
import { SetupLinkAuthenticator } from './setup-link.authenticator.js';
import { SetupLink } from './setup-link.entity.js';
import { SetupLinkQuery } from './setup-link.query.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import { SetupPagesService } from './setup-pages.service.js';
import { SetupLinksController } from './setup-links.controller.js';
import { SetupLinksService } from './setup-links.service.js';

/** Links with which a person without an account sets up an organization. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SetupLink]),
    AuthModule,
    MembershipsModule,
    OrganizationsModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [SetupLinksController, OpenedSetupLinksController],
  providers: [
    MachineClientGrants,
    OpenedSetupLinksService,
    SetupLinkAccessService,
    SetupLinkAuthenticator,
    SetupLinkPersonalDataQuery,
    SetupLinkQuery,
    SetupLinkRepository,
    SetupLinksService,
    SetupPagesService,
  ],
  exports: [MachineClientGrants],
})
export class SetupLinksModule {}
