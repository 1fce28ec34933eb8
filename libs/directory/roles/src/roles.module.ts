import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { PermissionsController } from './permissions.controller.js';
import { RoleChangesService } from './role-changes.service.js';
import { RoleUsage } from './role-usage.js';
import { RolePurgeService } from './role-purge.service.js';
import { RoleQuery } from './role.query.js';
import { RoleRepository } from './role.repository.js';
import { RolesConfigurationService } from './roles-configuration.service.js';
import { RolesController } from './roles.controller.js';
import { RolesService } from './roles.service.js';
import { Role } from './role.entity.js';

/** Roles and their permissions. */
@Module({
  imports: [TypeOrmModule.forFeature([Role]), OrganizationsModule],
  controllers: [PermissionsController, RolesController],
  providers: [
    RoleChangesService,
    RolePurgeService,
    RoleQuery,
    RoleRepository,
    RolesConfigurationService,
    RolesService,
    RoleUsage,
  ],
  exports: [RolesService, RoleUsage],
})
export class RolesModule {}
