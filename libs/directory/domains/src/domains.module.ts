import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { DomainCheckLoop } from './domain-check-loop.js';
import { DomainChecksService } from './domain-checks.service.js';
import { Domain } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import { DomainsConfigurationService } from './domains-configuration.service.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';
import { VerifiedDomainQuery } from './verified-domain.query.js';
import './domain-notifications.query.js';

/** Domains of organizations, which DNS records verify. */
@Module({
  imports: [TypeOrmModule.forFeature([Domain]), OrganizationsModule],
  controllers: [DomainsController],
  providers: [
    DomainCheckLoop,
    DomainChecksService,
    DomainRepository,
    DomainsConfigurationService,
    DomainsService,
    VerifiedDomainQuery,
  ],
  exports: [DomainsService],
})
export class DomainsModule {}
