import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';

/** Domains of organizations. */
@Module({
  imports: [TypeOrmModule.forFeature([Domain]), OrganizationsModule],
  controllers: [DomainsController],
  providers: [DomainRepository, DomainsService],
})
export class DomainsModule {}
