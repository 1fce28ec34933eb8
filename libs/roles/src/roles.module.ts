import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#organizations';
import { RoleRepository } from './role.repository.js';
import { RolesController } from './roles.controller.js';
import { RolesService } from './roles.service.js';

/** Roles and their permissions. */
@Module({
  imports: [OrganizationsModule],
  controllers: [RolesController],
  providers: [RoleRepository, RolesService],
  exports: [RolesService],
})
export class RolesModule {}
