import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { SetupLink } from './setup-link.entity.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import { SetupLinksController } from './setup-links.controller.js';
import { SetupLinksService } from './setup-links.service.js';

/** Setup links of organizations. */
@Module({
  imports: [TypeOrmModule.forFeature([SetupLink]), OrganizationsModule],
  controllers: [SetupLinksController],
  providers: [SetupLinkRepository, SetupLinksService],
})
export class SetupLinksModule {}
